import { beforeAll, describe, expect, test } from '@jest/globals';
import { judgeExchange } from '../../src/service/verdict.ts';
import { makeCertificate } from './certificates.ts';
import type { Certificate } from './certificates.ts';
import { exchangeWith, expectAnswer, expectFailure } from './exchange-fixtures.ts';
import {
  RequestReader,
  SCHEMES,
  chooseTls,
  makeKeepingAgent,
  makeKeptReply,
  playFirst,
  waitForIdle,
} from './kept-fixtures.ts';
import { openServer } from './raw-server.ts';
import type { Script } from './raw-server.ts';

const QUIET = new AbortController().signal;

let certificate: Certificate;
beforeAll(async () => {
  certificate = await makeCertificate();
});

/** Answers the first request with these bytes, and leaves the connection open. */
function answerOnce(reply: Uint8Array): Script {
  return async (peer) => {
    await new RequestReader(peer).readRequest();
    peer.send(reply);
  };
}

describe.each(SCHEMES)('exchange over %s, of which the kept connection is gone', (scheme) => {
  test('opens another if that was seen', async () => {
    const server = await openServer(
      playFirst(async (peer) => {
        await new RequestReader(peer).readRequest();
        peer.socket.end(makeKeptReply(200));
      }),
      chooseTls(scheme, certificate),
    );
    const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
    await exchangeWith(server.url, { agent });
    await server.peer.closed;
    await waitForIdle(agent, 0);
    expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(200);
    expect(server.peers).toHaveLength(2);
  });

  test.each(['end', 'reset'] as const)(
    'fails as a connection does, to be repeated, and does not hang (%s)',
    async (way) => {
      const leave: Script = async (peer) => {
        const reader = new RequestReader(peer);
        await reader.readRequest();
        peer.send(makeKeptReply(200));
        await reader.readHead();
        peer[way]();
      };
      const server = await openServer(playFirst(leave), chooseTls(scheme, certificate));
      const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
      await exchangeWith(server.url, { agent });
      await waitForIdle(agent, 1);
      const end = await exchangeWith(server.url, { agent });
      expectFailure(end);
      expect(judgeExchange(end, QUIET)).toMatchObject({
        cause: { kind: 'connection', diagnosis: { fault: 'connection' } },
        retry: 'always',
      });
      expect(server.peers).toHaveLength(1);
      expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(200);
      expect(server.peers).toHaveLength(2);
    },
  );
});

describe.each(SCHEMES)(
  'exchange over %s, where an answer comes that nobody asked for',
  (scheme) => {
    test('does not take it for that of the next request, if it comes along with another', async () => {
      const twice = Buffer.concat([makeKeptReply(200), makeKeptReply(200)]);
      const server = await openServer(playFirst(answerOnce(twice)), chooseTls(scheme, certificate));
      const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
      await exchangeWith(server.url, { agent });
      await server.peer.closed;
      await waitForIdle(agent, 0);
      expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(200);
      expect(server.peers).toHaveLength(2);
    });

    test.each([true, false])(
      'does not take it for that of the next request, if it comes in between (asking first: %s)',
      async (expectContinue) => {
        const [asked, ask] = makeGate();
        const script = playFirst(async (peer) => {
          await answerOnce(makeKeptReply(200))(peer, 1);
          await asked;
          peer.send(makeKeptReply(200, { body: 'unasked' }));
        });
        const server = await openServer(script, chooseTls(scheme, certificate));
        const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
        await exchangeWith(server.url, { agent });
        await waitForIdle(agent, 1);
        ask();
        // By the time that a whole exchange over another connection is over, it has come.
        await exchangeWith(server.url, { tls: { ca: certificate.cert } });
        expect(server.peers).toHaveLength(2);
        const limits = { headMs: 200, continueMs: 200 };
        const end = await exchangeWith(server.url, { agent, expectContinue, limits });
        expect(expectAnswer(end)).toMatchObject({ status: 200, text: '' });
        expect(server.peers).toHaveLength(3);
      },
    );
  },
);

function makeGate(): readonly [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>();
  return [promise, resolve];
}
