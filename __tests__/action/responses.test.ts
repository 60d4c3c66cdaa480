import { deflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import type { Reply } from '../support/peer.ts';
import { findClosedPort, openServer } from '../support/raw-server.ts';
import { makeWorkspace, preload, runAction, SKIP_WAITS } from '../support/run-action.ts';
import { HOST } from '../support/certificates.ts';

// What a response means, by its headers and its body. The sentences are those of __tests__/report.

/** Uploads to a service that always responds like this; the waits before retries pass at once. */
async function runAgainst(
  status: number,
  reply: Reply,
  inputs: Readonly<Record<string, string>> = {},
): Promise<{ readonly run: StepRun; readonly requests: number }> {
  const { origin, connections } = await openServer(async (peer) => {
    await peer.readUpload();
    peer.replyAsStranger(status, reply);
  });
  const all = { 'base-url': origin, ...inputs };
  const run = await runAction(await makeWorkspace(), all, { env: SKIP_WAITS });
  return { run, requests: connections() };
}

function readMessage({ annotations }: StepRun): string {
  return annotations.find(({ level }) => level === 'error')?.message ?? '';
}

test('a 200 is not accepted if it says no under a coding', async () => {
  const headers = { 'Content-Encoding': 'deflate' };
  const { run, requests } = await runAgainst(200, {
    headers,
    body: deflateRawSync('{"success":false}'),
  });
  const ended = { uploaded: 'false', result: 'rejected', reason: 'refused' };
  expect(run).toMatchObject({ exitCode: 1, outputs: ended });
  expect(requests).toBe(1);
});

test.concurrent.each([
  ['{"success":true,"errors":["Old format."],"message":"It is in.","url":"a%b"}', ['It is in.'], 1],
  ['Stored.\nIt is queued.', ['Stored.', 'It is queued.'], 0],
])('a 200 is accepted, and what it says is shown: %#', async (body, texts, warnings) => {
  const { run } = await runAgainst(200, { body });
  expect(run.outputs).toMatchObject({ uploaded: 'true', result: 'accepted' });
  for (const shown of [run.log, run.summary]) {
    const said = shown.matchAll(/The service says: (.*)$/gm);
    expect(Array.from(said, ([, text]) => text)).toEqual(texts);
  }
  const annotations = Array.from({ length: warnings }, () => ({
    level: 'warning',
    title: 'Scan upload (service)',
    message: 'Old format.',
  }));
  expect(run.annotations).toMatchObject(annotations);
  expect(run.annotations).toHaveLength(warnings);
});

test('the next address of a host is tried if the first one refuses', async () => {
  const { port, peers } = await openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(200, { body: '{}' });
  });
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
  expect(peers).toHaveLength(1);
});

test('a step that sent no request shows no trace id', async () => {
  const origin = `http://127.0.0.1:${await findClosedPort()}`;
  const run = await runAction(await makeWorkspace(), { 'base-url': origin, retries: '0' });
  expect(readMessage(run)).toContain('ECONNREFUSED');
  expect(readMessage(run)).not.toContain('Trace id');
});
