import { describe, expect, test } from '@jest/globals';
import { describeRepeats } from '../src/repeats.ts';
import type { KeyedScan } from '../src/repeats.ts';
import type { ScanFile } from '../src/formats/inspect.ts';
import { SCAN_KEY } from './support/samples.ts';
import { makePlan, makeScanFile } from './support/plans.ts';

interface Scan {
  readonly label?: string;
  readonly key?: string;
  /** Identities of its files, which are also their names. */
  readonly files?: readonly string[];
}

let keys = 0;
function makeKey(): string {
  keys += 1;
  return SCAN_KEY.slice(0, -6) + String(keys).padStart(6, '0');
}

async function prepare({ label = 'a', key = makeKey(), files = [] }: Scan): Promise<KeyedScan> {
  const found: ScanFile[] = [];
  for (const identity of files) {
    found.push(await makeScanFile({ identity, displayPath: `${label}/${identity}.json` }));
  }
  return { label, scanKey: key, parts: makePlan('upload-multiple-files', ...found).parts };
}

async function describeScans(scans: readonly Scan[]): Promise<readonly string[]> {
  return describeRepeats(await Promise.all(scans.map(prepare)));
}

describe('describeRepeats', () => {
  test.each<[string, readonly Scan[], readonly string[]]>([
    ['nothing without scans', [], []],
    ['nothing if all differ', [{ files: ['1', '2'] }, { label: 'b', files: ['3'] }], []],
    [
      'the scans that share a key, in upper or lower case',
      [{ key: SCAN_KEY }, { label: 'b' }, { label: 'c', key: SCAN_KEY.toUpperCase() }],
      [`a, c use the same scan key, ${SCAN_KEY}.`],
    ],
    [
      'the scans that share a file, with its first path',
      [{ files: ['1', '2'] }, { label: 'b', files: ['3', '2'] }, { label: 'c', files: ['2'] }],
      ["a, b, c use the same file, 'a/2.json'."],
    ],
    [
      'keys first, then files',
      [
        { key: SCAN_KEY, files: ['1'] },
        { key: SCAN_KEY, files: ['1'], label: 'b' },
      ],
      [`a, b use the same scan key, ${SCAN_KEY}.`, "a, b use the same file, 'a/1.json'."],
    ],
  ])('reports %s', async (_, scans, repeats) => {
    expect(await describeScans(scans)).toEqual(repeats);
  });

  test.each([
    [10, []],
    [11, ['And 1 more.']],
    [30, ['And 20 more.']],
  ])('lists at most ten of %i, and counts the others', async (count, more) => {
    const pairs = Array.from({ length: count }, () => makeKey()).flatMap((key) => [
      { key, label: 'a' },
      { key, label: 'b' },
    ]);
    const repeats = await describeScans(pairs);
    expect(repeats.slice(10)).toEqual(more);
    expect(repeats.slice(0, 10)).toHaveLength(Math.min(10, count));
  });
});
