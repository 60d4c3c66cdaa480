import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { judgeRefusal, judgeRefusedConnection } from '../../bench/fleet/failures.ts';
import { OWN_POLICY, USUAL_POLICIES, WITHOUT_HOLDS } from '../../bench/fleet/policies.ts';
import type { FleetState } from '../../bench/fleet/policies.ts';
import { SCENARIOS } from '../../bench/fleet/scenarios.ts';
import { readManifest } from '../../local/step/manifest.ts';
import { extendDelay, decideRetry } from '../../src/service/retry.ts';
import type { FailedAttempt } from '../../src/service/retry.ts';
import { getScenario } from './scenarios.ts';

const SCENARIO = getScenario('503, no outage');
const BARE = judgeRefusal({ status: 503 });
const STATE: FleetState = {
  retry: 1,
  maxRetries: 8,
  remainingMs: 900_000,
  random: () => 0.5,
  nowMs: 0,
};

/** The waits before retries 1 to 8, in seconds, and whether there is a ninth. */
function listWaits(name: string, failed: FailedAttempt): unknown[] {
  const policy = USUAL_POLICIES.find((candidate) => candidate.name === name);
  return Array.from({ length: 9 }, (_, index) => {
    const decision = policy?.start(SCENARIO).decide(failed, { ...STATE, retry: index + 1 });
    return decision?.kind === 'wait' ? decision.waitMs / 1000 : decision?.reason;
  });
}

describe('what the action makes of a failure', () => {
  test.each([
    [{ status: 503 }, undefined],
    [{ status: 429, retryAfter: '5' }, 5000],
    [{ status: 429, retryAfter: '30' }, 30_000],
  ])('an answer %j may be repeated', (refusal, retryAfterMs) => {
    const expected = { retry: 'always', isConnectionLevel: false, retryAfterMs };
    expect(judgeRefusal(refusal)).toEqual(expected);
  });

  test('an answer that is final is not', () => {
    expect(judgeRefusal({ status: 400 })).toMatchObject({ retry: 'never' });
  });

  test('a refused connection may be repeated, and sooner', () => {
    const expected = { retry: 'always', isConnectionLevel: true, retryAfterMs: undefined };
    expect(judgeRefusedConnection()).toEqual(expected);
  });
});

describe('the policies', () => {
  test("include the action's own functions, not copies", () => {
    const { decide, hold } = OWN_POLICY.start(SCENARIO);
    expect(decide).toBe(decideRetry);
    expect(hold).toBe(extendDelay);
  });

  test('include the same without holds', () => {
    expect(WITHOUT_HOLDS.start(SCENARIO)).toEqual({ decide: decideRetry });
  });

  test.each([
    ['exponential, no jitter', BARE, [1, 2, 4, 8, 16, 32, 60, 60, 'retries']],
    ['fixed delay of 5 s', BARE, [5, 5, 5, 5, 5, 5, 5, 5, 'retries']],
    ['full jitter from 1 s', BARE, [0.5, 1, 2, 4, 8, 16, 30, 30, 'retries']],
    ['Retry-After to the second', BARE, [1, 2, 4, 8, 16, 32, 60, 60, 'retries']],
    [
      'Retry-After to the second',
      judgeRefusal({ status: 429, retryAfter: '30' }),
      [30, 30, 30, 30, 30, 30, 30, 30, 'retries'],
    ],
  ])('wait with %s after %j', (name, failed, waits) => {
    expect(listWaits(name, failed)).toEqual(waits);
  });

  test('are five: four usual ones against one', () => {
    expect(USUAL_POLICIES).toHaveLength(4);
  });

  test.each(USUAL_POLICIES)('stop at the time limit: $name', ({ start }) => {
    const decision = start(SCENARIO).decide(BARE, { ...STATE, remainingMs: 400 });
    expect(decision).toEqual({ kind: 'stop', reason: 'time' });
  });
});

describe('the scenarios', () => {
  test("have the action's default inputs", async () => {
    const { inputs } = await readManifest(join(import.meta.dirname, '..', '..'));
    const defaults = new Map(inputs.map((input) => [input.name, Number(input.default)]));
    const retries = defaults.get('retries');
    const timeoutMs = (defaults.get('timeout-seconds') ?? 0) * 1000;
    expect(SCENARIOS).toHaveLength(6);
    const lanes = defaults.get('max-parallel');
    for (const { load } of SCENARIOS) expect(load).toMatchObject({ retries, timeoutMs, lanes });
  });
});
