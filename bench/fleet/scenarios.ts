import { join } from 'node:path';
import { readManifest } from '../../local/step/manifest.ts';
import type { FailedAttempt } from '../../src/service/retry.ts';
import type { Figures } from './figures.ts';
import type { ServiceLimits } from './service.ts';

/** The jobs and their limits. */
export interface Load {
  readonly jobs: number;
  /** Number of uploads of each job, in one step. */
  readonly uploads: number;
  /** Uploads of a step in parallel, including those that wait for a retry. */
  readonly lanes: number;
  /** The jobs start at random times within this time from zero, in milliseconds. */
  readonly arrivalMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** The time limit of each job's step, from its first attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** What the network adds to an attempt, in milliseconds. */
  readonly roundTripMs: number;
}

/** The upper limits of the figures; for `accepted` the lower limit. */
export type Goals = Partial<Figures>;

/** The jobs, the service, and how it refuses. */
export interface Scenario {
  readonly name: string;
  readonly load: Load;
  readonly limits: ServiceLimits;
  /** The failed attempt of a request that the service refuses. */
  readonly refusal: FailedAttempt;
  /** How long every connection is refused from the start, in milliseconds. */
  readonly outageMs: number;
  readonly goals: Goals;
}

const { inputs } = await readManifest(join(import.meta.dirname, '..', '..'));
const DEFAULTS = new Map(inputs.map((input) => [input.name, Number(input.default)]));

/** The default of an input in action.yml. */
function readDefault(name: string): number {
  const value = DEFAULTS.get(name) ?? Number.NaN;
  if (Number.isNaN(value)) throw new TypeError(`action.yml has no number for ${name}`);
  return value;
}

const LOAD: Load = {
  jobs: 10_000,
  uploads: 1,
  lanes: readDefault('max-parallel'),
  arrivalMs: 1000,
  retries: readDefault('retries'),
  timeoutMs: readDefault('timeout-seconds') * 1000,
  roundTripMs: 20,
};

/** Takes 200 uploads a second. */
const LIMITS: ServiceLimits = { slots: 100, queue: 200, serviceMs: 500 };

const GOALS: Goals = { requests: 3, accepted: 0.999, secondPeak: 6, doneSeconds: 125 };
/** About one upload in a hundred is refused a connection six times within a minute. */
const OUTAGE_GOALS: Goals = {
  requests: 5,
  reached: 1.2,
  accepted: 0.98,
  secondPeak: 2,
  doneSeconds: 170,
};

const RETRY_AFTER: Readonly<Record<string, number | undefined>> = {
  '503': undefined,
  '429 with Retry-After: 5': 5000,
  '429 with Retry-After: 30': 30_000,
};

/** Every refusal, without and with a minute's outage from the start. */
export const SCENARIOS: readonly Scenario[] = [0, 60_000].flatMap((outageMs) =>
  Object.entries(RETRY_AFTER).map(([name, retryAfterMs]) => ({
    name: `${name}, ${outageMs === 0 ? 'no outage' : `outage of ${outageMs / 1000} s`}`,
    load: LOAD,
    limits: LIMITS,
    refusal: { retries: Number.POSITIVE_INFINITY, isConnectionLevel: false, retryAfterMs },
    outageMs,
    goals: outageMs === 0 ? GOALS : OUTAGE_GOALS,
  })),
);
