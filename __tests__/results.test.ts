import { describe, expect, test } from '@jest/globals';
import { InputError } from '../src/errors.ts';
import type { ScanEntry } from '../src/inputs/scans.ts';
import type { ResultName, ScanResult, StepResult } from '../src/report/result.ts';
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

function makeStep(results: readonly ResultName[], failure = false): StepResult {
  const scans: readonly ScanResult[] = results.map((result) => makeScan({ result }));
  const facts = { origin: 'https://host.example', durationMs: 7 };
  return makeStepResult({ ...facts, scans, failure: failure ? FAILURE : undefined });
}

describe('makeScanResult', () => {
  test('has nothing to say of files and responses that there were not', () => {
    expect(makeScanResult(ENTRY, undefined, { result: 'not-sent' })).toEqual({
      label: 'a',
      name: 'a',
      scanKey: SCAN_KEY,
      result: 'not-sent',
      operation: undefined,
      statusCode: undefined,
      attempts: 0,
      manifest: [],
      problem: undefined,
      failure: undefined,
    });
  });

  test('has no key where its entry cannot be used', () => {
    const bad = { label: 'a', name: undefined, error: new InputError('No.') };
    const scan = makeScanResult(bad, undefined, { result: 'not-sent' });
    expect(scan).toMatchObject({ label: 'a', name: undefined, scanKey: undefined });
  });

  test('has what ended the scan', () => {
    const problem = parseProblem('text/plain', '{"detail":"No."}');
    const end = {
      result: 'rejected',
      failure: FAILURE,
      attempts: 3,
      statusCode: 400,
      problem,
    } as const;
    expect(makeScanResult(ENTRY, undefined, end)).toMatchObject(end);
  });

  test('lists the files, with a digest once they were read whole', async () => {
    const content = {
      format: 'grype',
      syntax: 'json',
      inspected: 'full',
      kind: 'a report',
      fault: 'is bad',
      tool: 'grype 1',
      findings: 2,
    } as const;
    const plan = makePlan(
      'upload-multiple-files',
      await makeScanFile({ displayPath: 'in/bom.json', size: 7 }),
      await makeScanFile({ name: 'r.json', content }),
    );
    const bom = { part: 'DependenciesCDX', path: 'in/bom.json', bytes: 7, format: 'json' } as const;
    const report = { part: 'VulnerabilitiesTool', path: 'r.json', bytes: 2, format: 'grype' };
    const found = { tool: 'grype 1', findings: 2, inspected: 'full' };
    const scan = makeScanResult(ENTRY, plan, { result: 'not-sent' });
    expect(scan.operation).toBe('upload-multiple-files');
    expect(scan.manifest).toEqual([
      { ...bom, inspected: 'full' },
      { ...report, ...found },
    ]);
    const sent = makeScanResult(ENTRY, plan, { result: 'accepted', digests: ['abc', 'def'] });
    expect(sent.manifest).toEqual([
      { ...bom, inspected: 'full', sha256: 'abc' },
      { ...report, ...found, sha256: 'def' },
    ]);
  });
});

describe('makeStepResult', () => {
  test('has the worst result of its scans, and passes on what it was given', () => {
    const step = makeStep(['accepted', 'rejected', 'skipped']);
    expect(step.result).toBe('rejected');
    expect(step.scans.map(({ result }) => result)).toEqual(['accepted', 'rejected', 'skipped']);
    expect(step).toMatchObject({ origin: 'https://host.example', durationMs: 7 });
    expect(step.failure).toBeUndefined();
  });

  test('without a scan is skipped, or not sent if it failed', () => {
    expect(makeStep([])).toMatchObject({ result: 'skipped', scans: [], failure: undefined });
    expect(makeStep([], true)).toMatchObject({ result: 'not-sent', scans: [], failure: FAILURE });
  });
});
