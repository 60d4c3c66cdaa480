import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Attempt, ResponseFacts } from '../../src/service/attempt.ts';
import { isAccepted, isSuccess } from '../../src/service/response.ts';
import { makeResponse } from '../support/bodies.ts';
import { exchangeWith, expectResponse } from '../support/exchanges.ts';
import { makeReply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import type { Peer, Reply } from '../support/peer.ts';
import { KIB, MIB } from '../support/samples.ts';

type Received = ResponseFacts & { readonly text: string };

async function receive(status: number, reply: Reply): Promise<Received> {
  return expectResponse(await exchangeReply(status, reply));
}

async function exchangeReply(status: number, reply: Reply): Promise<Attempt> {
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    peer.reply(status, reply);
  });
  return exchangeWith(server.url);
}

/** Writes endlessly, as fast as the client reads. */
function flood({ socket }: Peer): void {
  const chunk = Buffer.alloc(64 * KIB, 'x');
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  write();
}

/** A truncated text of 64 KiB loses its last word, but never more than 16 KiB of it. */
const KEPT_OF_ONE_WORD = 48 * KIB;

describe('ResponseReader', () => {
  test('returns status, headers and text', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Retry-After': '7' };
    const end = await exchangeReply(418, { headers, body: 'no coffee' });
    expect(end.response).toMatchObject({ status: 418, complete: true, retryAfterMs: 7000 });
    expect(end.texts).toMatchObject({
      headers: { 'content-type': 'text/plain', 'retry-after': '7' },
      body: 'no coffee',
      problem: undefined,
      error: undefined,
    });
  });

  test.each([
    [400, '{"detail":"No."}', ['problem', 'json', 'text'], ['No.']],
    [200, '{"detail":"No.","status":400}', ['problem', 'json', 'text'], ['No.']],
    [200, '{"detail":"Fine."}', [], []],
    [200, 'Request body too large', [], []],
    [400, 'HTTP sent to an HTTPS port', ['text', 'tls'], ['HTTP sent to an HTTPS port']],
  ])(
    'reads problem, marks and explanation of a %i: %s',
    async (status, body, marks, explanation) => {
      const { response, texts } = await exchangeReply(status, { body });
      expect([...(response?.marks ?? [])]).toEqual(marks);
      expect(texts.explanation).toEqual(explanation);
      expect(texts.problem?.members['detail']).toBe(marks.includes('problem') ? 'No.' : undefined);
    },
  );

  test('reads a success of 1 MiB to its end, and keeps at most 64 KiB of it', async () => {
    const response = await receive(200, {
      body: `${'a'.repeat(64 * KIB)}${'b'.repeat(15 * 64 * KIB)}`,
    });
    expect(response.complete).toBe(true);
    expect(response.text).toBe('a'.repeat(KEPT_OF_ONE_WORD));
  });

  test.each([
    ['success', 200, MIB],
    ['refusal', 400, 64 * KIB],
  ])(
    'treats a longer %s as truncated, and keeps at most 64 KiB of it',
    async (_, status, maxBytes) => {
      const body = Buffer.alloc(maxBytes + 1, 'a');
      const text = 'a'.repeat(KEPT_OF_ONE_WORD);
      expect(await receive(status, { body })).toMatchObject({ status, complete: false, text });
    },
  );

  test.each([200, 500])('stops reading a %i that never ends', async (status) => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.send(makeReply(status, { headers: { 'Content-Length': String(2 ** 40) } }));
      flood(peer);
    });
    const end = await exchangeWith(server.url);
    expect(expectResponse(end)).toMatchObject({ status, complete: false });
    expect(end.failure).toEqual({ kind: 'too-long' });
    await server.peer.closed;
  });

  test('judges a success by the whole of its body, which may be compressed', async () => {
    const pad = ' '.repeat(100 * KIB);
    const body = gzipSync(`${pad}{"status":500}`);
    const headers = { 'Content-Encoding': 'gzip' };
    expect(await receive(200, { headers, body })).toMatchObject({ confirmation: 'problem' });
    expect(await receive(200, { body: pad })).toMatchObject({ confirmation: 'success' });
  });

  test.each([200, 400])('shows the decoded text of a compressed %i', async (status) => {
    const headers = { 'Content-Encoding': 'gzip' };
    const response = await receive(status, { headers, body: gzipSync('a '.repeat(40 * KIB)) });
    expect(response).toMatchObject({ complete: true, text: 'a '.repeat(32 * KIB).trimEnd() });
  });

  test('drops the truncated last word, which may be half of a secret', async () => {
    const body = `${'a '.repeat(32 * KIB - 5)}half-of-a-secret and more`;
    expect((await receive(400, { body })).text).toBe('a '.repeat(32 * KIB - 5).trimEnd());
  });

  test('keeps JSON whole if the connection breaks after it', async () => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.send(makeReply(409, { headers: { 'Content-Length': '99' } }));
      peer.send('{"message": "It is closed now"}');
      peer.end();
    });
    const { response, texts } = await exchangeWith(server.url);
    expect(response).toMatchObject({ status: 409, complete: false });
    expect(texts.explanation).toEqual(['It is closed now']);
  });
});

describe('isAccepted', () => {
  test.each<[boolean, boolean, Partial<ResponseFacts> | undefined]>([
    [true, true, {}],
    [true, true, { status: 299 }],
    [false, false, {}],
    [false, true, undefined],
    [false, true, { complete: false }],
    [false, true, { status: 199 }],
    [false, true, { status: 300 }],
    [false, true, { status: 400 }],
    [false, true, { confirmation: 'problem' }],
    [false, true, { confirmation: 'web-page' }],
    [false, true, { confirmation: 'unreadable' }],
  ])('returns %j, if isSent is %j and the response %j', (expected, isSent, facts) => {
    expect(
      isAccepted({ digests: isSent ? [] : undefined, response: facts && makeResponse(facts) }),
    ).toBe(expected);
  });
});

describe('isSuccess', () => {
  test.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('returns for status %i: %s', (status, expected) => {
    expect(isSuccess(status)).toBe(expected);
  });
});
