import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CancelledError, StepError, TimeLimitError } from '../../src/errors.ts';
import type { WhyLast } from '../../src/outcomes/failure.ts';
import type { Situation } from '../../src/outcomes/situations.ts';
import { Schedule, chooseWait, extendDelay, limitRetries } from '../../src/upload/schedule.ts';

const JUST_UNDER_ONE = 1 - 2 ** -53;
const NOW = Date.UTC(2025, 0, 1);
const BUSY = 'unavailable';
const DOWN = 'connect-failed';
const TOO_LONG =
  'Not tried, because the service asked to wait (Retry-After) longer than `timeout-seconds` allows.';

test.each<[Situation, number, number | undefined, number, number]>([
  // retry, Retry-After in seconds, lo and hi in seconds
  [BUSY, 1, undefined, 5, 15],
  [BUSY, 2, undefined, 5, 45],
  [BUSY, 3, undefined, 5, 60],
  [BUSY, 1, 10, 10, 20],
  [BUSY, 1, 3600, 3600, 7200],
  [DOWN, 1, undefined, 1, 3],
  [DOWN, 2, undefined, 5, 45],
])('chooseWait after %s waits before retry %i (Retry-After: %s) %i to %i s', (...row) => {
  const [situation, retry, after, low, high] = row;
  const response = situation === DOWN ? undefined : { retryAfterMs: after && after * 1000 };
  const waits = [0, 0.5, JUST_UNDER_ONE].map((chance) =>
    Math.round(chooseWait(response, retry, chance)),
  );
  expect(waits).toEqual([low, (low + high) / 2, high].map((seconds) => seconds * 1000));
});

test.each<[Situation, number, number, WhyLast | undefined]>([
  [BUSY, 8, 8, undefined],
  [BUSY, 8, 9, 'retries'],
  [BUSY, 0, 1, 'retries'],
  ['service-failed', 2, 3, 'retries'],
  ['gateway-timeout', 8, 2, undefined],
  ['gateway-timeout', 8, 3, 'retries'],
  [DOWN, 8, 5, undefined],
  [DOWN, 8, 6, 'retries'],
  ['refused', 8, 1, 'final'],
])('limitRetries after %s, with %i retries and %i attempts, is %s', (...row) => {
  const [situation, retries, attempts, whyLast] = row;
  expect(limitRetries(situation, attempts, retries)).toBe(whyLast);
});

test.each([
  ['as long as its own upload waits', 0, 7000, 9000],
  ['if the delay is too short', 6999, 7000, 9000],
  ['not if the delay is long enough', 7000, 7000, 7000],
  ['not without Retry-After', -1, 0, -1],
])('extendDelay delays all uploads %s', (_, untilMs, askedMs, expected) => {
  expect(extendDelay(NOW + untilMs, askedMs, 9000, NOW)).toBe(NOW + expected);
});

/** A wait with what it returned and the milliseconds after which it ended; undefined while it lasts. */
class Waiting {
  endedAt: number | undefined;
  whyLast: WhyLast | undefined;
  readonly #start = performance.now();

  constructor(schedule: Schedule, ms = 0) {
    void this.#wait(schedule, ms);
  }

  async #wait(schedule: Schedule, ms: number): Promise<void> {
    this.whyLast = await schedule.wait(ms);
    this.endedAt = performance.now() - this.#start;
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
    expect(waiting).toMatchObject({ endedAt: expected, whyLast: undefined });
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

  test.each([10_000, 1e12])('starts nothing after %i ms with 10,000 ms left', async (ms) => {
    const schedule = makeSchedule(10_000);
    expect([schedule.findWhyLast(ms), schedule.findWhyLast(9999)]).toEqual(['time', undefined]);
    const before = new Waiting(schedule, 2000);
    schedule.delayAll(ms, ms);
    const waiting = new Waiting(schedule);
    const starting = schedule.waitForStart();
    await expect(starting).rejects.toThrow({ situation: 'other-scans', message: TOO_LONG });
    await jest.runAllTimersAsync();
    expect(waiting).toMatchObject({ endedAt: 0, whyLast: 'time' });
    expect(before).toMatchObject({ endedAt: 2000, whyLast: 'time' });
    expect(schedule.askedMs).toBe(ms);
  });

  const reason = new StepError('other-scans', 'Not sent: a failed.', []);

  test('starts no further uploads after stop, with the first reason', async () => {
    const schedule = makeSchedule();
    expect(schedule.findWhyLast(0)).toBeUndefined();
    await schedule.waitForStart();
    schedule.stop(reason);
    schedule.stop(new StepError('other-scans', 'another', []));
    await expect(schedule.waitForStart()).rejects.toBe(reason);
    expect(await schedule.wait(1000)).toBe('stopped');
  });

  test.each([
    ['stopped', undefined],
    ['cancelled', new CancelledError('SIGINT')],
    ['time', new TimeLimitError(9)],
  ] as const)(
    'ends waits at once after stop, or before it by the signal: %s',
    async (whyLast, error) => {
      const controller = new AbortController();
      const schedule = makeSchedule(undefined, controller);
      const waiting = new Waiting(schedule, 5000);
      await jest.advanceTimersByTimeAsync(100);
      if (error !== undefined) controller.abort(error);
      schedule.stop(reason);
      await jest.advanceTimersByTimeAsync(0);
      expect(waiting).toMatchObject({ endedAt: 100, whyLast });
      await expect(schedule.waitForStart()).rejects.toBe(error ?? reason);
    },
  );
});
