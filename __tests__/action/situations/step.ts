import { appendFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { READ_FIX, StepError } from '../../../src/errors.ts';
import type { Situation, StepSituation } from '../../../src/situations.ts';
import type { AttemptSpec } from '../../support/attempts.ts';
import { makeFolder } from '../../support/directories.ts';
import type { Peer } from '../../support/peer.ts';
import { openServer } from '../../support/raw-server.ts';
import { makeWorkspace } from '../../support/run-action.ts';
import { REPORT, makeKey } from '../../support/samples.ts';
import { ANY, CONNECTING, LARGE, preload, readByte, respond, serve } from './case.ts';
import type { Case, Cases, Setup } from './case.ts';
import { LAST } from './expected.ts';

const NOWHERE = { 'base-url': 'http://127.0.0.1:1' };
const TWO = { 'a.json': REPORT, 'b.json': REPORT };

/** The record of an attempt that an error ended. */
function endBy(situation: StepSituation, spec: AttemptSpec): AttemptSpec {
  return {
    ...spec,
    failure: { kind: 'step', error: new StepError(situation, ANY, []), text: ANY },
  };
}

const CREDENTIAL = endBy('oidc-failed', { state: 'credential', isSent: false });
const TOKEN_FIXES = [`Check the name ${ANY}`, `To upload without ${ANY}`];
/** Longer than a step on a busy machine needs to send a small file. */
const SHORT = { inputs: { 'timeout-seconds': '5' } };

const OLD_NODE = preload(`
  const versions = { ...process.versions, node: '20.0.0' };
  Object.defineProperty(process, 'versions', { value: versions });
`);
const BREAK_NAME = preload(`
  import dns from 'node:dns';
  dns.lookup = () => { throw new TypeError('broken'); };
`);

/** A step that ends before it connects to the service. */
function before(inputs: Setup['inputs'], rest: Partial<Setup> = {}): Case {
  return () => ({ ...rest, inputs: { ...NOWHERE, ...inputs } });
}

/** A step whose scan file is a link. */
function link(target: () => Promise<string> | string, fixes: readonly string[] = []): Case {
  return async () => {
    const workspace = await makeFolder();
    symlinkSync(await target(), join(workspace, 'scan.json'));
    return { workspace, inputs: NOWHERE, fixes };
  };
}

/** A step with two scans, one after the other. */
function batch(first: Situation, file: string, fixes: readonly string[] = []): Case {
  return async () => {
    const { inputs } = await respond(429, { headers: { 'retry-after': '1800' } })();
    const scans = [
      { name: 'first', 'scan-key': makeKey(1), 'scan-file': file },
      { name: LAST, 'scan-key': makeKey(2), 'scan-file': 'scan.json' },
    ];
    const none = { 'scan-key': '', 'scan-file': '', 'max-parallel': '1' };
    return { first, fixes, inputs: { ...inputs, ...none, scans: JSON.stringify(scans) } };
  };
}

/** A step that gets no response, or that does not get to the end of the TLS handshake. */
function hold(
  situation: StepSituation,
  isSent: boolean,
  rest: Partial<Setup>,
  act = (): void => {},
): Case {
  const attempt = endBy(situation, isSent ? { state: 'waiting' } : CONNECTING);
  if (isSent) return serve({ act, attempt, ...rest });
  return serve({ scheme: 'https', read: readByte, act, attempt, ...rest });
}

function holdUntilCancelled(isSent: boolean): Case {
  const cancelling = new AbortController();
  return hold('cancelled', isSent, { signal: cancelling.signal }, () => cancelling.abort());
}

/** A file that changes before its first byte is sent. */
async function changeFile(): Promise<Setup> {
  const workspace = await makeWorkspace(LARGE);
  const read = async (peer: Peer): Promise<void> => {
    await peer.readHead();
    appendFileSync(join(workspace, 'scan.json'), ' ');
    await peer.readUpload();
  };
  const fixes = ['Upload the file after the scan step has finished writing it.'];
  const attempt = endBy('files', { state: 'sending', isSent: false });
  return serve({ read, workspace, fixes, attempt })();
}

/** A step whose OIDC token cannot be fetched. */
async function failToFetch(): Promise<Setup> {
  const { origin } = await openServer((peer) => peer.replyAsStranger(500));
  const url = `${origin}/?api=1`;
  const env = { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret' };
  return { attempt: CREDENTIAL, inputs: { ...NOWHERE, auth: 'oidc' }, env };
}

/** What the action itself finds. */
export const STEP_CASES = {
  inputs: [
    before({ retries: 'many' }, { hasNoScan: true }),
    before({ token: '' }, { hasNoScan: true, fixes: TOKEN_FIXES }),
  ],
  files: [
    before({}, { files: {} }),
    before({ 'scan-file': '*.json' }, { files: TWO, fixes: [`Make the pattern match one ${ANY}`] }),
    before({ files: '*.json' }, { files: TWO, fixes: [`Match one file, ${ANY}`] }),
    before({ 'scan-file': 'a/../scan.json' }, { fixes: ['Correct the pattern.'] }),
    link(
      async () => join(await makeWorkspace(), 'scan.json'),
      ['Name the file itself, or copy it into the workspace.'],
    ),
    link(() => 'scan.json', [READ_FIX]),
    changeFile,
  ],
  contents: [
    before({}, { files: { 'scan.json': '{"cut":' }, fixes: [`Fix the scan step: ${ANY}`] }),
    before(
      { 'dependencies-file': 'scan.json', 'vulnerabilities-file': 'scan.json' },
      { fixes: ['Give each part a file of its own.'] },
    ),
  ],
  runner: [
    before(
      {},
      { hasNoScan: true, env: OLD_NODE, fixes: [`act, Gitea ${ANY}`, `GitHub's runner ${ANY}`] },
    ),
    before(
      {},
      {
        hasNoScan: true,
        env: { GITHUB_WORKSPACE: '/no/where' },
        fixes: [`Mount the workspace ${ANY}`],
      },
    ),
  ],
  'oidc-permission': before({ auth: 'oidc' }, { attempt: CREDENTIAL }),
  'oidc-failed': failToFetch,
  'other-scans': batch('files', 'none.json'),
  'wait-too-long': batch('rate-limited', 'scan.json', [`Re-run in ${ANY} minutes.`]),
  'time-limit': [true, false].map((isSent) => hold('time-limit', isSent, SHORT)),
  cancelled: [true, false].map(holdUntilCancelled),
  unexpected: () => ({
    attempt: {
      state: 'resolving',
      isSent: false,
      failure: { kind: 'unexpected', text: ANY },
    } as const,
    inputs: { 'base-url': 'https://service.invalid' },
    env: BREAK_NAME,
  }),
} satisfies Partial<Cases>;
