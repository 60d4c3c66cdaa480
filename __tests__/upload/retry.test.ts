import { parseRetryAfter } from '../../src/service/retry-after.ts';
import { describe, expect, test } from '@jest/globals';
import { decideRetry, extendDelay } from '../../src/upload/retry.ts';
import type { RetryDecision, RetryState } from '../../src/upload/retry.ts';
import type { Situation } from '../../src/outcomes/situations.ts';

const JUST_UNDER_ONE = 1 - 2 ** -53;
const NOW = Date.UTC(2025, 0, 1);
const BUSY = 'unavailable';
const CRASH = 'service-failed';
const LATE = 'gateway-timeout';
const DOWN = 'connect-failed';

/** Decides after a 503, or after a failed connection. */
function decide(
  state: Partial<RetryState> = {},
  situation: Situation = BUSY,
  retryAfterMs?: number,
): RetryDecision {
  const all = { attempts: 1, retries: 1000, remainingMs: 1e9, random: () => 0, ...state };
  return decideRetry(situation, situation === DOWN ? undefined : { retryAfterMs }, all);
}

describe('decideRetry', () => {
  test.each<[Situation, number, number | undefined, number, number]>([
    // retry, Retry-After in seconds, lo and hi in seconds
    [BUSY, 1, undefined, 5, 15],
    [BUSY, 2, undefined, 5, 45],
    [BUSY, 1, 10, 10, 20],
    [BUSY, 1, 3600, 3600, 7200],
    [DOWN, 1, undefined, 1, 3],
    [DOWN, 2, undefined, 5, 45],
  ])('after %s waits before retry %i (Retry-After: %s) %i to %i s', (...row) => {
    const [situation, retry, after, low, high] = row;
    const waits = [0, 0.5, JUST_UNDER_ONE].map((chance) => {
      const state = { attempts: retry, random: () => chance };
      return Math.round(decide(state, situation, after && after * 1000).waitMs);
    });
    expect(waits).toEqual([low, (low + high) / 2, high].map((seconds) => seconds * 1000));
  });

  test.each<[Situation, number, number]>([
    [BUSY, 8, 8],
    [CRASH, 2, 2],
    [LATE, 8, 2],
    [DOWN, 8, 5],
  ])('limits the retries after %s, of which %i are allowed, to %i', (situation, retries, most) => {
    for (const [attempts, stop] of [[most, undefined] as const, [most + 1, 'retries'] as const]) {
      expect(decide({ attempts, retries }, situation).stop).toBe(stop);
    }
  });

  test.each<[Situation, Partial<RetryState>, RetryDecision['stop']]>([
    [BUSY, { retries: 0, remainingMs: 0 }, 'retries'],
    ['refused', { retries: 0, remainingMs: 0 }, 'final'],
    // The wait has 5 s.
    [BUSY, { remainingMs: 5001 }, undefined],
    [BUSY, { remainingMs: 5000 }, 'time'],
  ])('stops, or not, after %s (row %#)', (situation, state, stop) => {
    expect(decide(state, situation).stop).toBe(stop);
  });

  test('stops if Retry-After is too large for a number', () => {
    expect(decide({}, BUSY, parseRetryAfter('9'.repeat(400), NOW)).stop).toBe('time');
  });
});

test.each([
  ['as long as its own upload waits', 0, 7000, 9000],
  ['if the delay is too short', 6999, 7000, 9000],
  ['not if the delay is long enough', 7000, 7000, 7000],
  ['not without Retry-After', 1, 0, 1],
  ['not without it, after a delay', -1, 0, -1],
])('extendDelay delays all uploads %s', (_, untilMs, askedMs, expected) => {
  expect(extendDelay(NOW + untilMs, askedMs, 9000, NOW)).toBe(NOW + expected);
});
