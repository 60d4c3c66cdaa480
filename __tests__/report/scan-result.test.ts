import { describe, expect, test } from '@jest/globals';
import { RESULT_WORDS } from '../../src/report/failure.ts';
import type { Failure } from '../../src/report/failure.ts';
import {
  RANKS,
  findDecisive,
  getResult,
  groupFailures,
  isSuccessful,
  listLabels,
} from '../../src/report/scan-result.ts';
import type { ResultName } from '../../src/report/scan-result.ts';
import { FAILURE, makeBatch, makeScan } from '../support/report.ts';
import type { ScanSpec } from '../support/report.ts';

/** From the worst to the best, as the README ranks them, and whether a step succeeds with it. */
const OUTCOMES: readonly (readonly [ResultName, boolean])[] = [
  ['unconfirmed', false],
  ['rejected', false],
  ['not-sent', false],
  ['skipped', true],
  ['dry-run', true],
  ['accepted', true],
];

describe('isSuccessful', () => {
  test.each(OUTCOMES)('returns for %s: %s', (result, expected) => {
    expect(isSuccessful(result)).toBe(expected);
  });
});

function findWorst(...results: readonly ResultName[]): ResultName {
  return getResult(makeBatch(results.map((result) => makeScan({ result }))));
}

describe('getResult', () => {
  test('returns without a scan skipped, or not-sent if the step failed', () => {
    expect(getResult(makeBatch([]))).toBe('skipped');
    expect(getResult(makeBatch([], { failure: FAILURE }))).toBe('not-sent');
  });

  test('returns the worst result, in any order', () => {
    const order = OUTCOMES.map(([result]) => result);
    expect(RANKS).toEqual(order);
    expect(order.toSorted()).toEqual(Object.keys(RESULT_WORDS).toSorted());
    for (const [index, worse] of order.entries()) {
      for (const better of order.slice(index)) {
        expect([findWorst(worse, better), findWorst(better, worse)]).toEqual([worse, worse]);
      }
    }
  });
});

describe('findDecisive', () => {
  const rejected = { result: 'rejected', failure: FAILURE } as const;
  const notSent = { result: 'not-sent', failure: FAILURE } as const;
  const following = { ...notSent, failure: { ...FAILURE, situation: 'other-scans' } } as const;
  test.each<[string, readonly ScanSpec[], string | undefined]>([
    ['nothing without a scan', [], undefined],
    ['the first of several that are equal', [{}, {}], 's0'],
    ['the first of the worst', [{}, rejected, notSent, rejected], 's1'],
    [
      'a scan that failed by itself before one that failed because of others',
      [following, {}, notSent, notSent],
      's2',
    ],
    [
      'a scan without a failure before one that failed because of others',
      [following, { result: 'not-sent' }],
      's1',
    ],
    ['the first one if all failed because of others', [{}, following, following], 's1'],
  ])('returns %s', (_, scans, label) => {
    const results = scans.map((scan, index) => makeScan({ label: `s${index}`, ...scan }));
    expect(findDecisive(makeBatch(results))?.entry.label).toBe(label);
  });
});

const OTHER: Failure = { ...FAILURE, headline: 'Something else.' };
const FOLLOWING: Failure = { ...FAILURE, headline: 'Not sent.', situation: 'other-scans' };

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
      const labels = group.scans.map(({ entry }) => entry.label);
      return `${NAMES.get(group.failure) ?? 'other'}: ${labels.join(' ')}`;
    });
    expect(groups).toEqual(expected);
  });
});

describe('listLabels', () => {
  test.each([
    [20, /^s0, .*, s19$/],
    [1000, /^s0, .*, s19 and 980 more$/],
  ])('lists at most twenty of %i scans: %s', (count, expected) => {
    const scans = Array.from({ length: count }, (_, index) => makeScan({ label: `s${index}` }));
    expect(listLabels(scans)).toMatch(expected);
  });

  test('returns an empty string for the only scan of a step', () => {
    expect(listLabels([makeScan()])).toBe('');
  });
});
