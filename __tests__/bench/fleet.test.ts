import { describe, expect, test } from '@jest/globals';
import { runPolicy } from '../../bench/fleet/compare.ts';
import type { Result } from '../../bench/fleet/compare.ts';
import { readFlags } from '../../bench/fleet/flags.ts';
import { OWN_POLICY, USUAL_POLICIES } from '../../bench/fleet/policies.ts';
import { SCENARIOS } from '../../bench/fleet/scenarios.ts';
import { formatComparison } from '../../bench/fleet/table.ts';
import { getScenario } from './scenarios.ts';

const SEEDS = { first: 1, count: 2 };
const ONE_SEED = { first: 1, count: 1 };

function listMissed({ checks }: Result): readonly string[] {
  return checks.filter(({ isMet }) => !isMet).map(({ figure }) => figure);
}

describe("the action's retry policy", () => {
  test.each(SCENARIOS)('meets every goal: $name', (scenario) => {
    const result = runPolicy(OWN_POLICY, scenario, scenario.goals, SEEDS);
    const named = result.checks.map(({ figure, limit }) => [figure, limit]);
    const expected =
      scenario.outageMs === 0
        ? { requests: 3, acceptedShare: 0.999, secondPeak: 6, doneSeconds: 125 }
        : { requests: 5, reached: 1.2, acceptedShare: 0.999, secondPeak: 2, doneSeconds: 170 };
    expect(Object.fromEntries(named)).toEqual(expected);
    expect(listMissed(result)).toEqual([]);
  });

  test.each(SCENARIOS)('needs fewer requests than any usual policy: $name', (scenario) => {
    const own = runPolicy(OWN_POLICY, scenario, [], ONE_SEED).figures.requests.max;
    for (const policy of USUAL_POLICIES) {
      const other = runPolicy(policy, scenario, [], ONE_SEED).figures.requests.min;
      expect(other).toBeGreaterThan(2 * own);
    }
  });

  test('would miss goals if Retry-After were obeyed to the second', () => {
    const scenario = getScenario('429 with Retry-After: 5, no outage');
    const policy = USUAL_POLICIES.find(({ name }) => name === 'Retry-After to the second');
    expect(policy).toBeDefined();
    if (policy === undefined) return;
    const missed = listMissed(runPolicy(policy, scenario, scenario.goals, SEEDS));
    expect(missed).toEqual(['requests', 'acceptedShare', 'secondPeak']);
  });
});

describe('runPolicy', () => {
  test('gives the same figures for a seed as ever', () => {
    const figures = SCENARIOS.map((scenario) => {
      const result = runPolicy(OWN_POLICY, scenario, [], ONE_SEED).figures;
      return [result.requests, result.reached, result.secondPeak, result.doneSeconds].map(
        ({ median }) => Number(median.toFixed(4)),
      );
    });
    const [bare, limited, outage, limitedOutage] = [
      [2.7099, 2.7099, 5.425, 74.9536],
      [2.2942, 2.2942, 1.86, 120.0456],
      [4.7814, 1.1627, 1.66, 149.0373],
      [4.7514, 1.1327, 1.66, 142.5255],
    ];
    expect(figures).toEqual([bare, bare, limited, outage, outage, limitedOutage]);
  });

  test('gives least, median and most of all seeds, and judges by the worst', () => {
    const scenario = getScenario('503, no outage');
    const single = [1, 2, 3].map(
      (first) => runPolicy(OWN_POLICY, scenario, [], { first, count: 1 }).figures.requests.median,
    );
    const [min = 0, median = 0, max = 0] = single.toSorted((a, b) => a - b);
    const goals = [
      { figure: 'requests', kind: 'at-most', limit: max },
      { figure: 'requests', kind: 'at-most', limit: median },
      { figure: 'requests', kind: 'at-least', limit: min },
      { figure: 'requests', kind: 'at-least', limit: median },
    ] as const;
    const result = runPolicy(OWN_POLICY, scenario, goals, { first: 1, count: 3 });
    expect(min).toBeLessThan(median);
    expect(result.figures.requests).toEqual({ min, median, max });
    expect(result.checks.map(({ isMet }) => isMet)).toEqual([true, false, true, false]);
  });
});

describe('formatComparison', () => {
  const one = { min: 1, median: 1, max: 1 };
  const figures = {
    requests: { min: 2, median: 2.5, max: 3 },
    reached: one,
    acceptedShare: one,
    peak: one,
    secondPeak: one,
    doneSeconds: one,
  };
  const met = { figure: 'doneSeconds', kind: 'at-most', limit: 125, isMet: true } as const;
  const missed = { figure: 'requests', kind: 'at-most', limit: 2.8, isMet: false } as const;

  test('puts the goal beside each figure, and says which is missed', () => {
    const results = [{ policy: 'p', figures, checks: [met, missed] }];
    const text = formatComparison({ scenario: 's', leastRequests: 1.95, results });
    expect(text).toContain('s (at least 1.95 requests per upload are needed)\n');
    expect(text).toContain('2.50 [2.00, 3.00] (MISSES <= 2.80)');
    expect(text).toContain('1 s (<= 125 s)');
  });

  test('says where nothing was accepted', () => {
    const none = { min: Infinity, median: Infinity, max: Infinity };
    const results = [{ policy: 'p', figures: { ...figures, requests: none }, checks: [] }];
    const text = formatComparison({ scenario: 's', leastRequests: 1.95, results });
    expect(text).toContain('p       none accepted        1.00');
  });
});

describe('readFlags', () => {
  test('knows seed, seeds and json', () => {
    expect(readFlags([])).toMatchObject({ seeds: { first: 1, count: 1 }, isJson: false });
    const args = ['--seed', '7', '--seeds=20', '--json'];
    expect(readFlags(args)).toMatchObject({ seeds: { first: 7, count: 20 }, isJson: true });
  });

  test.each([
    ['--seed', ''],
    ['--seed', '1.5'],
    ['--seed', '2147483648'],
    ['--seeds', '0'],
    ['--seeds', 'many'],
  ])('refuses %s "%s"', (flag, value) => {
    expect(() => readFlags([flag, value])).toThrow(`${flag}: a whole number from`);
  });
});
