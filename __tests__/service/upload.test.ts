import { appendFile } from 'node:fs/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { CancelledError } from '../../src/errors.ts';
import type { FailedAttempt } from '../../src/service/upload.ts';
import type { Upload } from '../../src/service/upload-result.ts';
import { findFile, joinSegments, makeBody } from '../support/bodies.ts';
import { findClosedPort, openServer } from '../support/raw-server.ts';
import type { Peer } from '../support/peer.ts';
import type { Script } from '../support/raw-server.ts';
import { MIB, makeBytes, sha256 } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';
import { HastySchedule, Recorder, TRACE_ID, makeShared, uploadTo } from '../support/uploads.ts';

/** The shortest possible wait: before the first retry after a failed connection. */
const SHORTEST_WAIT_MS = 1000;

/** Uploads until the first wait, and cancels it. */
async function uploadUntilWait(
  script: Script,
): Promise<{ readonly report: Upload; readonly recorder: Recorder }> {
  const controller = new AbortController();
  const recorder = new Recorder(() => controller.abort(new CancelledError('SIGINT')));
  const server = await openServer(script);
  const report = await uploadTo(server.url, { recorder, signal: controller.signal });
  expect(server.peers).toHaveLength(1);
  return { report, recorder };
}

/** Plays one script for each connection, and the last one for all further connections. */
function playInTurn(...scripts: readonly Script[]): Script {
  return (peer, turn) => scripts[Math.min(turn, scripts.length) - 1]?.(peer, turn);
}

function reply(status: number, headers: Readonly<Record<string, string>> = {}): Script {
  return async (peer) => {
    await peer.readUpload();
    peer.reply(status, { headers });
  };
}

async function resetAfterBody(peer: Peer): Promise<void> {
  await peer.readUpload();
  peer.reset();
}

