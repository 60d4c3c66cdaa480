import { appendFile } from 'node:fs/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError, StepError } from '../../src/errors.ts';
import type { StepLimits } from '../../src/lifecycle.ts';
import type { UploadTask } from '../../src/outcomes/task.ts';
import { hide } from '../../src/redaction/clean.ts';
import { createAgent } from '../../src/service/agent.ts';
import type { Authenticate } from '../../src/service/auth.ts';
import { Schedule } from '../../src/upload/schedule.ts';
import { Standing } from '../../src/upload/standing.ts';
import { uploadScan } from '../../src/upload/upload-scan.ts';
import type { SharedState, UploadEvents } from '../../src/upload/upload-scan.ts';
import { findFile, joinSegments, makeBody } from '../support/exchanges.ts';
import { TRACE_ID, makeTask, Recorder } from '../support/scans.ts';
import { findClosedPort, openServer } from '../support/servers.ts';
import type { Peer, Reply, Script } from '../support/servers.ts';
import { KIB, MIB, makeBytes, sha256, cleanUp } from '../support/workspace.ts';

/** The shortest possible wait: before the first retry after a failed connection. */
const SHORTEST_WAIT_MS = 1000;
const STOP = new StepError('other-scans', 'Not sent: a failed.', []);

/** The limits of a step, which has longer than any test takes. */
function makeLimits(signal = new AbortController().signal, limitMs = 900_000): StepLimits {
  return { signal, deadline: performance.now() + limitMs };
}

/** A schedule that records how long an upload is to wait for itself, and does not wait for it. */
class HastySchedule extends Schedule {
  readonly waits: number[] = [];

  constructor(signal?: AbortSignal) {
    super(makeLimits(signal));
  }

  override wait(ms: number): ReturnType<Schedule['wait']> {
    this.waits.push(ms);
    return super.wait(0);
  }
}

/** How an upload of a test differs from a plain one. */
type Setting = Pick<Partial<UploadTask>, 'body'> &
  Partial<SharedState> & { readonly retries?: number; readonly recorder?: UploadEvents };

/** Uploads a small body to `url`, unless the setting says otherwise. */
async function uploadTo(
  url: URL,
  { retries = 8, recorder = new Recorder(), ...setting }: Setting = {},
): ReturnType<typeof uploadScan> {
  const task = makeTask();
  const body = setting.body ?? (await makeBody());
  const shared: SharedState = {
    agent: createAgent(url, {}),
    schedule: new HastySchedule(),
    standing: new Standing(),
    authenticate: async () => ({ Authorization: 'Bearer x' }),
  };
  const inputs = { ...task.inputs, retries };
  return uploadScan({ ...task, url, body, inputs }, { ...shared, ...setting }, recorder);
}

function setChance(chance: number): void {
  const random = jest.spyOn(Math, 'random').mockReturnValue(chance);
  cleanUp(() => random.mockRestore());
}

/** Plays one script for each connection, and the last one for all further connections. */
function playInTurn(...scripts: readonly Script[]): Script {
  return (peer, turn) => scripts[Math.min(turn, scripts.length) - 1]?.(peer, turn);
}

function reply(status: number, given: Reply = {}): Script {
  return async (peer) => {
    await peer.readUpload();
    peer.reply(status, given);
  };
}

async function resetAfterBody(peer: Peer): Promise<void> {
  await peer.readUpload();
  peer.reset();
}

const failToAuthenticate: Authenticate = async () => {
  throw new StepError('oidc-failed', 'none', []);
};

async function findNobody(): Promise<URL> {
  return new URL(`http://127.0.0.1:${await findClosedPort()}/v1/scanner/upload-file`);
}

