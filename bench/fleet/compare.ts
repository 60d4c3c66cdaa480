import { boundRequests, measure } from './measure.ts';
import type { Figures } from './measure.ts';
import { OWN_POLICY, PERFECT_SPREAD, USUAL_POLICIES } from './policies.ts';
import type { Policy } from './policies.ts';
import { createRandom } from './random.ts';
import type { Goal, Scenario } from './scenarios.ts';
import { simulate } from './simulate.ts';

/** The seeds first, first + 1, ... */
export interface Seeds {
  readonly first: number;
  readonly count: number;
}

/** A figure over several seeds. */
export interface Spread {
  readonly min: number;
  /** Of an even number of seeds the upper one of the middle two. */
  readonly median: number;
  readonly max: number;
}

/** A goal, and whether every seed keeps it. */
export interface Check extends Goal {
  readonly isMet: boolean;
}

/** A policy's figures in a scenario. */
export interface Result {
  readonly policy: string;
  readonly figures: Readonly<Record<keyof Figures, Spread>>;
  /** None for a policy that is there to compare with. */
  readonly checks: readonly Check[];
}

/** A scenario with the figures of every policy, the action's own first. */
export interface Comparison {
  readonly scenario: string;
  /** Requests per upload that no client without coordination can do without. */
  readonly leastRequests: number;
  readonly results: readonly Result[];
}

/** Runs every policy through a scenario. */
export function compare(scenario: Scenario, seeds: Seeds): Comparison {
  const others = [...USUAL_POLICIES, PERFECT_SPREAD];
  const results = [
    runPolicy(OWN_POLICY, scenario, scenario.goals, seeds),
    ...others.map((policy) => runPolicy(policy, scenario, [], seeds)),
  ];
  return { scenario: scenario.name, leastRequests: boundRequests(scenario), results };
}

/** Runs a policy through a scenario once per seed. */
export function runPolicy(
  policy: Policy,
  scenario: Scenario,
  goals: readonly Goal[],
  { first, count }: Seeds,
): Result {
  const runs = Array.from({ length: count }, (_, index) => {
    const random = createRandom(first + index);
    return measure(simulate(scenario, policy.start(scenario), random), scenario);
  });
  const figures = {
    requests: spread(runs.map((run) => run.requests)),
    reached: spread(runs.map((run) => run.reached)),
    acceptedShare: spread(runs.map((run) => run.acceptedShare)),
    peak: spread(runs.map((run) => run.peak)),
    secondPeak: spread(runs.map((run) => run.secondPeak)),
    doneSeconds: spread(runs.map((run) => run.doneSeconds)),
  };
  const checks = goals.map((goal) => ({ ...goal, isMet: isMet(goal, figures[goal.figure]) }));
  return { policy: policy.name, figures, checks };
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const pick = (index: number): number => sorted[index] ?? Number.NaN;
  return { min: pick(0), median: pick(sorted.length >> 1), max: pick(sorted.length - 1) };
}

function isMet({ kind, limit }: Goal, { min, max }: Spread): boolean {
  return kind === 'at-most' ? max <= limit : min >= limit;
}
