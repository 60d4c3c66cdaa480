import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import type { Upload } from '../../src/service/upload-result.ts';
import { makeBody } from '../support/bodies.ts';
import { openServer } from '../support/raw-server.ts';
import type { Peer } from '../support/peer.ts';
import { KIB, MIB, makeBytes, sha256 } from '../support/samples.ts';
import { Recorder, SECRET, TRACE_ID, uploadTo } from '../support/uploads.ts';
import type { TaskSpec } from '../support/uploads.ts';

const OIDC = { kind: 'oidc', header: 'X-Id', prefix: 'Bearer ', audience: 'scans' } as const;

async function accept(peer: Peer): Promise<void> {
  await peer.readUpload();
  peer.reply(200);
}

/** Responds with 417 to a request with Expect, and accepts a request without it. */
async function refuseExpectation(peer: Peer): Promise<void> {
  await peer.readHead();
  if (peer.header('Expect') === undefined) await accept(peer);
  else peer.reply(417);
}

/** An upload of one attempt. */
async function sendOnce(url: URL, task: TaskSpec = {}, recorder = new Recorder()): Promise<Upload> {
  return uploadTo(url, { task: { ...task, retries: 0 }, recorder });
}

describe('an attempt', () => {
  test('sends the common headers, the extra headers and the credential', async () => {
    const server = await openServer(accept);
    const recorder = new Recorder();
    const headers = [{ name: 'X-Gateway', value: 'a, b' }];
    const ended = await sendOnce(server.url, { headers }, recorder);
    expect(ended).toMatchObject({ result: 'accepted' });
    const { peer } = server;
    expect(peer.header('traceparent')).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
    expect(peer.header('X-Gateway')).toBe('a, b');
    expect(peer.header('Authorization')).toBe('Bearer s3cret');
    expect(recorder.requests).toEqual([
      ['Accept', 'Accept-Encoding', 'User-Agent', 'traceparent', 'X-Gateway', 'Authorization'],
    ]);
    expect(recorder.states).toEqual([
      ['connecting', 'asking', 'sending', 'flushing', 'waiting', 'reading'],
    ]);
  });

  test.each([
    ['responds at once', 0],
    ['takes 20 ms', 20],
  ])(
    'sends a small body to nobody who reads only its headers, and is not repeated: %s',
    async (_, ms) => {
      const server = await openServer(async (peer) => {
        await peer.readHead();
        setTimeout(() => peer.reply(200), ms);
      });
      const body = await makeBody(makeBytes(100 * KIB));
      expect(await uploadTo(server.url, { task: { body } })).toMatchObject({
        result: 'not-sent',
        situation: 'early-success',
        attempts: 1,
      });
      await server.peer.closed;
      expect(server.peer.header('Expect')).toBe('100-continue');
      expect(server.peer.body.length).toBe(0);
    },
  );

  test('gives a service time to refuse before the body is sent', async () => {
    const server = await openServer(async (peer) => {
      await peer.readHead();
      setTimeout(() => peer.reply(401), 200);
    });
    const ended = await sendOnce(server.url, { body: await makeBody(makeBytes(MIB)) });
    expect(ended).toMatchObject({ result: 'rejected', situation: 'credential-rejected' });
    await server.peer.closed;
    expect(server.peer.body.length).toBe(0);
    expect(server.peers).toHaveLength(1);
  });

  test('repeats a request without Expect after a 417, in the same attempt', async () => {
    const server = await openServer(refuseExpectation);
    const content = makeBytes(MIB);
    const body = await makeBody(content);
    const recorder = new Recorder();
    const report = await uploadTo(server.url, { task: { body }, recorder });
    expect(report).toMatchObject({ result: 'accepted', attempts: 1, digests: [sha256(content)] });
    expect(server.peers.map((peer) => peer.header('Expect'))).toEqual(['100-continue', undefined]);
    expect(server.peers.map((peer) => peer.body.length)).toEqual([0, body.length]);
    expect(recorder.requests).toHaveLength(2);
  });

  test('treats a 417 for a request without Expect as a refusal', async () => {
    const server = await openServer(async (peer) => {
      await peer.readHead();
      if (peer.header('Expect') === undefined) await peer.readUpload();
      peer.reply(417);
    });
    expect(await sendOnce(server.url)).toMatchObject({
      result: 'rejected',
      situation: 'refused',
      last: { response: { status: 417 } },
    });
    expect(server.peers).toHaveLength(2);
  });

  test('waits longer for a response than for progress', async () => {
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      setTimeout(() => peer.reply(200), 700);
    });
    expect((await sendOnce(server.url, { stallMs: 400 })).result).toBe('accepted');
  });

  test('reports no secret that a response repeats', async () => {
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      const value = peer.header('Authorization') ?? '';
      const body = JSON.stringify({ detail: value, [value]: [value] });
      peer.reply(400, { headers: { Server: value }, body });
    });
    const { response } = (await sendOnce(server.url)).last;
    expect(response).toMatchObject({
      headers: { server: 'Bearer ***' },
      problem: { json: '{"detail":"Bearer ***","Bearer ***":["Bearer ***"]}' },
      says: ['Bearer ***'],
    });
    expect(JSON.stringify(response)).not.toContain(SECRET);
  });

  test.each([
    ['https://S3cret-Host.example/a', /^https:\/\/\*\*\*\.example\/a$/],
    ['/S3cret-\tHost', /^http:\/\/[^/]+\/\*\*\*$/],
  ])('reports a redirect to %j without the secret in any case', async (location, target) => {
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      peer.reply(302, { headers: { Location: location } });
    });
    hide('S3cret-Host');
    hide('s3cret-host');
    const { response } = (await sendOnce(server.url)).last;
    expect(response?.target).toMatch(target);
    expect(JSON.stringify(response)).not.toContain('S3cret-Host');
  });

  test.each([
    [
      'the provider fails',
      async () => Promise.reject(new Error(`none: ${SECRET}`)),
      /none: \*\*\*$/,
    ],
    [
      'the provider does not respond within the stall limit',
      async () => new Promise<string>(() => {}),
      /0\.06 s\.$/,
    ],
  ])('sends nothing without an OIDC token: %s', async (_, fetchIdToken, message) => {
    const server = await openServer(accept);
    const recorder = Object.assign(new Recorder(), { fetchIdToken });
    const ended = await sendOnce(server.url, { credential: OIDC, stallMs: 60 }, recorder);
    expect(ended).toMatchObject({ result: 'not-sent', situation: 'oidc-failed' });
    expect(ended.last.failure).toMatchObject({ text: expect.stringMatching(message) });
    expect(server.peers).toHaveLength(0);
  });
});