describe('uploadScan', () => {
  test('sends everything again after a broken connection, with a new credential, and is accepted', async () => {
    setChance(0);
    const content = makeBytes(MIB / 2);
    const body = await makeBody(content);
    const server = await openServer(playInTurn(resetAfterBody, reply(201)));
    const tokens = ['first', 'second'];
    const authenticate: Authenticate = async () => ({ 'X-Id': `Bearer ${tokens.shift()}` });
    const recorder = new Recorder();
    const schedule = new HastySchedule();
    const setting = { recorder, schedule, authenticate, body };
    const digests = [sha256(content)];
    const ended = { result: 'accepted', attempts: 2, digests };
    expect(await uploadTo(server.url, setting)).toMatchObject(ended);
    expect(recorder.attempts).toBe(2);
    expect(schedule.waits).toEqual([SHORTEST_WAIT_MS]);
    const whole = joinSegments(body, content);
    expect(server.peers.map((peer) => peer.body.equals(whole))).toEqual([true, true]);
    const spans = server.peers.map((peer) => peer.header('traceparent')?.split('-'));
    expect(spans.map((parts) => parts?.[1])).toEqual([TRACE_ID, TRACE_ID]);
    expect(spans[0]?.[2]).not.toBe(spans[1]?.[2]);
    const held = server.peers.map((peer) => peer.header('X-Id'));
    expect(held).toEqual(['Bearer first', 'Bearer second']);
  });

  const LOST = resetAfterBody;
  test.each<[string, readonly (Script | number)[], object]>([
    ['a no', [409], { result: 'rejected', attempts: 1, failure: { situation: 'conflict' } }],
    ['a lost response, a 503 and a no', [LOST, 503, 409], { result: 'unconfirmed', attempts: 3 }],
    ['a lost response, a 503 and a yes', [LOST, 503, 200], { result: 'accepted', attempts: 3 }],
    ['a 503 and 500 thrice', [503, 500, 500, 500, 200], { attempts: 4, status: 500 }],
  ])('ends after %s', async (_, scripts, ended) => {
    const played = scripts.map((each) => (typeof each === 'number' ? reply(each) : each));
    const server = await openServer(playInTurn(...played));
    const recorder = new Recorder();
    const { attempts, ...end } = await uploadTo(server.url, { recorder });
    expect({ attempts, ...end }).toMatchObject(ended);
    expect([recorder.attempts, recorder.waits.length]).toEqual([attempts, (attempts ?? 0) - 1]);
  });

  test('returns not-sent without a request if there is no OIDC token', async () => {
    const setting = { authenticate: failToAuthenticate, retries: 0 };
    const ended = await uploadTo(await findNobody(), setting);
    expect(ended).toMatchObject({ result: 'not-sent', failure: { situation: 'oidc-failed' } });
  });

  test('waits as long as Retry-After asks, until a cancellation', async () => {
    setChance(0);
    // The record is clean, but the raw header decides.
    hide('7');
    const controller = new AbortController();
    const recorder = new Recorder(() => controller.abort(new CancelledError('SIGINT')));
    const server = await openServer(reply(429, { headers: { 'Retry-After': '7' } }));
    const schedule = new Schedule(makeLimits(controller.signal));
    const { result, failure } = await uploadTo(server.url, { recorder, schedule });
    expect([result, failure?.situation]).toEqual(['rejected', 'cancelled']);
    expect(recorder).toMatchObject({ waits: [7000], headline: 'HTTP 429 Too Many Requests' });
    expect(server.peers).toHaveLength(1);
  });

  const HALF = 'HTTP/1.1 503 Status\r\nContent-Length: 9\r\n\r\nbusy';
  const REFUSAL = HALF.replace('503', '400');
  test.each([
    ['before a response', '', ['unconfirmed', 'cancelled']],
    ['while a refusal was being read', REFUSAL, ['rejected', 'input-refused']],
    ['while a response was being read', HALF, ['rejected', 'cancelled']],
  ])('makes no further attempt after a cancellation %s', async (_, text, ends) => {
    const controller = new AbortController();
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      peer.send(text);
      setTimeout(() => controller.abort(new CancelledError('SIGTERM')), 30);
    });
    const recorder = new Recorder();
    const schedule = new HastySchedule(controller.signal);
    const { result, failure } = await uploadTo(server.url, { recorder, schedule });
    expect([result, failure?.situation]).toEqual(ends);
    expect([recorder.attempts, recorder.waits]).toEqual([1, []]);
  });

  test('waits 300 s for a response, and does not send the scan again', async () => {
    const body = await makeBody();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    cleanUp(() => void jest.useRealTimers());
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      setImmediate(() => jest.runOnlyPendingTimers());
    });
    expect(await uploadTo(server.url, { body })).toMatchObject({
      result: 'unconfirmed',
      attempts: 1,
      failure: { situation: 'response-silent', headline: expect.stringContaining('300 s') },
    });
  });

  test('does not resend a file that has changed, and keeps the digest of the sent bytes', async () => {
    const content = makeBytes(1000);
    const body = await makeBody(content);
    const change: Script = async (peer) => {
      await peer.readUpload();
      await appendFile(findFile(body).path, 'more');
      peer.reset();
    };
    const server = await openServer(playInTurn(change, reply(200)));
    expect(await uploadTo(server.url, { body })).toMatchObject({
      result: 'unconfirmed',
      attempts: 2,
      failure: { situation: 'files' },
      digests: [sha256(content)],
    });
  });
});

