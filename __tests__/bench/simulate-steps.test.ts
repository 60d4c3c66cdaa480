import { describe, expect, test } from '@jest/globals';
import type { Decide, Hold, Reaction } from '../../bench/fleet/policies.ts';
import { createRandom } from '../../bench/fleet/random.ts';
import type { Load, Scenario } from '../../bench/fleet/scenarios.ts';
import { simulate } from '../../bench/fleet/simulate.ts';
import type { Run } from '../../bench/fleet/simulate.ts';
import { getScenario } from './scenarios.ts';

const SCENARIO = getScenario('429 with Retry-After: 5, no outage');
const GIVE_UP: Decide = () => ({ kind: 'stop', reason: 'final' });
/** Three retries, each 100 ms after the answer before it. */
const RETRY_SOON: Decide = (_, { retry }) =>
  retry > 3 ? { kind: 'stop', reason: 'retries' } : { kind: 'wait', waitMs: 100 };
const HOLD: Hold = (_, __, ___, { nowMs }) => nowMs + 3000;

function wait(waitMs: number): Decide {
  return () => ({ kind: 'wait', waitMs });
}

/** Runs one job, or as many as `load` says, that starts at zero. An upload takes 520 ms. */
function runSteps(load: Partial<Load>, slots: number, reaction: Reaction): Run {
  const scenario: Scenario = {
    ...SCENARIO,
    load: { ...SCENARIO.load, jobs: 1, arrivalMs: 0, ...load },
    limits: { slots, queue: 0, serviceMs: 500 },
  };
  return simulate(scenario, reaction, createRandom(1));
}

describe('a step of many uploads', () => {
  test('has as many on their way as it has lanes', () => {
    const run = runSteps({ uploads: 10, lanes: 4 }, 100, { decide: GIVE_UP });
    const reachedMs = [0, 0, 0, 0, 520, 520, 520, 520, 1040, 1040];
    expect(run).toEqual({ requests: 10, reachedMs, accepted: 10, doneMs: 1560 });
  });

  test('needs no more lanes than it has uploads', () => {
    const run = runSteps({ uploads: 2, lanes: 4 }, 100, { decide: GIVE_UP });
    expect(run).toEqual({ requests: 2, reachedMs: [0, 0], accepted: 2, doneMs: 520 });
  });

  test('has the next upload follow one that was given up', () => {
    const run = runSteps({ uploads: 4, lanes: 2 }, 1, { decide: GIVE_UP });
    // The second lane ends at the service's refusals, every 20 ms, until nothing is left.
    expect(run).toEqual({ requests: 4, reachedMs: [0, 0, 20, 40], accepted: 1, doneMs: 520 });
  });

  test('keeps the lane of an upload that waits to be repeated', () => {
    const run = runSteps({ uploads: 3, lanes: 2 }, 1, { decide: wait(10_000) });
    expect(run.reachedMs).toEqual([0, 0, 520, 10_020]);
    expect(run.accepted).toBe(3);
  });

  test('has one time limit for all, and begins nothing after it', () => {
    const run = runSteps({ uploads: 5, lanes: 1, timeoutMs: 1100 }, 1, { decide: GIVE_UP });
    expect(run).toEqual({ requests: 3, reachedMs: [0, 520, 1040], accepted: 2, doneMs: 1100 });
  });
});

describe('a hold', () => {
  test('keeps the other lanes from beginning, from the answer on', () => {
    const run = runSteps({ uploads: 3, lanes: 2 }, 1, { decide: wait(10_000), hold: HOLD });
    expect(run.reachedMs).toEqual([0, 0, 3020, 10_020]);
  });

  test('is moved by later answers as the policy says', () => {
    // Both uploads are refused at 600, again at 1300 and at 1500.
    const waits = [100, 300, 0, 0];
    const holds = [0, 5000, 5000, 21_500];
    const decide: Decide = () => {
      const waitMs = waits.shift();
      return waitMs === undefined ? { kind: 'stop', reason: 'final' } : { kind: 'wait', waitMs };
    };
    const told: number[] = [];
    const hold: Hold = (heldUntil) => {
      told.push(heldUntil);
      return holds.shift() ?? heldUntil;
    };
    const load = { uploads: 2, lanes: 2, roundTripMs: 600 };
    const run = runSteps(load, 0, { decide, hold });
    expect(run.reachedMs).toEqual([0, 0, 5000, 5000, 5600, 21_500]);
    expect(told.slice(0, 4)).toEqual([0, 0, 5000, 5000]);
  });

  test('of one step is none of another', () => {
    const run = runSteps({ jobs: 2, uploads: 3, lanes: 2 }, 3, {
      decide: wait(10_000),
      hold: HOLD,
    });
    // Of the first step the third upload follows at once, that of the second is held back.
    expect(run.reachedMs).toEqual([0, 0, 0, 0, 520, 3020, 10_020]);
  });

  test('that reaches beyond the time limit ends what has not begun, at once', () => {
    const load = { uploads: 5, lanes: 2, timeoutMs: 3000 };
    const run = runSteps(load, 1, { decide: GIVE_UP, hold: HOLD });
    expect(run).toEqual({ requests: 2, reachedMs: [0, 0], accepted: 1, doneMs: 520 });
  });

  test('that reaches beyond the time limit ends what waits to be repeated', () => {
    const load = { uploads: 2, lanes: 2, timeoutMs: 3000 };
    const run = runSteps(load, 1, { decide: wait(1000), hold: HOLD });
    expect(run).toEqual({ requests: 2, reachedMs: [0, 0], accepted: 1, doneMs: 520 });
  });

  test('is not asked for where nobody is left to be held back', () => {
    let asked = 0;
    const count: Hold = (heldUntil) => {
      asked += 1;
      return heldUntil;
    };
    runSteps({ jobs: 5, uploads: 1 }, 1, { decide: RETRY_SOON, hold: count });
    expect(asked).toBe(0);
    runSteps({ uploads: 5, lanes: 5 }, 1, { decide: RETRY_SOON, hold: count });
    expect(asked).toBeGreaterThan(3);
  });
});
