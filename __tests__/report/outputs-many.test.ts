import { describe, expect, test } from '@jest/globals';
import { makeOutputs } from '../../src/report/outputs.ts';
import { worstOf } from '../../src/report/result.ts';
import type { Failure, ScanResult, StepResult } from '../../src/report/result.ts';
import { parseProblem } from '../../src/service/problem.ts';
import {
  DIGEST,
  ENTRY,
  FAILURE,
  INVENTORY,
  REPORT,
  makeBatch,
  makeScan,
} from '../support/report.ts';
import { SCAN_KEY } from '../support/samples.ts';

type Outputs = Readonly<Record<string, string>>;

function make(scans: readonly Partial<ScanResult>[], step: Partial<StepResult> = {}): Outputs {
  const results = scans.map((scan, index) => makeScan({ label: `scans[${index}]`, ...scan }));
  const result = worstOf(results.map((scan) => scan.result)) ?? 'not-sent';
  return makeOutputs(makeBatch(results, { result, ...step }));
}

function readResults({ results = '' }: Outputs): unknown {
  return JSON.parse(results);
}

const PROBLEM = parseProblem('application/problem+json', '{"detail":"No.","code":7}');
const REJECTED: Partial<ScanResult> = {
  result: 'rejected',
  operation: 'upload-multiple-files',
  statusCode: 400,
  attempts: 2,
  manifest: [INVENTORY, REPORT],
  problem: PROBLEM,
  failure: FAILURE,
};

describe('the problems in results', () => {
  const long = parseProblem('application/json', JSON.stringify({ detail: 'x'.repeat(60_000) }));

  test('are those of the first scans, 256 KiB in all', () => {
    const scans = Array.from({ length: 10 }, () => ({ ...REJECTED, problem: long }));
    const { results = '' } = make([{}, ...scans]);
    const whole = { 'problem-details': long?.members };
    const none = { 'problem-details': null, error: FAILURE.headline };
    expect(JSON.parse(results)).toMatchObject([
      { 'problem-details': null },
      ...Array.from({ length: 4 }, () => whole),
      ...Array.from({ length: 6 }, () => none),
    ]);
    expect(results.length).toBeLessThan(300 * 1024);
  });
});

describe('makeOutputs of many scans', () => {
  test('has uploaded only where each scan was accepted', () => {
    expect(make([{}, {}])).toMatchObject({ uploaded: 'true', result: 'accepted', error: '' });
    const others = ['dry-run', 'skipped', 'rejected', 'not-sent', 'unconfirmed'] as const;
    for (const result of others) {
      expect(make([{}, { result }, {}])).toMatchObject({ uploaded: 'false', result });
    }
  });

  test('says of the step what it says of the first scan with the worst result', () => {
    const notSent = { result: 'not-sent', statusCode: undefined, failure: FAILURE } as const;
    const outputs = make([{}, notSent, { ...REJECTED, label: 'shop' }, REJECTED]);
    expect(outputs).toMatchObject({
      uploaded: 'false',
      result: 'rejected',
      operation: 'upload-multiple-files',
      'status-code': '400',
      attempts: '6',
      'problem-details': '{"detail":"No.","code":7}',
      error: 'shop: The scan key is not known. (2 more of 4 scans failed)',
    });
  });

  test('names no others where one failed alone', () => {
    expect(make([{}, { ...REJECTED, label: 'shop' }]).error).toBe(
      'shop: The scan key is not known.',
    );
  });

  test('tells of one that failed by itself rather than of one that followed', () => {
    const following: Failure = { ...FAILURE, headline: 'Nothing was sent.', isFollowing: true };
    const notSent = { result: 'not-sent', operation: undefined } as const;
    const outputs = make([
      { ...notSent, failure: following },
      { ...notSent, failure: FAILURE },
    ]);
    expect(outputs.error).toBe('scans[1]: The scan key is not known. (1 more of 2 scans failed)');
  });

  test('has the files of all scans in their order', () => {
    const { manifest = '' } = make([{}, REJECTED, { manifest: [] }]);
    expect(JSON.parse(manifest)).toEqual([ENTRY, INVENTORY, REPORT]);
  });

  test('has an object for each scan, with null where there is nothing to say', () => {
    const unknown = { scanKey: undefined, operation: undefined, statusCode: undefined };
    const failed = { ...unknown, result: 'not-sent', attempts: 0, manifest: [] } as const;
    const outputs = make([{ name: 'shop' }, REJECTED, { ...failed, failure: FAILURE }]);
    expect(readResults(outputs)).toEqual([
      {
        name: 'shop',
        'scan-key': SCAN_KEY,
        uploaded: true,
        result: 'accepted',
        operation: 'upload-file',
        'status-code': 200,
        attempts: 1,
        manifest: [{ ...ENTRY, sha256: DIGEST }],
        'problem-details': null,
        error: '',
      },
      {
        name: null,
        'scan-key': SCAN_KEY,
        uploaded: false,
        result: 'rejected',
        operation: 'upload-multiple-files',
        'status-code': 400,
        attempts: 2,
        manifest: [INVENTORY, REPORT],
        'problem-details': { detail: 'No.', code: 7 },
        error: FAILURE.headline,
      },
      {
        name: null,
        'scan-key': null,
        uploaded: false,
        result: 'not-sent',
        operation: null,
        'status-code': null,
        attempts: 0,
        manifest: [],
        'problem-details': null,
        error: FAILURE.headline,
      },
    ]);
  });

  test('has of a step without scans what ended it', () => {
    const outputs = make([], { failure: FAILURE });
    expect(outputs).toMatchObject({ result: 'not-sent', error: FAILURE.headline, results: '[]' });
    expect(make([], { result: 'skipped' })).toMatchObject({ result: 'skipped', error: '' });
  });
});

describe('makeOutputs of many scans, with texts from outside', () => {
  test('shows no command', () => {
    const failure = { ...FAILURE, headline: 'no\n::error::x' };
    const named = { name: 'b ##[x]', label: '::a', failure, problem: PROBLEM };
    const outputs = make([{}, { ...REJECTED, ...named }]);
    expect(outputs.error).toBe(': :a: no ::error::x');
    expect(readResults(outputs)).toMatchObject([{}, { name: 'b ## [x]', error: 'no ::error::x' }]);
  });

  test('bounds each error, however long the names and the texts', () => {
    const failure = { ...FAILURE, headline: 'y'.repeat(50_000) };
    const scan = { ...REJECTED, label: 'x'.repeat(50_000), failure };
    const outputs = make([scan, scan]);
    expect(outputs.error?.length).toBeLessThan(4096);
    expect(outputs.error).toMatch(/ … \(1 more of 2 scans failed\)$/);
    expect(outputs.results?.length).toBeLessThan(12_000);
  });
});
