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
    [undefined, undefined],
  ])('reads %j as %s ms', (value, milliseconds) => {
    expect(parseRetryAfter(value, NOW)).toBe(milliseconds);
  });

  test.each([
    '-1',
    '1e3',
    '1.5',
    '١',
    '',
    ' GMT',
    '2025-01-02T00:00:00Z',
    'Thu, 02 Jan 2025 00:00:00 +0100',
    'Wed, 01 Jan 2025 00:01:00 PST',
    'Wed, 99 Foo 2025 00:01:00 GMT',
  ])('reads nothing of %j', (text) => {
    expect(parseRetryAfter(text, NOW)).toBeUndefined();
  });

  test('reads every date as GMT in any time zone', () => {
    const expression = `m.parseRetryAfter('Wed, 01 Jan 2025 00:01:00 GMT', ${NOW})`;
    const variables = { TZ: 'America/New_York' };
    expect(evaluate('service/retry-after.ts', expression, variables)).toBe('60000');
  });
});
