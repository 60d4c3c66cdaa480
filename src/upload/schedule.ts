import { CancelledError, StepError } from '../errors.ts';
import { settleWithin } from '../lifecycle.ts';
import type { StepLimits } from '../lifecycle.ts';
import type { WhyLast } from '../outcomes/failure.ts';
import { findRetries } from '../outcomes/situations.ts';
import type { Situation } from '../outcomes/situations.ts';

const MIN_WAIT_MS = 5000;
const MAX_WAIT_MS = 60_000;
const GROWTH = 3;
const MIN_RECONNECT_MS = 1000;
/** The scan that was asked to wait says for how long. */
const TOO_LONG =
  'Not tried, because the service asked to wait (Retry-After) longer than `timeout-seconds` allows.';

/** The response of a failed attempt; undefined if the connection failed. */
type FailedResponse = { readonly retryAfterMs: number | undefined } | undefined;

/** What remains of the limits of an upload. */
export interface RetryState {
  /** How many attempts were made, the failed one included. */
  readonly attempts: number;
  /** Further attempts after the first that the author allows. */
  readonly retries: number;
  /** Until the step's time limit, in milliseconds. */
  readonly remainingMs: number;
  /** A random number in [0, 1). */
  readonly chance: number;
}

/** What to do after a failed attempt. */
export interface RetryDecision {
  /** Why there is no further attempt; undefined if there is one. */
  readonly whyLast: WhyLast | undefined;
  /** How long the next attempt waits, or would wait, in milliseconds. */
  readonly waitMs: number;
}

/** Decides after an attempt that ended in `situation`. All attempts count, however those before it ended. */
export function decideRetry(
  situation: Situation,
  response: FailedResponse,
  { attempts, retries, remainingMs, chance }: RetryState,
): RetryDecision {
  const most = findRetries(situation);
  const waitMs = chooseWait(response, attempts, chance);
  if (most === 0) return { whyLast: 'final', waitMs };
  if (attempts > Math.min(most, retries)) return { whyLast: 'retries', waitMs };
  return { whyLast: waitMs >= remainingMs ? 'time' : undefined, waitMs };
}

/**
 * Before retry k the wait is uniform in [lo, hi], lo = max(5 s, Retry-After), hi = max(2 lo, min(60 s, 5 s x
 * 3^k)): Retry-After is a lower bound, since clients that wait exactly that long all come back at once. The
 * first retry after an attempt without a response waits 1-3 s.
 */
function chooseWait(response: FailedResponse, retry: number, chance: number): number {
  const isReconnect = response === undefined && retry === 1;
  const low = isReconnect ? MIN_RECONNECT_MS : Math.max(MIN_WAIT_MS, response?.retryAfterMs ?? 0);
  const grown = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * GROWTH ** retry);
  const high = isReconnect ? GROWTH * low : Math.max(2 * low, grown);
  return low + chance * (high - low);
}

/**
 * Until when all uploads of a step are delayed after a response that asks to wait for `askedMs`, whose own upload waits
 * for `waitMs`; `delayedUntil` is the delay before it. A delay already long enough is not extended: the longest of many
 * waits is about the same in every step, so that all steps would retry at once.
 */
export function extendDelay(
  delayedUntil: number,
  askedMs: number,
  waitMs: number,
  nowMs: number,
): number {
  return askedMs > 0 && delayedUntil < nowMs + askedMs ? nowMs + waitMs : delayedUntil;
}

/** When attempts may start, for all uploads of a step. */
export class Schedule {
  readonly #deadline: number;
  readonly #stopper = new AbortController();
  /** Ends all waits: fires with `signal`, or after `stop`. */
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

  /** Stops starting uploads, for `reason`; those that have started get no further attempts. */
  stop(reason: StepError): void {
    this.#stopper.abort(reason);
  }

  /** Why no attempt may follow any other; undefined while one may. */
  get whyLast(): WhyLast | undefined {
    if (this.signal.reason instanceof CancelledError) return 'cancelled';
    if (this.signal.aborted) return 'time';
    return this.#stopped.aborted ? 'final' : undefined;
  }

  /**
   * Waits for `ms`, and longer while all uploads are delayed. Rejects with the reason of `signal`, and
   * with a StepError after `stop`, or if the wait would end after the time limit.
   */
  async wait(ms: number): Promise<void> {
    const ownEnd = performance.now() + ms;
    for (;;) {
      this.#stopped.throwIfAborted();
      const until = Math.max(ownEnd, this.#delayedUntil);
      const waitMs = until - performance.now();
      if (waitMs <= 0) return;
      if (until >= this.#deadline) throw new StepError('other-scans', TOO_LONG, []);
      await sleep(waitMs, this.#stopped);
    }
  }
}

/** Resolves after `ms`, or rejects with the reason of `signal`. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await settleWithin(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
