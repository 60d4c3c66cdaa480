import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CancelledError, TimeLimitError } from '../src/errors.ts';
import { isolateEnvironment } from './support/inputs.ts';
import { makeWorkspace, readResults, TOKEN } from './support/run-action.ts';
import { runHere } from './support/run-here.ts';
import { openService } from './support/servers.ts';
import { makeFolder, SCAN_KEY } from './support/workspace.ts';

// The tests in __tests__/action run the bundle. These tests run the stages in this process, so
// that coverage is measured.

isolateEnvironment();
afterEach(() => {
  jest.restoreAllMocks();
});

const UNREACHABLE = { 'base-url': 'http://127.0.0.1:9', 'scan-file': 'scan.json' };

describe('run', () => {
  test('masks the token before any other output, uploads, and redacts none of our own texts', async () => {
    const token = 'upload-file';
    const service = await openService({ token });
    const { exitCode, stdout, outputs } = await runHere(await makeWorkspace(), {
      'base-url': service.url,
      'scan-file': 'scan.json',
      token,
      headers: `X-Result: uploaded\nX-Key: ${SCAN_KEY}\nX-Part: ScanJsonFile`,
    });
    expect(exitCode).toBe(0);
    expect(service.uploads).toMatchObject([{ operation: 'upload-file' }]);
    expect(stdout.startsWith(`::add-mask::${token}`)).toBe(true);
    expect(stdout).toContain("Scan file 'scan.json'");
    expect(outputs).toMatchObject({ uploaded: 'true', result: 'accepted' });
    const manifest = [{ part: 'ScanJsonFile' }];
    const entry = { scanKey: SCAN_KEY, result: 'accepted', operation: 'upload-file', manifest };
    expect(readResults({ outputs })).toMatchObject([entry]);
  });

  test.each([
    ['main', ['::notice title=Scan upload (dry run)::Nothing is uploaded for this run of']],
    ['other', []],
  ])('says first what it is for, and notices a dry run on main: %s', async (branch, notices) => {
    const event = JSON.stringify({ repository: { default_branch: 'main' } });
    process.env.GITHUB_EVENT_PATH = join(await makeFolder({ 'event.json': event }), 'event.json');
    process.env.GITHUB_EVENT_NAME = 'push';
    process.env.GITHUB_REF = `refs/heads/${branch}`;
    process.env.GITHUB_SHA = '1a2b3c4d';
    const inputs = { 'dry-run': 'true', 'scan-file': 'scan.json' };
    const { stdout } = await runHere(await makeWorkspace(), inputs);
    const [first, ...others] = stdout.split('\n').filter((line) => !line.startsWith('::add-mask'));
    expect(first).toBe(`For \`${branch}\`, commit \`1a2b3c4\``);
    const found = others.filter((line) => line.startsWith('::notice'));
    expect(found).toEqual(notices.map((text) => expect.stringContaining(text)));
  });

  test('groups the lines of several scans, and warns once of the keys that they share', async () => {
    const scan = { 'scan-key': SCAN_KEY, 'scan-file': 'scan.json' };
    const scans = JSON.stringify(['a', 'b'].map((name) => ({ name, ...scan })));
    const inputs = { 'scan-key': '', scans, 'dry-run': 'true' };
    const summary = join(await makeFolder({ 'summary.md': '' }), 'summary.md');
    process.env.GITHUB_STEP_SUMMARY = summary;
    const { exitCode, stdout } = await runHere(await makeWorkspace(), inputs);
    expect(exitCode).toBe(0);
    expect(stdout.match(/^::group::.*/gm)).toEqual([
      '::group::Inspecting 2 scans',
      '::group::Dry run of 2 scans',
    ]);
    expect(stdout.match(/^::warning .*/gm)).toEqual([
      expect.stringMatching(/^::warning title=Scan upload \(scans\)::a, b use the same scan key/),
    ]);
    expect(readFileSync(summary, 'utf8')).toMatch(/^- ⚠️ a, b use the same scan key/m);
  });

  test('reports an error of the step as the failure of every scan, or of the step without scans', async () => {
    const cancellation = new AbortController();
    const cancel = (text: string): void => {
      if (text.includes('Inspecting')) cancellation.abort(new CancelledError('SIGTERM'));
    };
    const scans = ['a', 'b'].map((name) => ({ name, 'scan-key': SCAN_KEY, 'scan-file': 'x' }));
    const inputs = { 'base-url': UNREACHABLE['base-url'], 'scan-key': '' };
    const several = { ...inputs, scans: JSON.stringify(scans) };
    const ended = await runHere(await makeWorkspace(), several, cancellation.signal, cancel);
    const end = { result: 'not-sent', reason: 'cancelled' };
    expect(readResults(ended)).toMatchObject([
      { name: 'a', ...end },
      { name: 'b', ...end },
    ]);
    expect(ended.stdout.match(/^::error /gm)).toHaveLength(1);
    const none = await runHere(await makeWorkspace(), { ...inputs, scans: '[' });
    expect(none.outputs).toMatchObject({ result: 'not-sent', reason: 'inputs' });
    expect(none.outputs['results-path']).not.toBe('');
    expect(readResults(none)).toEqual([]);
  });

  test.each([
    ['a cancellation', 0, new CancelledError('SIGTERM')],
    ['the time limit', 0, new TimeLimitError(5)],
    ['an unexpected error', 1, new Error('late')],
  ])('returns after an accepted upload and then %s: exit code %i', async (_, code, reason) => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url, 'scan-file': 'scan.json' };
    const late = new AbortController();
    const ended = await runHere(await makeWorkspace(), inputs, late.signal, (text) => {
      if (text.startsWith('Result: uploaded')) late.abort(reason);
    });
    expect([ended.exitCode, ended.outputs.result]).toEqual([code, 'accepted']);
    expect(ended.stdout.includes('failed unexpectedly::late')).toBe(code === 1);
  });
});