describe('what an upload leaves', () => {
  const SAID = { message: 'Stored as a one.', warnings: ['It is old.\nIt is odd.'] };
  const PROBLEM = { detail: 'No.', traceId: '1' };
  test.each([
    [400, PROBLEM, { status: 400, problem: JSON.stringify(PROBLEM) }],
    [200, SAID, { says: ['Stored as a one.'], warnings: ['It is old.', 'It is odd.'] }],
  ])('is what its last response says: %i', async (status, body, ended) => {
    const server = await openServer(reply(status, { body: JSON.stringify(body) }));
    const service = expect.stringMatching(/^http:\/\/12/);
    expect(await uploadTo(server.url)).toMatchObject({
      ...ended,
      service,
      requestTraceId: TRACE_ID,
    });
  });
});

describe('an attempt asks before it sends, and', () => {
  const content = makeBytes(100 * KIB);
  test.each([
    ['accepts it', 0, { result: 'accepted', attempts: 1, digests: [sha256(content)] }],
    [
      'responds with another',
      417,
      { result: 'rejected', failure: { situation: 'refused' }, attempts: 1 },
    ],
    [
      'only reads its headers',
      200,
      { result: 'not-sent', failure: { situation: 'response-early' } },
    ],
  ])(
    'repeats its request once without Expect after a 417, if the service then %s',
    async (_, status, ended) => {
      const server = await openServer(async (peer) => {
        await peer.readHead();
        if (peer.header('Expect') !== undefined) return peer.reply(417);
        return status === 0 ? reply(200)(peer, 1) : peer.reply(status);
      });
      const body = await makeBody(content);
      expect(await uploadTo(server.url, { body })).toMatchObject(ended);
      const [, again] = server.peers;
      await again?.closed;
      expect(server.peers.map((peer) => peer.header('Expect'))).toEqual([
        '100-continue',
        undefined,
      ]);
      expect(server.peer.body.length).toBe(0);
      expect(again?.body.length).toBe(status === 0 ? body.length : 0);
    },
  );

  test('does not repeat a request after a 417 of which the service has a part', async () => {
    const server = await openServer(async (peer) => {
      await peer.readHeadAndContinue();
      await peer.readBytes(MIB);
      peer.reply(417);
    });
    const body = await makeBody(makeBytes(8 * MIB));
    expect(await uploadTo(server.url, { body })).toMatchObject({ status: 417 });
    expect(server.peers).toHaveLength(1);
  });
});

describe('upload under a shared schedule', () => {
  test.each([
    ['before it waits', 0],
    ['while it waits', 1],
  ])('makes no further attempt after stop (%s)', async (_, retries) => {
    const schedule = new HastySchedule();
    const recorder = new Recorder(() => schedule.stop(STOP));
    if (retries === 0) schedule.stop(STOP);
    const report = await uploadTo(await findNobody(), { schedule, recorder });
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1 });
    expect([recorder.attempts, recorder.waits.length]).toEqual([1, retries]);
  });

  test('ends its wait if all uploads are delayed beyond the time limit', async () => {
    const schedule = new Schedule(makeLimits(undefined, 10_000));
    const recorder = new Recorder(() => {
      schedule.delayAll(60_000, 60_000);
    });
    const report = await uploadTo(await findNobody(), { schedule, recorder });
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1 });
    expect(report.failure?.fixes.at(-1)).toBe('Or increase `timeout-seconds`.');
  });

  test.each(['in its wait', 'elsewhere'])(
    'reports an error of its own %s as unexpected, and keeps what became of the scan',
    async (place) => {
      const controller = new AbortController();
      const error = new Error('A bug.');
      const recorder = new Recorder(() => {
        if (place === 'in its wait') throw error;
        controller.abort(error);
      });
      const server = await openServer(resetAfterBody);
      const schedule = new HastySchedule(controller.signal);
      const { result, attempts, failure } = await uploadTo(server.url, { schedule, recorder });
      expect([result, attempts, failure?.situation]).toEqual(['unconfirmed', 1, 'unexpected']);
      expect(failure?.headline).toBe('A bug.');
    },
  );

  test.each([
    // It does not wait beyond the time limit itself.
    [503, /^Re-run in 30 minutes, or/, 1_800_000],
    [400, /^Check `scan-key`/, 0],
  ])('delays the others by Retry-After, unless it is final: %i', async (status, fix, askedMs) => {
    const schedule = new HastySchedule();
    const recorder = new Recorder();
    const server = await openServer(reply(status, { headers: { 'Retry-After': '1800' } }));
    const report = await uploadTo(server.url, { schedule, recorder });
    expect(recorder.waits).toEqual([]);
    expect(report.failure?.fixes[0]).toMatch(fix);
    expect(schedule.askedMs).toBe(askedMs);
  });
});
