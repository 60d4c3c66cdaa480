import { beforeAll, describe, expect, test } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
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
const REASON = new StepError('other-scans', 'Not sent: another failed.');

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate('upload.test');
});

/** Accepts, and leaves it to the client to close the connection. */
async function acceptOpen(peer: Peer): Promise<void> {
  await peer.readUpload();
  peer.send(makeReply(200, { headers: { Connection: 'keep-alive' } }));
}

async function refuseExpectation(peer: Peer): Promise<void> {
  await peer.readHead();
  if (peer.header('Expect') !== undefined) return peer.reply(417);
  await peer.readRequest();
  peer.reply(200);
}

async function meetExpectation(peer: Peer): Promise<void> {
  await peer.readUpload();
  peer.reply(200);
}

describe.each(['http', 'https'] as const)('uploads of one step over %s', (scheme) => {
  test('use separate connections, in turn and in parallel', async () => {
    const server = await openServer(acceptOpen, scheme === 'https' ? certificate : undefined);
    const shared = makeShared(server.url, { ca: certificate.cert });
    const first = await uploadTo(server.url, { shared });
    const others = await Promise.all([1, 2].map(() => uploadTo(server.url, { shared })));
    const results = [first, ...others].map(({ result }) => result);
    expect(results).toEqual(['accepted', 'accepted', 'accepted']);
    const asked = server.peers.map((peer) => peer.header('Connection'));
    expect(asked).toEqual(['close', 'close', 'close']);
    await Promise.all(server.peers.map(({ closed }) => closed));
  });
});

describe('uploads of one step', () => {
  test.each([
    [
      'and once more without it if the service refuses it',
      refuseExpectation,
      [true, false, true, false],
    ],
    ['each time', meetExpectation, [true, true]],
  ] as const)('send Expect: 100-continue %s', async (_, script, expected) => {
    const server = await openServer(script);
    const shared = makeShared(server.url);
    const content = makeBytes(2 * MIB);
    for (let turn = 0; turn < 2; turn += 1) {
      const body = await makeBody(content);
      expect((await uploadTo(server.url, { shared, task: { body } })).result).toBe('accepted');
    }
    const asked = server.peers.map((peer) => peer.header('Expect') !== undefined);
    expect(asked).toEqual(expected);
  });

  test('send Expect: 100-continue in each attempt, although the service ignored it', async () => {
    const server = await openServer(async (peer, turn) => {
      if (turn > 1) return refuseExpectation(peer);
      await peer.readRequest();
      peer.reply(503);
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
  test.each([
    ['before it waits', 0],
    ['while it waits', 1],
  ])('makes no further attempt after stop (%s)', async (_, retries) => {
    const url = await findNobody();
    const shared = makeShared(url);
    const recorder = new Recorder(() => shared.schedule.stop(REASON));
    if (retries === 0) shared.schedule.stop(REASON);
    const report = await uploadTo(url, { shared, recorder });
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1, stop: { reason: 'stopped' } });
    expect([recorder.attempts, recorder.retries.length]).toEqual([[1], retries]);
  });

  test('ends its wait if all uploads are delayed beyond the time limit', async () => {
    const url = await findNobody();
    const schedule = new Schedule(performance.now() + 10_000);
    const failed = { retries: 8, isConnectionLevel: false, retryAfterMs: 60_000 } as const;
    const recorder = new Recorder(() => {
      schedule.delayAll(failed, { kind: 'wait', waitMs: 60_000 }, () => 0);
    });
    const report = await uploadTo(url, { shared: makeShared(url, {}, schedule), recorder });
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1, stop: { reason: 'time' } });
  });

  test('keeps its own result after stop', async () => {
    const schedule = new Schedule(performance.now() + LONG_MS);
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      schedule.stop(REASON);
      peer.reply(200);
    });
    const shared = makeShared(server.url, {}, schedule);
    const report = await uploadTo(server.url, { shared });
    expect(report).toMatchObject({ result: 'accepted', attempts: 1, stop: { reason: 'final' } });
  });

  test('delays the others by its own Retry-After, and for a random time more', async () => {
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      peer.reply(503, { headers: { 'Retry-After': '1800' } });
    });
    const shared = makeShared(server.url);
    const recorder = Object.assign(new Recorder(), { random: () => 0.5 });
    const report = await uploadTo(server.url, { shared, recorder });
    expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: { reason: 'time' } });
    await expect(shared.schedule.wait(0, QUIET)).rejects.toThrow(/are delayed for 2700 s/);
  });
});
