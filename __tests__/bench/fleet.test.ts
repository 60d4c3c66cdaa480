import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { compare } from '../../bench/fleet/compare.ts';
import { summarize } from '../../bench/fleet/figures.ts';
import { OWN_POLICY } from '../../bench/fleet/policies.ts';
import type { Policy } from '../../bench/fleet/policies.ts';
import { LOAD, SCENARIOS } from '../../bench/fleet/scenarios.ts';
import type { Load, Scenario } from '../../bench/fleet/scenarios.ts';
import { ServiceModel } from '../../bench/fleet/service.ts';
import { simulate } from '../../bench/fleet/simulate.ts';
import type { Run } from '../../bench/fleet/simulate.ts';
import { formatTable, listMissed } from '../../bench/fleet/table.ts';
import { readManifest } from '../../local/step/manifest.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const GIVE_UP: Policy = { name: 'gives up', decide: () => ({ kind: 'stop', reason: 'final' }) };

/** A policy that waits equally long for all uploads, so that they all retry at once. */
const CROWDING_RETRY = `export * from './real-retry.ts';
export const decideRetry = (_, { retry }) =>
  retry > 8 ? { kind: 'stop', reason: 'retries' } : { kind: 'wait', waitMs: 5000 };
`;

function getScenario(name: string): Scenario {
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario "${name}".`);
  return scenario;
}

/** Runs one job that starts at zero, unless `load` says otherwise, with `slots` and no queue. */
function runStep(load: Partial<Load>, slots: number, policy: Policy): Run {
  const scenario = getScenario('429 with Retry-After: 5, no outage');
  const limits = { slots, queue: 0, serviceMs: 500 };
  const step = { ...scenario.load, jobs: 1, arrivalMs: 0, ...load };
  return simulate({ ...scenario, load: step, limits }, policy, 1);
}

function wait(waitMs: number, delayMs?: number): Policy {
  const delay = delayMs === undefined ? {} : { extendDelay: () => delayMs };
  return { name: 'waits', decide: () => ({ kind: 'wait', waitMs }), ...delay };
}

describe("the action's retry policy", () => {
  test.each(SCENARIOS)('meets every goal, and needs the fewest requests: $name', (scenario) => {
    const rows = compare(scenario, 1);
    expect(rows.flatMap(listMissed)).toEqual([]);
    const counts = rows.map(({ goals }) => Object.keys(goals).length);
    const count = scenario.outageMs === 0 ? 4 : 5;
    expect(counts.filter((each) => each > 0)).toEqual([count, 4, count]);
    const requests = rows.map(({ figures }) => figures[0]?.requests ?? Number.NaN);
    const [own = Number.NaN] = requests;
    for (const usual of requests.slice(1, 5)) expect(usual).toBeGreaterThan(2 * own);
    // With 32 uploads in parallel, delaying all of them after a Retry-After saves requests.
    expect(requests[8]).toBeLessThanOrEqual(requests[9] ?? Number.NaN);
  });
});

describe('simulate', () => {
  test('accepts uploads within the capacity, after the service time and the round trip', () => {
    const run = runStep({ jobs: 300 }, 300, GIVE_UP);
    expect(run).toMatchObject({ requests: 300, accepted: 300, doneMs: 520 });
  });

  test('runs as many uploads in parallel as a step allows', () => {
    const run = runStep({ uploads: 5, lanes: 2 }, 100, GIVE_UP);
    const reachedMs = [0, 0, 520, 520, 1040];
    expect(run).toEqual({ requests: 5, reachedMs, accepted: 5, doneMs: 1560 });
  });

  test('asks the policy about a refusal at the time of the response', () => {
    const asked: unknown[] = [];
    const decide: Policy['decide'] = (failed, { retry, maxRetries, remainingMs }) => {
      asked.push({ ...failed, retry, maxRetries, remainingMs });
      return retry === 1 ? { kind: 'wait', waitMs: 100 } : { kind: 'stop', reason: 'final' };
    };
    const run = runStep({ jobs: 2, timeoutMs: 1000 }, 1, { name: 'asks', decide });
    const failed = {
      retries: Number.POSITIVE_INFINITY,
      isConnectionLevel: false,
      retryAfterMs: 5000,
    };
    expect(asked).toEqual([
      { ...failed, retry: 1, maxRetries: 8, remainingMs: 980 },
      { ...failed, retry: 2, maxRetries: 8, remainingMs: 860 },
    ]);
    expect(run).toEqual({ requests: 3, reachedMs: [0, 0, 120], accepted: 1, doneMs: 520 });
  });

  test('refuses connections in an outage, without load on the service', () => {
    const scenario = getScenario('503, outage of 60 s');
    const load = { ...scenario.load, jobs: 1, arrivalMs: 0 };
    const run = simulate({ ...scenario, load }, wait(29_980), 1);
    expect(run).toEqual({ requests: 3, reachedMs: [60_000], accepted: 1, doneMs: 60_520 });
  });

  test('starts no attempt after the time limit, and does not count uploads accepted later', () => {
    const run = runStep({ uploads: 5, lanes: 1, timeoutMs: 1100 }, 1, GIVE_UP);
    expect(run).toEqual({ requests: 3, reachedMs: [0, 520, 1040], accepted: 2, doneMs: 1100 });
  });

  test('starts no other upload of a step during a delay', () => {
    const run = runStep({ uploads: 3, lanes: 2 }, 1, wait(10_000, 3020));
    expect(run.reachedMs).toEqual([0, 0, 3020, 10_020]);
    const alone = runStep({ jobs: 3 }, 1, wait(10_000, 3020));
    expect(alone.reachedMs).toEqual([0, 0, 0, 10_020, 10_020, 20_040]);
  });

  test('extends the wait of an upload when the delay is extended', () => {
    const delays = [0, 3000];
    const extendDelay = (untilMs: number): number => delays.shift() ?? untilMs;
    const run = runStep({ uploads: 3, lanes: 3 }, 1, { ...wait(1000), extendDelay });
    expect(run.reachedMs).toEqual([0, 0, 0, 3000, 3000, 4020]);
  });

  test('returns the same run only for the same seed', () => {
    const scenario = getScenario('503, no outage');
    const run = (seed: number): unknown => simulate(scenario, OWN_POLICY, seed);
    expect(run(4)).toEqual(run(4));
    expect(run(5)).not.toEqual(run(4));
  });
});

describe('ServiceModel', () => {
  test('serves and queues uploads up to its limits, and refuses the rest', () => {
    const service = new ServiceModel({ slots: 2, queue: 3, serviceMs: 500 });
    const ends = [0, 100, 200, 200, 200, 499, 500, 5000].map((atMs) => service.admit(atMs));
    expect(ends).toEqual([500, 600, 1000, 1100, 1500, undefined, 1600, 5500]);
  });
});

describe('summarize', () => {
  test('counts the first wave as the peak, and not as the second peak', () => {
    const reachedMs = [0, 0, 999, 1000, 1500, 1600, 2500];
    const run = { requests: 16, reachedMs, accepted: 8, doneMs: 42_000 };
    expect(summarize(run, getScenario('503, no outage'))).toEqual({
      requests: 2,
      reached: 0.875,
      accepted: 0.0008,
      peak: 4,
      secondPeak: 3 / 200,
      doneSeconds: 42,
    });
  });
});

describe('formatTable', () => {
  test('shows the median, the range and the goal, and compares the worst seed with the goal', () => {
    const figures = {
      requests: 2,
      reached: 1,
      accepted: 1,
      peak: 9,
      secondPeak: 1,
      doneSeconds: 7,
    };
    const seeds = [{ ...figures, requests: 3 }, figures, { ...figures, requests: 2.5 }];
    const row = { name: 'r', figures: seeds, goals: { requests: 2.8, accepted: 1 } };
    expect(formatTable('s', [row]).split('\n')[1]).toBe(
      'r  2.50 [2.00, 3.00] (<= 2.80)  1.00              100.00 % (>= 100.00 %)  9                1.0 x        7 s',
    );
    expect(listMissed(row)).toEqual(['requests 2.50 [2.00, 3.00] (<= 2.80)']);
    expect(listMissed({ ...row, goals: { requests: 3, accepted: 1.1 } })).toHaveLength(1);
  });
});

test('the default load has the limits of action.yml', async () => {
  const { inputs } = await readManifest(ROOT);
  const defaults = new Map(inputs.map((input) => [input.name, Number(input.default)]));
  expect([LOAD.lanes, LOAD.retries, LOAD.timeoutMs / 1000]).toEqual(
    ['max-parallel', 'retries', 'timeout-seconds'].map((name) => defaults.get(name)),
  );
});

describe('node bench/fleet.ts', () => {
  test('exits with 1 and names the goals when src/service/retry.ts misses one', () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-')));
    try {
      for (const name of ['package.json', 'bench', 'src']) {
        cpSync(join(ROOT, name), join(root, name), { recursive: true });
      }
      const retry = join(root, 'src', 'service', 'retry.ts');
      renameSync(retry, join(retry, '..', 'real-retry.ts'));
      writeFileSync(retry, CROWDING_RETRY);
      const path = join(root, 'bench', 'fleet.ts');
      const { status, stdout, stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8' });
      expect(status).toBe(1);
      for (const { name } of SCENARIOS) expect(stdout).toContain(`${name} `);
      expect(stderr).toContain('MISSED 503, no outage: 10,000 jobs of 1: this action: requests 21');
      expect(stderr).toContain('2,500 jobs of 4, 4 in parallel: this action: accepted ');
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
