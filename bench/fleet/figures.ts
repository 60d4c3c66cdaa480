import type { Policy } from './policies.ts';
import type { Scenario } from './scenarios.ts';
import { getCapacity } from './service.ts';
import { simulate } from './simulate.ts';
import type { Run } from './simulate.ts';

/** The results of a run. */
export interface Figures {
  /** Requests per accepted upload; infinite if none was. */
  readonly requests: number;
  /** The requests among them that reached the service, so without those refused in the outage. */
  readonly reached: number;
  /** The share of uploads that were accepted, from 0 to 1. */
  readonly accepted: number;
  /** The most requests that reached the service within any period of one second. */
  readonly peak: number;
  /**
   * The same, without the time in which the jobs start (the first wave), divided by what the service
   * can take in a second.
   */
  readonly secondPeak: number;
  /** Until every job had been accepted or had given up, in seconds from zero. */
  readonly doneSeconds: number;
}

/** Runs a policy through a scenario with the seeds 1 to `seeds`. */
export function measure(policy: Policy, scenario: Scenario, seeds: number): readonly Figures[] {
  return Array.from({ length: seeds }, (_, index) =>
    summarize(simulate(scenario, policy, index + 1), scenario),
  );
}

/** The figures of a run. */
export function summarize(run: Run, { load, limits }: Scenario): Figures {
  const { requests, reachedMs, accepted, doneMs } = run;
  const laterMs = reachedMs.filter((timeMs) => timeMs >= load.arrivalMs);
  return {
    requests: requests / accepted,
    reached: reachedMs.length / accepted,
    accepted: accepted / (load.jobs * load.uploads),
    peak: findBusiestSecond(reachedMs),
    secondPeak: findBusiestSecond(laterMs) / getCapacity(limits),
    doneSeconds: doneMs / 1000,
  };
}

/** The largest number of `timesMs` (in ascending order) within [t, t + 1 s) for any t. */
function findBusiestSecond(timesMs: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [index, timeMs] of timesMs.entries()) {
    while ((timesMs[from] ?? timeMs) <= timeMs - 1000) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}
