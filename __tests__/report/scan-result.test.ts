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

test.each(OUTCOMES)('isSuccessful returns for %s: %s', (result, expected) => {
  expect(isSuccessful(result)).toBe(expected);
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

const OTHER: Failure = { ...FAILURE, headline: 'Something else.' };
const FOLLOWING: Failure = { ...FAILURE, headline: 'Not sent.', situation: 'other-scans' };

describe('findDecisive', () => {
  const rejected = { result: 'rejected', failure: FAILURE } as const;
  const notSent = { result: 'not-sent', failure: FAILURE } as const;
  const following = { result: 'not-sent', failure: FOLLOWING } as const;
  test.each<[string, readonly ScanSpec[], string | undefined]>([
    ['nothing without a scan', [], undefined],
    ['the first of several that are equal', [{}, {}], 's0'],
    ['the first of the worst', [{}, rejected, notSent, rejected], 's1'],
    ['one that failed by itself before others', [following, {}, notSent, notSent], 's2'],
    ['the first one if all failed because of others', [{}, following, following], 's1'],
  ])('returns %s', (_, scans, label) => {
    const results = scans.map((scan, index) => makeScan({ label: `s${index}`, ...scan }));
    expect(findDecisive(makeBatch(results))?.entry.label).toBe(label);
  });
});

function withLines(...lines: readonly string[]): Failure {
  return { ...FAILURE, details: lines, traces: lines };
}

describe('groupFailures', () => {
  test.each<[string, readonly (Failure | undefined)[], Failure | undefined, readonly string[]]>([
    ['returns nothing if nothing failed', [undefined, undefined], undefined, []],
    [
      'groups failures with the same title, headline and fixes',
      [
        FAILURE,
        OTHER,
        { ...FAILURE, fixes: [...FAILURE.fixes] },
        { ...FAILURE, title: 'x' },
        { ...FAILURE, fixes: [] },
        OTHER,
      ],
      undefined,
      ['s0 s2', 's1 s5', 's3', 's4'],
    ],
    [
      'lists those that others caused last',
      [FOLLOWING, FAILURE, OTHER],
      undefined,
      's1 s2 s0'.split(' '),
    ],
    ['lists that of the step first, without a scan', [OTHER], FAILURE, ['', 's0']],
  ])('%s', (_, failures, ofStep, expected) => {
    const scans = failures.map((failure, index) => makeScan({ label: `s${index}`, failure }));
    const groups = groupFailures(makeBatch(scans, { failure: ofStep }));
    const labels = groups.map((group) => group.scans.map(({ entry }) => entry.label).join(' '));
    expect(labels).toEqual(expected);
  });

  test('keeps of details and traces what all scans have', () => {
    const failures = [withLines('a', 'b', 'c'), withLines('c', 'a', 'd'), withLines('b', 'a', 'c')];
    const [group] = groupFailures(makeBatch(failures.map((failure) => makeScan({ failure }))));
    expect(group?.failure).toEqual(withLines('a', 'c'));
  });
});

test.each([
  [0, ''],
  [3, 's0, s1, s2'],
  [300, 's0, s1, s2 and 297 more'],
])('listLabels names at most three of %i scans: %s', (count, expected) => {
  const scans = Array.from({ length: count }, (_, index) => makeScan({ label: `s${index}` }));
  expect(listLabels(scans)).toBe(expected);
});
