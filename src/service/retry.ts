import { followFrom } from '../situations.ts';
import type { Situation } from '../situations.ts';

/** The facts of a failed attempt that decide about the next one. */
export interface FailedAttempt {
  /** How many times its situation is repeated at most: 0 if that would not help. */
  readonly retries: number;
  /** Whether the connection failed, so that there is no response. */
  readonly isConnectionLevel: boolean;
  /** The response's Retry-After, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;
}

/** What remains of the step's limits, and a source of random numbers. */
export interface RetryState {
  /** 1 for the first retry. */
  readonly retry: number;
  /** How many retries the upload may make: see `limitRetries`. */
  readonly maxRetries: number;
  /** Until the step's time limit, in milliseconds. */
  readonly remainingMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** What to do after a failed attempt. */
export type RetryDecision =
  | { readonly kind: 'wait'; readonly waitMs: number }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** Why there is no further attempt. */
export type StopReason =
  /** The attempt's result is final. */
  | 'final'
  /** As many retries as allowed have been made. */
  | 'retries'
  /** The wait before the next attempt would exceed the time limit. */
  | 'time'
  /** The time limit or a cancellation ended the wait. */
  | 'aborted'
  /** No upload of the step gets a further attempt. */
  | 'stopped';

const MIN_WAIT_MS = 5000;
const MAX_WAIT_MS = 60_000;
const GROWTH = 3;
const RECONNECT_MIN_MS = 1000;
const RECONNECT_SPREAD_MS = 2000;

/** Each attempt in one of these may be another scan for the service, so they count together. */
const PASSED_ON: ReadonlySet<Situation> = new Set(['gateway-timeout', 'gateway-interrupted']);
const MAX_PASSED_ON = 2;

/**
 * How many retries an upload may make in all if its further attempts end in `situation`, as the last one did.
 * Each situation counts apart: attempts that ended in others, `earlier`, leave it its own retries, within the
 * `maxRetries` of the author.
 */
export function limitRetries(
  situation: Situation,
  earlier: readonly Situation[],
  maxRetries: number,
): number {
  const others = earlier.filter((other) => other !== situation).length;
  const most = Math.min(maxRetries, others + followFrom(situation).retries);
  if (!PASSED_ON.has(situation)) return most;
  return Math.min(most, earlier.filter((other) => !PASSED_ON.has(other)).length + MAX_PASSED_ON);
}

/**
 * Decides after a failed attempt. Before retry k the wait is uniform in [lo, hi], lo = max(5 s,
 * Retry-After), hi = max(2 lo, min(60 s, 5 s x 3^k)): Retry-After is a lower bound, since clients
 * that wait exactly that long all come back at once. The first retry after a failed connection waits
 * 1-3 s.
 */
export function decideRetry(failed: FailedAttempt, state: RetryState): RetryDecision {
  if (failed.retries === 0) return { kind: 'stop', reason: 'final' };
  if (state.retry > state.maxRetries) return { kind: 'stop', reason: 'retries' };
  const waitMs = chooseWait(failed, state);
  if (waitMs >= state.remainingMs) return { kind: 'stop', reason: 'time' };
  return { kind: 'wait', waitMs };
}

/**
 * Until when all uploads of a step are delayed after a failed attempt, in milliseconds; `delayedUntil` is
 * the delay before it. A retryable response with Retry-After delays them as long as its own upload waits,
 * or would wait. A delay already long enough is not extended: the longest of many waits is about the same
 * in every step, so that all steps would retry at once.
 */
export function extendDelay(
  delayedUntil: number,
  failed: FailedAttempt,
  decision: RetryDecision,
  { nowMs, random }: { readonly nowMs: number; readonly random: () => number },
): number {
  const { retries, retryAfterMs = 0 } = failed;
  const isAsked = retries > 0 && retryAfterMs > 0;
  if (!isAsked || delayedUntil >= nowMs + retryAfterMs) return delayedUntil;
  return (
    nowMs + (decision.kind === 'wait' ? decision.waitMs : chooseWait(failed, { retry: 1, random }))
  );
}

function chooseWait(
  failed: FailedAttempt,
  { retry, random }: Pick<RetryState, 'retry' | 'random'>,
): number {
  const { isConnectionLevel, retryAfterMs = 0 } = failed;
  if (isConnectionLevel && retry === 1) return RECONNECT_MIN_MS + random() * RECONNECT_SPREAD_MS;
  const low = Math.max(MIN_WAIT_MS, retryAfterMs);
  const high = Math.max(2 * low, Math.min(MAX_WAIT_MS, MIN_WAIT_MS * GROWTH ** retry));
  return low + random() * (high - low);
}

/** The three forms of an HTTP date (RFC 9110, section 5.6.7); all are GMT, the last one without the suffix. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads Retry-After in either form (RFC 9110, section 10.2.3): seconds, or a date. Returns
 * milliseconds from `nowMs`, not negative; undefined for anything else.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  // With Infinity, sums and differences of waits would be NaN.
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const date = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
