import { describe, expect, test } from '@jest/globals';
import { groupFailures, listLabels } from '../../src/report/failures.ts';
import type { Failure } from '../../src/report/result.ts';
import { FAILURE, makeBatch, makeScan } from '../support/report.ts';

const OTHER: Failure = { ...FAILURE, headline: 'Something else.' };
const FOLLOWING: Failure = { ...FAILURE, headline: 'Not begun.', isFollowing: true };

function group(
  failures: readonly (Failure | undefined)[],
  failure?: Failure,
): readonly (readonly [string, readonly (string | undefined)[]])[] {
  const scans = failures.map((each, index) => makeScan({ label: `s${index}`, failure: each }));
  return groupFailures(makeBatch(scans, { failure })).map((each) => [
    each.failure.headline,
    each.scans.map(({ label }) => label),
  ]);
}

describe('groupFailures', () => {
  test('has nothing where nothing failed', () => {
    expect(group([])).toEqual([]);
    expect(group([undefined, undefined])).toEqual([]);
  });

  test('has each failure once, with the scans that share it, in their order', () => {
    expect(group([FAILURE, undefined, OTHER, FAILURE, OTHER])).toEqual([
      [FAILURE.headline, ['s0', 's3']],
      [OTHER.headline, ['s2', 's4']],
    ]);
  });

  test('keeps failures apart that only read alike', () => {
    expect(group([FAILURE, { ...FAILURE }])).toEqual([
      [FAILURE.headline, ['s0']],
      [FAILURE.headline, ['s1']],
    ]);
  });

  test('has those last that follow from others', () => {
    expect(group([FOLLOWING, FAILURE, FOLLOWING, OTHER])).toEqual([
      [FAILURE.headline, ['s1']],
      [OTHER.headline, ['s3']],
      [FOLLOWING.headline, ['s0', 's2']],
    ]);
  });

  test('has that of the step without a scan, or with those that share it', () => {
    expect(group([], FAILURE)).toEqual([[FAILURE.headline, []]]);
    expect(group([OTHER], FAILURE)).toEqual([
      [OTHER.headline, ['s0']],
      [FAILURE.headline, []],
    ]);
    expect(group([FAILURE], FAILURE)).toEqual([[FAILURE.headline, ['s0']]]);
  });
});

function list(count: number): string {
  return listLabels(Array.from({ length: count }, (_, index) => makeScan({ label: `s${index}` })));
}

describe('listLabels', () => {
  test('names the scans', () => {
    expect([list(0), list(1), list(3)]).toEqual(['', 's0', 's0, s1, s2']);
  });

  test('names twenty of many, and counts the others', () => {
    expect(list(20)).toMatch(/, s19$/);
    expect(list(21)).toMatch(/, s19 and 1 more$/);
    expect(list(1000)).toMatch(/^s0, .*, s19 and 980 more$/);
  });

  test('has nothing for the only scan of a step', () => {
    expect(listLabels([makeScan()])).toBe('');
  });
});
