import { describe, expect, test } from '@jest/globals';
import { runPolicy } from '../../bench/fleet/compare.ts';
import { OWN_POLICY } from '../../bench/fleet/policies.ts';
import { SCENARIOS } from '../../bench/fleet/scenarios.ts';
import type { Scenario } from '../../bench/fleet/scenarios.ts';
import { compareSteps, gather } from '../../bench/fleet/steps.ts';
import type { StepComparison } from '../../bench/fleet/steps.ts';
import { formatSteps } from '../../bench/fleet/table.ts';
import { getScenario } from './scenarios.ts';

const SEEDS = { first: 1, count: 2 };

const comparisons = new Map<Scenario, StepComparison>();

/** Compares the steps of a scenario, once for all tests: the simulation takes seconds. */
function compareOnce(scenario: Scenario): StepComparison {
  const comparison = comparisons.get(scenario) ?? compareSteps(scenario, SEEDS);
  comparisons.set(scenario, comparison);
  return comparison;
}

/** The figures of a line, by how many uploads a step has on their way, and by policy. */
function getFigures(
  { results }: StepComparison,
  lanes: number,
  policy = OWN_POLICY.name,
): StepComparison['results'][number]['figures'] {
  const load = `100 jobs of 100, ${lanes} at a time`;
  const result = results.find(
    (candidate) => candidate.load === load && candidate.policy === policy,
  );
  if (result === undefined) throw new Error(`There is no line "${load}" of "${policy}".`);
  return result.figures;
}

describe('steps of many uploads', () => {
  test.each(SCENARIOS)('spare the service load, and lose nothing: $name', (scenario) => {
    const [matrix, steps] = compareOnce(scenario).results;
    const { requests, reached, peak } = runPolicy(OWN_POLICY, scenario, [], SEEDS).figures;
    expect(matrix).toMatchObject({ load: '10,000 jobs of 1', figures: { requests }, checks: [] });
    expect(steps?.load).toBe('100 jobs of 100, 4 at a time');
    expect(steps?.checks).toEqual([
      { figure: 'requests', kind: 'at-most', limit: requests.min, isMet: true },
      { figure: 'reached', kind: 'at-most', limit: reached.min, isMet: true },
      { figure: 'acceptedShare', kind: 'at-least', limit: 1, isMet: true },
      { figure: 'peak', kind: 'at-most', limit: peak.min, isMet: true },
    ]);
  });

  test.each(SCENARIOS)('are no worse a crowd than jobs of one: $name', (scenario) => {
    const { results } = compareOnce(scenario);
    const small = results.find(({ load }) => load === '2,500 jobs of 4, 4 at a time');
    expect(small?.checks).toEqual(scenario.goals.map((goal) => ({ ...goal, isMet: true })));
  });

  test.each(SCENARIOS)('load it the more, the more go side by side: $name', (scenario) => {
    const comparison = compareOnce(scenario);
    const [one, four, most] = [1, 4, 32].map((lanes) => getFigures(comparison, lanes));
    for (const figure of ['requests', 'peak', 'secondPeak'] as const) {
      expect(four?.[figure].min).toBeGreaterThan(one?.[figure].max ?? Number.NaN);
      expect(most?.[figure].min).toBeGreaterThan(four?.[figure].max ?? Number.NaN);
    }
    expect(one?.acceptedShare.min).toBe(1);
    expect(most?.acceptedShare.min).toBeGreaterThanOrEqual(0.999);
  });

  test('have no holds where there is no Retry-After', () => {
    const comparison = compareOnce(getScenario('503, no outage'));
    expect(getFigures(comparison, 4)).toEqual(getFigures(comparison, 4, 'without holds'));
    expect(getFigures(comparison, 32)).toEqual(getFigures(comparison, 32, 'without holds'));
  });

  test('have holds where there is one, and fewer requests for it', () => {
    for (const refusal of ['429 with Retry-After: 5', '429 with Retry-After: 30']) {
      const comparison = compareOnce(getScenario(`${refusal}, no outage`));
      const without = getFigures(comparison, 32, 'without holds');
      expect(getFigures(comparison, 32).requests.max).toBeLessThan(without.requests.min);
    }
  });
});

describe('gather', () => {
  test('keeps the number of uploads and everything else', () => {
    const { load } = getScenario('503, no outage');
    expect(gather(load, 100)).toEqual({ ...load, jobs: 100, uploads: 100 });
    expect(gather(load, 4)).toEqual({ ...load, jobs: 2500, uploads: 4 });
  });
});

describe('formatSteps', () => {
  test('names the load of each line, and the policy where it is another', () => {
    const one = { min: 1, median: 1, max: 1 };
    const figures = {
      requests: { min: 1.5, median: 1.5, max: 1.75 },
      reached: one,
      acceptedShare: one,
      peak: { min: 480, median: 500, max: 510 },
      secondPeak: one,
      doneSeconds: one,
    };
    const missed = { figure: 'peak', kind: 'at-most', limit: 490, isMet: false } as const;
    const text = formatSteps({
      scenario: 's',
      results: [
        { load: 'alone', policy: 'own', figures, checks: [] },
        { load: 'many', policy: 'own', figures, checks: [missed] },
        { load: 'many', policy: 'other', figures, checks: [] },
      ],
    });
    const [title, headings, ...lines] = text.split('\n');
    expect(title).toBe('s: many in one step');
    expect(headings).toMatch(/^load +requests per upload +of these reached +accepted +within a/);
    expect(lines.map((line) => line.slice(0, 13).trim())).toEqual(['alone', 'many', 'many: other']);
    expect(lines[0]).toContain('1.50 [1.50, 1.75]');
    expect(lines[1]).toContain('500 [480, 510] (MISSES <= 490)');
  });
});
