import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CancelledError, StepError, TimeLimitError } from '../../src/errors.ts';
import type { Situation } from '../../src/outcomes/situations.ts';
import { Schedule, decideRetry, extendDelay } from '../../src/upload/schedule.ts';
import type { RetryDecision, RetryState } from '../../src/upload/schedule.ts';

const JUST_UNDER_ONE = 1 - 2 ** -53;
const NOW = Date.UTC(2025, 0, 1);
const BUSY = 'unavailable';
const DOWN = 'connect-failed';
const TOO_LONG =
  'Not tried, because the service asked to wait (Retry-After) longer than `timeout-seconds` allows.';

/** Decides after a 503, or after a failed connection. */
function decide(
  state: Partial<RetryState> = {},
  situation: Situation = BUSY,
  retryAfterMs?: number,
): RetryDecision {
  const all = { attempts: 1, retries: 1000, remainingMs: 1e9, chance: 0, ...state };
  return decideRetry(situation, situation === DOWN ? undefined : { retryAfterMs }, all);
}

describe('decideRetry', () => {
  test.each<[Situation, number, number | undefined, number, number]>([
    // retry, Retry-After in seconds, lo and hi in seconds
    [BUSY, 1, undefined, 5, 15],
    [BUSY, 2, undefined, 5, 45],
    [BUSY, 3, undefined, 5, 60],
    [BUSY, 1, 10, 10, 20],
    [BUSY, 1, 3600, 3600, 7200],
    [DOWN, 1, undefined, 1, 3],
    [DOWN, 2, undefined, 5, 45],
  ])('after %s waits before retry %i (Retry-After: %s) %i to %i s', (...row) => {
    const [situation, attempts, after, low, high] = row;
    const waits = [0, 0.5, JUST_UNDER_ONE].map((chance) =>
      Math.round(decide({ attempts, chance }, situation, after && after * 1000).waitMs),
    );
    expect(waits).toEqual([low, (low + high) / 2, high].map((seconds) => seconds * 1000));
  });

  test.each<[Situation, number, number]>([
    [BUSY, 8, 8],
    ['service-failed', 2, 2],
    ['gateway-timeout', 8, 2],
    [DOWN, 8, 5],
  ])('limits the retries after %s, of which %i are allowed, to %i', (situation, retries, most) => {
    expect(decide({ attempts: most, retries }, situation).whyLast).toBeUndefined();
    expect(decide({ attempts: most + 1, retries }, situation).whyLast).toBe('retries');
  });

  test.each<[Situation, Partial<RetryState>, RetryDecision['whyLast'], number | undefined]>([
    [BUSY, { retries: 0, remainingMs: 0 }, 'retries', undefined],
    ['refused', { retries: 0, remainingMs: 0 }, 'final', undefined],
    // The wait has 5 s.
    [BUSY, { remainingMs: 5001 }, undefined, undefined],
    [BUSY, { remainingMs: 5000 }, 'time', undefined],
    [BUSY, {}, 'time', Number.MAX_SAFE_INTEGER],
  ])('stops, or not, after %s (row %#)', (situation, state, whyLast, retryAfterMs) => {
    expect(decide(state, situation, retryAfterMs).whyLast).toBe(whyLast);
  });
});

test.each([
  ['as long as its own upload waits', 0, 7000, 9000],
  ['if the delay is too short', 6999, 7000, 9000],
  ['not if the delay is long enough', 7000, 7000, 7000],
  ['not without Retry-After', -1, 0, -1],
])('extendDelay delays all uploads %s', (_, untilMs, askedMs, expected) => {
  expect(extendDelay(NOW + untilMs, askedMs, 9000, NOW)).toBe(NOW + expected);
});

/** A wait with its error and the milliseconds after which it ended; undefined while it lasts. */
class Waiting {
  endedAt: number | undefined;
  error: unknown;
  readonly #start = performance.now();

  constructor(schedule: Schedule, ms = 0) {
    void schedule.wait(ms).then(
      () => this.#end(),
      (error: unknown) => this.#end(error),
    );
  }

  #end(error?: unknown): void {
    this.endedAt = performance.now() - this.#start;
    this.error = error;
  }
}

function makeSchedule(limitMs = 900_000, { signal } = new AbortController()): Schedule {
  return new Schedule({ signal, deadline: performance.now() + limitMs });
}

describe('Schedule', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    const left = jest.getTimerCount();
    jest.useRealTimers();
    if (left > 0) throw new Error(`${left} timers were left behind.`);
  });

  test.each([
    [0, 0, 0],
    [12_000, 8000, 12_000],
    // Almost to the time limit.
    [0, 899_999, 899_999],
  ])('ends a wait of %i ms, delayed by %i, after %i', async (ownMs, delayMs, expected) => {
    const schedule = makeSchedule();
    schedule.delayAll(delayMs, delayMs);
    const waiting = new Waiting(schedule, ownMs);
    await jest.runAllTimersAsync();
    expect(waiting).toMatchObject({ endedAt: expected, error: undefined });
  });

  test('delays uploads that are waiting already, each time', async () => {
    const schedule = makeSchedule();
    const [short, long] = [new Waiting(schedule, 5000), new Waiting(schedule, 30_000)];
    for (const ms of [4000, 8000]) {
      await jest.advanceTimersByTimeAsync(ms);
      schedule.delayAll(10_000, 10_000);
    }
    await jest.runAllTimersAsync();
    expect([short.endedAt, long.endedAt]).toEqual([22_000, 30_000]);
  });

  test.each([10_000, 1e12])('rejects waits of %i ms with 10,000 ms left', async (ms) => {
    const schedule = makeSchedule(10_000);
    const before = new Waiting(schedule, 2000);
    schedule.delayAll(ms, ms);
    const waiting = new Waiting(schedule);
    await jest.runAllTimersAsync();
    const error = { situation: 'other-scans', message: TOO_LONG, fixes: [] };
    expect(waiting).toMatchObject({ endedAt: 0, error });
    expect(before).toMatchObject({ endedAt: 2000, error });
    expect(schedule.askedMs).toBe(ms);
  });

  const reason = new StepError('other-scans', 'Not sent: a failed.', []);

  test('rejects further uploads after stop, with the first reason', async () => {
    const schedule = makeSchedule();
    expect(schedule.whyLast).toBeUndefined();
    schedule.stop(reason);
    schedule.stop(new StepError('other-scans', 'another', []));
    for (const ms of [0, 1000]) await expect(schedule.wait(ms)).rejects.toBe(reason);
  });

  test.each([
    ['final', undefined],
    ['cancelled', new CancelledError('SIGINT')],
    ['time', new TimeLimitError(9)],
  ] as const)(
    'ends waits at once after stop, or before it by the signal: %s',
    async (end, error) => {
      const controller = new AbortController();
      const schedule = makeSchedule(undefined, controller);
      const waiting = new Waiting(schedule, 5000);
      await jest.advanceTimersByTimeAsync(100);
      if (error !== undefined) controller.abort(error);
      schedule.stop(reason);
      await jest.advanceTimersByTimeAsync(0);
      expect(waiting).toMatchObject({ endedAt: 100, error: error ?? reason });
      expect(schedule.whyLast).toBe(end);
      await expect(schedule.wait(0)).rejects.toBe(error ?? reason);
    },
  );
});
