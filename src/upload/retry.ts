import { getRow } from '../outcomes/situations.ts';
import type { Situation } from '../outcomes/situations.ts';
import { formatMinutes } from '../text.ts';

/** The response of a failed attempt; undefined if the connection failed. */
export type FailedResponse = { readonly retryAfterMs: number | undefined } | undefined;

/** What remains of the limits of an upload, and a source of random numbers. */
export interface RetryState {
  /** In what the attempts before the failed one ended. */
  readonly earlier: readonly Situation[];
  /** Further attempts after the first that the author allows. */
  readonly maxRetries: number;
  /** Until the step's time limit, in milliseconds. */
  readonly remainingMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** What to do after a failed attempt. */
export interface RetryDecision {
  /** Why there is no further attempt; undefined if there is one. */
  readonly stop: StopReason | undefined;
  /** How long the next attempt waits, or would wait, in milliseconds. */
  readonly waitMs: number;
  /** How many retries the upload may make in all, if its further attempts end as this one did. */
  readonly maxRetries: number;
}

/**
 * Why there is no further attempt: the result is final, all retries were made, the wait would exceed the time
 * limit or did, a cancellation ended it, or no upload of the step gets a further attempt.
 */
export type StopReason = 'final' | 'retries' | 'time' | 'cancelled' | 'stopped';

const MIN_WAIT_MS = 5000;
const MAX_WAIT_MS = 60_000;
const GROWTH = 3;
const RECONNECT_MIN_MS = 1000;
const RECONNECT_SPREAD_MS = 2000;

/** How many attempts after which a gateway may have passed the upload on are repeated, in all. */
const MAX_PASSED_ON = 2;

/** Decides after an attempt that ended in `situation`. */
export function decideRetry(
  situation: Situation,
  response: FailedResponse,
  { earlier, maxRetries: allowed, remainingMs, random }: RetryState,
): RetryDecision {
  const retry = earlier.length + 1;
  const maxRetries = limitRetries(situation, earlier, allowed);
  const waitMs = chooseWait(response, retry, random);
  const decide = (stop?: StopReason): RetryDecision => ({ stop, waitMs, maxRetries });
  if (getRow(situation).retries === 0) return decide('final');
  if (retry > maxRetries) return decide('retries');
  return decide(waitMs >= remainingMs ? 'time' : undefined);
}

/** Each situation counts apart: attempts that ended in others leave it its own retries, within those of the author. */
function limitRetries(situation: Situation, earlier: readonly Situation[], allowed: number) {
  const others = earlier.filter((other) => other !== situation).length;
  const most = Math.min(allowed, others + getRow(situation).retries);
  if (getRow(situation).isPassedOn !== true) return most;
  const certain = earlier.filter((other) => getRow(other).isPassedOn !== true).length;
  return Math.min(most, certain + MAX_PASSED_ON);
}

/**
 * Before retry k the wait is uniform in [lo, hi], lo = max(5 s, Retry-After), hi = max(2 lo, min(60 s, 5 s x
 * 3^k)): Retry-After is a lower bound, since clients that wait exactly that long all come back at once. The
 * first retry after a failed connection waits 1-3 s.
 */
function chooseWait(response: FailedResponse, retry: number, random: () => number): number {
  if (response === undefined && retry === 1) {
    return RECONNECT_MIN_MS + random() * RECONNECT_SPREAD_MS;
  }
  const low = Math.max(MIN_WAIT_MS, response?.retryAfterMs ?? 0);
  const high = Math.max(2 * low, Math.min(MAX_WAIT_MS, MIN_WAIT_MS * GROWTH ** retry));
  return low + random() * (high - low);
}

/**
 * Until when all uploads of a step are delayed after a failed attempt, in milliseconds; `delayedUntil` is
 * the delay before it. A retryable response with Retry-After delays them as long as its own upload waits,
 * or would wait. A delay already long enough is not extended: the longest of many waits is about the same
 * in every step, so that all steps would retry at once.
 */
export function extendDelay(
  delayedUntil: number,
  response: FailedResponse,
  { stop, waitMs }: RetryDecision,
  nowMs: number,
): number {
  const askedMs = stop === 'final' ? 0 : (response?.retryAfterMs ?? 0);
  return askedMs > 0 && delayedUntil < nowMs + askedMs ? nowMs + waitMs : delayedUntil;
}

/** What to do if a wait for Retry-After does not fit into the time limit: `neededMs` would do for the longest one. */
export function adviseWait(waitMs: number, neededMs: number): string {
  // A minute for the attempt after it, which also covers that short waits may be more than twice as long.
  const seconds = 60 * Math.ceil(neededMs / 60_000 + 1);
  // By default the runner ends jobs after six hours.
  const limit = seconds > 21_600 ? '' : `, or set \`timeout-seconds: ${seconds}\``;
  return `Re-run in ${formatMinutes(waitMs)}${limit}.`;
}
