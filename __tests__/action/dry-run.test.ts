import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makePair } from '../support/inputs.ts';
import { openServer } from '../support/raw-server.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { REPORT, SBOM, SCAN_KEY, sha256 } from '../support/samples.ts';
import { readResults } from './batch.ts';

type Inputs = Readonly<Record<string, string>>;

/** What a pull request from a fork gets: no secrets and no variables. */
const EMPTY = { 'base-url': '', 'scan-key': '', token: '' };

const ENTRIES = JSON.stringify([
  { name: 'web', 'scan-key': '', 'scan-file': 'scan.json' },
  { 'scan-key': null, 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'other.json' },
]);

/** Runs a dry run in a job that may request OIDC tokens; fails if it requests anything. */
async function rehearse(inputs: Inputs): Promise<StepRun> {
  const server = await openServer(({ socket }) => socket.destroy());
  const workspace = await makeWorkspace({
    'scan.json': REPORT,
    'bom.json': SBOM,
    'other.json': `${REPORT}\n`,
  });
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${server.origin}/token?v=1`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
  };
  const run = await runAction(workspace, { ...EMPTY, 'dry-run': 'true', ...inputs }, { env });
  expect(server.connections()).toBe(0);
  return run;
}

describe('a dry run', () => {
  test('requires files alone, and says nothing of a service', async () => {
    const run = await rehearse({});
    expect(run.annotations).toEqual([]);
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'dry-run', attempts: '0' });
    expect(run.outputs['status-code']).toBe('');
    const scan = { scanKey: null, operation: 'upload-file', statusCode: null, error: null };
    expect(readResults(run)).toMatchObject([{ ...scan, manifest: [{ sha256: sha256(REPORT) }] }]);
    expect(run.log).toMatch(/^Operation: upload-file$/m);
    expect(run.log).toMatch(/^Result: dry run$/m);
    expect(run.summary).toMatch(/^`upload-file` · \d+ m?s$/m);
    expect(`${run.log}${run.summary}`).not.toMatch(/undefined|null|POST|scan key/);
  });

  test('requires no scan keys in `scans`, and does not take them for repeated ones', async () => {
    const run = await rehearse({ 'scan-file': '', scans: ENTRIES });
    expect(run.annotations).toEqual([]);
    expect(run.exitCode).toBe(0);
    const scan = { scanKey: null, result: 'dry-run' };
    expect(readResults(run)).toMatchObject([{ ...scan, name: 'web' }, scan]);
    expect(run.summary).toContain(`- \`web\`: ScanJsonFile: \`${sha256(REPORT)}\``);
    expect(`${run.log}${run.summary}`).not.toMatch(/undefined|null|POST/);
  });

  const { cert, key } = makePair('client');
  test.each<[string, Inputs]>([
    ['auth: oidc', { auth: 'oidc' }],
    ['an API key', { auth: 'none', headers: 'X-Api-Key: \nX-Team: a' }],
    ['a token header', { 'token-header': 'X-Api-Key', 'token-prefix': 'Key' }],
    ['no client key', { 'client-cert': cert }],
    ['no client certificate', { 'client-key': key }],
    ['dry-run: TRUE', { 'dry-run': 'TRUE' }],
    ['a scan key', { 'scan-key': SCAN_KEY }],
    ['no scans', { 'scan-file': '', scans: '[]', 'if-no-files-found': 'ignore' }],
  ])('succeeds with empty secrets and variables and %s', async (_, inputs) => {
    const run = await rehearse(inputs);
    expect(run.annotations).toEqual([]);
    expect(run.exitCode).toBe(0);
  });

  const entry = JSON.stringify([{ 'scan-key': 'x', 'scan-file': 'scan.json' }]);
  test.each<[string, Inputs, RegExp]>([
    ['base-url', { 'base-url': 'ftp://scan.example' }, /^`base-url` must begin with https/],
    ['scan-key', { 'scan-key': '42' }, /^`scan-key` must be a UUID/],
    ['scan key of an entry', { 'scan-file': '', scans: entry }, /`scan-key` must be a UUID/],
    ['token', { token: 'Bearer x' }, /^`token` begins with 'Bearer'/],
    ['token-header', { 'token-header': 'Host' }, /^`token-header` must not be Host/],
    ['token-prefix', { 'token-prefix': 'a\nb' }, /^`token-prefix` has a character/],
    ['headers', { headers: 'Host: x' }, /^`headers`, line 1: Host must not be set/],
    ['empty header', { headers: 'Host:' }, /^`headers`, line 1: Host must not be set/],
    ['header twice', { headers: 'X-Key:\nx-key:' }, /^`headers`, line 2: x-key is set twice/],
    ['ca-cert', { 'ca-cert': 'scan.json' }, /^`ca-cert` has no usable certificate/],
    ['client-cert', { 'client-cert': 'scan.json' }, /^`client-cert` has no usable certificate/],
    ['client-key', { 'client-key': 'scan.json' }, /^`client-key` is not a usable PEM private key/],
    ['misspelt scan-key', { scankey: SCAN_KEY }, /^`scan-key` is required\. `scankey` is set/],
    ['file', { 'scan-file': 'none.json' }, /^`scan-file`: no file matches/],
    ['missing file', { 'scan-file': '' }, /^No files are named\./],
  ])('checks what is given: %s', async (_, inputs, message) => {
    const run = await rehearse(inputs);
    expect(run.outputs).toMatchObject({
      result: 'not-sent',
      error: expect.stringMatching(message),
    });
    expect(run.exitCode).toBe(1);
  });
});

test.each(['false', '', 'yes'])('empty inputs are errors with dry-run: %j', async (flag) => {
  const run = await runAction(await makeWorkspace(), { ...EMPTY, 'dry-run': flag });
  expect(run.exitCode).toBe(1);
  for (const name of Object.keys(EMPTY)) {
    expect(run.annotations[0]?.message).toMatch(new RegExp(`^\`${name}\` is `, 'm'));
  }
});

test.each(['dryrun', 'dry_run'])('a misspelt `dry-run` uploads nothing: %s', async (name) => {
  const server = await openServer(({ socket }) => socket.destroy());
  const run = await runAction(await makeWorkspace(), { 'base-url': server.origin, [name]: 'true' });
  expect(run.exitCode).toBe(1);
  const errors = run.annotations.filter(({ level }) => level === 'error');
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining(
      `\`${name}\` is set, which is no input of this action. Did you mean \`dry-run\`?`,
    ),
  ]);
  expect(server.connections()).toBe(0);
});
