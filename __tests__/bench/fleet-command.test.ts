import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { cp, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPolicy } from '../../bench/fleet/compare.ts';
import { OWN_POLICY } from '../../bench/fleet/policies.ts';
import { SCENARIOS } from '../../bench/fleet/scenarios.ts';
import { getScenario } from './scenarios.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Many times what a run takes. */
const GUARD_MS = 100_000;

/** Waits as long for everyone, which is what the real policy must not do. */
const CROWDING_POLICY = `export * from './real-retry.ts';
export const decideRetry = (_, { retry }) =>
  retry > 8 ? { kind: 'stop', reason: 'retries' } : { kind: 'wait', waitMs: 5000 };
`;

function runFleet(root: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const path = join(root, 'bench', 'fleet.ts');
  return spawnSync(process.execPath, [path, ...args], { encoding: 'utf8', timeout: GUARD_MS });
}

describe('node bench/fleet.ts', () => {
  test('prints every scenario and ends with 0 when all goals are met', () => {
    const { status, stdout, stderr } = runFleet(ROOT, '--seed', '3');
    expect([status, stderr]).toEqual([0, '']);
    for (const { name } of SCENARIOS) {
      expect(stdout).toContain(`${name} (at least `);
      expect(stdout).toContain(`${name}: many in one step\n`);
    }
  });

  test('prints the figures of a seed as JSON', () => {
    const { status, stdout } = runFleet(ROOT, '--seed', '3', '--json');
    expect(status).toBe(0);
    const named = SCENARIOS.map(({ name }) => ({ scenario: name }));
    const seeds = { first: 3, count: 1 };
    const printed: unknown = JSON.parse(stdout);
    expect(printed).toMatchObject({ seeds, comparisons: named, steps: named });
    const scenario = getScenario('503, no outage');
    const own = runPolicy(OWN_POLICY, scenario, scenario.goals, seeds);
    expect(printed).toHaveProperty('comparisons.0.results.0', own);
  });

  test('ends with 2 when the command line is wrong', () => {
    const { status, stderr } = runFleet(ROOT, '--seed', 'x');
    expect([status, stderr]).toEqual([2, '--seed: a whole number from 0 to 2147483647, not "x"\n']);
  });

  test('ends with 1, naming the goals, when src/service/retry.ts misses one', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'fleet-')));
    try {
      await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
      await cp(join(ROOT, 'bench'), join(folder, 'bench'), { recursive: true });
      await cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
      const service = join(folder, 'src', 'service');
      await rename(join(service, 'retry.ts'), join(service, 'real-retry.ts'));
      await writeFile(join(service, 'retry.ts'), CROWDING_POLICY);
      const { status, stdout, stderr } = runFleet(folder);
      expect(status).toBe(1);
      expect(stdout).toContain('(MISSES <= 3.00)');
      expect(stderr).toContain('MISSED 503, no outage: this action: requests at-most 3\n');
      expect(stderr).toContain('MISSED 503, outage of 60 s: this action: acceptedShare at-least');
      const crowd = '503, no outage: 2,500 jobs of 4, 4 at a time';
      expect(stderr).toContain(`MISSED ${crowd}: this action: requests at-most 3\n`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
