import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseRetryAfter } from '../../src/service/retry.ts';
import { anyText } from './arbitraries.ts';

const DAY_MS = 86_400_000;
const NOW = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2060, 0) });
/** Less than 25 years, so that two digits identify a year. */
const DISTANCE = fc.integer({ min: -9000 * DAY_MS, max: 9000 * DAY_MS });

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The three formats of a date (RFC 9110, section 5.6.7). */
const DATE_FORMS: Readonly<Record<string, (date: Date) => string>> = {
  'IMF-fixdate': (date) => date.toUTCString(),
  'RFC 850': (date) => {
    const [, day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ');
    return `${DAYS[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
  },
  asctime: (date) => {
    const [name = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ');
    return `${name.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
  },
};

describe('parseRetryAfter', () => {
  test.each(Object.entries(DATE_FORMS))('reads a date as %s', (_, format) => {
    fc.assert(
      fc.property(NOW, DISTANCE, (now, distance) => {
        const date = new Date(Math.floor((now + distance) / 1000) * 1000);
        const year = date.getUTCFullYear();
        // A year of two digits is between 1950 and 2049.
        fc.pre(format !== DATE_FORMS['RFC 850'] || (year >= 1950 && year <= 2049));
        expect(parseRetryAfter(format(date), now)).toBe(Math.max(0, date.getTime() - now));
      }),
      { numRuns: 200 },
    );
  });

  test('returns undefined for any other text, and never throws', () => {
    const near = fc.oneof(
      anyText(),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom('-1', '+1', '1e3', '0x10', '1 2', '1,2', '1.5', '١', '', 'GMT', 'Infinity'),
      NOW.map((ms) => new Date(ms).toUTCString().replace('GMT', '+0100')),
      NOW.map((ms) => `${new Date(ms).toUTCString()} x`),
    );
    fc.assert(
      fc.property(near, NOW, (text, now) => {
        fc.pre(!/^\s*\d+\s*$/.test(text));
        expect(parseRetryAfter(text, now)).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });
});
