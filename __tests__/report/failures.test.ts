import { describe, expect, test } from '@jest/globals';
import { groupFailures, listLabels } from '../../src/report/failures.ts';
import type { Failure } from '../../src/report/result.ts';
import { FAILURE, makeBatch, makeScan } from '../support/report.ts';

const OTHER: Failure = { ...FAILURE, headline: 'Something else.' };
const FOLLOWING: Failure = { ...FAILURE, headline: 'Not sent.', isFollowing: true };

const NAMES = new Map([FAILURE, OTHER, FOLLOWING].map((each, index) => [each, 'ABC'[index]]));

describe('groupFailures', () => {
  test.each<[string, readonly (Failure | undefined)[], Failure | undefined, readonly string[]]>([
    ['returns nothing if nothing failed', [undefined, undefined], undefined, []],
    [
      'lists each failure once, with the scans that share it',
      [FAILURE, undefined, OTHER, FAILURE, OTHER],
      undefined,
      ['A: s0 s3', 'B: s2 s4'],
    ],
    ['does not merge equal failures', [FAILURE, { ...FAILURE }], undefined, ['A: s0', 'other: s1']],
    [
      'lists failures that other scans caused last',
      [FOLLOWING, FAILURE, FOLLOWING, OTHER],
      undefined,
      ['A: s1', 'B: s3', 'C: s0 s2'],
    ],
    ['lists the failure of the step without a scan', [OTHER], FAILURE, ['B: s0', 'A: ']],
    ['lists the failure of the step with the scans that share it', [FAILURE], FAILURE, ['A: s0']],
  ])('%s', (_, failures, ofStep, expected) => {
    const scans = failures.map((failure, index) => makeScan({ label: `s${index}`, failure }));
    const groups = groupFailures(makeBatch(scans, { failure: ofStep })).map((group) => {
      const labels = group.scans.map(({ label }) => label);
      return `${NAMES.get(group.failure) ?? 'other'}: ${labels.join(' ')}`;
    });
    expect(groups).toEqual(expected);
  });
});

describe('listLabels', () => {
  test.each([
    [0, /^$/],
    [3, /^s0, s1, s2$/],
    [20, /, s19$/],
    [21, /, s19 and 1 more$/],
    [1000, /^s0, .*, s19 and 980 more$/],
  ])('lists at most twenty of %i scans: %s', (count, expected) => {
    const scans = Array.from({ length: count }, (_, index) => makeScan({ label: `s${index}` }));
    expect(listLabels(scans)).toMatch(expected);
  });

  test('returns an empty string for the only scan of a step', () => {
    expect(listLabels([makeScan()])).toBe('');
  });
});
