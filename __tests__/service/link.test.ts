import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { getCACertificates } from 'node:tls';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Link } from '../../src/service/link.ts';
import { makeCertificate } from './certificates.ts';
import type { Certificate } from './certificates.ts';
import { exchangeWith, expectAnswer } from './exchange-fixtures.ts';
import { setEnvironment } from './fixtures.ts';
import { answerAll, waitForIdle } from './kept-fixtures.ts';
import { openServer } from './raw-server.ts';

const PLAIN = new URL('http://127.0.0.1:1/v1/scanner/upload-file');
const SECURE = new URL('https://127.0.0.1:1/v1/scanner/upload-file');

let certificate: Certificate;
beforeAll(async () => {
  certificate = await makeCertificate();
});

/** An agent keeps its options in a member that Node's types do not show. */
function readOptions(agent: Agent): unknown {
  return Reflect.get(agent, 'options');
}

describe('Link', () => {
  test('makes one agent, however many ask at a time', async () => {
    for (const url of [PLAIN, SECURE]) {
      const link = new Link(url, {}, 4);
      const [first, ...others] = await Promise.all([1, 2, 3].map(() => link.getAgent()));
      expect(first).toBeInstanceOf(url === SECURE ? SecureAgent : Agent);
      for (const agent of [...others, await link.getAgent()]) expect(agent).toBe(first);
      await link.close();
    }
  });

  test.each([
    [1, false],
    [2, true],
    [1000, true],
  ])('of %i uploads keeps connections: %s', async (uploads, keeps) => {
    for (const url of [PLAIN, SECURE]) {
      const agent = await new Link(url, {}, uploads).getAgent();
      expect(readOptions(agent)).toHaveProperty('keepAlive', keeps);
    }
  });

  test('hands its TLS material to the agent', async () => {
    const agent = await new Link(SECURE, { ca: certificate.cert }, 2).getAgent();
    expect(readOptions(agent)).toMatchObject({ ca: certificate.cert });
  });

  test('trusts all from the next connection on, once that is needed', async () => {
    const link = new Link(SECURE, { ca: certificate.cert }, 2);
    expect(link.trust).toBe('given');
    const before = await link.getAgent();
    link.trustAll();
    expect(link.trust).toBe('all');
    const after = await link.getAgent();
    expect(after).not.toBe(before);
    expect(readOptions(after)).toMatchObject({
      ca: expect.arrayContaining([certificate.cert, ...getCACertificates('default').slice(0, 3)]),
    });
    link.trustAll();
    expect(await link.getAgent()).toBe(after);
  });

  test('keeps its agent where all is trusted from the start', async () => {
    const link = new Link(SECURE, { cert: certificate.cert, key: certificate.key }, 2);
    expect(link.trust).toBe('all');
    const agent = await link.getAgent();
    link.trustAll();
    expect(await link.getAgent()).toBe(agent);
  });

  test('may ask a service first until told otherwise', () => {
    const link = new Link(PLAIN, {}, 2);
    expect(link.mayExpect).toBe(true);
    link.mayExpect = false;
    expect(link.mayExpect).toBe(false);
  });
});

describe('Link.close', () => {
  test('lets go of idle connections', async () => {
    const server = await openServer((peer) => answerAll(peer));
    const link = new Link(server.url, {}, 2);
    const agent = await link.getAgent();
    const ends = await Promise.all([1, 2].map(() => exchangeWith(server.url, { agent })));
    expect(ends.map((end) => expectAnswer(end).status)).toEqual([200, 200]);
    await waitForIdle(agent, 2);
    const idle = Object.values(agent.freeSockets).flat();
    expect(idle.map((socket) => socket?.destroyed)).toEqual([false, false]);
    await link.close();
    expect(idle.map((socket) => socket?.destroyed)).toEqual([true, true]);
    await Promise.all(server.peers.map(({ closed }) => closed));
    expect(server.peers).toHaveLength(2);
  });

  test('has nothing to do where there was no upload', async () => {
    await expect(new Link(SECURE, {}, 2).close()).resolves.toBeUndefined();
  });

  test('leaves the agent of a proxy alone, which has nothing to let go', async () => {
    setEnvironment({ https_proxy: 'http://127.0.0.1:1', no_proxy: undefined, NO_PROXY: undefined });
    const link = new Link(new URL('https://upload.test/'), {}, 2);
    expect(link.trust).toBe('all');
    const agent = await link.getAgent();
    expect(agent).not.toBeInstanceOf(Agent);
    await expect(link.close()).resolves.toBeUndefined();
  });
});
