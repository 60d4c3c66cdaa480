import { beforeAll, describe, expect, test } from '@jest/globals';
import { NotStartedError } from '../../src/errors.ts';
import { Schedule } from '../../src/service/schedule.ts';
import { makeBody } from '../support/bodies.ts';
import { makeCertificate } from '../support/certificates.ts';
import type { Certificate } from '../support/certificates.ts';
import { makeReply } from '../support/peer.ts';
import { findClosedPort, openServer } from '../support/raw-server.ts';
import type { Peer } from '../support/peer.ts';
import { MIB, makeBytes } from '../support/samples.ts';
import { Recorder, makeShared, uploadTo } from '../support/uploads.ts';

const QUIET = new AbortController().signal;
const LONG_MS = 900_000;
const REASON = new NotStartedError('Not sent: another failed.');

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate('upload.test');
});

/** Responds, and leaves the connection open, as the client may ask for with keep-alive. */
function respondOpen(peer: Peer, status: number): void {
  peer.send(makeReply(status, { headers: { Connection: 'keep-alive' } }));
}

async function refuseExpectation(peer: Peer): Promise<void> {
  await peer.readHead();
  if (peer.header('Expect') !== undefined) return peer.reply(417);
  await peer.readRequest();
  peer.reply(200);
}

async function ignoreExpectation(peer: Peer): Promise<void> {
  await peer.readRequest();
  peer.reply(200);
}

describe.each(['http', 'https'] as const)('uploads of one step over %s', (scheme) => {
  const makeTls = (): Certificate | undefined => (scheme === 'https' ? certificate : undefined);

  test('get their own connections, in turn and in parallel', async () => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      respondOpen(peer, 200);
    }, makeTls());
    const shared = makeShared(server.url, { ca: certificate.cert });
    const results = [(await uploadTo(server.url, { shared })).result];
    const reports = await Promise.all([1, 2, 3].map(() => uploadTo(server.url, { shared })));
    results.push(...reports.map(({ result }) => result));
    expect(results).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
    expect(server.peers).toHaveLength(4);
    expect(server.peers.map((peer) => peer.header('Connection'))).toEqual(
      Array.from({ length: 4 }, () => 'close'),
    );
    await Promise.all(server.peers.map(({ closed }) => closed));
  });
});

describe('uploads of one step', () => {
  test.each([
    ['refused', refuseExpectation, 4],
    ['ignored', ignoreExpectation, 3],
  ] as const)('ask first only until the service has %s that', async (_, script, connections) => {
    const server = await openServer(script);
    const shared = makeShared(server.url);
    const content = makeBytes(2 * MIB);
    for (let turn = 0; turn < 3; turn += 1) {
      const body = await makeBody(content);
      expect((await uploadTo(server.url, { shared, task: { body } })).result).toBe('accepted');
    }
    expect(server.peers).toHaveLength(connections);
    const asked = server.peers.map((peer) => peer.header('Expect') !== undefined);
    expect(asked.map(Number).reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(asked[0]).toBe(true);
  });

  test('go on asking first after a connection that broke before a response', async () => {
    const server = await openServer(async (peer, turn) => {
      if (turn > 1) return refuseExpectation(peer);
      await peer.readBytes(MIB);
      peer.reset();
    });
    const task = { body: await makeBody(makeBytes(2 * MIB)) };
    expect((await uploadTo(server.url, { task })).result).toBe('accepted');
    const asked = server.peers.map((peer) => peer.header('Expect') !== undefined);
    expect(asked).toEqual([true, true, false]);
  });
});

async function findNobody(): Promise<URL> {
  return new URL(`http://127.0.0.1:${await findClosedPort()}/v1/scanner/upload-file`);
}

describe('upload under a shared schedule', () => {
  test('gets no further attempt after stop', async () => {
    const url = await findNobody();
    const shared = makeShared(url);
    shared.schedule.stop(REASON);
    const recorder = new Recorder();
    const report = await uploadTo(url, { shared, recorder });
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1, stop: 'stopped' });
    expect([recorder.attempts, recorder.retries]).toEqual([[1], []]);
  });

  test('ends its wait on stop', async () => {
    const url = await findNobody();
    const shared = makeShared(url);
    const recorder = new Recorder(() => shared.schedule.stop(REASON));
    const report = await uploadTo(url, { shared, recorder });
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1, stop: 'stopped' });
    expect([recorder.attempts, recorder.retries.length]).toEqual([[1], 1]);
  });

  test('ends its wait if all uploads are delayed beyond the time limit', async () => {
    const url = await findNobody();
    const schedule = new Schedule(Date.now() + 10_000);
    const failed = { retry: 'always', isConnectionLevel: false, retryAfterMs: 60_000 } as const;
    const recorder = new Recorder(() => {
      schedule.delayAll(failed, { kind: 'wait', waitMs: 60_000 }, () => 0);
    });
    const report = await uploadTo(url, { shared: makeShared(url, {}, schedule), recorder });
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1, stop: 'time' });
  });

  test('keeps its own result after stop', async () => {
    const schedule = new Schedule(Date.now() + LONG_MS);
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      schedule.stop(REASON);
      peer.reply(200);
    });
    const shared = makeShared(server.url, {}, schedule);
    const report = await uploadTo(server.url, { shared });
    expect(report).toMatchObject({ result: 'accepted', attempts: 1, stop: 'final' });
  });

  test('delays the others by its own Retry-After', async () => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.reply(503, { headers: { 'Retry-After': '1800' } });
    });
    const shared = makeShared(server.url);
    const report = await uploadTo(server.url, { shared });
    expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: 'time' });
    await expect(shared.schedule.wait(0, QUIET)).rejects.toThrow(/Retry-After\) for longer than/);
  });
});
