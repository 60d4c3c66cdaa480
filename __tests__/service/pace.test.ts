import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CancelledError, NotBegunError } from '../../src/errors.ts';
import { Pace } from '../../src/service/pace.ts';
import type { FailedAttempt, RetryDecision } from '../../src/service/retry.ts';

const QUIET = new AbortController().signal;
const STOP: RetryDecision = { kind: 'stop', reason: 'retries' };
const TOO_LONG =
  'The service asked to wait (Retry-After) for longer than the time limit (timeout-seconds) leaves.';

function fail(attempt: Partial<FailedAttempt>): FailedAttempt {
  return { retry: 'always', isConnectionLevel: false, retryAfterMs: undefined, ...attempt };
}

/** Holds all for `ms`, as an upload does that waits for so long. */
function hold(pace: Pace, ms: number): void {
  pace.hold(fail({ retryAfterMs: ms }), { kind: 'wait', waitMs: ms }, () => 0);
}

/** A wait, and how and after how many milliseconds it ended; undefined while it has not. */
class Waiting {
  endedAt: number | undefined;
  error: unknown;
  readonly #start = Date.now();

  constructor(wait: Promise<void>) {
    void wait.then(
      () => this.#end(),
      (error: unknown) => this.#end(error),
    );
  }

  #end(error?: unknown): void {
    this.endedAt = Date.now() - this.#start;
    this.error = error;
  }
}

function watch(wait: Promise<void>): Waiting {
  return new Waiting(wait);
}

function makePace(limitMs = 900_000): Pace {
  return new Pace(Date.now() + limitMs);
}

describe('Pace', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    const left = jest.getTimerCount();
    jest.useRealTimers();
    if (left > 0) throw new Error(`${left} timers were left behind.`);
  });

  test('lets what need not wait begin at once', async () => {
    const waiting = watch(makePace().wait(0, QUIET));
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting).toMatchObject({ endedAt: 0, error: undefined });
  });

  test('waits for as long as it is told to', async () => {
    const waiting = watch(makePace().wait(5000, QUIET));
    await jest.advanceTimersByTimeAsync(4999);
    expect(waiting.endedAt).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(waiting).toMatchObject({ endedAt: 5000, error: undefined });
  });

  test.each([
    [0, 8000],
    [5000, 8000],
    [12_000, 12_000],
  ])('holds back what would wait for %i ms till the later of both', async (ownMs, expected) => {
    const pace = makePace();
    hold(pace, 8000);
    const waiting = watch(pace.wait(ownMs, QUIET));
    await jest.runAllTimersAsync();
    expect(waiting).toMatchObject({ endedAt: expected, error: undefined });
  });

  test('holds back what is waiting already', async () => {
    const pace = makePace();
    const [short, long] = [watch(pace.wait(5000, QUIET)), watch(pace.wait(30_000, QUIET))];
    await jest.advanceTimersByTimeAsync(4000);
    hold(pace, 10_000);
    await jest.advanceTimersByTimeAsync(9999);
    expect(short.endedAt).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(short.endedAt).toBe(14_000);
    await jest.runAllTimersAsync();
    expect(long.endedAt).toBe(30_000);
  });

  test('is extended again and again while it lasts', async () => {
    const pace = makePace();
    hold(pace, 5000);
    const waiting = watch(pace.wait(0, QUIET));
    for (let turn = 0; turn < 3; turn += 1) {
      await jest.advanceTimersByTimeAsync(4000);
      hold(pace, 5000);
    }
    await jest.runAllTimersAsync();
    expect(waiting.endedAt).toBe(17_000);
  });

  test('is not made shorter by a later answer', async () => {
    const pace = makePace();
    hold(pace, 60_000);
    await jest.advanceTimersByTimeAsync(1000);
    hold(pace, 5000);
    const waiting = watch(pace.wait(0, QUIET));
    await jest.runAllTimersAsync();
    expect(waiting.endedAt).toBe(59_000);
  });

  test.each<[string, Partial<FailedAttempt>]>([
    ['does not ask for it', {}],
    ['is final', { retry: 'never', retryAfterMs: 8000 }],
  ])('does not hold for an attempt that %s', async (_, attempt) => {
    const pace = makePace();
    pace.hold(fail(attempt), { kind: 'wait', waitMs: 8000 }, () => 0);
    const waiting = watch(pace.wait(0, QUIET));
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting.endedAt).toBe(0);
  });

  test('holds the others also for one that gets no further attempt', async () => {
    const pace = makePace();
    pace.hold(fail({ retryAfterMs: 8000 }), STOP, () => 0.5);
    const waiting = watch(pace.wait(0, QUIET));
    await jest.runAllTimersAsync();
    expect(waiting.endedAt).toBe(12_000);
  });

  test('waits almost till the time limit', async () => {
    const pace = makePace(10_000);
    hold(pace, 9999);
    const waiting = watch(pace.wait(0, QUIET));
    await jest.runAllTimersAsync();
    expect(waiting).toMatchObject({ endedAt: 9999, error: undefined });
  });

  test.each([10_000, 1e12])(
    'lets nothing begin after the time limit: held for %i ms of 10,000',
    async (ms) => {
      const pace = makePace(10_000);
      hold(pace, ms);
      const waiting = watch(pace.wait(0, QUIET));
      await jest.advanceTimersByTimeAsync(0);
      expect(waiting).toMatchObject({ endedAt: 0, error: new NotBegunError(TOO_LONG) });
    },
  );

  test('ends all for one reason, which can be told once', async () => {
    const pace = makePace(10_000);
    hold(pace, 20_000);
    const [one, other] = [watch(pace.wait(0, QUIET)), watch(pace.wait(0, QUIET))];
    await jest.advanceTimersByTimeAsync(0);
    expect(one.error).toBeInstanceOf(NotBegunError);
    expect(one.error).toBe(other.error);
  });

  test('ends what has waited for itself where a hold goes beyond the time limit', async () => {
    const pace = makePace(10_000);
    const waiting = watch(pace.wait(2000, QUIET));
    hold(pace, 20_000);
    await jest.runAllTimersAsync();
    expect(waiting).toMatchObject({ endedAt: 2000, error: new NotBegunError(TOO_LONG) });
  });
});

