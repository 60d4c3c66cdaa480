import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ScanResult } from '../../src/outcomes/scan-result.ts';
import { hide } from '../../src/redaction/clean.ts';
import { Log } from '../../src/report/log.ts';
import { setOutputs, spellResults } from '../../src/report/outputs.ts';
import {
  ENTRY,
  FAILURE,
  MARK,
  SBOM_ENTRY,
  REPORT_ENTRY,
  REVISION,
  captureOutput,
  findLines,
  makeBatch,
  makeFailure,
  makeScan,
  parseOutputs,
} from '../support/report.ts';
import type { ManifestEntry, ScanSpec } from '../support/report.ts';
import { findViolation } from '../support/repository.ts';
import { TRACE_ID } from '../support/scans.ts';
import { makeFolder, setEnvironment, SCAN_KEY } from '../support/workspace.ts';

let directory: string;

beforeEach(async () => {
  directory = await makeFolder();
  const RUNNER_TEMP = join(directory, 'temp');
  mkdirSync(RUNNER_TEMP);
  setEnvironment({ RUNNER_TEMP, GITHUB_OUTPUT: join(directory, 'output') });
});

function makeScans(scans: readonly ScanSpec[]): readonly ScanResult[] {
  return scans.map((scan, index) =>
    makeScan({ label: scans.length > 1 ? `scans[${index}]` : undefined, ...scan }),
  );
}

/** What a step with these scans writes to GITHUB_OUTPUT. */
function write(...scans: readonly ScanSpec[]): string {
  const file = join(directory, 'output');
  writeFileSync(file, '');
  setOutputs(makeBatch(makeScans(scans), { revision: REVISION }), new Log());
  return readFileSync(file, 'utf8');
}

function make(...scans: readonly ScanSpec[]): Readonly<Record<string, string>> {
  return parseOutputs(write(...scans));
}

/** What the file of `results-path` has. */
function spell(...scans: readonly ScanSpec[]): string {
  return spellResults(makeBatch(makeScans(scans), { revision: REVISION }));
}

function parse(text = ''): unknown {
  return JSON.parse(text);
}

function fail(headline: string): ScanSpec {
  return { result: 'rejected', failure: makeFailure({ headline }) };
}

const NO_COUNTS = { components: null, vulnerabilities: null, findings: null, severities: null };
const MODIFIED = '1970-01-01T00:00:00.000Z';
const UNKNOWN = { modified: MODIFIED, specVersion: null, tool: null, subject: null, ...NO_COUNTS };
const REJECTED: ScanSpec = {
  result: 'rejected',
  operation: 'upload-multiple-files',
  statusCode: 400,
  attempts: 2,
  manifest: [SBOM_ENTRY, REPORT_ENTRY],
  problem: JSON.stringify({ detail: 'No.', code: 7 }),
  failure: FAILURE,
};
/** A scan that was not sent, without any other facts. */
const NOT_SENT: ScanSpec = {
  result: 'not-sent',
  scanKey: '',
  operation: undefined,
  statusCode: undefined,
  attempts: 0,
  startedAt: undefined,
  manifest: [],
};