describe('upload', () => {
  test('makes one attempt if the service accepts it', async () => {
    const server = await openServer(reply(200));
    const recorder = new Recorder();
    expect(await uploadTo(server.url, { recorder })).toMatchObject({
      result: 'accepted',
      attempts: 1,
      situation: undefined,
      last: { response: { status: 200 } },
      stop: { reason: 'final' },
      digests: [sha256('{}')],
    });
    expect([recorder.attempts, recorder.retries]).toEqual([[1], []]);
  });

  test('sends everything again after a broken connection, with a new OIDC token, and is accepted', async () => {
    const content = makeBytes(MIB / 2);
    const body = await makeBody(content);
    const server = await openServer(playInTurn(resetAfterBody, reply(201)));
    const tokens = ['first', 'second'];
    const recorder = Object.assign(new Recorder(), {
      fetchIdToken: async (audience: string) => `${audience}-${tokens.shift()}`,
    });
    const credential = { kind: 'oidc', header: 'X-Id', prefix: 'Bearer ', audience: 'a' } as const;
    const schedule = new HastySchedule();
    const shared = makeShared(server.url, {}, schedule);
    const report = await uploadTo(server.url, { recorder, shared, task: { body, credential } });
    expect(report).toMatchObject({ result: 'accepted', attempts: 2, stop: { reason: 'final' } });
    expect(report.digests).toEqual([sha256(content)]);
    expect(recorder.attempts).toEqual([1, 2]);
    expect(recorder.retries).toEqual([['response-lost', SHORTEST_WAIT_MS]]);
    expect(schedule.waits).toEqual([SHORTEST_WAIT_MS]);
    const whole = joinSegments(body, content);
    expect(server.peers.map((peer) => peer.body.equals(whole))).toEqual([true, true]);
    const spans = server.peers.map((peer) => peer.header('traceparent')?.split('-'));
    expect(spans.map((parts) => parts?.[1])).toEqual([TRACE_ID, TRACE_ID]);
    expect(spans[0]?.[2]).not.toBe(spans[1]?.[2]);
    const held = server.peers.map((peer) => peer.header('X-Id'));
    expect(held).toEqual(['Bearer a-first', 'Bearer a-second']);
  });

  test('stays unconfirmed when later attempts are refused', async () => {
    const server = await openServer(playInTurn(resetAfterBody, reply(503), reply(409)));
    expect(await uploadTo(server.url)).toMatchObject({
      result: 'unconfirmed',
      attempts: 3,
      situation: 'invalid',
      wasUnconfirmed: true,
      stop: { reason: 'final' },
    });
  });

  test('returns not-sent if no attempt gets a connection', async () => {
    const url = new URL(`http://127.0.0.1:${await findClosedPort()}/`);
    const recorder = new Recorder();
    const report = await uploadTo(url, { recorder, task: { retries: 1 } });
    expect(report).toMatchObject({
      result: 'not-sent',
      attempts: 2,
      situation: 'connect-failed',
      last: { state: 'connecting' },
      stop: { reason: 'retries' },
      digests: undefined,
    });
    expect(recorder.retries).toEqual([['connect-failed', SHORTEST_WAIT_MS]]);
  });

  test.each([
    ['retries', 'with retries: 0', { retries: 0 }, 900_000],
    ['time', 'when the wait would cross the time limit', {}, 4000],
  ])('stops at once (%s) %s', async (reason, _, task, limitMs) => {
    const server = await openServer(reply(503));
    const recorder = new Recorder();
    const shared = makeShared(server.url, {}, new HastySchedule(limitMs));
    const report = await uploadTo(server.url, { recorder, shared, task });
    expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: { reason } });
    expect(recorder.retries).toEqual([]);
    expect(server.peers).toHaveLength(1);
  });

  test('reports a retry with a cleaned record, and waits as the raw response requires', async () => {
    const controller = new AbortController();
    const failed: FailedAttempt[] = [];
    hide('7');
    const recorder = Object.assign(new Recorder(), {
      onRetry: (attempt: FailedAttempt) => {
        failed.push(attempt);
        controller.abort(new CancelledError('SIGINT'));
      },
    });
    const server = await openServer(reply(503, { 'Retry-After': '7' }));
    await uploadTo(server.url, { recorder, signal: controller.signal });
    const response = { headers: { 'retry-after': '***' } };
    expect(failed).toMatchObject([{ waitMs: 7000, maxAttempts: 9, attempt: { response } }]);
  });

  test.each([
    ['without Retry-After', {}, 5000],
    ['with Retry-After in seconds', { 'Retry-After': '7' }, 7000],
  ])('waits after a 429 %s, until a cancellation', async (_, headers, waitMs) => {
    const { report, recorder } = await uploadUntilWait(reply(429, headers));
    expect(report).toMatchObject({
      result: 'rejected',
      attempts: 1,
      situation: 'rate-limited',
      stop: { reason: 'aborted', isCancelled: true },
    });
    expect(recorder.retries).toEqual([['rate-limited', waitMs]]);
  });

  test.each([
    ['before a response', '', 'unconfirmed', 'cancelled', 'final'],
    [
      'while a response was being read',
      'HTTP/1.1 503 Status\r\nContent-Length: 9\r\n\r\nbusy',
      'rejected',
      'unavailable',
      'aborted',
    ],
  ])(
    'makes no further attempt after a cancellation %s',
    async (_, text, result, situation, reason) => {
      const controller = new AbortController();
      const server = await openServer(async (peer) => {
        await peer.readUpload();
        peer.send(text);
        setTimeout(() => controller.abort(new CancelledError('SIGTERM')), 30);
      });
      const recorder = new Recorder();
      const report = await uploadTo(server.url, { recorder, signal: controller.signal });
      expect(report).toMatchObject({
        result,
        attempts: 1,
        situation,
        stop: { reason, isCancelled: true },
      });
      expect(recorder.retries).toEqual([]);
    },
  );

  test('waits 300 s for a response, and does not send the scan again', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    cleanUp(() => void jest.useRealTimers());
    const server = await openServer(async (peer) => {
      await peer.readUpload();
    });
    const recorder = Object.assign(new Recorder(), {
      onWaiting: () => setImmediate(() => jest.runOnlyPendingTimers()),
    });
    expect(await uploadTo(server.url, { recorder })).toMatchObject({
      result: 'unconfirmed',
      attempts: 1,
      last: { state: 'waiting', failure: { kind: 'limit', limitMs: 300_000 } },
    });
  });

  test('does not resend a file that has changed, and keeps the digest of the sent bytes', async () => {
    const content = makeBytes(1000);
    const body = await makeBody(content);
    const server = await openServer(
      playInTurn(async (peer) => {
        await peer.readUpload();
        await appendFile(findFile(body).path, 'more');
        peer.reset();
      }, reply(200)),
    );
    const report = await uploadTo(server.url, { task: { body } });
    expect(report).toMatchObject({
      result: 'unconfirmed',
      attempts: 2,
      situation: 'files',
      stop: { reason: 'final' },
      digests: [sha256(content)],
    });
  });
});
