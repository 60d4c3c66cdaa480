import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import { makeOutputs, setOutputs } from '../../src/report/outputs.ts';
import { listParts } from '../../src/report/scan-result.ts';
import type { ResultName, ScanResult, StepResult } from '../../src/report/scan-result.ts';
import { stripInvisible } from '../../src/text.ts';
import { listMembers, readProblem } from '../support/attempts.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import {
  ENTRY,
  FAILURE,
  SBOM_ENTRY,
  REPORT_ENTRY,
  captureOutput,
  makeBatch,
  makeScan,
  parseOutputs,
} from '../support/report.ts';
import { SCAN_KEY } from '../support/samples.ts';
import type { ScanSpec } from '../support/report.ts';

type Outputs = Readonly<Record<string, string>>;

/** The members of a manifest entry that are null unless they are known. */
const UNKNOWN = {
  specVersion: null,
  tool: null,
  components: null,
  vulnerabilities: null,
  findings: null,
  severities: null,
};
const MANIFEST = [SBOM_ENTRY, REPORT_ENTRY].map((entry) => ({ ...UNKNOWN, ...entry }));

const PROBLEM = readProblem('application/problem+json', '{"detail":"No.","code":7}');
const REJECTED: ScanSpec = {
  result: 'rejected',
  operation: 'upload-multiple-files',
  statusCode: 400,
  attempts: 2,
  manifest: [SBOM_ENTRY, REPORT_ENTRY],
  problem: PROBLEM,
  failure: FAILURE,
};
/** A scan that was not sent, without any other facts. */
const NOT_SENT: ScanSpec = {
  result: 'not-sent',
  scanKey: undefined,
  operation: undefined,
  statusCode: undefined,
  attempts: 0,
  manifest: [],
};

function make(scans: readonly ScanSpec[], step: Partial<StepResult> = {}): Outputs {
  const results = scans.map((scan, index) =>
    makeScan({ label: scans.length > 1 ? `scans[${index}]` : undefined, ...scan }),
  );
  return makeOutputs(makeBatch(results, step));
}

function fail(headline: string): ScanSpec {
  return { result: 'rejected', failure: { ...FAILURE, headline } };
}

function makeRefused(detail: unknown): ScanResult {
  const problem = readProblem('application/json', JSON.stringify({ status: 400, detail }));
  return makeScan({ ...REJECTED, problem });
}

function makeProblemOutput(text: string): string {
  const problem = readProblem('application/problem+json', text);
  return make([{ result: 'rejected', problem }])['problem-details'] ?? '';
}

function parse(text = ''): unknown {
  return JSON.parse(text);
}

