import { ICONS, RANKED, SUCCESSES } from '../../src/outcomes/results.ts';
import { describe, expect, test } from '@jest/globals';
import type { Failure } from '../../src/outcomes/failure.ts';
import {
  findDecisive,
  getResult,
  groupFailures,
  listLabels,
} from '../../src/outcomes/scan-result.ts';
import { FAILURE, makeBatch, makeFailure, makeScan } from '../support/report.ts';
import type { ScanSpec } from '../support/report.ts';

test('the results are ranked as action.yml says, and a step succeeds with the last three', () => {
  const order = ['unconfirmed', 'rejected', 'not-sent', 'skipped', 'dry-run', 'accepted'];
  expect(RANKED).toEqual(order);
  expect(SUCCESSES).toEqual(order.slice(3));
  expect(RANKED.map((name) => ICONS[name]).join()).toBe('❓,❌,❌,⏭️,ℹ️,✅');
});

describe('getResult', () => {
  test('returns without a scan skipped, or not-sent if the step failed', () => {
    expect(getResult(makeBatch([]))).toBe('skipped');
    expect(getResult(makeBatch([], { failure: FAILURE }))).toBe('not-sent');
  });

  test.each(RANKED)('returns %s unless a result is worse, in any order', (worse) => {
    for (const better of RANKED.slice(RANKED.indexOf(worse))) {
      const scans = [better, worse, better].map((result) => makeScan({ result }));
      expect(getResult(makeBatch(scans))).toBe(worse);
    }
  });
});

const OTHER = makeFailure({ headline: 'Something else.' });
const FOLLOWING = makeFailure({ headline: 'Not sent.', reason: 'other-scans' });

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

describe('groupFailures', () => {
  const same = { ...FAILURE, fixes: [...FAILURE.fixes] };
  const others = [makeFailure({ title: 'x' }), makeFailure({ fixes: [] }), OTHER];
  test.each<[string, readonly (Failure | undefined)[], Failure | undefined, readonly string[]]>([
    ['nothing if nothing failed', [undefined, undefined], undefined, []],
    ['equal failures', [FAILURE, OTHER, same, ...others], undefined, ['0 2', '1 5', '3', '4']],
    ['those that others caused last', [FOLLOWING, FAILURE, OTHER], undefined, ['1', '2', '0']],
    ['that of the step first, without a scan', [OTHER], FAILURE, ['', '0']],
  ])('returns %s', (_, failures, ofStep, expected) => {
    const scans = failures.map((failure, index) => makeScan({ label: String(index), failure }));
    const groups = groupFailures(makeBatch(scans, { failure: ofStep }));
    const labels = groups.map((group) => group.scans.map(({ entry }) => entry.label).join(' '));
    expect(labels).toEqual(expected);
  });

  test.each([
    [
      [undefined, undefined],
      ['b', 'undefined'],
    ],
    [
      ['T0', 'T1', 'T2'],
      ['b', 'Trace id of `shop-0`: T0'],
    ],
  ])(
    'keeps of details and traces what all scans have, and of the ids %j the first',
    (ids, traces) => {
      const failures = ids.map((traceId, index) =>
        makeFailure({
          details: ['a', `${index}`],
          traces: ['b', `${traceId}`, `${index}`],
          traceId,
        }),
      );
      const scans = failures.map((failure, index) => makeScan({ label: `shop-${index}`, failure }));
      const [group, ...more] = groupFailures(makeBatch(scans));
      expect(more).toEqual([]);
      expect(group?.failure).toMatchObject({ details: ['a'], traces });
    },
  );
});

const LIMITED = { failure: makeFailure({ reason: 'rate-limited' }), result: 'rejected' } as const;
const FIX = 'Check `scan-key`.';

test.each<[string, readonly ScanSpec[], readonly string[]]>([
  [
    'a rate limit beside an acceptance',
    [LIMITED, {}, LIMITED],
    [FIX, 'A re-run sends the uploaded scans again.'],
  ],
  ['a rate limit alone', [LIMITED], [FIX]],
  ['another failure', [{ failure: FAILURE }, {}], [FIX]],
])('groupFailures says what a re-run uploads again, after %s', (_, scans, fixes) => {
  const groups = groupFailures(makeBatch(scans.map(makeScan)));
  expect(groups.map(({ failure }) => failure.fixes)).toEqual([fixes]);
});

test.each([
  [3, 's0, s1, s2'],
  [300, 's0, s1, s2 and 297 more'],
])('listLabels names at most three of %i scans: %s', (count, expected) => {
  const scans = Array.from({ length: count }, (_, index) => makeScan({ label: `s${index}` }));
  expect(listLabels(scans)).toBe(expected);
});
