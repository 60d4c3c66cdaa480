import { describe, expect, test } from '@jest/globals';
import { openServer } from '../support/raw-server.ts';
import { listOutputTexts } from '../support/results.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { findLines } from '../support/report.ts';

type Inputs = Readonly<Record<string, string>>;

// The problems of each input, and their words, are tested in __tests__/inputs and __tests__/files.

describe('an invalid input', () => {
  test.each<[string, Inputs, string, Inputs?]>([
    ['a missing file as scans', { 'scan-key': '', 'scan-file': '', scans: 'none.json' }, 'inputs'],
    ['a user and a token in base-url', { 'base-url': `http://me:${TOKEN}@127.0.0.1:1` }, 'inputs'],
    ['a token in a header without a name', { headers: `X-A: b\n${TOKEN}` }, 'inputs'],
    ['a GitHub token', { token: `ghs_${TOKEN}` }, 'inputs'],
    ['a token in quotes', { token: `"${TOKEN}"` }, 'inputs'],
    ['an input in another spelling', { dry_run: 'true' }, 'inputs'],
    ['a misspelt token', { token: '', tokne: TOKEN }, 'inputs'],
    ['TLS without verification', {}, 'inputs', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
    ['a path that leaves the workspace', { 'scan-file': '../x.json' }, 'files'],
  ])('fails the step before anything is sent: %s', async (_, inputs, reason, env = {}) => {
    const server = await openServer(({ socket }) => socket.destroy());
    const all = { 'base-url': server.origin, ...inputs };
    const run = await runAction(await makeWorkspace(), all, { env });
    expect(run.exitCode).toBe(1);
    // The runner itself warns of an unknown input.
    const errors = run.annotations.filter(({ level }) => level === 'error');
    expect(errors.map(({ title }) => title)).toEqual([`Scan upload not sent (${reason})`]);
    const ended = { uploaded: 'false', result: 'not-sent', 'status-code': '' };
    expect(run.outputs).toMatchObject({ ...ended, reason });
    const texts = [run.log, run.summary, ...listOutputTexts(run)].join('\n');
    expect(findLines(texts, TOKEN)).toEqual([]);
    expect(server.connections()).toBe(0);
  });
});
