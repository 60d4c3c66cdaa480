import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeOutputs, setOutputs } from '../../src/report/outputs.ts';
import { worstOf } from '../../src/report/result.ts';
import type { ResultName, ScanResult, StepResult } from '../../src/report/result.ts';
import { parseProblem } from '../../src/service/problem.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import {
  ENTRY,
  FAILURE,
  INVENTORY,
  REPORT,
  SCAN_KEY,
  captureOutput,
  makeBatch,
  makeScan,
  parseOutputs,
} from '../support/report.ts';

type Outputs = Readonly<Record<string, string>>;

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
/** A scan of which nothing is known but that it was not sent. */
const NOT_SENT: Partial<ScanResult> = {
  result: 'not-sent',
  scanKey: undefined,
  operation: undefined,
  statusCode: undefined,
  attempts: 0,
  manifest: [],
};

function make(scans: readonly Partial<ScanResult>[], step: Partial<StepResult> = {}): Outputs {
  const results = scans.map((scan, index) =>
    makeScan({ label: scans.length > 1 ? `scans[${index}]` : undefined, ...scan }),
  );
  const result = worstOf(results.map((scan) => scan.result)) ?? 'not-sent';
  return makeOutputs(makeBatch(results, { result, ...step }));
}

function fail(headline: string): Partial<ScanResult> {
  return { result: 'rejected', failure: { ...FAILURE, headline } };
}

function makeProblemOutput(text: string): string {
  const problem = parseProblem('application/problem+json', text);
  return make([{ result: 'rejected', problem }])['problem-details'] ?? '';
}

function parse(text = ''): unknown {
  return JSON.parse(text);
}

describe('makeOutputs', () => {
  test('has all outputs of an accepted upload', () => {
    const { manifest, results, ...outputs } = make([{}]);
    expect(outputs).toEqual({
      uploaded: 'true',
      result: 'accepted',
      operation: 'upload-file',
      'status-code': '200',
      attempts: '1',
      'problem-details': '',
      error: '',
    });
    expect(manifest).toBe(JSON.stringify([ENTRY]));
    expect(parse(results)).toHaveLength(1);
  });

  test('has empty outputs if not applicable', () => {
    const { results: _, ...outputs } = make([NOT_SENT]);
    expect(outputs).toEqual({
      uploaded: 'false',
      result: 'not-sent',
      operation: '',
      'status-code': '',
      attempts: '0',
      manifest: '[]',
      'problem-details': '',
      error: '',
    });
  });

  test.each<[ResultName, string]>([
    ['accepted', 'true'],
    ['rejected', 'false'],
    ['not-sent', 'false'],
    ['unconfirmed', 'false'],
    ['dry-run', 'false'],
    ['skipped', 'false'],
  ])(
    'of the result %s, of one scan or among accepted ones, says uploaded: %s',
    (result, uploaded) => {
      expect(make([{ result }])).toMatchObject({ uploaded, result });
      expect(make([{}, { result }, {}])).toMatchObject({ uploaded, result });
    },
  );

  test('has an object for each scan in results, with null if not applicable', () => {
    const failed = { ...NOT_SENT, failure: FAILURE };
    const { results, manifest } = make([{ name: 'shop' }, REJECTED, failed]);
    const accepted = {
      name: 'shop',
      'scan-key': SCAN_KEY,
      uploaded: true,
      result: 'accepted',
      operation: 'upload-file',
      'status-code': 200,
      attempts: 1,
      manifest: [ENTRY],
      'problem-details': null,
      error: '',
    };
    const rejected = {
      ...accepted,
      name: null,
      uploaded: false,
      result: 'rejected',
      operation: 'upload-multiple-files',
      'status-code': 400,
      attempts: 2,
      manifest: [INVENTORY, REPORT],
      'problem-details': { detail: 'No.', code: 7 },
      error: FAILURE.headline,
    };
    const none = { 'scan-key': null, operation: null, 'status-code': null, attempts: 0 };
    const notSent = { ...rejected, ...none, result: 'not-sent', manifest: [] };
    expect(parse(results)).toEqual([accepted, rejected, { ...notSent, 'problem-details': null }]);
    expect(parse(manifest)).toEqual([ENTRY, INVENTORY, REPORT]);
  });

  test('reports the first scan with the worst result, and counts the others that failed', () => {
    const scans = [{}, { ...NOT_SENT, failure: FAILURE }, { ...REJECTED, label: 'shop' }];
    const expected = {
      uploaded: 'false',
      result: 'rejected',
      operation: 'upload-multiple-files',
      'status-code': '400',
      'problem-details': '{"detail":"No.","code":7}',
    };
    expect(make([...scans, REJECTED])).toMatchObject({
      ...expected,
      attempts: '5',
      error: 'shop: The scan key is not known. (2 more of 4 scans failed)',
    });
    expect(make([{}, { ...REJECTED, label: 'shop' }])).toMatchObject({
      ...expected,
      error: 'shop: The scan key is not known.',
    });
  });

  test('reports what ended a step without scans', () => {
    const outputs = make([], { failure: FAILURE });
    expect(outputs).toMatchObject({ result: 'not-sent', error: FAILURE.headline, results: '[]' });
    expect(make([], { result: 'skipped' })).toMatchObject({ result: 'skipped', error: '' });
  });

  test('passes on the whole problem, extension members included', () => {
    const text = '{"title":"t","status":400,"errors":{"":["x"]},"extra":{"a":[1,null]}}';
    expect(makeProblemOutput(text)).toBe(text);
    expect(makeProblemOutput('{}')).toBe('{}');
  });

  test('has the problems of the first scans in results, 256 KiB in total', () => {
    const problem = parseProblem('application/json', `{"detail":"${'x'.repeat(60_000)}"}`);
    const scans = Array.from({ length: 10 }, () => ({ ...REJECTED, problem }));
    const { results = '' } = make([{}, ...scans]);
    const none = { 'problem-details': null, error: FAILURE.headline };
    expect(parse(results)).toMatchObject([
      { 'problem-details': null },
      ...Array.from({ length: 4 }, () => ({ 'problem-details': problem?.members })),
      ...Array.from({ length: 6 }, () => none),
    ]);
    expect(results.length).toBeLessThan(300 * 1024);
  });
});

