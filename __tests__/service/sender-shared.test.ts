import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../src/service/body.ts';
import { Link } from '../../src/service/link.ts';
import type { Verdict } from '../../src/service/verdict.ts';
import { Sender } from '../../src/service/sender.ts';
import { makeCertificate } from './certificates.ts';
import type { Certificate } from './certificates.ts';
import { MIB, cleanUp, makeBody, makeBytes } from './fixtures.ts';
import { RequestReader, answerAll, makeKeptReply } from './kept-fixtures.ts';
import { openServer } from './raw-server.ts';
import type { Peer } from './raw-server.ts';
import { Told, makeTask } from './sender-fixtures.ts';

const QUIET = new AbortController().signal;

let certificate: Certificate;
beforeAll(async () => {
  certificate = await makeCertificate();
});

function makeSharedLink(url: URL, ca?: string): Link {
  const link = new Link(url, ca === undefined ? {} : { ca }, 3);
  cleanUp(() => link.close());
  return link;
}

/** One attempt of an upload of its own. */
async function sendThrough(link: Link, url: URL, body?: Body): Promise<Verdict> {
  const task = await makeTask(url, body === undefined ? {} : { body });
  return new Sender(task, link, new Told(), QUIET).send();
}

/** Refuses every expectation, and accepts what comes without one. */
async function refuseExpectations(peer: Peer): Promise<void> {
  const reader = new RequestReader(peer);
  for (;;) {
    const head = await reader.readHead();
    if (/^expect:/im.test(head)) return peer.reply(417);
    await reader.readRequest();
    peer.send(makeKeptReply(200));
  }
}

describe('Senders that share a link', () => {
  test.each(['http', 'https'] as const)('send over one connection (%s)', async (scheme) => {
    const tls = scheme === 'https' ? certificate : undefined;
    const server = await openServer((peer) => answerAll(peer), tls);
    const link = makeSharedLink(server.url, certificate.cert);
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await sendThrough(link, server.url)).result).toBe('accepted');
    }
    expect(server.peers).toHaveLength(1);
  });

  test('ask a service first no more once it has refused to be asked', async () => {
    const server = await openServer(refuseExpectations);
    const link = makeSharedLink(server.url);
    const content = makeBytes(2 * MIB);
    for (let turn = 0; turn < 3; turn += 1) {
      const verdict = await sendThrough(link, server.url, await makeBody(content));
      expect(verdict.result).toBe('accepted');
    }
    expect(link.mayExpect).toBe(false);
    const asked = server.peers.filter((peer) => peer.header('Expect') !== undefined);
    expect(asked).toHaveLength(1);
  });

  test('load all authorities at most once, when the first was not trusted', async () => {
    const server = await openServer((peer) => answerAll(peer), certificate);
    const link = makeSharedLink(server.url);
    const verdicts = [await sendThrough(link, server.url), await sendThrough(link, server.url)];
    for (const verdict of verdicts) {
      expect(verdict).toMatchObject({
        result: 'not-sent',
        cause: { kind: 'connection', diagnosis: { fault: 'certificate' } },
      });
    }
    expect(link.trust).toBe('all');
    // Two handshakes of the first upload, and one of the second.
    expect(server.peers.length).toBeLessThanOrEqual(3);
  });

  test('open a connection each side by side, and load no more authorities than they need', async () => {
    const server = await openServer((peer) => answerAll(peer), certificate);
    const link = makeSharedLink(server.url, certificate.cert);
    const verdicts = await Promise.all([1, 2, 3].map(() => sendThrough(link, server.url)));
    expect(verdicts.map(({ result }) => result)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(link.trust).toBe('given');
    expect(server.peers).toHaveLength(3);
  });
});
