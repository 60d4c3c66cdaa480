import { describe, expect, test } from '@jest/globals';
import {
  RANKS,
  RESULT_WORDS,
  findDecisive,
  isSuccessful,
  worstOf,
} from '../../src/report/result.ts';
import type { ResultName, ScanResult } from '../../src/report/result.ts';
import { FAILURE, makeBatch, makeScan } from '../support/report.ts';

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

describe('worstOf', () => {
  test('returns undefined without a result', () => {
    expect(worstOf([])).toBeUndefined();
  });

  test('returns the worst result, in any order', () => {
    const order = OUTCOMES.map(([result]) => result);
    expect(RANKS).toEqual(order);
    expect(order.toSorted()).toEqual(Object.keys(RESULT_WORDS).toSorted());
    for (const [index, worse] of order.entries()) {
      for (const better of order.slice(index)) {
        expect([worstOf([worse, better]), worstOf([better, worse])]).toEqual([worse, worse]);
      }
    }
  });
});

describe('findDecisive', () => {
  const rejected = { result: 'rejected', failure: FAILURE } as const;
  const notSent = { result: 'not-sent', failure: FAILURE } as const;
  const following = { ...notSent, failure: { ...FAILURE, isFollowing: true } } as const;
  test.each<[string, readonly Partial<ScanResult>[], string | undefined]>([
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
    const result = worstOf(results.map((scan) => scan.result)) ?? 'not-sent';
    expect(findDecisive(makeBatch(results, { result }))?.label).toBe(label);
  });
});