describe('setOutputs', () => {
  test('writes every output, and a file that only this user can read', () => {
    const output = captureOutput();
    const { 'results-path': path = '', ...others } = make(NOT_SENT);
    const empty = { reason: '', 'status-code': '', error: '', 'problem-details': '', findings: '' };
    expect(others).toEqual({ uploaded: 'false', result: 'not-sent', ...empty });
    const hidden = /^temp.\.scan-\w{6}.results\.json$/;
    expect(relative(directory, path)).toMatch(hidden);
    expect(readFileSync(path, 'utf8')).toBe(spell(NOT_SENT));
    expect(process.platform === 'win32' || (statSync(path).mode & 0o777) === 0o600).toBe(true);
    expect(output.text).toBe('');
    const none = make();
    expect([none.result, none.findings]).toEqual(['skipped', '']);
    expect(readFileSync(none['results-path'] ?? '', 'utf8')).toBe('[]');
  });

  const NAMES = ['accepted', 'rejected', 'not-sent', 'unconfirmed', 'dry-run', 'skipped'] as const;
  test.each(NAMES)('sets uploaded by the result: %s', (result) => {
    expect(make({}, { result })).toMatchObject({ uploaded: String(result === 'accepted'), result });
  });

  test('reports the first scan with the worst result, and how many others failed by themselves', () => {
    const following = { ...NOT_SENT, failure: makeFailure({ reason: 'other-scans' }) };
    const failed = { ...NOT_SENT, failure: FAILURE };
    const { headline, reason } = FAILURE;
    const shop = { ...REJECTED, label: 'shop' };
    expect(make({}, following, failed, shop, REJECTED)).toMatchObject({
      reason,
      'status-code': '400',
      error: `shop: ${headline} (2 more of 5 scans failed)`,
      'problem-details': '{"detail":"No.","code":7}',
    });
    expect(make(following, failed).error).toBe(`scans[1]: ${headline}`);
  });

  const REPORT: ManifestEntry = { ...REPORT_ENTRY, part: 'ScanJsonFile' };
  const SBOM = { ...ENTRY, format: 'cyclonedx' as const, components: 62 };
  const UNRATED: ManifestEntry = { ...ENTRY, findings: 4 };
  const UNCOUNTED: ManifestEntry = { ...ENTRY, marks: [{ name: 'not-counted', text: '' }] };
  const RATED = '"critical":3,"high":18,"medium":31,"low":11,"info":6,"unrated":3';
  const NO_FINDINGS = '"critical":0,"high":0,"medium":0,"low":0,"info":0,"unrated":0';

  test.each<[string, readonly (readonly ManifestEntry[])[], string]>([
    ['a report', [[REPORT]], `{${RATED},"uncounted":0,"marked":0,"scans":1}`],
    [
      'a pair',
      [[{ ...SBOM, part: 'DependenciesCDX' }, REPORT_ENTRY]],
      `{${RATED},"uncounted":0,"marked":0,"scans":1}`,
    ],
    [
      'several scans',
      [[REPORT], [UNRATED], [REPORT]],
      '{"critical":6,"high":36,"medium":62,"low":22,"info":12,"unrated":10,"uncounted":0,"marked":0,"scans":3}',
    ],
    [
      'a mark',
      [[{ ...REPORT, marks: [MARK, MARK] }]],
      `{${RATED},"uncounted":0,"marked":1,"scans":1}`,
    ],
    [
      'a file without a count',
      [[UNCOUNTED], [REPORT]],
      `{${RATED},"uncounted":1,"marked":1,"scans":2}`,
    ],
    ['an SBOM alone', [[SBOM]], `{${NO_FINDINGS},"uncounted":1,"marked":1,"scans":1}`],
  ])('adds the findings of all scans: %s', (_, manifests, expected) => {
    expect(make(...manifests.map((manifest) => ({ manifest }))).findings).toBe(expected);
  });

  const WRONG = makeFailure({ reason: 'contents' });

  test.each<[string, ScanSpec, boolean]>([
    ['accepted', {}, true],
    ['checked', { result: 'dry-run' }, true],
    ['rejected', { result: 'rejected', failure: FAILURE }, true],
    ['not sent', { result: 'not-sent', failure: makeFailure({ reason: 'name' }) }, true],
    ['skipped', { result: 'skipped', operation: undefined, manifest: [] }, false],
    ['invalid', { result: 'not-sent', failure: WRONG }, false],
    ['not inspected', NOT_SENT, false],
  ])('has findings if all scans were inspected and valid: %s', (_, spec, isWhole) => {
    const { findings } = make({ manifest: [REPORT] }, { manifest: [REPORT], ...spec });
    expect(findings !== '').toBe(isWhole);
  });

  test('shows paths as they are, also with a secret', () => {
    hide('billing-service-7f3a9c2e51');
    const RUNNER_TEMP = join(directory, 'billing-service-7f3a9c2e51');
    mkdirSync(RUNNER_TEMP);
    setEnvironment({ RUNNER_TEMP, GITHUB_OUTPUT: join(directory, 'output') });
    const path = 'billing-service-7f3a9c2e51/scan.json';
    const { 'results-path': results = '' } = make({ manifest: [{ ...ENTRY, path }] });
    expect(parse(readFileSync(results, 'utf8'))).toMatchObject([{ manifest: [{ path }] }]);
  });

  test.each([
    ['', 'RUNNER_TEMP is not set'],
    ['/not/there', 'ENOENT'],
  ])('warns, without a file, if RUNNER_TEMP is %j', (temp, reason) => {
    setEnvironment({ GITHUB_OUTPUT: join(directory, 'output'), RUNNER_TEMP: temp });
    const output = captureOutput();
    expect(make({})).toMatchObject({ uploaded: 'true', 'results-path': '' });
    const warning = '^::warning title=Scan upload \\(outputs\\)::`results-path` is empty, .*: ';
    expect(output.text).toMatch(new RegExp(`${warning}${reason}`, 'm'));
  });

  test.each([
    ['60 KB of runner commands', '##['.repeat(20_000), false],
    // With the members around it, 60,000 bytes and one more.
    ['the longest detail', `é${'x'.repeat(59_972)}`, true],
    ['a longer one', `é${'x'.repeat(59_973)}`, false],
  ])('writes lines of at most 64 KiB, as act and Forgejo read: %s', (_, detail, isShown) => {
    const body = JSON.stringify({ status: 400, detail });
    const text = write({ ...REJECTED, problem: body });
    expect(text.split('\n').filter((line) => Buffer.byteLength(line) > 65_535)).toEqual([]);
    const { 'problem-details': problem, 'results-path': path = '' } = parseOutputs(text);
    expect(problem).toBe(isShown ? body : '');
    expect(parse(readFileSync(path, 'utf8'))).toMatchObject([{ problemDetails: parse(body) }]);
  });
});

