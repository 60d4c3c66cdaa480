import { describe, expect, test } from '@jest/globals';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { hold } from './support/phases.ts';

/** Much longer than the limit of 1 s, much less than a blocked call takes. */
const HUNG_MS = 10_000;

const SCANS = { 'scan-key': '', 'scan-file': '', scans: 'file.json' };

describe('a file system that does not respond', () => {
  test.concurrent.each([
    ['the workspace', 'workspace', {}],
    ['the file of `scans`', 'open', SCANS],
    ['the file of `ca-cert`', 'open', { 'ca-cert': 'file.json' }],
    [
      'the files of the client certificate',
      'open',
      { 'client-cert': 'a.pem', 'client-key': 'b.pem' },
    ],
  ])('ends the step at its time limit: %s', async (_, what, given) => {
    const { inputs, env = {} } = hold(what);
    const workspace = await makeWorkspace({ 'scan.json': '{}', 'file.json': '[]' });
    const limit = { 'timeout-seconds': '1', 'dry-run': 'true' };
    const run = await runAction(
      workspace,
      { ...inputs, ...limit, ...given },
      { env, timeoutMs: HUNG_MS },
    );
    expect([run.timedOut, run.exitCode]).toEqual([false, 1]);
    expect(run.outputs).toMatchObject({
      uploaded: 'false',
      result: 'not-sent',
      reason: 'time-limit',
    });
    expect(run.annotations).toHaveLength(1);
  });
});
