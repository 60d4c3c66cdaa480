import { describe, expect, test } from '@jest/globals';
import { boundRequests, findBusiestSecond, measure } from '../../bench/fleet/measure.ts';
import { OWN_POLICY, PERFECT_SPREAD, USUAL_POLICIES } from '../../bench/fleet/policies.ts';
import type { Decide, Reaction } from '../../bench/fleet/policies.ts';
import { createRandom } from '../../bench/fleet/random.ts';
import { SCENARIOS } from '../../bench/fleet/scenarios.ts';
import type { Load, Scenario } from '../../bench/fleet/scenarios.ts';
import { simulate } from '../../bench/fleet/simulate.ts';
import { getScenario } from './scenarios.ts';

const CALM = getScenario('503, no outage');
const OUTAGE = getScenario('503, outage of 60 s');
const GIVE_UP: Reaction = { decide: () => ({ kind: 'stop', reason: 'final' }) };

/** Three retries, each 300 ms after the attempt before it. */
const RETRY_SOON: Reaction = {
  decide: (_, { retry }) =>
    retry > 3 ? { kind: 'stop', reason: 'retries' } : { kind: 'wait', waitMs: 280 },
};

function withLoad(scenario: Scenario, load: Partial<Load>): Scenario {
  return { ...scenario, load: { ...scenario.load, ...load } };
}

describe('simulate', () => {
  test('needs one request each when there is room', () => {
    const run = simulate(withLoad(CALM, { jobs: 300 }), GIVE_UP, createRandom(1));
    expect(run).toMatchObject({ requests: 300, accepted: 300 });
    expect(run.reachedMs).toHaveLength(300);
  });

  test('takes as long as the service and the round trip', () => {
    const scenario = withLoad(CALM, { jobs: 1, arrivalMs: 0 });
    expect(simulate(scenario, GIVE_UP, createRandom(1)).doneMs).toBe(520);
    const crowd = withLoad(CALM, { jobs: 300, arrivalMs: 0 });
    expect(simulate(crowd, GIVE_UP, createRandom(1)).doneMs).toBe(1520);
  });

  test('asks the policy about what was shed, the clock at the answer', () => {
    const asked: unknown[] = [];
    const decide: Decide = (failed, { retry, maxRetries, remainingMs, nowMs }) => {
      asked.push({ ...failed, retry, maxRetries, remainingMs, nowMs });
      return retry === 1 ? { kind: 'wait', waitMs: 100 } : { kind: 'stop', reason: 'final' };
    };
    const scenario: Scenario = {
      ...withLoad(CALM, { jobs: 2, arrivalMs: 0, timeoutMs: 1000 }),
      limits: { slots: 1, queue: 0, serviceMs: 500 },
    };
    const run = simulate(scenario, { decide }, createRandom(1));
    const failed = { retry: 'always', isConnectionLevel: false, retryAfterMs: undefined };
    expect(asked).toEqual([
      { ...failed, retry: 1, maxRetries: 8, remainingMs: 980, nowMs: 20 },
      { ...failed, retry: 2, maxRetries: 8, remainingMs: 860, nowMs: 140 },
    ]);
    expect(run).toEqual({ requests: 3, reachedMs: [0, 0, 120], accepted: 1, doneMs: 520 });
  });

  test('refuses every connection until the outage is over, without load on the service', () => {
    const kinds: boolean[] = [];
    const decide: Decide = ({ isConnectionLevel }) => {
      kinds.push(isConnectionLevel);
      return { kind: 'wait', waitMs: 29_980 };
    };
    const scenario = withLoad(OUTAGE, { jobs: 1, arrivalMs: 0 });
    const run = simulate(scenario, { decide }, createRandom(1));
    expect(kinds).toEqual([true, true]);
    expect(run).toEqual({ requests: 3, reachedMs: [60_000], accepted: 1, doneMs: 60_520 });
  });

  test('does not count what is accepted after the time limit', () => {
    const scenario = withLoad(CALM, { jobs: 300, arrivalMs: 0, timeoutMs: 1100 });
    const run = simulate(scenario, GIVE_UP, createRandom(1));
    expect(run).toMatchObject({ accepted: 200, doneMs: 1100 });
  });

  test('repeats itself for the same seed and for no other', () => {
    const scenario = withLoad(CALM, { jobs: 2000 });
    const run = (seed: number): unknown =>
      simulate(scenario, OWN_POLICY.start(scenario), createRandom(seed));
    expect(run(4)).toEqual(run(4));
    expect(run(5)).not.toEqual(run(4));
  });
});