test('spellResults has an object for each scan, with null if not applicable', () => {
  const accepted = {
    name: 'shop',
    scanKey: SCAN_KEY,
    uploaded: true,
    result: 'accepted',
    reason: null,
    operation: 'upload-file',
    statusCode: 200,
    ref: REVISION.ref,
    sha: REVISION.sha,
    pullRequest: null,
    attempt: 1,
    attempts: 1,
    service: 'https://scan.example',
    traceId: TRACE_ID,
    startedAt: '2026-03-01T10:00:00.000Z',
    finishedAt: '2026-03-01T10:00:00.300Z',
    manifest: [{ ...UNKNOWN, ...ENTRY, marks: ['not-checked'] }],
    problemDetails: null,
    response: null,
    error: null,
  };
  const rejected = {
    ...accepted,
    name: null,
    uploaded: false,
    result: 'rejected',
    reason: 'problem',
    operation: 'upload-multiple-files',
    statusCode: 400,
    attempts: 2,
    manifest: [SBOM_ENTRY, REPORT_ENTRY].map((entry) => ({ ...UNKNOWN, ...entry })),
    problemDetails: { detail: 'No.', code: 7 },
    error: FAILURE.headline,
  };
  const none = { scanKey: null, operation: null, statusCode: null, attempts: 0, manifest: [] };
  const notTried = { service: null, traceId: null, startedAt: null, finishedAt: null };
  const notSent = { ...rejected, ...none, ...notTried, result: 'not-sent', problemDetails: null };
  const marked = { name: 'shop', manifest: [{ ...ENTRY, marks: [MARK] }] };
  const scans = [marked, REJECTED, { ...NOT_SENT, failure: FAILURE }];
  expect(parse(spell(...scans))).toEqual([accepted, rejected, notSent]);
  expect(findViolation('results', parse(spell(...scans)))).toBeUndefined();
  const { sha256: _digest, ...unread } = ENTRY;
  expect(parse(spell({ manifest: [unread] }))).toMatchObject([{ manifest: [{ sha256: null }] }]);
  expect(spell()).toBe('[]');
});