describe('makeOutputs, with texts from outside', () => {
  test.each([
    [' one\n\ttwo\n\nthree ', 'one two three'],
    ['::error::x', ': :error::x'],
    ['a\n##[error]x', 'a ## [error]x'],
    ['\n  ::error::x', ': :error::x'],
  ])('writes an error in one line, without a command: %j', (headline, error) => {
    expect(make([fail(headline)])).toMatchObject({ error });
  });

  test('writes no command of a name, a tool or a version', () => {
    const manifest = [{ ...ENTRY, tool: 'a ##[error]b', specVersion: '::error::a' }];
    const named = { ...fail('no\n::error::x'), name: 'b ##[x]', label: '::a', manifest };
    const outputs = make([{}, named]);
    const shown = [{ tool: 'a ## [error]b', specVersion: ': :error::a' }];
    expect(outputs.error).toBe(': :a: no ::error::x');
    expect(parse(outputs.results)).toMatchObject([
      {},
      { name: 'b ## [x]', error: 'no ::error::x', manifest: shown },
    ]);
  });

  test('truncates each error, however long names and texts are', () => {
    const scan = { ...fail('y'.repeat(50_000)), label: 'x'.repeat(50_000) };
    const { error = '', results = '' } = make([scan, scan]);
    expect(error.length).toBeLessThan(4096);
    expect(error).toMatch(/ … \(1 more of 2 scans failed\)$/);
    expect(results.length).toBeLessThan(12_000);
  });

  test.each(['\u2028', '\u2029', '\u0085', '\u007f', '\u202e', '\u001b[0m', '\r\n', '\u0000'])(
    'writes JSON, whatever character a service or a path has: %j',
    (character) => {
      const output = makeProblemOutput(JSON.stringify({ detail: `a${character}b` }));
      expect(parse(output)).toEqual({ detail: `a${character}b` });
      const path = `a${character}b/scan.json`;
      expect(parse(make([{ manifest: [{ ...ENTRY, path }] }]).manifest)).toMatchObject([{ path }]);
    },
  );
});

describe('setOutputs', () => {
  test('writes every output where later steps find it', async () => {
    const file = join(await makeFolder(), 'output');
    await writeFile(file, '');
    setEnvironment({ GITHUB_OUTPUT: file });
    const output = captureOutput();
    const step = makeBatch([makeScan(fail('no\nkey'))]);
    setOutputs(step);
    const written = parseOutputs(await readFile(file, 'utf8'));
    expect(written).toEqual(makeOutputs(step));
    expect(written).toMatchObject({ result: 'rejected', error: 'no key' });
    expect(output.text).toBe('');
  });
});
