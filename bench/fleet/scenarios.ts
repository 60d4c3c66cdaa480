import { join } from 'node:path';
import { readManifest } from '../../local/step/manifest.ts';
import type { Figures } from './figures.ts';

/** How the service refuses. */
export interface Scenario {
  readonly name: string;
  /** How long every connection is refused from the start, in milliseconds. */
  readonly outageMs: number;
  /** The Retry-After of a 503, to a request that finds the queue full. */
  readonly retryAfterMs?: number;
  readonly goals: Figures;
}

const { inputs } = await readManifest(join(import.meta.dirname, '..', '..'));
/** The defaults of inputs in action.yml, as numbers. Without one, goals are missed. */
export const DEFAULTS = new Map(inputs.map((input) => [input.name, Number(input.default)]));

const GOALS: Figures = { requests: 3, accepted: 99.9, secondPeak: 6, doneSeconds: 125 };

export const SCENARIOS: readonly Scenario[] = [
  { name: '503', outageMs: 0, goals: GOALS },
  {
    name: '503 with Retry-After: 30',
    outageMs: 0,
    retryAfterMs: 30_000,
    goals: { ...GOALS, requests: 2.5, secondPeak: 3 },
  },
  {
    name: '503 after an outage of 60 s',
    outageMs: 60_000,
    // About one upload in a hundred is refused a connection six times within a minute.
    goals: { requests: 5, accepted: 98, secondPeak: 2, doneSeconds: 170 },
  },
];
