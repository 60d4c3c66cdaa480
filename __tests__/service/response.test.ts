import { describe, expect, test } from '@jest/globals';
import type { Attempt, ServiceResponse } from '../../src/service/attempt.ts';
import { isAccepted } from '../../src/service/response.ts';
import { makeResponse } from '../support/attempts.ts';
import type { ResponseSpec } from '../support/attempts.ts';
import { exchangeWith, expectResponse } from '../support/exchanges.ts';
import { makeReply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import type { Peer, Reply } from '../support/peer.ts';
import { KIB, MIB } from '../support/samples.ts';

async function receive(status: number, reply: Reply): Promise<ServiceResponse> {
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

describe('ResponseReader', () => {
  test('returns status, headers and what it says', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Retry-After': '7' };
    const { response, failure } = await exchangeReply(418, { headers, body: 'no coffee' });
    expect(failure).toBeUndefined();
    expect(response).toMatchObject({
      status: 418,
      complete: true,
      kind: 'other',
      retryAfterMs: 7000,
      headers: { 'content-type': 'text/plain', 'retry-after': '7' },
      problem: undefined,
      says: ['no coffee'],
    });
  });

  test.each([
    [400, '{"detail":"No."}', 'problem', ['No.']],
    [400, '{"message":"No."}', 'json', ['No.']],
    [400, '<html><p>No way.</p>', 'web-page', ['No way.']],
    [400, 'HTTP sent to an HTTPS port', 'other', ['HTTP sent to an HTTPS port']],
    [200, '{"detail":"No.","status":400}', 'problem', ['No.']],
    [200, '{"success":false,"error":"quota"}', 'json', ['quota']],
    [200, '{"detail":"Fine.","id":"x"}', 'success', ['Fine.']],
    [200, '<p>Sign in here</p>', 'web-page', ['Sign in here']],
  ])('reads kind and texts of a %i: %s', async (status, body, kind, says) => {
    const response = await receive(status, { body });
    expect(response).toMatchObject({ kind, says });
    expect(response.problem !== undefined).toBe(kind === 'problem');
  });

  test('reads a success of 1 MiB to its end, and shows nothing of a longer one than 64 KiB', async () => {
    const response = await receive(200, {
      body: `${'xyz '.repeat(32 * KIB)}${'b'.repeat(14 * 64 * KIB)}`,
    });
    expect(response).toMatchObject({ complete: true, kind: 'success' });
    expect(response.says).toEqual([]);
  });

  test.each([
    ['success', 200, MIB],
    ['refusal', 400, 64 * KIB],
  ])('treats a longer %s as truncated', async (_, status, maxBytes) => {
    const body = Buffer.alloc(maxBytes + 1, 'a ');
    expect(await receive(status, { body })).toMatchObject({ status, complete: false });
  });

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

  test('drops the truncated last word, which may be half of a secret', () => {
    const spec = { status: 400, body: 'No such half-of-a-secret' };
    expect(makeResponse({ ...spec, complete: false }).says).toEqual(['No such']);
    expect(makeResponse(spec).says).toEqual(['No such half-of-a-secret']);
    const page = '<html><p>No such scan.<p>half-of<span class="a';
    const truncated = { status: 400, complete: false };
    expect(makeResponse({ ...truncated, body: page }).says).toEqual(['No such scan.']);
    const long = `${'a\n'.repeat(32 * KIB - 5)}half-of-a-secret`;
    expect(makeResponse({ status: 400, body: long }).says.join()).not.toContain('half');
  });

  test('keeps JSON whole if the connection breaks after it', async () => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.send(makeReply(409, { headers: { 'Content-Length': '99' } }));
      peer.send('{"message": "It is closed now"}');
      peer.end();
    });
    const { response } = await exchangeWith(server.url);
    const says = ['It is closed now'];
    expect(response).toMatchObject({ status: 409, complete: false, says });
  });
});

describe('isAccepted', () => {
  test.each<[boolean, boolean, ResponseSpec | undefined]>([
    [true, true, {}],
    [true, true, { status: 299 }],
    [false, false, {}],
    [false, true, undefined],
    [false, true, { complete: false }],
    [false, true, { status: 199 }],
    [false, true, { status: 300 }],
    [false, true, { status: 400 }],
    [false, true, { kind: 'problem' }],
    [false, true, { kind: 'web-page' }],
    [false, true, { kind: 'other' }],
  ])('returns %j, if isSent is %j and the response %j', (expected, isSent, facts) => {
    expect(
      isAccepted({ digests: isSent ? [] : undefined, response: facts && makeResponse(facts) }),
    ).toBe(expected);
  });
});
