import { runPolicy } from './compare.ts';
import type { Result, Seeds } from './compare.ts';
import { OWN_POLICY, WITHOUT_HOLDS } from './policies.ts';
import type { Policy } from './policies.ts';
import type { Goal, Load, Scenario } from './scenarios.ts';

/** The figures of a way to bring the uploads. */
export interface LoadResult extends Result {
  readonly load: string;
}

/** A scenario with the figures of a matrix, one upload a job, and of steps that take many. */
export interface StepComparison {
  readonly scenario: string;
  /** The matrix first, then the steps as they are by default. */
  readonly results: readonly LoadResult[];
}

const MANY = 100;
/** As many as there are lanes by default: all at once. */
const FEW = 4;
/** The least and the most that `max-parallel` takes. */
const MIN_LANES = 1;
const MAX_LANES = 32;

/** Runs the scenario's jobs of one upload, then as many uploads in steps of many. */
export function compareSteps(scenario: Scenario, seeds: Seeds): StepComparison {
  const run = (policy: Policy, load: Load, goals: readonly Goal[] = []): LoadResult => ({
    load: describeLoad(load),
    ...runPolicy(policy, { ...scenario, load }, goals, seeds),
  });
  const matrix = run(OWN_POLICY, scenario.load);
  const steps = gather(scenario.load, MANY);
  const small = gather(scenario.load, FEW);
  const results = [
    matrix,
    run(OWN_POLICY, steps, setGoals(matrix)),
    run(WITHOUT_HOLDS, steps),
    run(OWN_POLICY, { ...steps, lanes: MIN_LANES }),
    run(OWN_POLICY, { ...steps, lanes: MAX_LANES }),
    run(WITHOUT_HOLDS, { ...steps, lanes: MAX_LANES }),
    run(OWN_POLICY, small, scenario.goals),
    run(WITHOUT_HOLDS, small),
  ];
  return { scenario: scenario.name, results };
}

/** The same uploads in steps of so many. */
export function gather(load: Load, uploads: number): Load {
  return { ...load, jobs: (load.jobs * load.uploads) / uploads, uploads };
}

/** Steps are to spare the service load, and to lose nothing by it. */
function setGoals({ figures }: Result): readonly Goal[] {
  return [
    { figure: 'requests', kind: 'at-most', limit: figures.requests.min },
    { figure: 'reached', kind: 'at-most', limit: figures.reached.min },
    { figure: 'acceptedShare', kind: 'at-least', limit: 1 },
    { figure: 'peak', kind: 'at-most', limit: figures.peak.min },
  ];
}

function describeLoad({ jobs, uploads, lanes }: Load): string {
  const text = `${jobs.toLocaleString('en')} jobs of ${uploads}`;
  return uploads === 1 ? text : `${text}, ${lanes} at a time`;
}
