import { expect, test } from '@jest/globals';
import { SITUATIONS } from '../../src/situations.ts';
import type { Situation } from '../../src/situations.ts';
import { describePosix } from '../support/files.ts';
import { runSetup } from './situations/case.ts';
import type { Cases, Setup } from './situations/case.ts';
import { CONNECTION_CASES } from './situations/connection.ts';
import { expectShown, listShown, toPattern } from './situations/expected.ts';
import type { Shown } from './situations/expected.ts';
import { RESPONSE_CASES } from './situations/response.ts';
import { STEP_CASES } from './situations/step.ts';

const CASES: Cases<Situation> = { ...STEP_CASES, ...CONNECTION_CASES, ...RESPONSE_CASES };

/** Situations whose words and consequences differ in nothing but retries, which `judge.test` tells apart. */
const TWINS: readonly string[] = [
  'content-wrong: files-swapped',
  'several-files: files-undecided',
  'files-undecided: several-files',
  'service-failed: service-unavailable',
  'service-unavailable: service-failed',
  // Only before everything was sent.
  'gateway-failed: service-failed',
  'gateway-failed: service-unavailable',
];

/** Situations that begin with a limit of some seconds, which start first. */
const SLOW: readonly Situation[] = ['time-limit', 'stalled', 'response-stalled', 'response-silent'];

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
test('every situation has a case', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(SITUATIONS.toSorted());
});

describePosix('a step', () => {
  test.concurrent.each(RUNS)(
    'that ends in $situation shows what its rows say ($index)',
    async ({ situation, make }) => {
      const setup = await make();
      const shown = listShown(await runSetup(setup), situation);
      const entries = Object.entries(expectShown(situation, setup));
      for (const [name, text] of entries) expect(shown[name]).toMatch(toPattern(text));
      expect(listConfused(situation, setup).filter((pair) => !TWINS.includes(pair))).toEqual([]);
    },
    120_000,
  );
});
