import { expect, test } from '@jest/globals';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import { describeRepeats } from '../../src/stages/repeats.ts';
import { SCAN_KEY } from '../support/samples.ts';

function enter(label: string, scanKey?: string): ScanEntry {
  return { label, name: label, scanKey, selection: [] };
}

const KEY_FIX =
  'If they are different scans, give each its own key: the service may keep only one.';

test.each<[string, readonly ScanEntry[], readonly unknown[]]>([
  ['nothing without scans', [], []],
  ['nothing if all differ, or have no key', [enter('a', 'k'), enter('b'), enter('c')], []],
  [
    'a key in upper and lower case',
    [enter('a', SCAN_KEY), enter('b', 'k'), enter('c', SCAN_KEY.toUpperCase())],
    [`a, c use the same scan key, ${SCAN_KEY}. ${KEY_FIX}`],
  ],
  [
    'at most three scans of a key',
    Array.from({ length: 25 }, () => enter('a', 'k')),
    [expect.stringMatching(/^a, a, a and 22 more use the same /)],
  ],
])('describeRepeats reports %s', (_, entries, repeats) => {
  expect(describeRepeats(entries)).toEqual(repeats);
});
