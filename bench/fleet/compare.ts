import { measure } from './figures.ts';
import type { Figures } from './figures.ts';
import { OWN_POLICY, USUAL_POLICIES, WITHOUT_DELAYS } from './policies.ts';
import type { Policy } from './policies.ts';
import type { Goals, Load, Scenario } from './scenarios.ts';

/** A policy and a distribution of the uploads over jobs, with their figures. */
export interface Row {
  readonly name: string;
  /** One for each seed. */
  readonly figures: readonly Figures[];
  readonly goals: Goals;
}

/**
 * Runs a scenario's jobs of one upload with every policy, then as many uploads in steps with multiple
 * scans, which should cause less load on the service and lose no more uploads.
 */
export function compare(scenario: Scenario, seeds: number): readonly Row[] {
  const run = (policy: Policy, load: Load, goals: Goals = {}): Row => {
    const figures = measure(policy, { ...scenario, load }, seeds);
    return { name: `${describeLoad(load)}: ${policy.name}`, figures, goals };
  };
  const { load, goals } = scenario;
  const matrix = run(OWN_POLICY, load, goals);
  const steps = gather(load, 100);
  const wide = { ...steps, lanes: 32 };
  const small = gather(load, 4);
  return [
    matrix,
    ...USUAL_POLICIES.map((policy) => run(policy, load)),
    run(OWN_POLICY, steps, spare(matrix.figures)),
    run(WITHOUT_DELAYS, steps),
    run(OWN_POLICY, { ...steps, lanes: 1 }),
    run(OWN_POLICY, wide),
    run(WITHOUT_DELAYS, wide),
    run(OWN_POLICY, small, goals),
    run(WITHOUT_DELAYS, small),
  ];
}

/** The same uploads in steps of `uploads` each. */
function gather(load: Load, uploads: number): Load {
  return { ...load, jobs: load.jobs / uploads, uploads };
}

/** Goals: at most the smallest load of these figures, and at least as many uploads accepted. */
function spare(figures: readonly Figures[]): Goals {
  const least = (figure: keyof Figures): number => Math.min(...figures.map((each) => each[figure]));
  const [requests, reached, peak] = [least('requests'), least('reached'), least('peak')];
  return { requests, reached, peak, accepted: least('accepted') };
}

function describeLoad({ jobs, uploads, lanes }: Load): string {
  const text = `${jobs.toLocaleString('en')} jobs of ${uploads}`;
  return uploads === 1 ? text : `${text}, ${lanes} in parallel`;
}
