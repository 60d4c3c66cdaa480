import { beforeAll, describe, expect, test } from '@jest/globals';
import { judgeExchange } from '../../src/service/verdict.ts';
import type { UploadResult } from '../../src/service/verdict.ts';
import { makeCertificate } from './certificates.ts';
import type { Certificate } from './certificates.ts';
import { exchangeWith, expectAnswer, expectFailure } from './exchange-fixtures.ts';
import { KIB, MIB, makeBody, makeBytes } from './fixtures.ts';
import {
  RequestReader,
  SCHEMES,
  answerAll,
  chooseTls,
  makeKeepingAgent,
  makeKeptReply,
  playFirst,
} from './kept-fixtures.ts';
import { makeReply, openServer } from './raw-server.ts';
import type { Peer, Script } from './raw-server.ts';

const QUIET = new AbortController().signal;

let certificate: Certificate;
beforeAll(async () => {
  certificate = await makeCertificate();
});

/** Answers every request, and leaves the connection open. */
function answerWith(reply: Uint8Array | string): Script {
  return async (peer) => answerAll(peer, Buffer.from(reply));
}

/** Answers as soon as the first bytes of the body are there, and goes on reading. */
function answerEarly(reply: Uint8Array): Script {
  return async (peer) => {
    await peer.readBytes(64 * KIB);
    peer.send(reply);
  };
}

const OVERLONG = makeKeptReply(200, { body: 'x'.repeat(2 * MIB) });
const UNFRAMED = 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\nok';

/** Answers after which nothing more is sent over their connection, and what they come to. */
const UNKEPT: readonly (readonly [string, Script, UploadResult])[] = [
  ['a 400', answerWith(makeKeptReply(400, { body: 'no' })), 'rejected'],
  ['a 401', answerWith(makeKeptReply(401)), 'rejected'],
  ['a 429', answerWith(makeKeptReply(429, { headers: { 'Retry-After': '1' } })), 'rejected'],
  ['a 500', answerWith(makeKeptReply(500)), 'rejected'],
  ['a 502', answerWith(makeKeptReply(502)), 'unconfirmed'],
  ['a redirect', answerWith(makeKeptReply(302, { headers: { Location: '/x' } })), 'rejected'],
  ['a success that ends with its connection', endAfter(UNFRAMED), 'accepted'],
  ['a cut success', endAfter(OVERLONG.subarray(0, 5000)), 'unconfirmed'],
  ['an endless success', answerWith(OVERLONG), 'unconfirmed'],
  ['a success that closes', answerWith(makeReply(200)), 'accepted'],
  ['a success of HTTP/1.0', answerWith('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'), 'accepted'],
];

function endAfter(reply: Uint8Array | string): Script {
  return async (peer) => {
    await new RequestReader(peer).readRequest();
    peer.socket.end(reply);
  };
}

async function refuseBody(peer: Peer): Promise<void> {
  await peer.readHead();
  peer.send(makeKeptReply(417));
}

describe.each(SCHEMES)('exchange over %s, of which the connection is not kept', (scheme) => {
  test.each(UNKEPT)('after %s', async (_, script, result) => {
    const server = await openServer(playFirst(script), chooseTls(scheme, certificate));
    const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
    const first = await exchangeWith(server.url, { agent });
    expect(judgeExchange(first, QUIET).result).toBe(result);
    expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(200);
    expect(server.peers).toHaveLength(2);
  });

  test.each([
    [413, 'rejected'],
    [200, 'not-sent'],
  ])('after a %i while the body goes out', async (status, result) => {
    const script = playFirst(answerEarly(makeKeptReply(status)));
    const server = await openServer(script, chooseTls(scheme, certificate));
    const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
    const body = await makeBody(makeBytes(24 * MIB));
    const first = await exchangeWith(server.url, { agent, body });
    expect(judgeExchange(first, QUIET).result).toBe(result);
    await server.peer.closed;
    expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(200);
    expect(server.peers).toHaveLength(2);
  });

  test('after a refusal to be sent the body', async () => {
    const server = await openServer(playFirst(refuseBody), chooseTls(scheme, certificate));
    const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
    const first = await exchangeWith(server.url, { agent, expectContinue: true });
    expect(expectAnswer(first)).toMatchObject({ status: 417, afterBody: false });
    await server.peer.closed;
    expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(200);
    expect(server.peers).toHaveLength(2);
  });

  test('after a limit', async () => {
    const server = await openServer(
      playFirst(() => {}),
      chooseTls(scheme, certificate),
    );
    const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
    expectFailure(await exchangeWith(server.url, { agent, limits: { headMs: 50 } }));
    await server.peer.closed;
    expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(200);
    expect(server.peers).toHaveLength(2);
  });
});
