import { describe, expect, test } from '@jest/globals';
import { HOST } from '../support/network.ts';
import { findLines } from '../support/report.ts';
import { makeWorkspace, preload, runAction, TOKEN } from '../support/run-action.ts';
import { openService } from '../support/servers.ts';
import { SBOM } from '../support/workspace.ts';

test('a step without files succeeds with if-no-files-found: warn', async () => {
  const inputs = { 'base-url': 'http://127.0.0.1:1', files: 'none/*', 'if-no-files-found': 'warn' };
  const run = await runAction(await makeWorkspace(), inputs);
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'skipped' });
  expect(run.annotations.map(({ level }) => level)).toEqual(['warning']);
  expect(findLines(run.log, "'none/*'")).not.toEqual([]);
  expect(run.summary.split('\n')[0]).toBe('### ⏭️ Scan upload skipped');
});

test('a truncated and an empty file are uploaded with content-check: warn', async () => {
  const service = await openService({ token: TOKEN });
  const run = await runAction(
    await makeWorkspace({ 'bom.json': SBOM.slice(0, -2), 'report.json': '' }),
    {
      'base-url': service.url,
      'content-check': 'warn',
      'dependencies-file': 'bom.json',
      'vulnerabilities-file': 'report.json',
    },
  );
  expect(run.outputs.result).toBe('accepted');
  expect(service.uploads).toHaveLength(1);
  expect(run.annotations.map(({ level }) => level)).toEqual(['warning', 'warning']);
});

describe('a response', () => {
  test('is shown as a problem, although a part of it reads like a secret', async () => {
    const body = '{"detail":"first\u2028second","id":5471199,"status":400}';
    const service = await openService({ token: TOKEN, responses: [{ status: 400, body }] });
    const inputs = { 'base-url': service.url, headers: 'X-Api-Key: 4711' };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.outputs.reason).toBe('problem');
    expect(run.annotations[0]?.message).toMatch(/^first\nsecond\n/);
  });
});

test('the next address of a host is tried if the first one refuses', async () => {
  const { port, requests } = await openService({ token: TOKEN });
  const env = preload(`
    import dns from 'node:dns';
    dns.lookup = (host, options, done) => done(null, [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
  `);
  const inputs = { 'base-url': `http://${HOST}:${port}`, 'allow-http': 'true', retries: '0' };
  const run = await runAction(await makeWorkspace(), inputs, { env });
  expect(run.outputs.result).toBe('accepted');
  expect(requests).toHaveLength(1);
});

test('a Node that is too old is reported without methods of newer ones', async () => {
  // Node's own module needs toSorted while it is loaded.
  const env = preload(`
    process.getBuiltinModule('node:http');
    const versions = { ...process.versions, node: '18.20.4' };
    Object.defineProperty(process, 'versions', { value: versions });
    for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with']) {
      delete Array.prototype[name];
    }
    delete URL.parse;
  `);
  const inputs = { 'base-url': 'https://scan.example' };
  const run = await runAction(await makeWorkspace(), inputs, { env });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', reason: 'runner' });
  expect(findLines(run.summary, 'Node 18.20.4')).not.toEqual([]);
});
