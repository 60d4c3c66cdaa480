import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { decideRetry, parseRetryAfter } from '../../src/service/retry.ts';
import type { FailedAttempt, RetryState } from '../../src/service/retry.ts';
import { anyText, characterOf } from './arbitraries.ts';

const DAY_MS = 86_400_000;
const MAX_LIMITED = 3;
const NOW = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2060, 0) });
/** Whole seconds, no more than 30 years from now, so that two digits of a year tell which. */
const DISTANCE = fc.integer({ min: -9000 * DAY_MS, max: 9000 * DAY_MS });

const RANDOM = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const FAILED: fc.Arbitrary<FailedAttempt> = fc.record({
  retry: fc.constantFrom('never', 'limited', 'always'),
  isConnectionLevel: fc.boolean(),
  retryAfterMs: fc.option(
    fc.oneof(fc.nat({ max: 100_000 }), fc.maxSafeNat(), fc.constant(Number.MAX_SAFE_INTEGER)),
    { nil: undefined },
  ),
});
const STATE: fc.Arbitrary<RetryState> = fc
  .record({
    retry: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2000 })),
    maxRetries: fc.nat({ max: 100 }),
    remainingMs: fc.oneof(fc.nat({ max: 200_000 }), fc.maxSafeNat(), fc.integer({ max: 0 })),
    chance: RANDOM,
  })
  .map(({ chance, ...state }) => ({ ...state, random: () => chance }));

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The three forms of a date (RFC 9110, section 5.6.7), made of its parts. */
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
  test('never repeats what must not be, nor more often than allowed', () => {
    fc.assert(
      fc.property(FAILED, STATE, (failed, state) => {
        const decision = decideRetry(failed, state);
        const allowed =
          failed.retry === 'limited' ? Math.min(MAX_LIMITED, state.maxRetries) : state.maxRetries;
        const isFinal = failed.retry === 'never';
        const isSpent = !isFinal && state.retry > allowed;
        const reason = decision.kind === 'stop' ? decision.reason : 'none';
        expect([reason === 'final', reason === 'retries']).toEqual([isFinal, isSpent]);
      }),
      { numRuns: 1000 },
    );
  });

  test('waits within its bounds, and never beyond what is left', () => {
    fc.assert(
      fc.property(FAILED, STATE, (failed, state) => {
        const decision = decideRetry(failed, state);
        if (decision.kind === 'stop') return;
        const { waitMs } = decision;
        const isReconnect = failed.isConnectionLevel && state.retry === 1;
        const low = isReconnect ? 1000 : Math.max(5000, failed.retryAfterMs ?? 0);
        const high = isReconnect
          ? 3000
          : Math.max(2 * low, Math.min(60_000, 5000 * 3 ** state.retry));
        expect(Number.isFinite(waitMs)).toBe(true);
        expect(waitMs).toBeGreaterThanOrEqual(low);
        expect(waitMs).toBeLessThanOrEqual(high);
        expect(waitMs).toBeLessThan(state.remainingMs);
      }),
      { numRuns: 1000 },
    );
  });

  test('stops for the time only where the shortest wait or a longer one would cross it', () => {
    fc.assert(
      fc.property(FAILED, STATE, (failed, state) => {
        const decision = decideRetry(failed, state);
        fc.pre(decision.kind === 'stop' && decision.reason === 'time');
        const patient = decideRetry(failed, { ...state, remainingMs: Number.POSITIVE_INFINITY });
        if (patient.kind === 'stop') throw new Error('It stopped for another reason.');
        expect(patient.waitMs).toBeGreaterThanOrEqual(state.remainingMs);
      }),
      { numRuns: 250 },
    );
  });
});

describe('parseRetryAfter', () => {
  test('reads any number of seconds, as a number that can be reckoned with', () => {
    const digits = fc.string({
      unit: characterOf('0123456789'),
      minLength: 1,
      maxLength: 400,
      size: 'max',
    });
    fc.assert(
      fc.property(digits, NOW, fc.constantFrom('', ' ', '\t'), (text, now, space) => {
        const ms = parseRetryAfter(`${space}${text}${space}`, now) ?? Number.NaN;
        const exact = BigInt(text) * 1000n;
        const most = BigInt(Number.MAX_SAFE_INTEGER);
        expect(BigInt(ms)).toBe(exact < most ? exact : most);
      }),
      { numRuns: 250 },
    );
  });

  test.each(Object.entries(DATE_FORMS))('reads a date as %s', (_, format) => {
    fc.assert(
      fc.property(NOW, DISTANCE, (now, distance) => {
        const date = new Date(Math.floor((now + distance) / 1000) * 1000);
        fc.pre(format !== DATE_FORMS['RFC 850'] || isReadAlike(date));
        expect(parseRetryAfter(format(date), now)).toBe(Math.max(0, date.getTime() - now));
      }),
      { numRuns: 200 },
    );
  });

  test('takes nothing else for a time, and never throws', () => {
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

  test('is never negative and always a number, whatever is made of a date', () => {
    const mutated = fc
      .tuple(
        NOW,
        fc.constantFrom(...Object.values(DATE_FORMS)),
        fc.nat({ max: 40 }),
        fc.nat({ max: 9 }),
      )
      .map(([ms, format, place, digit]) => {
        const text = format(new Date(ms));
        return `${text.slice(0, place)}${digit}${text.slice(place + 1)}`;
      });
    fc.assert(
      fc.property(mutated, NOW, (text, now) => {
        const ms = parseRetryAfter(text, now) ?? 0;
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(ms)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

/** Years of two digits are those of 1950 to 2049. */
function isReadAlike(date: Date): boolean {
  return date.getUTCFullYear() >= 1950 && date.getUTCFullYear() <= 2049;
}
