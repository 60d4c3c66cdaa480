import { describe, expect, test } from '@jest/globals';
import { parseRetryAfter } from '../../src/service/retry-after.ts';
import { evaluate } from '../support/evaluate.ts';

const NOW = Date.UTC(2025, 0, 1);

describe('parseRetryAfter', () => {
  test.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['999999999', 999_999_999_000],
    ['Wed, 01 Jan 2025 00:00:00 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Wed, 01 Jan 2025 00:01:00 GMT', 60_000],
    ['Friday, 01-Jan-49 00:00:00 GMT', Date.UTC(2049, 0) - NOW],
    ['Saturday, 01-Jan-50 00:00:00 GMT', 0],
    ['Sun Nov  6 08:49:37 1994', 0],
    ['Fri Jan 10 00:00:00 2025', 9 * 86_400_000],
    ...['-1', '+1', '1e3', '0x10', '1,2', '1.5', '١', '', 'GMT', '2025-01-02T00:00:00Z'].map(
      (text): [string, undefined] => [text, undefined],
    ),
    ['Thu, 02 Jan 2025 00:00:00 +0100', undefined],
    [undefined, undefined],
    ['Wed, 99 Foo 2025 00:01:00 GMT', undefined],
    ['Wed, 01 Jan 2025 00:01:00 PST', undefined],
    ['After Wed, 01 Jan 2025 00:01:00 GMT', undefined],
    ['Wed, 01 Jan 2025 00:01:00 GMT (maintenance)', undefined],
    ['After Wednesday, 01-Jan-25 00:01:00 GMT', undefined],
    ['Wednesday, 01-Jan-25 00:01:00 GMT (maintenance)', undefined],
    ['After Wed Jan  1 00:01:00 2025', undefined],
    ['Wed Jan  1 00:01:00 2025 (maintenance)', undefined],
  ])('reads %j as %s ms', (value, milliseconds) => {
    expect(parseRetryAfter(value, NOW)).toBe(milliseconds);
  });

  test('reads every date as GMT in any time zone', () => {
    const dates = ['Wed Jan  1 00:01:00 2025', 'Wed, 01 Jan 2025 00:01:00 GMT'];
    const expression = `${JSON.stringify(dates)}.map((date) => m.parseRetryAfter(date, ${NOW}))`;
    const variables = { TZ: 'America/New_York' };
    expect(evaluate('service/retry-after.ts', expression, variables)).toBe('60000,60000');
  });
});
