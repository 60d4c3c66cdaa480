import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { HOST } from '../support/certificates.ts';
import { openServer } from '../support/raw-server.ts';
import { makeWorkspace, preload, runAction, TOKEN } from '../support/run-action.ts';
import { SBOM } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { findLines } from '../support/report.ts';

test.each([
  ['warn', ['warning']],
  ['ignore', []],
])('a step without files succeeds with if-no-files-found: %s', async (policy, levels) => {
  const inputs = { 'base-url': 'http://127.0.0.1:1', files: 'none/*', 'if-no-files-found': policy };
  const run = await runAction(await makeWorkspace(), inputs);
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'skipped' });
  expect(run.annotations.map(({ level }) => level)).toEqual(levels);
  expect(findLines(run.log, "'none/*'")).not.toEqual([]);
  expect(run.summary.split('\n')[0]).toBe('### ⏭️ Scan upload skipped');
});

describe('content-check', () => {
  const pair = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report.json' };
  const files = { 'bom.json': SBOM.slice(0, -2), 'report.json': '' };

  test.each([
    ['error', 'not-sent', ['error']],
    ['warn', 'accepted', ['warning', 'warning']],
    ['off', 'accepted', []],
  ])('%s: a truncated and an empty file are %s', async (strictness, result, levels) => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url, 'content-check': strictness, ...pair };
    const run = await runAction(await makeWorkspace(files), inputs);
    expect(run.outputs.result).toBe(result);
    expect(service.uploads).toHaveLength(result === 'accepted' ? 1 : 0);
    expect(run.annotations.map(({ level }) => level)).toEqual(levels);
  });
});

describe('a response', () => {
  test('of 200 is not accepted if it says no under a coding', async () => {
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      const headers = { 'Content-Encoding': 'deflate' };
      peer.replyAsStranger(200, { headers, body: deflateSync('{"success":false}') });
    });
    const run = await runAction(await makeWorkspace(), { 'base-url': server.origin });
    const outputs = { uploaded: 'false', result: 'rejected', reason: 'refused' };
    expect(run).toMatchObject({ exitCode: 1, outputs });
    expect(server.connections()).toBe(1);
  });

  test('of 200 is accepted, and what it says is shown', async () => {
    const body = '{"success":true,"errors":["Old format."],"message":"It is in.","url":"a%b"}';
    const service = await openService({ token: TOKEN, responses: [{ status: 200, body }] });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
    expect(run.outputs).toMatchObject({ uploaded: 'true', result: 'accepted' });
    for (const shown of [run.log, run.summary]) {
      expect(shown).toMatch(/The service says: `?It is in\.`?$/m);
    }
    const warning = { level: 'warning', title: 'Scan upload (service)', message: 'Old format.' };
    expect(run.annotations).toEqual([warning]);
  });

  test('is shown as a problem, although a part of it reads like a secret', async () => {
    const body = '{"detail":"first\u2028second","id":5471199,"status":400}';
    const service = await openService({ token: TOKEN, responses: [{ status: 400, body }] });
    const inputs = { 'base-url': service.url, headers: 'X-Api-Key: 4711' };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.outputs.reason).toBe('problem');
    expect(run.annotations[0]?.message).toMatch(/^first\nsecond\n/);
  });

  test('is a redirect, although its target begins with a secret', async () => {
    const response = { status: 302, headers: { Location: '/login' } };
    const { url, requests } = await openService({ token: TOKEN, responses: [response] });
    const inputs = { 'base-url': url, headers: `X-Auth-Audience: ${url}` };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.outputs).toMatchObject({ result: 'rejected', reason: 'redirect' });
    expect(requests).toHaveLength(1);
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

describe('the runner', () => {
  test('gets log and outputs even without a summary file', async () => {
    const service = await openService({ token: TOKEN });
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url },
      { omitEnv: ['GITHUB_STEP_SUMMARY'] },
    );
    expect(run.exitCode).toBe(0);
    expect(run.outputs.uploaded).toBe('true');
    expect(findLines(run.log, 'No job summary was written')).toHaveLength(1);
  });

  test('gets a failed step if the outputs cannot be written', async () => {
    const service = await openService({ token: TOKEN });
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url },
      { env: { GITHUB_OUTPUT: '/nowhere/at/all' } },
    );
    expect(service.uploads).toHaveLength(1);
    expect(run.exitCode).toBe(1);
    expect(run.annotations[0]?.message).toContain("result is 'accepted'");
  });
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
