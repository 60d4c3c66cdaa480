import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CancelledError, StepError } from '../../src/errors.ts';
import { Schedule } from '../../src/upload/schedule.ts';

const QUIET = new AbortController().signal;
const TOO_LONG =
  'Not tried, because the service asked to wait (Retry-After) longer than `timeout-seconds` allows.';

/** A wait with its error and the milliseconds after which it ended; undefined while it lasts. */
class Waiting {
  endedAt: number | undefined;
  error: unknown;
  readonly #start = performance.now();

  constructor(schedule: Schedule, ms = 0, signal = QUIET) {
    void schedule.wait(ms, signal).then(
      () => this.#end(),
      (error: unknown) => this.#end(error),
    );
  }

  #end(error?: unknown): void {
    this.endedAt = performance.now() - this.#start;
    this.error = error;
  }
}

function makeSchedule(limitMs = 900_000): Schedule {
  return new Schedule(performance.now() + limitMs);
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  const left = jest.getTimerCount();
  jest.useRealTimers();
  if (left > 0) throw new Error(`${left} timers were left behind.`);
});

describe('Schedule', () => {
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

  test.each([10_000, 1e12])(
    'rejects all uploads delayed beyond the time limit (%i of 10,000 ms)',
    async (ms) => {
      const schedule = makeSchedule(10_000);
      schedule.delayAll(ms, ms);
      const [one, other] = [new Waiting(schedule), new Waiting(schedule)];
      await jest.advanceTimersByTimeAsync(0);
      expect(one).toMatchObject({ endedAt: 0, error: { situation: 'other-scans' } });
      expect(other.error).toEqual(one.error);
      expect(schedule.askedMs).toBe(ms);
    },
  );

  test('rejects a wait that a delay extends beyond the time limit', async () => {
    const schedule = makeSchedule(10_000);
    const waiting = new Waiting(schedule, 2000);
    schedule.delayAll(20_000, 20_000);
    await jest.runAllTimersAsync();
    expect(waiting).toMatchObject({ endedAt: 2000, error: { message: TOO_LONG, fixes: [] } });
  });
});

describe('Schedule.stop, and the signal', () => {
  const reason = new StepError('other-scans', 'Not sent: a failed.', []);

  test('rejects further uploads with the first reason', async () => {
    const schedule = makeSchedule();
    expect(schedule.isStopped).toBe(false);
    schedule.stop(reason);
    expect(schedule.isStopped).toBe(true);
    schedule.stop(new StepError('other-scans', 'another', []));
    for (const ms of [0, 1000]) await expect(schedule.wait(ms, QUIET)).rejects.toBe(reason);
  });

  test('ends waits at once', async () => {
    const schedule = makeSchedule();
    const waiting = [new Waiting(schedule, 5000), new Waiting(schedule, 50_000)];
    await jest.advanceTimersByTimeAsync(100);
    schedule.stop(reason);
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting.map(({ endedAt, error }) => [endedAt, error])).toEqual([
      [100, reason],
      [100, reason],
    ]);
  });

  test('rejects with the reason of the signal, during a wait and before one', async () => {
    const schedule = makeSchedule();
    const controller = new AbortController();
    const waiting = new Waiting(schedule, 5000, controller.signal);
    const cancelled = new CancelledError('SIGINT');
    await jest.advanceTimersByTimeAsync(100);
    controller.abort(cancelled);
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting).toMatchObject({ endedAt: 100, error: cancelled });
    schedule.stop(reason);
    await expect(schedule.wait(0, controller.signal)).rejects.toBe(cancelled);
  });
});
