import { CancelledError, StepError, TimeLimitError } from '../errors.ts';
import type { StepLimits } from '../lifecycle.ts';
import type { WhyLast } from '../outcomes/failure.ts';
import { findRow } from '../outcomes/situations.ts';
import type { Situation } from '../outcomes/situations.ts';
import type { ServiceResponse } from '../service/attempt.ts';

const MIN_WAIT_MS = 5000;
const MAX_WAIT_MS = 60_000;
const GROWTH = 3;
const MIN_RECONNECT_MS = 1000;
/** The message of scans that never started. That of the scan which was asked to wait says how long the wait is. */
const TOO_LONG =
  'Not tried, because the service asked to wait (Retry-After) longer than `timeout-seconds` allows.';

/** Returns why no retry follows the last of `attempts`, which all count, however they ended; undefined if one may. */
export function limitRetries(
  situation: Situation,
  attempts: number,
  retries: number,
): WhyLast | undefined {
  const { retries: most } = findRow(situation);
  if (most === 0) return 'final';
  return attempts > Math.min(most, retries) ? 'retries' : undefined;
}

/**
 * Returns how long to wait before retry k, in milliseconds. `chance` is a random number in [0, 1): the wait is uniform in
 * [lo, hi], lo = max(5 s, Retry-After), hi = max(2 lo, min(60 s, 5 s x 3^k)). Retry-After is a lower bound, because
 * clients that wait exactly that long all come back at once. The first retry after an attempt without a response waits
 * for 1 to 3 s.
 */
export function chooseWait(
  response: Pick<ServiceResponse, 'retryAfterMs'> | undefined,
  retry: number,
  chance: number,
): number {
  const isReconnect = response === undefined && retry === 1;
  const low = isReconnect ? MIN_RECONNECT_MS : Math.max(MIN_WAIT_MS, response?.retryAfterMs ?? 0);
  const grown = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * GROWTH ** retry);
  const high = isReconnect ? GROWTH * low : Math.max(2 * low, grown);
  return low + chance * (high - low);
}

/**
 * Returns until when all uploads of a step are delayed. A response asked to wait for `askedMs`, and its own upload waits
 * for `waitMs`; until now, all were delayed until `delayedUntil`. A delay that is long enough is not extended: if each
 * response extended it, every step would wait for about the longest possible time, and all steps would retry at once.
 */
export function extendDelay(
  delayedUntil: number,
  askedMs: number,
  waitMs: number,
  nowMs: number,
): number {
  return askedMs > 0 && delayedUntil < nowMs + askedMs ? nowMs + waitMs : delayedUntil;
}

/** Decides for all uploads of a step when attempts may start. */
export class Schedule {
  readonly #deadline: number;
  readonly #stopper = new AbortController();
  /** Ends all waits. It fires with `signal`, or after `stop`. */
  readonly #stopped: AbortSignal;
  /** Fires at the time limit of the step, or if it is cancelled. */
  readonly signal: AbortSignal;
  #delayedUntil = 0;
  /** The longest wait that any response asked for, in milliseconds. */
  askedMs = 0;

  constructor({ deadline, signal }: StepLimits) {
    this.#deadline = deadline;
    this.signal = signal;
    this.#stopped = AbortSignal.any([signal, this.#stopper.signal]);
  }

  /** Milliseconds until the step's time limit; negative after it. */
  get remainingMs(): number {
    return this.#deadline - performance.now();
  }

  /** Delays all uploads after a response that asks to wait for `askedMs`, whose own upload waits for `waitMs`. */
  delayAll(askedMs: number, waitMs: number): void {
    this.#delayedUntil = extendDelay(this.#delayedUntil, askedMs, waitMs, performance.now());
    this.askedMs = Math.max(this.askedMs, askedMs);
  }

  /** Starts no further uploads because of `reason`. Those that have started get no further attempts. */
  stop(reason: StepError): void {
    this.#stopper.abort(reason);
  }

  /**
   * Returns why no attempt may start after `waitMs`; undefined if one may. Throws the error that ended the step if nobody
   * expected it.
   */
  findWhyLast(waitMs: number): WhyLast | undefined {
    const reason: unknown = this.signal.reason;
    if (reason instanceof CancelledError) return 'cancelled';
    if (reason instanceof TimeLimitError) return 'time';
    this.signal.throwIfAborted();
    if (this.#stopped.aborted) return 'stopped';
    return waitMs > 0 && waitMs >= this.remainingMs ? 'time' : undefined;
  }

  /** Waits for `ms`, and longer while all uploads are delayed. Returns and throws the same as `findWhyLast`. */
  async wait(ms: number): Promise<WhyLast | undefined> {
    const ownEnd = performance.now() + ms;
    for (;;) {
      const waitMs = Math.max(ownEnd, this.#delayedUntil) - performance.now();
      const whyLast = this.findWhyLast(waitMs);
      if (whyLast !== undefined || waitMs <= 0) return whyLast;
      await sleep(waitMs, this.#stopped);
    }
  }

  /** Waits before the first attempt of an upload while all are delayed. Throws an error that says why none may start. */
  async waitForStart(): Promise<void> {
    if ((await this.wait(0)) === undefined) return;
    this.#stopped.throwIfAborted();
    throw new StepError('other-scans', TOO_LONG, []);
  }
}

/** Resolves after `ms`, or when `signal` fires. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end);
  await promise;
  signal.removeEventListener('abort', end);
  clearTimeout(timer);
}
