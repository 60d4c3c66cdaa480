import { decideRetry, extendDelay } from '../../src/service/retry.ts';
import type { FailedAttempt, RetryDecision, RetryState } from '../../src/service/retry.ts';
import type { Scenario } from './scenarios.ts';
import { getCapacity } from './service.ts';

/** What a policy knows; the time, in milliseconds, is for those that are coordinated. */
export interface FleetState extends RetryState {
  readonly nowMs: number;
}

/** Whether and when to repeat a failed request. */
export type Decide = (failed: FailedAttempt, state: FleetState) => RetryDecision;

/** Until when a failed request holds back the other uploads of its step. */
export type Hold = typeof extendDelay;

/** What follows a failed request. */
export interface Reaction {
  readonly decide: Decide;
  /** Without it the other uploads take no notice. */
  readonly hold?: Hold;
}

/** A way to repeat failed requests. */
export interface Policy {
  readonly name: string;
  /** The policy at the start of a run; only a coordinated one has a state of its own. */
  readonly start: (scenario: Scenario) => Reaction;
}

const BASE_MS = 1000;
const FIXED_MS = 5000;
/** As long as this action's own, so that the others are not worse for want of patience. */
const MAX_WAIT_MS = 60_000;

/** The action's own policy, the very functions it calls. */
export const OWN_POLICY: Policy = {
  name: 'this action',
  start: () => ({ decide: decideRetry, hold: extendDelay }),
};

/** The same, but a refused upload holds back no other. */
export const WITHOUT_HOLDS: Policy = {
  name: 'without holds',
  start: () => ({ decide: decideRetry }),
};

/** What clients commonly do, with the same number of retries and the same time limit. */
export const USUAL_POLICIES: readonly Policy[] = [
  { name: 'exponential, no jitter', start: () => waitFor((_, { retry }) => grow(retry)) },
  { name: 'fixed delay of 5 s', start: () => waitFor(() => FIXED_MS) },
  {
    name: 'full jitter from 1 s',
    start: () => waitFor((_, { retry, random }) => random() * grow(retry)),
  },
  {
    name: 'Retry-After to the second',
    start: () => waitFor(({ retryAfterMs }, { retry }) => retryAfterMs ?? grow(retry)),
  },
];

/**
 * What no client can know: when the service is back and which moment is its own. Requests come
 * back one by one, just as fast as the service takes them, and none is shed twice.
 */
export const PERFECT_SPREAD: Policy = {
  name: 'perfect spread (an oracle)',
  start: ({ load, limits, outageMs }) => {
    let nextMs = Math.max(load.arrivalMs, outageMs);
    return waitFor(({ retryAfterMs = 0 }, { nowMs }) => {
      const atMs = Math.max(nextMs, nowMs + retryAfterMs);
      nextMs = atMs + 1000 / getCapacity(limits);
      return atMs - nowMs;
    });
  },
};

/** 1, 2, 4, ... seconds before retry 1, 2, 3, ... */
function grow(retry: number): number {
  return Math.min(MAX_WAIT_MS, BASE_MS * 2 ** (retry - 1));
}

function waitFor(chooseWait: (failed: FailedAttempt, state: FleetState) => number): Reaction {
  const decide: Decide = (failed, state) => {
    if (state.retry > state.maxRetries) return { kind: 'stop', reason: 'retries' };
    const waitMs = chooseWait(failed, state);
    if (waitMs >= state.remainingMs) return { kind: 'stop', reason: 'time' };
    return { kind: 'wait', waitMs };
  };
  return { decide };
}
