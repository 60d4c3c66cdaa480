import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { decideRetry, parseRetryAfter } from '../../src/service/retry.ts';
import type { FailedResponse, RetryState } from '../../src/service/retry.ts';
import { anyText } from './arbitraries.ts';

const DAY_MS = 86_400_000;
const NOW = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2060, 0) });
/** Less than 25 years, so that two digits identify a year. */
const DISTANCE = fc.integer({ min: -9000 * DAY_MS, max: 9000 * DAY_MS });

const RANDOM = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const AFTER_MS = fc.oneof(fc.nat({ max: 100_000 }), fc.maxSafeNat());
const RESPONSE: fc.Arbitrary<FailedResponse> = fc.option(
  fc.record({ retryAfterMs: fc.option(AFTER_MS, { nil: undefined }) }),
  { nil: undefined },
);
const STATE: fc.Arbitrary<RetryState> = fc
  .record({
    retry: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2000 })),
    remainingMs: fc.oneof(fc.nat({ max: 200_000 }), fc.maxSafeNat(), fc.integer({ max: 0 })),
    chance: RANDOM,
  })
  .map(({ chance, retry, remainingMs }) => ({
    earlier: Array.from({ length: retry - 1 }, () => 'unavailable' as const),
    maxRetries: 2000,
    remainingMs,
    random: () => chance,
  }));

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

describe('decideRetry', () => {
  test('waits within its bounds, and stops if that would exceed the remaining time', () => {
    fc.assert(
      fc.property(RESPONSE, STATE, (response, state) => {
        const { stop, waitMs } = decideRetry('unavailable', response, state);
        const retry = state.earlier.length + 1;
        const isReconnect = response === undefined && retry === 1;
        const low = isReconnect ? 1000 : Math.max(5000, response?.retryAfterMs ?? 0);
        const high = isReconnect ? 3000 : Math.max(2 * low, Math.min(60_000, 5000 * 3 ** retry));
        expect(Number.isFinite(waitMs)).toBe(true);
        expect(waitMs).toBeGreaterThanOrEqual(low);
        expect(waitMs).toBeLessThanOrEqual(high);
        expect(stop).toBe(waitMs < state.remainingMs ? undefined : 'time');
      }),
      { numRuns: 500 },
    );
  });
});

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
