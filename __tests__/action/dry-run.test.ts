import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makeCertificate } from '../support/certificates.ts';
import { openServer } from '../support/raw-server.ts';
import { makeWorkspace, readResults, runAction } from '../support/run-action.ts';
import { REPORT, SBOM, sha256 } from '../support/samples.ts';
import { findLines } from '../support/report.ts';

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

const { cert } = await makeCertificate('client');

describe('a dry run', () => {
  test('requires no scan keys in `scans`, and does not take them for repeated ones', async () => {
    const run = await rehearse({ 'scan-file': '', scans: ENTRIES });
    expect(run.annotations).toEqual([]);
    expect(run.exitCode).toBe(0);
    const scan = { scanKey: null, result: 'dry-run' };
    expect(readResults(run)).toMatchObject([{ ...scan, name: 'web' }, scan]);
    const line = `- \`web\`: ScanJsonFile: \`${sha256(REPORT)}\``;
    expect(findLines(run.summary, line)).toHaveLength(1);
    expect(findLines(`${run.log}\n${run.summary}`, /undefined|null|POST/)).toEqual([]);
  });

  test.each<[string, Inputs]>([
    ['auth: oidc, and no client key', { auth: 'oidc', 'client-cert': cert }],
    [
      'a token header, and no scans',
      {
        'token-header': 'X-Api-Key',
        'token-prefix': 'Key',
        'scan-file': '',
        scans: '[]',
        'if-no-files-found': 'ignore',
      },
    ],
  ])('succeeds with empty secrets and variables and %s', async (_, inputs) => {
    const run = await rehearse(inputs);
    expect(run.annotations).toEqual([]);
    expect(run.exitCode).toBe(0);
  });

  const GIVEN = {
    'base-url': 'ftp://scan.example',
    'scan-key': '42',
    'token-header': 'Host',
    'token-prefix': 'a\nb',
    headers: 'Host:\nX-Key:\nx-key:',
    'ca-cert': 'scan.json',
    'client-cert': 'scan.json',
  };

  test('checks what is given', async () => {
    const run = await rehearse(GIVEN);
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ result: 'not-sent', reason: 'inputs' });
    const message = run.annotations.find(({ level }) => level === 'error')?.message ?? '';
    for (const name of Object.keys(GIVEN)) {
      expect(message).toMatch(new RegExp(`^\`${name}\`[ :,]`, 'm'));
    }
  });
});

test('empty inputs are errors without dry-run', async () => {
  const run = await runAction(await makeWorkspace(), EMPTY);
  expect(run.exitCode).toBe(1);
  for (const name of Object.keys(EMPTY)) {
    expect(run.annotations[0]?.message).toMatch(new RegExp(`^\`${name}\` is `, 'm'));
  }
});