test('spellResults has what a success said, without credentials', () => {
  const response = {
    id: 'scan-7',
    accessToken: 'abcdefgh',
    links: [{ self: 'https://user:pass@scan.example/scans/7?sig=abc#top', apiKey: 'x' }],
    path: '/scans/7?sig=abc',
    text: 'See https://scan.example/7?sig=abc.',
  };
  expect(parse(spell({ response: JSON.stringify(response) }))).toMatchObject([
    {
      response: {
        id: 'scan-7',
        links: [{ self: 'https://scan.example/scans/7' }],
        path: '/scans/7',
        text: 'See https://scan.example/7',
      },
    },
  ]);
  expect(spell({ response: JSON.stringify(response) })).not.toMatch(/abc|accessToken|apiKey|pass@/);
});

describe('texts of files and of the service', () => {
  test('are errors and warnings in one line', () => {
    const [text, line] = [' one\n\ttw\u200bo\u2028three', 'one two three'];
    expect(make(fail(text)).error).toBe(line);
    const scan = { ...fail(text), manifest: [{ ...ENTRY, warnings: [text] }] };
    expect(parse(spell(scan))).toMatchObject([{ error: line, manifest: [{ warnings: [line] }] }]);
  });

  test('are JSON, without commands, with the original values', () => {
    const problemDetails = { '##[error]a': 'b##[error]c' };
    const manifest = [{ ...ENTRY, path: 'd##[e' }];
    const scan = { ...REJECTED, problem: JSON.stringify(problemDetails), manifest };
    const [outputs, results] = [make(scan), spell(scan)];
    expect(findLines([...Object.values(outputs), results].join('\n'), '##[')).toEqual([]);
    expect(parse(outputs['problem-details'])).toEqual(problemDetails);
    expect(parse(results)).toMatchObject([{ problemDetails, manifest: [{ path: 'd##[e' }] }]);
  });

  test('have no secret, whatever the name of their member', () => {
    hide('t0ken-of-the-service');
    const echo = { reason: 't0ken-of-the-service', path: ['t0ken-of-the-service'] };
    const problem = { ...echo, 't0ken-of-the-service': echo, errors: [{ format: echo }] };
    const manifest = [{ ...ENTRY, tool: 't0ken-of-the-service', specVersion: 't0ken-of-the' }];
    const scan = { ...REJECTED, name: 't0ken-of-the-service', problem: JSON.stringify(problem) };
    const texts = [...Object.values(make({ ...scan, manifest })), spell({ ...scan, manifest })];
    expect(texts.filter((text) => text.includes('t0ken-of'))).toEqual([]);
    expect(parse(spell(scan))).toMatchObject([
      { problemDetails: { reason: '***', path: ['***'] } },
    ]);
  });

  test('keep ids and words of our own, in which a mask would mean nothing', () => {
    for (const secret of ['accepted', 'upload-file', SCAN_KEY, TRACE_ID, 'ScanJsonFile'])
      hide(secret);
    expect(make({}).result).toBe('accepted');
    expect(parse(spell({}))).toMatchObject([
      { result: 'accepted', operation: 'upload-file', scanKey: SCAN_KEY, traceId: TRACE_ID },
    ]);
  });

  test('are truncated in errors', () => {
    const scan = { ...fail('y'.repeat(50_000)), label: 'x'.repeat(50_000) };
    expect(make(scan, scan).error).toMatch(/^x{971} … \(1 more of 2 scans failed\)$/);
    expect(spell(scan, scan).length).toBeLessThan(4000);
  });
});
