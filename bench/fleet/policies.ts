import { decideRetry, extendDelay, limitRetries } from '../../src/service/retry.ts';
import type { FailedAttempt, RetryState } from '../../src/service/retry.ts';

/** A way to repeat failed requests. */
export interface Policy {
  readonly name: string;
  readonly decide: typeof decideRetry;
  /** How often a request may be repeated; without it as often as the load says. */
  readonly limit?: typeof limitRetries;
  /** Until when a failed request delays the other uploads of its step; without it they go on. */
  readonly extendDelay?: typeof extendDelay;
}

const BASE_MS = 1000;
const FIXED_MS = 5000;
/** The limits of this action, so that the others may try as often and as long. */
const MAX_WAIT_MS = 60_000;

/** The action's own policy, but a failed upload delays no other. */
export const WITHOUT_DELAYS: Policy = {
  name: 'without delays',
  decide: decideRetry,
  limit: limitRetries,
};

/** The action's own policy, with the functions that it calls. */
export const OWN_POLICY: Policy = { ...WITHOUT_DELAYS, name: 'this action', extendDelay };

/** What clients commonly do, with the same number of retries and the same time limit. */
export const USUAL_POLICIES: readonly Policy[] = [
  waitFor('exponential, no jitter', (_, { retry }) => grow(retry)),
  waitFor('fixed delay of 5 s', () => FIXED_MS),
  waitFor('full jitter from 1 s', (_, { retry, random }) => random() * grow(retry)),
  waitFor(
    'Retry-After to the second',
    ({ retryAfterMs }, { retry }) => retryAfterMs ?? grow(retry),
  ),
];

/** 1, 2, 4, ... seconds before retry 1, 2, 3, ... */
function grow(retry: number): number {
  return Math.min(MAX_WAIT_MS, BASE_MS * 2 ** (retry - 1));
}

function waitFor(
  name: string,
  chooseWait: (failed: FailedAttempt, state: RetryState) => number,
): Policy {
  const decide: Policy['decide'] = (failed, state) => {
    if (state.retry > state.maxRetries) return { kind: 'stop', reason: 'retries' };
    const waitMs = chooseWait(failed, state);
    if (waitMs >= state.remainingMs) return { kind: 'stop', reason: 'time' };
    return { kind: 'wait', waitMs };
  };
  return { name, decide };
}