describe('makeOutputs', () => {
  test('counts in the error only scans that failed by themselves', () => {
    const following = { ...FAILURE, situation: 'other-scans' } as const;
    const notSent = { ...NOT_SENT, failure: following };
    expect(make([notSent, { ...NOT_SENT, failure: FAILURE }, notSent]).error).toBe(
      'scans[1]: The scan key is not known.',
    );
    const two = make([fail('One.'), notSent, fail('Two.'), notSent]);
    expect(two.error).toBe('scans[0]: One. (1 more of 4 scans failed)');
  });

  test('has empty outputs for a scan that was not sent', () => {
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
      reason: '',
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
    'maps the result %s, of one scan or among accepted ones, to uploaded: %s',
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
      scanKey: SCAN_KEY,
      uploaded: true,
      result: 'accepted',
      reason: null,
      operation: 'upload-file',
      statusCode: 200,
      attempts: 1,
      manifest: [{ ...UNKNOWN, ...ENTRY }],
      problemDetails: null,
      error: null,
    };
    const rejected = {
      ...accepted,
      name: null,
      uploaded: false,
      result: 'rejected',
      operation: 'upload-multiple-files',
      reason: 'problem',
      statusCode: 400,
      attempts: 2,
      manifest: MANIFEST,
      problemDetails: { detail: 'No.', code: 7 },
      error: FAILURE.headline,
    };
    const none = { scanKey: null, operation: null, statusCode: null, attempts: 0 };
    const notSent = { ...rejected, ...none, result: 'not-sent', manifest: [] };
    expect(parse(results)).toEqual([accepted, rejected, { ...notSent, problemDetails: null }]);
    expect(parse(manifest)).toEqual([{ ...UNKNOWN, ...ENTRY }, ...MANIFEST]);
  });

  test('reports the first scan with the worst result, and counts the others that failed', () => {
    const scans = [{}, { ...NOT_SENT, failure: FAILURE }, { ...REJECTED, label: 'shop' }];
    const expected = {
      uploaded: 'false',
      result: 'rejected',
      operation: 'upload-multiple-files',
      'status-code': '400',
      'problem-details': '{"detail":"No.","code":7}',
      reason: 'problem',
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

  test('has the problems of the first scans in results, 256 KiB in total', () => {
    const problem = readProblem('application/json', `{"detail":"${'x'.repeat(59_000)}"}`);
    const scans = Array.from({ length: 10 }, () => ({ ...REJECTED, problem }));
    const { results = '' } = make([{}, ...scans]);
    const none = { problemDetails: null, error: FAILURE.headline };
    expect(parse(results)).toMatchObject([
      { problemDetails: null },
      ...Array.from({ length: 4 }, () => ({ problemDetails: problem && listMembers(problem) })),
      ...Array.from({ length: 6 }, () => none),
    ]);
    expect(results.length).toBeLessThan(300 * 1024);
  });
});

describe('makeOutputs with texts of files and of the service', () => {
  test.each([
    [' one\n\ttwo\n\nthree ', 'one two three'],
    ['::error::x', ': :error::x'],
    ['a\n##[error]x', 'a ## [error]x'],
    ['\n  ::error::x', ': :error::x'],
  ])('writes an error in one line, without a command: %j', (headline, error) => {
    expect(make([fail(headline)])).toMatchObject({ error });
  });

  test('writes no runner command from a name, a tool or a version', () => {
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

  test('writes JSON without runner commands that parses to the original values', () => {
    const text = '{"##[error]a":"##[error]b"}';
    const problem = readProblem('application/problem+json', text);
    const manifest = [{ ...ENTRY, path: '##[group]c', warnings: ["'##[group]c' is empty."] }];
    const outputs = make([{ ...REJECTED, problem, manifest }]);
    for (const output of Object.values(outputs)) expect(output).not.toContain('##[');
    expect(parse(outputs['problem-details'])).toEqual(parse(text));
    expect(parse(outputs.manifest)).toMatchObject([{ path: '##[group]c' }]);
    expect(parse(outputs.results)).toMatchObject([{ problemDetails: parse(text) }]);
  });

  test('truncates each error with a long name or text', () => {
    const scan = { ...fail('y'.repeat(50_000)), label: 'x'.repeat(50_000) };
    const { error = '', results = '' } = make([scan, scan]);
    expect(error).toMatch(/^x{971} … \(1 more of 2 scans failed\)$/);
    expect(results.length).toBeLessThan(4000);
  });

  test.each(['\u2028', '\u2029', '\u0085', '\u007f', '\u202e', '\u001b[0m', '\r\n', '\u0000'])(
    'writes valid JSON for any character of a service or a path: %j',
    (character) => {
      const detail = `a${character}b`;
      const output = makeProblemOutput(JSON.stringify({ detail }));
      expect(parse(output)).toEqual({ detail: stripInvisible(detail) });
      const path = `a${character}b/scan.json`;
      expect(parse(make([{ manifest: [{ ...ENTRY, path }] }]).manifest)).toMatchObject([{ path }]);
    },
  );
});

/** Writes the outputs, and returns `results` and `results-path` as later steps read them. */
async function writeOutputs(
  step: StepResult,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly results: string | undefined; readonly path: string | undefined }> {
  const file = join(await makeFolder(), 'output');
  await writeFile(file, '');
  setEnvironment({ RUNNER_TEMP: dirname(file), ...environment, GITHUB_OUTPUT: file });
  setOutputs(step, new Log());
  const { results, 'results-path': path } = parseOutputs(await readFile(file, 'utf8'));
  return { results, path };
}

describe('setOutputs', () => {
  test('writes every output to the file that later steps read', async () => {
    const file = join(await makeFolder(), 'output');
    await writeFile(file, '');
    setEnvironment({ GITHUB_OUTPUT: file, RUNNER_TEMP: dirname(file) });
    const output = captureOutput();
    const step = makeBatch([makeScan(fail('no\nkey'))]);
    setOutputs(step, new Log());
    const { 'results-path': path = '', ...written } = parseOutputs(await readFile(file, 'utf8'));
    expect(written).toEqual(makeOutputs(step));
    expect(relative(dirname(file), path)).toMatch(/^\.scan-upload-\w{6}.results\.json$/);
    expect(await readFile(path, 'utf8')).toBe(written.results);
    const { mode } = await stat(path);
    expect(process.platform === 'win32' ? 0o600 : mode & 0o777).toBe(0o600);
    expect(written).toMatchObject({ result: 'rejected', error: 'no key' });
    expect(output.text).toBe('');
  });

  test.each([
    ['700 scans', Array.from({ length: 700 }, () => makeScan()), null],
    [
      'a problem with many members',
      [makeRefused(Array.from({ length: 7000 }, () => '12345'))],
      'whole',
    ],
    ['a detail of 63 KB', [makeRefused('x'.repeat(63_000))], null],
    ['a detail of 63 KB in letters of two bytes', [makeRefused('é'.repeat(31_500))], null],
    ['60 KB of runner commands', [makeRefused('##['.repeat(20_000))], null],
  ])('writes lines of at most 64 KiB, as act and Forgejo read them: %s', async (_, scans, kept) => {
    const file = join(await makeFolder(), 'output');
    await writeFile(file, '');
    setEnvironment({ GITHUB_OUTPUT: file, RUNNER_TEMP: dirname(file) });
    setOutputs(makeBatch(scans), new Log());
    const text = await readFile(file, 'utf8');
    expect(text.split('\n').filter((line) => Buffer.byteLength(line) > 65_535)).toEqual([]);
    const outputs = parseOutputs(text);
    expect(parse(outputs.manifest)).toHaveLength(scans.flatMap(listParts).length);
    const problems = scans.map(({ upload }) => {
      const problem = upload?.last.response?.problem;
      return { problemDetails: problem === undefined ? null : listMembers(problem) };
    });
    const shown = kept === null ? scans.map(() => ({ problemDetails: null })) : problems;
    expect(parse(outputs.results)).toMatchObject(shown);
    expect(outputs['problem-details'] === '').toBe(kept === null);
    expect(parse(await readFile(outputs['results-path'] ?? '', 'utf8'))).toMatchObject(problems);
  });

  test.each([undefined, '', '/not/there'])(
    'warns, and leaves results-path empty, if RUNNER_TEMP is %j',
    async (RUNNER_TEMP) => {
      const output = captureOutput();
      const { path, results } = await writeOutputs(makeBatch([makeScan()]), { RUNNER_TEMP });
      expect([path, results]).toEqual(['', expect.stringContaining('"uploaded":true')]);
      expect(output.text).toMatch(
        /^::warning title=Scan upload \(outputs\)::`results-path` is empty, /m,
      );
    },
  );

  test('writes no file for a step without a scan', async () => {
    expect((await writeOutputs(makeBatch([]))).path).toBe('');
  });
});
