import { describe, expect, test } from '@jest/globals';
import { NotBegunError } from '../../src/errors.ts';
import { upload } from '../../src/service/client.ts';
import type { UploadReport, UploadTools } from '../../src/service/client.ts';
import { Pace } from '../../src/service/pace.ts';
import { findClosedPort, makeReply, openServer } from './raw-server.ts';
import { Told, makeLink, makeTask } from './sender-fixtures.ts';

const QUIET = new AbortController().signal;
const LONG_MS = 900_000;
const REASON = new NotBegunError('Not begun, since another failed.');

/** Does something when an attempt ends and is to be repeated, and as often as one begins. */
class Events extends Told implements UploadTools {
  attempts = 0;
  retries = 0;
  readonly #act: () => void;

  constructor(act: () => void = () => {}) {
    super();
    this.#act = act;
  }

  readonly random = (): number => 0;
  readonly onAttempt = (): void => {
    this.attempts += 1;
  };
  readonly onRetry = (): void => {
    this.retries += 1;
    this.#act();
  };
}

async function uploadAt(url: URL, pace: Pace, events: UploadTools): Promise<UploadReport> {
  const task = { ...(await makeTask(url)), retries: 8, deadline: Date.now() + LONG_MS };
  return upload(task, { link: makeLink(url), pace }, events, QUIET);
}

async function findNobody(): Promise<URL> {
  return new URL(`http://127.0.0.1:${await findClosedPort()}/v1/scanner/upload-file`);
}

describe('upload among others', () => {
  test('gets no further attempt once nothing more is to begin', async () => {
    const pace = new Pace(Date.now() + LONG_MS);
    pace.halt(REASON);
    const events = new Events();
    const report = await uploadAt(await findNobody(), pace, events);
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1, stop: 'halted' });
    expect([events.attempts, events.retries]).toEqual([1, 0]);
  });

  test('ends its wait when nothing more is to begin', async () => {
    const pace = new Pace(Date.now() + LONG_MS);
    const events = new Events(() => pace.halt(REASON));
    const report = await uploadAt(await findNobody(), pace, events);
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1, stop: 'halted' });
    expect([events.attempts, events.retries]).toEqual([1, 1]);
  });

  test('ends its wait where all are held back beyond the time limit', async () => {
    const pace = new Pace(Date.now() + 10_000);
    const failed = { retry: 'always', isConnectionLevel: false, retryAfterMs: 60_000 } as const;
    const events = new Events(() => {
      pace.hold(failed, { kind: 'wait', waitMs: 60_000 }, () => 0);
    });
    const report = await uploadAt(await findNobody(), pace, events);
    expect(report).toMatchObject({ result: 'not-sent', attempts: 1, stop: 'time' });
  });

  test('keeps its own result, though others are halted meanwhile', async () => {
    const pace = new Pace(Date.now() + LONG_MS);
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      pace.halt(REASON);
      peer.send(makeReply(200));
    });
    const report = await uploadAt(server.url, pace, new Events());
    expect(report).toMatchObject({ result: 'accepted', attempts: 1, stop: 'final' });
  });

  test('holds the others for what its own answer asks', async () => {
    const pace = new Pace(Date.now() + LONG_MS);
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.reply(503, { headers: { 'Retry-After': '1800' } });
    });
    const report = await uploadAt(server.url, pace, new Events());
    expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: 'time' });
    await expect(pace.wait(0, QUIET)).rejects.toThrow(/Retry-After\) for longer than/);
  });
});
