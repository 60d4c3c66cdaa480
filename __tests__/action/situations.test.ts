import { expect, test } from '@jest/globals';
import { REASONS, followFrom } from '../../src/situations.ts';
import type { Situation } from '../../src/situations.ts';
import { describePosix } from '../support/files.ts';
import { runSetup } from './situations/case.ts';
import type { Cases, Setup } from './situations/case.ts';
import { CONNECTION_CASES } from './situations/connection.ts';
import { expectShown, listShown, toPattern } from './situations/expected.ts';
import type { Shown } from './situations/expected.ts';
import { RESPONSE_CASES } from './situations/response.ts';
import { STEP_CASES } from './situations/step.ts';

const CASES: Cases = { ...STEP_CASES, ...CONNECTION_CASES, ...RESPONSE_CASES };

/** The names of the table, which has a case of every situation. */
function isCase(name: string): name is Situation {
  return Object.hasOwn(CASES, name);
}

const SITUATIONS = Object.keys(CASES).filter(isCase);

/** Situations that begin with a limit of some seconds, which start first. */
const SLOW: readonly Situation[] = ['time-limit', 'stalled', 'response-silent'];

const RUNS = [...SLOW, ...SITUATIONS.filter((situation) => !SLOW.includes(situation))].flatMap(
  (situation) => [CASES[situation]].flat().map((make, index) => ({ situation, make, index })),
);

/** The other situations that a step could show without a failure of this test. */
function listConfused(situation: Situation, setup: Setup): readonly string[] {
  const expected = Object.entries(expectShown(situation, setup));
  const isLike = (shown: Shown): boolean =>
    expected.every(([name, text]) => toPattern(text).test(shown[name] ?? ''));
  return SITUATIONS.filter((other) => other !== situation)
    .filter((other) => isLike(expectShown(other, { ...setup, fixes: [] })))
    .map((other) => `${situation}: ${other}`);
}

// Where the tests below are skipped, this one has the certificates of the cases removed after it.
test('every reason follows from a situation', () => {
  const reasons = SITUATIONS.flatMap((situation) =>
    [true, false].map((hasProblem) => followFrom(situation, { isSent: true, hasProblem }).reason),
  );
  expect([...new Set(reasons)].toSorted()).toEqual(Object.keys(REASONS).toSorted());
});

describePosix('a step', () => {
  test.concurrent.each(RUNS)(
    'that ends in $situation shows what its rows say ($index)',
    async ({ situation, make }) => {
      const setup = await make();
      const shown = listShown(await runSetup(setup), situation);
      const entries = Object.entries(expectShown(situation, setup));
      for (const [name, text] of entries) expect(shown[name]).toMatch(toPattern(text));
      expect(listConfused(situation, setup)).toEqual([]);
    },
    120_000,
  );
});
