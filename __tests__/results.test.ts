import { describe, expect, test } from '@jest/globals';
import { InputError } from '../src/errors.ts';
import type { ScanEntry } from '../src/inputs/scans.ts';
import type { ResultName } from '../src/report/result.ts';
import { makeScanResult, makeStepResult } from '../src/results.ts';
import { parseProblem } from '../src/service/problem.ts';
import { FAILURE, makeScan } from './support/report.ts';
import { SCAN_KEY } from './support/samples.ts';
import { makePlan, makeScanFile } from './support/plans.ts';

const ENTRY: ScanEntry = {
  label: 'a',
  name: 'a',
  scanKey: SCAN_KEY,
  selection: [{ input: 'files', text: '*' }],
};

describe('makeScanResult', () => {
  test('has neither files nor a response if there were none', () => {
    expect(makeScanResult(ENTRY, undefined, { result: 'not-sent' })).toEqual({
      label: 'a',
      name: 'a',
      scanKey: SCAN_KEY,
      result: 'not-sent',
      operation: undefined,
      statusCode: undefined,
      attempts: 0,
      durationMs: undefined,
      manifest: [],
      problem: undefined,
      failure: undefined,
    });
  });

  test('has no key if its entry is invalid', () => {
    const bad = { label: 'a', name: undefined, selection: [], error: new InputError('No.') };
    const scan = makeScanResult(bad, undefined, { result: 'not-sent' });
    expect(scan).toMatchObject({ label: 'a', name: undefined, scanKey: undefined });
  });

  test('has the details of how the scan ended', () => {
    const problem = parseProblem('text/plain', '{"detail":"No."}');
    const known = { attempts: 3, durationMs: 12, statusCode: 400, problem, failure: FAILURE };
    const end = { result: 'rejected', ...known } as const;
    expect(makeScanResult(ENTRY, undefined, end)).toMatchObject(end);
  });

  test('lists the files with their warnings, and with digests once they were read completely', async () => {
    const facts = { format: 'grype', inspected: 'full', tool: 'grype 1', findings: 2 } as const;
    const content = { ...facts, syntax: 'json', kind: 'a report', fault: 'is bad' } as const;
    const { operation, parts } = makePlan(
      'upload-multiple-files',
      await makeScanFile({ displayPath: 'in/bom.json', size: 7 }),
      await makeScanFile({ name: 'r.json', content }),
    );
    const warnings = ['It is empty.'];
    const plan = {
      operation,
      parts: parts.map((planned, index) => (index === 1 ? { ...planned, warnings } : planned)),
    };
    const read = { format: 'json', inspected: 'full' };
    const bom = { part: 'DependenciesCDX', path: 'in/bom.json', bytes: 7, ...read };
    const report = { part: 'VulnerabilitiesTool', path: 'r.json', bytes: 2, ...facts };
    const scan = makeScanResult(ENTRY, plan, { result: 'not-sent' });
    expect(scan).toMatchObject({ operation: 'upload-multiple-files', manifest: [bom, report] });
    const sent = makeScanResult(ENTRY, plan, { result: 'accepted', digests: ['abc', 'def'] });
    expect(sent.manifest).toEqual([
      { ...bom, sha256: 'abc', warnings: [] },
      { ...report, sha256: 'def', warnings },
    ]);
  });
});

describe('makeStepResult', () => {
  test.each<[readonly ResultName[], boolean, ResultName]>([
    [['accepted', 'rejected', 'skipped'], false, 'rejected'],
    [[], false, 'skipped'],
    [[], true, 'not-sent'],
  ])('returns for the results %j (step failed: %s): %s', (results, isFailed, result) => {
    const scans = results.map((each) => makeScan({ result: each }));
    const failure = isFailed ? FAILURE : undefined;
    const step = { origin: 'https://host.example', durationMs: 7, scans, failure };
    expect(makeStepResult(step)).toEqual({ ...step, result });
  });
});
