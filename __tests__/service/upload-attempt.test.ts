import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import type { SharedState, Upload } from '../../src/service/upload.ts';
import { makeBody } from '../support/bodies.ts';
import { openServer } from '../support/raw-server.ts';
import type { Peer } from '../support/peer.ts';
import { KIB, MIB, makeBytes, sha256 } from '../support/samples.ts';
import { SECRET, TRACE_ID, uploadTo } from '../support/uploads.ts';
import type { TaskSpec } from '../support/uploads.ts';

const OIDC = { kind: 'oidc', header: 'X-Id', prefix: 'Bearer ', audience: 'scans' } as const;

async function accept(peer: Peer): Promise<void> {
  await peer.readUpload();
  peer.reply(200);
}

/** An upload of one attempt. */
async function sendOnce(
  url: URL,
  task: TaskSpec = {},
  shared: Partial<SharedState> = {},
): Promise<Upload> {
  return uploadTo(url, { task: { ...task, retries: 0 }, shared });
}

describe('an attempt', () => {
  test('sends the common headers, the extra headers and the credential', async () => {
    const server = await openServer(accept);
    const headers = [{ name: 'X-Gateway', value: 'a, b' }];
    expect(await sendOnce(server.url, { headers })).toMatchObject({ result: 'accepted' });
    const { peer } = server;
    expect(peer.header('traceparent')).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
    expect(peer.header('X-Gateway')).toBe('a, b');
    expect(peer.header('Authorization')).toBe('Bearer s3cret');
  });

  test.each([0, 20])(
    'sends a small body to nobody who responds 200 to its headers after %i ms, and is not repeated',
    async (ms) => {
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

  const content = makeBytes(MIB);
  test.each([
    ['accepts it', 0, { result: 'accepted', attempts: 1, digests: [sha256(content)] }],
    ['refuses it', 417, { result: 'rejected', situation: 'refused', attempts: 1 }],
    ['only reads its headers', 200, { result: 'not-sent', situation: 'early-success' }],
  ])('repeats a request once without Expect after a 417: if it %s', async (_, status, ended) => {
    const server = await openServer(async (peer) => {
      await peer.readHead();
      if (peer.header('Expect') !== undefined) return peer.reply(417);
      return status === 0 ? accept(peer) : peer.reply(status);
    });
    const body = await makeBody(content);
    expect(await uploadTo(server.url, { task: { body } })).toMatchObject(ended);
    const [, again] = server.peers;
    await again?.closed;
    expect(server.peers.map((peer) => peer.header('Expect'))).toEqual(['100-continue', undefined]);
    expect(server.peer.body.length).toBe(0);
    expect(again?.body.length).toBe(status === 0 ? body.length : 0);
  });

  test('does not repeat a request of which the service has a part after a 417', async () => {
    const server = await openServer(async (peer) => {
      await peer.readHeadAndContinue();
      await peer.readBytes(MIB);
      peer.reply(417);
    });
    const body = await makeBody(makeBytes(8 * MIB));
    expect(await sendOnce(server.url, { body })).toMatchObject({ situation: 'refused' });
    expect(server.peers).toHaveLength(1);
  });

  test('waits longer for a response than for progress', async () => {
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      setTimeout(() => peer.reply(200), 700);
    });
    expect((await sendOnce(server.url, { stallMs: 400 })).result).toBe('accepted');
  });

  test('reports no secret that a response repeats, in any case that a URL gives it', async () => {
    const hostile = `S3cret-Host`;
    for (const form of [hostile, hostile.toLowerCase()]) hide(form);
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      const value = peer.header('Authorization') ?? '';
      const headers = { Server: value, Location: `https://${hostile}.example/S3cret-\tHost` };
      peer.reply(302, { headers, body: JSON.stringify({ detail: value, [value]: [value] }) });
    });
    const { response } = (await sendOnce(server.url)).last;
    expect(response).toMatchObject({
      headers: { server: 'Bearer ***' },
      problem: { json: '{"detail":"Bearer ***","Bearer ***":["Bearer ***"]}' },
      says: ['Bearer ***'],
      target: 'https://***.example/***',
    });
    for (const secret of [SECRET, hostile]) expect(JSON.stringify(response)).not.toContain(secret);
  });

  test.each([
    ['fails', async () => Promise.reject(new Error(`none: ${SECRET}`)), /none: \*\*\*$/],
    ['does not respond within the stall limit', async () => new Promise<string>(() => {}), /06 s/],
  ])('sends nothing if the identity provider %s', async (_, fetchIdToken, message) => {
    const server = await openServer(accept);
    const task = { credential: OIDC, stallMs: 60 };
    const ended = await sendOnce(server.url, task, { fetchIdToken });
    expect(ended).toMatchObject({ result: 'not-sent', situation: 'oidc-failed' });
    expect(ended.last.failure).toMatchObject({ text: expect.stringMatching(message) });
    expect(server.peers).toHaveLength(0);
  });
});
