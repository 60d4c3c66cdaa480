import { EventQueue } from './event-queue.ts';
import { judgeRefusal, judgeRefusedConnection } from './failures.ts';
import type { Decide } from './policies.ts';
import type { Random } from './random.ts';
import type { Load, Scenario } from './scenarios.ts';
import { ServiceModel } from './service.ts';

/** What became of a crowd. */
export interface Run {
  /** Attempts, those the outage refused included. */
  readonly requests: number;
  /** Attempts that the service had to answer. */
  readonly reached: number;
  /** Uploads that were accepted within their jobs' time limits. */
  readonly accepted: number;
  /** When the last job knew its result, in milliseconds from zero. */
  readonly doneMs: number;
  /**
   * When each retry that came after the first wave reached the service, in milliseconds from zero,
   * ascending.
   */
  readonly laterMs: readonly number[];
}

interface Upload {
  readonly deadlineMs: number;
  readonly attempt: number;
}

/**
 * Runs a crowd through a scenario on a virtual clock. An attempt reaches the service, or does not,
 * at once; a refusal comes back after the round trip, an acceptance after the wait for a slot, the
 * service and the round trip.
 */
export function simulate(scenario: Scenario, decide: Decide, random: Random): Run {
  const { load, outageMs } = scenario;
  const service = new ServiceModel(scenario.limits);
  const shed = judgeRefusal(scenario.refusal);
  const unreachable = judgeRefusedConnection();
  const attempts = startJobs(load, random);
  const laterMs: number[] = [];
  const run = { requests: 0, reached: 0, accepted: 0, doneMs: 0, laterMs };

  for (let event = attempts.pop(); event !== undefined; event = attempts.pop()) {
    const { atMs, value: upload } = event;
    const isReached = atMs >= outageMs;
    const endMs = isReached ? service.admit(atMs) : undefined;
    const answeredMs = (endMs ?? atMs) + load.roundTripMs;
    run.requests += 1;
    if (isReached) {
      run.reached += 1;
      if (upload.attempt > 1 && atMs >= load.arrivalMs) laterMs.push(atMs);
    }
    if (endMs !== undefined) {
      if (answeredMs <= upload.deadlineMs) run.accepted += 1;
      run.doneMs = Math.max(run.doneMs, Math.min(answeredMs, upload.deadlineMs));
      continue;
    }
    const decision = decide(isReached ? shed : unreachable, {
      retry: upload.attempt,
      maxRetries: load.retries,
      remainingMs: upload.deadlineMs - answeredMs,
      random,
      nowMs: answeredMs,
    });
    if (decision.kind === 'stop') run.doneMs = Math.max(run.doneMs, answeredMs);
    else attempts.push(answeredMs + decision.waitMs, { ...upload, attempt: upload.attempt + 1 });
  }
  return run;
}

function startJobs({ jobs, arrivalMs, timeoutMs }: Load, random: Random): EventQueue<Upload> {
  const attempts = new EventQueue<Upload>();
  for (let job = 0; job < jobs; job += 1) {
    const startMs = random() * arrivalMs;
    attempts.push(startMs, { deadlineMs: startMs + timeoutMs, attempt: 1 });
  }
  return attempts;
}
