import { beforeAll, describe, expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { makeCertificate } from './certificates.ts';
import type { Certificate } from './certificates.ts';
import { exchangeWith, expectAnswer, listPhases } from './exchange-fixtures.ts';
import { KIB, joinSegments, makeBody, makeBytes, sha256 } from './fixtures.ts';
import {
  RequestReader,
  answerAll,
  chooseTls,
  makeKeepingAgent,
  makeKeptReply,
  waitForIdle,
} from './kept-fixtures.ts';
import type { KeptRequest, Scheme } from './kept-fixtures.ts';
import { openServer } from './raw-server.ts';

const SCHEMES = [
  ['http', false],
  ['http', true],
  ['https', false],
  ['https', true],
] as const satisfies readonly (readonly [Scheme, boolean])[];
/** An idle connection is closed after 3 s. */
const LONGER_THAN_KEPT_MS = 3300;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

let certificate: Certificate;
beforeAll(async () => {
  certificate = await makeCertificate();
});

describe('exchange over a connection that is kept', () => {
  test.each(SCHEMES)('sends each body whole, over %s (asking first: %s)', async (scheme, asks) => {
    const seen: KeptRequest[] = [];
    const server = await openServer(
      async (peer) => {
        const reader = new RequestReader(peer);
        for (let turn = 0; ; turn += 1) {
          const head = await reader.readHead();
          if (/^expect: 100-continue$/im.test(head)) peer.send(CONTINUE);
          seen.push(await reader.readRequest());
          peer.send(makeKeptReply(200, { body: `stored ${turn}` }));
        }
      },
      chooseTls(scheme, certificate),
    );
    const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
    for (const [turn, size] of [1, 200 * KIB, 0].entries()) {
      const content = makeBytes(size);
      const body = await makeBody(content);
      const end = await exchangeWith(server.url, { agent, body, expectContinue: asks });
      expect(expectAnswer(end)).toMatchObject({ status: 200, text: `stored ${turn}` });
      expect(expectAnswer(end)).toMatchObject({ complete: true, afterBody: true });
      expect(end.digests).toEqual([sha256(content)]);
      expect(listPhases(end).slice(-3)).toEqual(['send', 'head', 'body']);
      expect(seen[turn]?.body.equals(joinSegments(body, content))).toBe(true);
      await waitForIdle(agent, 1);
    }
    expect(server.peers).toHaveLength(1);
    expect(seen.every(({ head }) => /^expect: 100-continue$/im.test(head))).toBe(asks);
  });

  test.each(['http', 'https'] as const)(
    'opens as many as there are requests at a time (%s)',
    async (scheme) => {
      const server = await openServer((peer) => answerAll(peer), chooseTls(scheme, certificate));
      const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
      for (const turn of [1, 2]) {
        const ends = await Promise.all([1, 2, 3].map(() => exchangeWith(server.url, { agent })));
        expect(ends.map((end) => expectAnswer(end).status)).toEqual([200, 200, 200]);
        await waitForIdle(agent, 3);
        expect([turn, server.peers.length]).toEqual([turn, 3]);
      }
    },
  );

  test('keeps one whose answer has no body', async () => {
    const reply = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n');
    const server = await openServer((peer) => answerAll(peer, reply));
    const agent = await makeKeepingAgent(server.url);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(204);
      await waitForIdle(agent, 1);
    }
    expect(server.peers).toHaveLength(1);
  });

  test('keeps one whose answer comes in chunks', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const reply = Buffer.from(`${head}2\r\nok\r\n0\r\n\r\n`);
    const server = await openServer((peer) => answerAll(peer, reply));
    const agent = await makeKeepingAgent(server.url);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(expectAnswer(await exchangeWith(server.url, { agent })).text).toBe('ok');
      await waitForIdle(agent, 1);
    }
    expect(server.peers).toHaveLength(1);
  });

  test.each(['http', 'https'] as const)(
    'waits for an answer longer than the connection is kept without a request (%s)',
    async (scheme) => {
      const server = await openServer(
        async (peer) => {
          const reader = new RequestReader(peer);
          await reader.readRequest();
          peer.send(makeKeptReply(200));
          await reader.readRequest();
          await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_KEPT_MS));
          peer.send(makeKeptReply(200, { body: 'late' }));
        },
        chooseTls(scheme, certificate),
      );
      const agent = await makeKeepingAgent(server.url, { ca: certificate.cert });
      await exchangeWith(server.url, { agent });
      await waitForIdle(agent, 1);
      expect(expectAnswer(await exchangeWith(server.url, { agent })).text).toBe('late');
      expect(server.peers).toHaveLength(1);
    },
  );

  test('is not touched by a signal that fires after its answer', async () => {
    const server = await openServer((peer) => answerAll(peer));
    const agent = await makeKeepingAgent(server.url);
    const controller = new AbortController();
    const { signal } = controller;
    await exchangeWith(server.url, { agent, signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    controller.abort(new Error('stopped'));
    await waitForIdle(agent, 1);
    expect(expectAnswer(await exchangeWith(server.url, { agent })).status).toBe(200);
    expect(server.peers).toHaveLength(1);
  });

  test('is let go by an agent that keeps none', async () => {
    const server = await openServer((peer) => answerAll(peer));
    for (let turn = 1; turn <= 2; turn += 1) {
      expect(expectAnswer(await exchangeWith(server.url)).status).toBe(200);
      await server.peers[turn - 1]?.closed;
      expect(server.peers).toHaveLength(turn);
    }
  });
});
