import type { FailedAttempt } from '../../src/service/retry.ts';
import { followFrom } from '../../src/situations.ts';
import type { Situation } from '../../src/situations.ts';
import { Clock } from './clock.ts';
import type { Course } from './clock.ts';
import type { Policy } from './policies.ts';
import type { Scenario } from './scenarios.ts';
import { ServiceModel } from './service.ts';

/** The result of a simulation. */
export interface Run {
  /** Attempts, including those that the outage refused. */
  requests: number;
  /** When each attempt that the service had to respond to reached it, in milliseconds, ascending. */
  readonly reachedMs: number[];
  /** Uploads that were accepted within their steps' time limits. */
  accepted: number;
  /** When the last job had its result, in milliseconds from zero. */
  doneMs: number;
}

/** The state that the uploads of a job share. */
interface Step {
  readonly deadlineMs: number;
  /** Uploads that are not started yet. */
  waiting: number;
  /** Uploads that have no result yet. */
  open: number;
  /** No attempt begins before this time. */
  delayedUntilMs: number;
}

interface Fleet {
  readonly scenario: Scenario;
  readonly policy: Policy;
  readonly random: () => number;
  readonly service: ServiceModel;
  readonly run: Run;
}

const OUTAGE: FailedAttempt = {
  retries: followFrom('connection-refused').retries,
  isConnectionLevel: true,
  retryAfterMs: undefined,
};

/**
 * Runs the jobs of a scenario on a virtual clock. An attempt reaches the service at once, or is refused by
 * the outage. A refusal arrives after the round trip, an acceptance after the wait for a slot, the service
 * time and the round trip. The same seed always gives the same run.
 */
export function simulate(scenario: Scenario, policy: Policy, seed: number): Run {
  const { jobs, uploads, lanes, arrivalMs, timeoutMs } = scenario.load;
  const random = createRandom(seed);
  const service = new ServiceModel(scenario.limits);
  const run = { requests: 0, reachedMs: [], accepted: 0, doneMs: 0 };
  const fleet = { scenario, policy, random, service, run };
  const clock = new Clock();
  for (let job = 0; job < jobs; job += 1) {
    const startMs = random() * arrivalMs;
    const deadlineMs = startMs + timeoutMs;
    const step = { deadlineMs, waiting: uploads, open: uploads, delayedUntilMs: 0 };
    for (let lane = 0; lane < lanes; lane += 1) clock.start(runLane(fleet, step, startMs));
  }
  clock.run();
  return run;
}

/** Uploads one after another, until the step has none left. */
function* runLane(fleet: Fleet, step: Step, startMs: number): Course {
  let nowMs = yield startMs;
  while (step.waiting > 0) {
    step.waiting -= 1;
    nowMs = yield* upload(fleet, step, nowMs);
    step.open -= 1;
    fleet.run.doneMs = Math.max(fleet.run.doneMs, nowMs);
  }
}

/** Makes attempts until one is accepted or the policy gives up; returns when that is. */
function* upload(fleet: Fleet, step: Step, startMs: number): Course<number> {
  const { scenario, policy, random, service, run } = fleet;
  let [nowMs, waitMs] = [startMs, 0];
  const situations: Situation[] = [];
  for (let retry = 1; ; retry += 1) {
    // The delay of the step may be extended while this upload waits.
    let atMs = Math.max(nowMs + waitMs, step.delayedUntilMs);
    while (atMs > nowMs && atMs < step.deadlineMs) {
      nowMs = yield atMs;
      atMs = Math.max(nowMs, step.delayedUntilMs);
    }
    if (atMs >= step.deadlineMs) return nowMs;
    const isReached = nowMs >= scenario.outageMs;
    const servedMs = isReached ? service.admit(nowMs) : undefined;
    run.requests += 1;
    if (isReached) run.reachedMs.push(nowMs);
    nowMs = yield (servedMs ?? nowMs) + scenario.load.roundTripMs;
    if (servedMs !== undefined) {
      if (nowMs <= step.deadlineMs) run.accepted += 1;
      return Math.min(nowMs, step.deadlineMs);
    }
    const failed = isReached ? scenario.refusal : OUTAGE;
    const remainingMs = step.deadlineMs - nowMs;
    const situation = isReached ? 'service-unavailable' : 'connection-refused';
    const { retries } = scenario.load;
    const maxRetries = policy.limit?.(situation, situations, retries) ?? retries;
    situations.push(situation);
    const decision = policy.decide(failed, { retry, maxRetries, remainingMs, random });
    // After the last upload of a step there is none to delay.
    if (policy.extendDelay !== undefined && step.open > 1) {
      const state = { nowMs, random };
      step.delayedUntilMs = policy.extendDelay(step.delayedUntilMs, failed, decision, state);
    }
    if (decision.kind === 'stop') return nowMs;
    waitMs = decision.waitMs;
  }
}

/** A repeatable random number generator, uniform in [0, 1) (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
