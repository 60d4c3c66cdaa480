import { chooseWait, extendDelay, limitRetries } from '../../src/upload/schedule.ts';
import { Clock } from './clock.ts';
import type { Course } from './clock.ts';
import type { Figures } from './figures.ts';
import { DEFAULTS } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';
import { CAPACITY, ServiceModel } from './service.ts';

/** The state that the uploads of a job share. */
interface Step {
  readonly deadlineMs: number;
  /** Uploads that are not started yet. */
  waiting: number;
  /** No attempt begins before this time. */
  delayedUntilMs: number;
}

/** What the steps share, and what is counted of them. */
interface Fleet {
  readonly scenario: Scenario;
  readonly service: ServiceModel;
  readonly random: () => number;
  requests: number;
  /** The requests that reached the service, by the second. */
  readonly reached: number[];
  accepted: number;
}

const MAX_PARALLEL = DEFAULTS.get('max-parallel') ?? 0;
const RETRIES = DEFAULTS.get('retries') ?? 0;
const TIMEOUT_MS = (DEFAULTS.get('timeout-seconds') ?? 0) * 1000;
/** Until a refusal arrives, which other uploads of the step do not wait for. */
const ROUND_TRIP_MS = 20;

/**
 * Runs `jobs` jobs of one step, which start within a second, on a virtual clock and with this action's
 * policy. Every run is the same.
 */
export function simulate(scenario: Scenario, jobs: number, uploads: number): Figures {
  const shared = { scenario, service: new ServiceModel(), random: createRandom() };
  const fleet: Fleet = { ...shared, requests: 0, reached: [], accepted: 0 };
  const clock = new Clock();
  for (let job = 0; job < jobs; job += 1) {
    const startMs = fleet.random() * 1000;
    const step = { deadlineMs: startMs + TIMEOUT_MS, waiting: uploads, delayedUntilMs: 0 };
    for (let lane = 0; lane < MAX_PARALLEL; lane += 1) clock.start(runLane(fleet, step, startMs));
  }
  const doneMs = clock.run();
  const { requests, reached, accepted } = fleet;
  // There may be seconds without requests.
  const laterPeak = Math.max(...Object.values(reached.slice(1)));
  return {
    requests: round(requests / accepted),
    accepted: round((accepted / (jobs * uploads)) * 100),
    secondPeak: round(laterPeak / CAPACITY),
    doneSeconds: round(doneMs / 1000),
  };
}

/** Uploads one after another, until the step has none left. */
function* runLane(fleet: Fleet, step: Step, startMs: number): Course {
  let nowMs = yield startMs;
  while (step.waiting > 0) {
    step.waiting -= 1;
    nowMs = yield* upload(fleet, step, nowMs);
  }
}

/** Makes attempts until one is accepted or the policy gives up; returns when that is. */
function* upload(fleet: Fleet, step: Step, startMs: number): Course<number> {
  const { scenario, service, random, reached } = fleet;
  let [nowMs, waitMs] = [startMs, 0];
  for (let attempts = 1; ; attempts += 1) {
    // The delay of the step may be extended while this upload waits.
    let atMs = Math.max(nowMs + waitMs, step.delayedUntilMs);
    while (atMs > nowMs && atMs < step.deadlineMs) {
      nowMs = yield atMs;
      atMs = Math.max(nowMs, step.delayedUntilMs);
    }
    if (atMs >= step.deadlineMs) return nowMs;
    const isReached = nowMs >= scenario.outageMs;
    const servedMs = isReached ? service.admit(nowMs) : undefined;
    const second = Math.floor(nowMs / 1000);
    fleet.requests += 1;
    if (isReached) reached[second] = (reached[second] ?? 0) + 1;
    nowMs = yield (servedMs ?? nowMs) + ROUND_TRIP_MS;
    const remainingMs = step.deadlineMs - nowMs;
    if (servedMs !== undefined) {
      if (remainingMs >= 0) fleet.accepted += 1;
      return nowMs;
    }
    const situation = isReached ? 'unavailable' : 'connect-failed';
    const { retryAfterMs } = scenario;
    const response = isReached ? { retryAfterMs } : undefined;
    waitMs = chooseWait(response, attempts, random());
    const askedMs = response?.retryAfterMs ?? 0;
    step.delayedUntilMs = extendDelay(step.delayedUntilMs, askedMs, waitMs, nowMs);
    const whyLast = limitRetries(situation, attempts, RETRIES);
    if (whyLast !== undefined || waitMs >= remainingMs) return nowMs;
  }
}

/** Two decimals. */
function round(figure: number): number {
  return Math.round(figure * 100) / 100;
}

/** A repeatable random number generator, uniform in (0, 1) (Park and Miller's). */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
