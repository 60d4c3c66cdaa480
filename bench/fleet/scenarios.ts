import { DECLARED } from '../../src/inputs/declared.ts';
import type { Refusal } from './failures.ts';
import type { Figures } from './measure.ts';
import type { ServiceLimits } from './service.ts';

/** Who uploads, and how patiently. */
export interface Load {
  readonly jobs: number;
  /** Of each job, in one step. */
  readonly uploads: number;
  /** Uploads of a step side by side; one that waits to be repeated keeps its lane. */
  readonly lanes: number;
  /** The jobs start, evenly by chance, within this time from zero, in milliseconds. */
  readonly arrivalMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** Of each job's step, from its first attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** What the network adds to an attempt, in milliseconds. */
  readonly roundTripMs: number;
}

/** A limit that a figure has to keep. */
export interface Goal {
  readonly figure: keyof Figures;
  readonly kind: 'at-most' | 'at-least';
  readonly limit: number;
}

/** A crowd, a service and how that says no. */
export interface Scenario {
  readonly name: string;
  readonly load: Load;
  readonly limits: ServiceLimits;
  readonly refusal: Refusal;
  /** So long from zero every connection is refused, in milliseconds. */
  readonly outageMs: number;
  readonly goals: readonly Goal[];
}

/** As patient as the action is by default. */
const LOAD: Load = {
  jobs: 10_000,
  uploads: 1,
  lanes: Number(DECLARED['max-parallel']),
  arrivalMs: 1000,
  retries: Number(DECLARED.retries),
  timeoutMs: Number(DECLARED['timeout-seconds']) * 1000,
  roundTripMs: 20,
};

/** Takes 200 uploads a second. */
const LIMITS: ServiceLimits = { slots: 100, queue: 200, serviceMs: 500 };

const GOALS: readonly Goal[] = [
  { figure: 'requests', kind: 'at-most', limit: 3 },
  { figure: 'acceptedShare', kind: 'at-least', limit: 0.999 },
  { figure: 'secondPeak', kind: 'at-most', limit: 6 },
  { figure: 'doneSeconds', kind: 'at-most', limit: 125 },
];

const OUTAGE_GOALS: readonly Goal[] = [
  { figure: 'requests', kind: 'at-most', limit: 5 },
  { figure: 'reached', kind: 'at-most', limit: 1.2 },
  { figure: 'acceptedShare', kind: 'at-least', limit: 0.999 },
  { figure: 'secondPeak', kind: 'at-most', limit: 2 },
  { figure: 'doneSeconds', kind: 'at-most', limit: 170 },
];

const REFUSALS: readonly Refusal[] = [
  { status: 503 },
  { status: 429, retryAfter: '5' },
  { status: 429, retryAfter: '30' },
];

/** Every refusal, without and with a minute's outage from the start. */
export const SCENARIOS: readonly Scenario[] = [0, 60_000].flatMap((outageMs) =>
  REFUSALS.map((refusal) => ({
    name: `${nameRefusal(refusal)}, ${outageMs === 0 ? 'no outage' : `outage of ${outageMs / 1000} s`}`,
    load: LOAD,
    limits: LIMITS,
    refusal,
    outageMs,
    goals: outageMs === 0 ? GOALS : OUTAGE_GOALS,
  })),
);

function nameRefusal({ status, retryAfter }: Refusal): string {
  return retryAfter === undefined ? `${status}` : `${status} with Retry-After: ${retryAfter}`;
}
