import type { Scenario } from './scenarios.ts';
import { getCapacity } from './service.ts';
import type { Run } from './simulate.ts';

/** What a run is judged by. */
export interface Figures {
  /** Requests per accepted upload; infinite if none was. */
  readonly requests: number;
  /** Of these, requests that reached the service: those the outage refused are not its load. */
  readonly reached: number;
  /** Accepted uploads, from 0 to 1. */
  readonly acceptedShare: number;
  /** The most requests that reached the service within any one second, wherever it begins. */
  readonly peak: number;
  /**
   * The most requests that reached the service within any one second, wherever it begins, divided by
   * its capacity of that second. The first wave, the time in which the jobs start, is not counted;
   * nor is what an outage refused, since it never reached the service.
   */
  readonly secondPeak: number;
  /** Until every job had been accepted or had given up, in seconds from zero. */
  readonly doneSeconds: number;
}

const SECOND_MS = 1000;

/** The figures of a run. */
export function measure(run: Run, { load, limits }: Scenario): Figures {
  const { requests, reachedMs, accepted, doneMs } = run;
  const laterMs = reachedMs.filter((timeMs) => timeMs >= load.arrivalMs);
  return {
    requests: accepted === 0 ? Number.POSITIVE_INFINITY : requests / accepted,
    reached: accepted === 0 ? Number.POSITIVE_INFINITY : reachedMs.length / accepted,
    acceptedShare: accepted / (load.jobs * load.uploads),
    peak: findBusiestSecond(reachedMs),
    secondPeak: findBusiestSecond(laterMs) / getCapacity(limits),
    doneSeconds: doneMs / SECOND_MS,
  };
}

/**
 * The fewest requests per upload that clients which know nothing of each other can do with: beyond
 * what the service can take while the jobs start, every upload they start with is refused once. An
 * outage has to outlast that time, if there is one.
 */
export function boundRequests({ load, limits, outageMs }: Scenario): number {
  const taken = limits.slots + limits.queue + (getCapacity(limits) * load.arrivalMs) / SECOND_MS;
  const total = load.jobs * load.uploads;
  const crowd = load.jobs * Math.min(load.lanes, load.uploads);
  const first = outageMs > 0 ? 0 : Math.min(crowd, taken);
  return (total + crowd - first) / total;
}

/** The most of `timesMs`, which ascend, that lie within [t, t + 1 s) for any t. */
export function findBusiestSecond(timesMs: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [index, timeMs] of timesMs.entries()) {
    while ((timesMs[from] ?? timeMs) <= timeMs - SECOND_MS) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}
