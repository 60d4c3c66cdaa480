import { describe, expect, test } from '@jest/globals';
import {
  decideRetry,
  extendDelay,
  limitRetries,
  parseRetryAfter,
} from '../../src/service/retry.ts';
import type { FailedAttempt, RetryDecision, RetryState } from '../../src/service/retry.ts';
import type { Situation } from '../../src/situations.ts';
import { evaluate } from '../support/evaluate.ts';

const JUST_UNDER_ONE = 1 - 2 ** -53;
const ALWAYS = Number.POSITIVE_INFINITY;
const NOW = Date.UTC(2025, 0, 1);

function decide(
  failed: Partial<FailedAttempt> = {},
  state: Partial<RetryState> = {},
): RetryDecision {
  return decideRetry(
    { retries: ALWAYS, isConnectionLevel: false, retryAfterMs: undefined, ...failed },
    { retry: 1, maxRetries: 1000, remainingMs: 1e9, random: () => 0, ...state },
  );
}

/** The shortest, the middle and the longest wait. */
function measureWaits(failed: Partial<FailedAttempt>, retry: number): readonly unknown[] {
  return [0, 0.5, JUST_UNDER_ONE].map((chance) => {
    const decision = decide(failed, { retry, random: () => chance });
    return decision.kind === 'wait' ? Math.round(decision.waitMs) : decision.reason;
  });
}

describe('decideRetry', () => {
  // Further waits are tested in __tests__/properties/retry.test.ts.
  test.each([
    // retry, Retry-After in seconds, lo and hi in seconds
    [1, undefined, 5, 15],
    [2, undefined, 5, 45],
    [1000, undefined, 5, 60],
    [1, 7, 7, 15],
    [1, 10, 10, 20],
    [1, 3600, 3600, 7200],
  ])('waits before retry %i (Retry-After: %s) between %i and %i s', (retry, after, low, high) => {
    const retryAfterMs = after === undefined ? undefined : after * 1000;
    const expected = [low, (low + high) / 2, high].map((seconds) => seconds * 1000);
    expect(measureWaits({ retryAfterMs }, retry)).toEqual(expected);
  });

  test.each([ALWAYS, 3])(
    'waits 1 to 3 s before the first retry after a failed connection (%s)',
    (retries) => {
      expect(measureWaits({ retries, isConnectionLevel: true }, 1)).toEqual([1000, 2000, 3000]);
      expect(measureWaits({ retries, isConnectionLevel: true }, 2)).toEqual([5000, 25_000, 45_000]);
    },
  );

  test.each([0, 1, 8, 100])('allows %i retries at most', (maxRetries) => {
    for (let retry = 1; retry <= maxRetries; retry += 1) {
      expect(decide({}, { retry, maxRetries })).toMatchObject({ kind: 'wait' });
    }
    const next = decide({}, { retry: maxRetries + 1, maxRetries });
    expect(next).toEqual({ kind: 'stop', reason: 'retries' });
  });

  test('never retries a final result', () => {
    const final = { kind: 'stop', reason: 'final' };
    expect(decide({ retries: 0 })).toEqual(final);
    expect(decide({ retries: 0 }, { retry: 9, maxRetries: 0, remainingMs: 0 })).toEqual(final);
  });

  test.each([
    [5001, { kind: 'wait', waitMs: 5000 }],
    [5000, { kind: 'stop', reason: 'time' }],
    [-1, { kind: 'stop', reason: 'time' }],
  ])('compares a wait of 5 s with %i remaining ms: %j', (remainingMs, decision) => {
    expect(decide({}, { remainingMs })).toEqual(decision);
  });

  test('stops if Retry-After is too large for a number', () => {
    const decision = decide({ retryAfterMs: parseRetryAfter('9'.repeat(400), NOW) });
    expect(decision).toEqual({ kind: 'stop', reason: 'time' });
  });

  test('reports used-up retries before the time limit', () => {
    const decision = decide({}, { retry: 2, maxRetries: 1, remainingMs: 0 });
    expect(decision).toEqual({ kind: 'stop', reason: 'retries' });
  });
});

describe('limitRetries', () => {
  const BUSY = 'unavailable';
  const CRASH = 'service-failed';
  const LATE = 'gateway-timeout';
  const LOST = 'gateway-interrupted';
  test.each<[Situation, readonly Situation[], number, number]>([
    [BUSY, [], 8, 8],
    [BUSY, [BUSY, LATE, CRASH], 8, 8],
    [CRASH, [], 8, 3],
    [CRASH, [], 2, 2],
    [CRASH, [BUSY, CRASH, BUSY], 8, 5],
    [LATE, [], 8, 2],
    [LATE, [LATE, LOST], 8, 2],
    [LATE, [BUSY, LOST, BUSY], 8, 4],
    [LOST, [], 8, 1],
    [LOST, [LATE], 8, 2],
    [LOST, [LATE, BUSY, LATE], 8, 3],
    [LOST, [BUSY], 1, 1],
    ['invalid', [BUSY, BUSY], 8, 2],
  ])('after %s, and before it %j, allows of %i retries %i', (situation, earlier, max, most) => {
    expect(limitRetries(situation, earlier, max)).toBe(most);
  });
});

describe('extendDelay', () => {
  const SHED: FailedAttempt = { retries: ALWAYS, isConnectionLevel: false, retryAfterMs: 7000 };
  const WAIT: RetryDecision = { kind: 'wait', waitMs: 9000 };
  const STOP: RetryDecision = { kind: 'stop', reason: 'retries' };

  function extend(
    heldUntil: number,
    failed: Partial<FailedAttempt> = {},
    decision = WAIT,
    random = (): number => 0.5,
  ): number {
    return extendDelay(heldUntil, { ...SHED, ...failed }, decision, { nowMs: NOW, random });
  }

  test.each([
    [0, 7000],
    [0.5, 11_000],
    [JUST_UNDER_ONE, 15_000],
  ])(
    'delays all uploads as long as the upload would wait, if it has no retry left (%s)',
    (chance, ms) => {
      expect(Math.round(extend(0, {}, STOP, () => chance))).toBe(NOW + ms);
    },
  );

  test.each([
    ['has no Retry-After', { retryAfterMs: undefined }],
    ['has Retry-After: 0', { retryAfterMs: 0 }],
    ['may not be repeated', { retries: 0 }],
    ['is a failed connection', { isConnectionLevel: true, retryAfterMs: undefined }],
  ] as const)('does not change the delay after an attempt that %s', (_, failed) => {
    expect(extend(0, failed)).toBe(0);
    expect(extend(NOW + 1, failed)).toBe(NOW + 1);
  });

  test('delays all uploads as long as the upload waits, unless the current delay covers Retry-After', () => {
    expect(extend(0)).toBe(NOW + 9000);
    expect(extend(NOW + 7000)).toBe(NOW + 7000);
    expect(extend(NOW + 6999)).toBe(NOW + 9000);
  });
});

describe('parseRetryAfter', () => {
  // Dates and other texts are tested in __tests__/properties/retry.test.ts.
  test.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['999999999', 999_999_999_000],
    ['Wed, 01 Jan 2025 00:00:00 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
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
    expect(evaluate('service/retry.ts', expression, variables)).toBe('60000,60000');
  });
});
