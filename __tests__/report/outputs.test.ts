import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import { makeOutputs, setOutputs, spellResults } from '../../src/report/outputs.ts';
import type { ResultName, ScanResult, StepResult } from '../../src/report/scan-result.ts';
import { stripInvisible } from '../../src/text.ts';
import { readProblem } from '../support/attempts.ts';
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
import { readResults } from '../support/results.ts';
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

function makeScans(scans: readonly ScanSpec[]): readonly ScanResult[] {
  return scans.map((scan, index) =>
    makeScan({ label: scans.length > 1 ? `scans[${index}]` : undefined, ...scan }),
  );
}

function make(...scans: readonly ScanSpec[]): Outputs {
  return makeOutputs(makeBatch(makeScans(scans)));
}

/** What the file of `results-path` has. */
function spell(...scans: readonly ScanSpec[]): string {
  return [...spellResults(makeScans(scans))].join('');
}

function fail(headline: string): ScanSpec {
  return { result: 'rejected', failure: { ...FAILURE, headline } };
}

function makeProblemOutput(text: string): string {
  const problem = readProblem('application/problem+json', text);
  return make({ result: 'rejected', problem })['problem-details'] ?? '';
}

function parse(text = ''): unknown {
  return JSON.parse(text);
}

describe('makeOutputs', () => {
  test('counts in the error only scans that failed by themselves', () => {
    const following = { ...FAILURE, situation: 'other-scans' } as const;
    const notSent = { ...NOT_SENT, failure: following };
    expect(make(notSent, { ...NOT_SENT, failure: FAILURE }, notSent).error).toBe(
      'scans[1]: The scan key is not known.',
    );
    const two = make(fail('One.'), notSent, fail('Two.'), notSent);
    expect(two.error).toBe('scans[0]: One. (1 more of 4 scans failed)');
  });

  test('has empty outputs for a scan that was not sent', () => {
    expect(make(NOT_SENT)).toEqual({
      uploaded: 'false',
      result: 'not-sent',
      reason: '',
      'status-code': '',
      error: '',
      'problem-details': '',
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
      expect(make({ result })).toMatchObject({ uploaded, result });
      expect(make({}, { result }, {})).toMatchObject({ uploaded, result });
    },
  );

  test('reports the first scan with the worst result, and counts the others that failed', () => {
    const scans = [{}, { ...NOT_SENT, failure: FAILURE }, { ...REJECTED, label: 'shop' }];
    const expected = {
      uploaded: 'false',
      result: 'rejected',
      'status-code': '400',
      'problem-details': '{"detail":"No.","code":7}',
      reason: 'problem',
    };
    expect(make(...scans, REJECTED)).toMatchObject({
      ...expected,
      error: 'shop: The scan key is not known. (2 more of 4 scans failed)',
    });
    expect(make({}, { ...REJECTED, label: 'shop' })).toMatchObject({
      ...expected,
      error: 'shop: The scan key is not known.',
    });
  });
});

describe('spellResults', () => {
  test('has an object for each scan, with null if not applicable', () => {
    const failed = { ...NOT_SENT, failure: FAILURE };
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
    const expected = [accepted, rejected, { ...notSent, problemDetails: null }];
    expect(parse(spell({ name: 'shop' }, REJECTED, failed))).toEqual(expected);
  });
});

describe('texts of files and of the service', () => {
  test.each([
    [' one\n\ttwo\n\nthree ', 'one two three'],
    ['::error::x', ': :error::x'],
    ['a\n##[error]x', 'a ## [error]x'],
    ['\n  ::error::x', ': :error::x'],
  ])('writes an error in one line, without a command: %j', (headline, error) => {
    expect(make(fail(headline))).toMatchObject({ error });
  });

  test('writes no runner command from a name, a tool or a version', () => {
    const manifest = [{ ...ENTRY, tool: 'a ##[error]b', specVersion: '::error::a' }];
    const named = { ...fail('no\n::error::x'), name: 'b ##[x]', label: '::a', manifest };
    const shown = [{ tool: 'a ## [error]b', specVersion: ': :error::a' }];
    expect(make({}, named).error).toBe(': :a: no : :error::x');
    expect(parse(spell({}, named))).toMatchObject([
      {},
      { name: 'b ## [x]', error: 'no : :error::x', manifest: shown },
    ]);
  });

  test('writes JSON without runner commands that parses to the original values', () => {
    const text = '{"##[error]a":"##[error]b"}';
    const problem = readProblem('application/problem+json', text);
    const manifest = [{ ...ENTRY, path: '##[group]c', warnings: ["'##[group]c' is empty."] }];
    const scan = { ...REJECTED, problem, manifest };
    const [outputs, results] = [make(scan), spell(scan)];
    for (const written of [...Object.values(outputs), results])
      expect(written).not.toContain('##[');
    expect(parse(outputs['problem-details'])).toEqual(parse(text));
    const file = { path: '##[group]c' };
    expect(parse(results)).toMatchObject([{ problemDetails: parse(text), manifest: [file] }]);
  });

  test('truncates each error with a long name or text', () => {
    const scan = { ...fail('y'.repeat(50_000)), label: 'x'.repeat(50_000) };
    expect(make(scan, scan).error).toMatch(/^x{971} … \(1 more of 2 scans failed\)$/);
    expect(spell(scan, scan).length).toBeLessThan(4000);
  });

  test.each(['\u2028', '\u2029', '\u0085', '\u007f', '\u202e', '\u001b[0m', '\r\n', '\u0000'])(
    'writes valid JSON for any character of a service or a path: %j',
    (character) => {
      const detail = `a${character}b`;
      const output = makeProblemOutput(JSON.stringify({ detail }));
      expect(parse(output)).toEqual({ detail: stripInvisible(detail) });
      const path = `a${character}b/scan.json`;
      const manifest = [{ ...ENTRY, path }];
      expect(parse(spell({ manifest }))).toMatchObject([{ manifest: [{ path }] }]);
    },
  );
});

/** Writes the outputs, and returns the text that later steps read. */
async function writeOutputs(
  step: StepResult,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const file = join(await makeFolder(), 'output');
  await writeFile(file, '');
  setEnvironment({ RUNNER_TEMP: dirname(file), ...environment, GITHUB_OUTPUT: file });
  setOutputs(step, new Log());
  return readFile(file, 'utf8');
}

describe('setOutputs', () => {
  test('writes every output, and a file that only this user can read', async () => {
    const output = captureOutput();
    const scan = fail('no\nkey');
    const RUNNER_TEMP = await makeFolder();
    const step = makeBatch([makeScan(scan)]);
    const outputs = parseOutputs(await writeOutputs(step, { RUNNER_TEMP }));
    const { 'results-path': path = '', ...written } = outputs;
    expect(written).toEqual(makeOutputs(step));
    expect(relative(RUNNER_TEMP, path)).toMatch(/^\.scan-upload-\w{6}.results\.json$/);
    expect(await readFile(path, 'utf8')).toBe(spell(scan));
    const { mode } = await stat(path);
    expect(process.platform === 'win32' ? 0o600 : mode & 0o777).toBe(0o600);
    expect(written).toMatchObject({ result: 'rejected', error: 'no key' });
    expect(output.text).toBe('');
  });

  test.each([
    ['many members', Array.from({ length: 7000 }, () => '12345'), true],
    ['a detail of 63 KB', 'x'.repeat(63_000), false],
    ['a detail of 63 KB in letters of two bytes', 'é'.repeat(31_500), false],
    ['60 KB of runner commands', '##['.repeat(20_000), false],
  ])(
    'writes lines of at most 64 KiB, as act and Forgejo read them: %s',
    async (_, detail, isShown) => {
      const body = JSON.stringify({ status: 400, detail });
      const scan = makeScan({ ...REJECTED, problem: readProblem('application/json', body) });
      const text = await writeOutputs(makeBatch([scan]));
      expect(text.split('\n').filter((line) => Buffer.byteLength(line) > 65_535)).toEqual([]);
      const outputs = parseOutputs(text);
      expect(outputs['problem-details']).toBe(isShown ? body : '');
      expect(readResults({ outputs })).toMatchObject([{ problemDetails: parse(body) }]);
    },
  );

  test.each([undefined, '', '/not/there'])(
    'warns, and leaves results-path empty, if RUNNER_TEMP is %j',
    async (RUNNER_TEMP) => {
      const output = captureOutput();
      const outputs = parseOutputs(await writeOutputs(makeBatch([makeScan()]), { RUNNER_TEMP }));
      expect(outputs).toMatchObject({ uploaded: 'true', 'results-path': '' });
      expect(output.text).toMatch(
        /^::warning title=Scan upload \(outputs\)::`results-path` is empty, /m,
      );
    },
  );

  test('writes an empty list for a step without a scan', async () => {
    const path = parseOutputs(await writeOutputs(makeBatch([])))['results-path'] ?? '';
    expect(await readFile(path, 'utf8')).toBe('[]');
  });
});
