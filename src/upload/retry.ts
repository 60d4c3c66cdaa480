import type { Stop } from '../outcomes/failure.ts';
import { getRow } from '../outcomes/situations.ts';
import type { Situation } from '../outcomes/situations.ts';

/** The response of a failed attempt; undefined if the connection failed. */
type FailedResponse = { readonly retryAfterMs: number | undefined } | undefined;

/** What remains of the limits of an upload, and a source of random numbers. */
export interface RetryState {
  /** How many attempts were made, the failed one included. */
  readonly attempts: number;
  /** Further attempts after the first that the author allows. */
  readonly retries: number;
  /** Until the step's time limit, in milliseconds. */
  readonly remainingMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** What to do after a failed attempt. */
export interface RetryDecision {
  /** Why there is no further attempt; undefined if there is one. */
  readonly stop: Stop | undefined;
  /** How long the next attempt waits, or would wait, in milliseconds. */
  readonly waitMs: number;
}

const MIN_WAIT_MS = 5000;
const MAX_WAIT_MS = 60_000;
const GROWTH = 3;
const RECONNECT_MIN_MS = 1000;
const RECONNECT_SPREAD_MS = 2000;

/** Decides after an attempt that ended in `situation`. All attempts count, however those before it ended. */
export function decideRetry(
  situation: Situation,
  response: FailedResponse,
  { attempts, retries, remainingMs, random }: RetryState,
): RetryDecision {
  const most = getRow(situation).retries;
  const waitMs = chooseWait(response, attempts, random);
  if (most === 0) return { stop: 'final', waitMs };
  if (attempts > Math.min(most, retries)) return { stop: 'retries', waitMs };
  return { stop: waitMs >= remainingMs ? 'time' : undefined, waitMs };
}

/**
 * Before retry k the wait is uniform in [lo, hi], lo = max(5 s, Retry-After), hi = max(2 lo, min(60 s, 5 s x
 * 3^k)): Retry-After is a lower bound, since clients that wait exactly that long all come back at once. The
 * first retry after an attempt without a response waits 1-3 s.
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
