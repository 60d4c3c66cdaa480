import { expect, test } from '@jest/globals';
import { describeRepeats } from '../../src/stages/repeats.ts';
import type { KeyedScan } from '../../src/stages/repeats.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';

/** A scan with a key, and with files whose identities are these names. */
async function prepare(label: string, scanKey?: string, ...names: string[]): Promise<KeyedScan> {
  const files = names.map((identity) =>
    makeScanFile({ identity, displayPath: `${label}/${identity}.json` }),
  );
  const plan = makePlan('upload-multiple-files', ...(await Promise.all(files)));
  return { label, scanKey, parts: plan.parts };
}

const KEY_FIX =
  'If they are different scans, give each its own key: the service may keep only one.';
const UPPER = SCAN_KEY.toUpperCase();

test.each<[string, readonly Promise<KeyedScan>[], readonly string[]]>([
  ['nothing without scans', [], []],
  [
    'nothing if all differ, or have no key',
    [prepare('a', 'k1', '1', '2'), prepare('b', 'k2', '3'), prepare('c'), prepare('d')],
    [],
  ],
  [
    'keys in upper or lower case, then files with the first path',
    [prepare('a', SCAN_KEY, '1', '2'), prepare('b', 'k', '3', '2'), prepare('c', UPPER, '2')],
    [
      `a, c use the same scan key, ${SCAN_KEY}. ${KEY_FIX}`,
      "a, b, c use the same file, 'a/2.json'.",
    ],
  ],
])('describeRepeats reports %s', async (_, scans, repeats) => {
  expect(describeRepeats(await Promise.all(scans))).toEqual(repeats);
});

test.each([
  [10, []],
  [11, ['And 1 more.']],
  [30, ['And 20 more.']],
])('describeRepeats lists at most ten of %i, and counts the others', async (count, more) => {
  const keys = Array.from({ length: count }, (_, index) => `k${index}`);
  const scans = keys.flatMap((key) => [prepare('a', key), prepare('b', key)]);
  const repeats = describeRepeats(await Promise.all(scans));
  expect(repeats.slice(10)).toEqual(more);
  expect(repeats.slice(0, 10)).toEqual(
    keys.slice(0, 10).map((key) => `a, b use the same scan key, ${key}. ${KEY_FIX}`),
  );
});

test('describeRepeats names at most twenty scans', async () => {
  const scans = await Promise.all(Array.from({ length: 25 }, () => prepare('a', 'k')));
  expect(describeRepeats(scans)).toEqual([expect.stringMatching(/ and 5 more use the same /)]);
});