describe('findBusiestSecond', () => {
  test.each([
    [[], 0],
    [[5], 1],
    [[0, 999], 2],
    [[0, 1000], 1],
    [[0, 500, 999, 1000, 1001, 3000], 4],
    [[0, 5000, 5000, 5000], 3],
  ])('of %j is %i', (times, most) => {
    expect(findBusiestSecond(times)).toBe(most);
  });
});

describe('measure', () => {
  test('divides by what was accepted and by the capacity', () => {
    // A hundred a second, after three hundred at once.
    const reachedMs = Array.from({ length: 10_000 }, (_, index) =>
      index < 300 ? 5000 : 6000 + 10 * index,
    );
    const run = { requests: 16_000, reachedMs, accepted: 8000, doneMs: 42_000 };
    expect(measure(run, CALM)).toEqual({
      requests: 2,
      reached: 1.25,
      acceptedShare: 0.8,
      peak: 300,
      secondPeak: 1.5,
      doneSeconds: 42,
    });
  });

  test('counts what comes within the first wave to the peak, not to the second one', () => {
    const reachedMs = [0, 0, 999, 1000, 1500, 1600, 3000];
    const { peak, secondPeak } = measure({ requests: 7, reachedMs, accepted: 7, doneMs: 1 }, CALM);
    expect([peak, secondPeak * 200]).toEqual([4, 3]);
    const run = simulate(withLoad(CALM, { jobs: 2000 }), RETRY_SOON, createRandom(1));
    const figures = measure(run, CALM);
    expect(figures.secondPeak * 200).toBeLessThan(figures.peak - 1000);
  });

  test('takes the share of all uploads of all jobs', () => {
    const run = { requests: 9, reachedMs: [], accepted: 3, doneMs: 0 };
    const scenario = withLoad(CALM, { jobs: 2, uploads: 6 });
    expect(measure(run, scenario).acceptedShare).toBe(0.25);
  });

  test('makes no number of a division by nothing accepted', () => {
    const run = { requests: 9, reachedMs: [], accepted: 0, doneMs: 0 };
    expect(measure(run, CALM)).toMatchObject({ requests: Infinity, reached: Infinity });
  });
});

describe('boundRequests', () => {
  test('is 1.95 without an outage and 2 with one', () => {
    expect(boundRequests(CALM)).toBe(1.95);
    expect(boundRequests(OUTAGE)).toBe(2);
    expect(boundRequests(withLoad(CALM, { jobs: 300 }))).toBe(1);
  });

  test('counts the uploads that the steps start with', () => {
    const steps = { jobs: 100, uploads: 100, lanes: 4 };
    expect(boundRequests(withLoad(CALM, steps))).toBe(1);
    expect(boundRequests(withLoad(CALM, { ...steps, lanes: 32 }))).toBe(1.27);
    expect(boundRequests(withLoad(CALM, { ...steps, lanes: 200 }))).toBe(1.95);
    expect(boundRequests(withLoad(OUTAGE, steps))).toBe(1.04);
  });

  test.each(SCENARIOS)('is nearly reached by a perfect spread: $name', (scenario) => {
    const run = simulate(scenario, PERFECT_SPREAD.start(scenario), createRandom(1));
    const figures = measure(run, scenario);
    const bound = boundRequests(scenario);
    expect(figures.requests).toBeGreaterThanOrEqual(bound);
    expect(figures.requests).toBeLessThanOrEqual(bound + 0.02);
    expect(figures.acceptedShare).toBe(1);
    expect(figures.secondPeak).toBeLessThan(1.02);
  });

  test.each(SCENARIOS)('is beaten by nobody: $name', (scenario) => {
    for (const policy of [OWN_POLICY, ...USUAL_POLICIES]) {
      const run = simulate(scenario, policy.start(scenario), createRandom(2));
      expect(measure(run, scenario).requests).toBeGreaterThan(boundRequests(scenario));
    }
  });
});