describe('Pace, halted or stopped', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    const left = jest.getTimerCount();
    jest.useRealTimers();
    if (left > 0) throw new Error(`${left} timers were left behind.`);
  });

  const reason = new NotBegunError('Not begun, since a failed.');

  test('lets nothing more begin', async () => {
    const pace = new Pace(Date.now() + 900_000);
    expect(pace.isHalted).toBe(false);
    pace.halt(reason);
    expect(pace.isHalted).toBe(true);
    await expect(pace.wait(0, QUIET)).rejects.toBe(reason);
    await expect(pace.wait(1000, QUIET)).rejects.toBe(reason);
  });

  test('ends what waits, at once', async () => {
    const pace = new Pace(Date.now() + 900_000);
    const waiting = [watch(pace.wait(5000, QUIET)), watch(pace.wait(50_000, QUIET))];
    await jest.advanceTimersByTimeAsync(100);
    pace.halt(reason);
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting.map(({ endedAt, error }) => [endedAt, error])).toEqual([
      [100, reason],
      [100, reason],
    ]);
  });

  test('keeps the first reason', async () => {
    const pace = new Pace(Date.now() + 900_000);
    pace.halt(reason);
    pace.halt(new NotBegunError('another'));
    await expect(pace.wait(0, QUIET)).rejects.toBe(reason);
  });

  test('is told by the signal while it waits, and before', async () => {
    const pace = new Pace(Date.now() + 900_000);
    const controller = new AbortController();
    const waiting = watch(pace.wait(5000, controller.signal));
    const cancelled = new CancelledError('SIGINT');
    await jest.advanceTimersByTimeAsync(100);
    controller.abort(cancelled);
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting).toMatchObject({ endedAt: 100, error: cancelled });
    await expect(pace.wait(0, controller.signal)).rejects.toBe(cancelled);
    pace.halt(reason);
    await expect(pace.wait(0, controller.signal)).rejects.toBe(cancelled);
    expect(pace.isHalted).toBe(true);
  });
});
