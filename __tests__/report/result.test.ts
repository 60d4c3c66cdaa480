import { describe, expect, test } from '@jest/globals';
import {
  RANKS,
  RESULT_WORDS,
  findDecisive,
  isSuccessful,
  worstOf,
} from '../../src/report/result.ts';
import type { Failure, ResultName, ScanResult } from '../../src/report/result.ts';
import { FAILURE, makeBatch, makeScan } from '../support/report.ts';

const OUTCOMES = [
  ['accepted', true],
  ['dry-run', true],
  ['skipped', true],
  ['rejected', false],
  ['not-sent', false],
  ['unconfirmed', false],
] as const;

describe('isSuccessful', () => {
  test.each(OUTCOMES)('of %s is %s', (result, expected) => {
    expect(isSuccessful(result)).toBe(expected);
  });
});

describe('worstOf', () => {
  test('is nothing without a result', () => {
    expect(worstOf([])).toBeUndefined();
  });

  test('is the result, where all are alike', () => {
    for (const [result] of OUTCOMES) expect(worstOf([result, result])).toBe(result);
  });

  test('is that which comes first in the order of the README, wherever it stands', () => {
    const order: readonly ResultName[] = [
      'unconfirmed',
      'rejected',
      'not-sent',
      'skipped',
      'dry-run',
      'accepted',
    ];
    expect(RANKS).toEqual(order);
    for (const [index, worse] of order.entries()) {
      for (const better of order.slice(index)) {
        expect([worstOf([worse, better]), worstOf([better, worse])]).toEqual([worse, worse]);
      }
    }
  });

  test('succeeds only if each result does', () => {
    for (const [one, isOne] of OUTCOMES) {
      for (const [other, isOther] of OUTCOMES) {
        expect(isSuccessful(worstOf([one, other]) ?? 'not-sent')).toBe(isOne && isOther);
      }
    }
  });

  test('knows every result that there is', () => {
    expect(RANKS.toSorted()).toEqual(Object.keys(RESULT_WORDS).toSorted());
  });
});

function find(...scans: readonly Partial<ScanResult>[]): string | undefined {
  const results = scans.map((scan, index) => makeScan({ label: `s${index}`, ...scan }));
  const result = worstOf(results.map((scan) => scan.result)) ?? 'not-sent';
  return findDecisive(makeBatch(results, { result }))?.label;
}

describe('findDecisive', () => {
  const following: Failure = { ...FAILURE, isFollowing: true };

  test('is none without a scan', () => {
    expect(find()).toBeUndefined();
  });

  test('is the first of the worst', () => {
    expect(find({}, {})).toBe('s0');
    expect(find({}, { result: 'rejected' }, { result: 'not-sent' }, { result: 'rejected' })).toBe(
      's1',
    );
  });

  test('is rather one that failed by itself than one that only followed', () => {
    const notSent = { result: 'not-sent', failure: FAILURE } as const;
    expect(find({ ...notSent, failure: following }, {}, notSent, notSent)).toBe('s2');
    expect(find({ ...notSent, failure: following }, { ...notSent, failure: undefined })).toBe('s1');
  });

  test('is the first that followed where none did otherwise', () => {
    const notSent = { result: 'not-sent', failure: following } as const;
    expect(find({}, notSent, notSent)).toBe('s1');
  });
});
