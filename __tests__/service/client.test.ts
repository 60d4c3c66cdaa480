import { appendFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import { upload } from '../../src/service/client.ts';
import type { UploadReport, UploadTask, UploadTools } from '../../src/service/client.ts';
import { Pace } from '../../src/service/pace.ts';
import type { Verdict } from '../../src/service/verdict.ts';
import { MIB, findFile, joinSegments, makeBody, makeBytes, sha256 } from './fixtures.ts';
import { findClosedPort, openServer } from './raw-server.ts';
import type { Peer, Script } from './raw-server.ts';
import { Told, makeLink, makeTask } from './sender-fixtures.ts';

/** The shortest wait of all: before the first retry after a failed connection. */
const SHORTEST_WAIT_MS = 1000;

class Events extends Told implements UploadTools {
  readonly attempts: number[] = [];
  readonly retries: (readonly [Verdict['result'], number])[] = [];
  readonly #controller: AbortController | undefined;

  /** Aborts through the controller, if there is one, as soon as a wait begins. */
  constructor(controller?: AbortController) {
    super();
    this.#controller = controller;
  }

  readonly random = (): number => 0;
  readonly onAttempt = (attempt: number): void => {
    this.attempts.push(attempt);
  };
  readonly onRetry = ({ result }: Verdict, waitMs: number): void => {
    this.retries.push([result, waitMs]);
    this.#controller?.abort(new CancelledError('SIGINT'));
  };
}

async function uploadTo(
  url: URL,
  events: Events,
  task: Partial<UploadTask> = {},
  signal = new AbortController().signal,
): Promise<UploadReport> {
  const whole = {
    ...(await makeTask(url, task)),
    retries: 8,
    deadline: Date.now() + 900_000,
    ...task,
  };
  const shared = { link: makeLink(url), pace: new Pace(whole.deadline) };
  return upload(whole, shared, events, signal);
}

/** Each connection by a script of its own, the last one's for all that follow. */
function playInTurn(...scripts: readonly Script[]): Script {
  return (peer, turn) => scripts[Math.min(turn, scripts.length) - 1]?.(peer, turn);
}

function reply(status: number, headers: Readonly<Record<string, string>> = {}): Script {
  return async (peer) => {
    await peer.readRequest();
    peer.reply(status, { headers });
  };
}

async function resetAfterBody(peer: Peer): Promise<void> {
  await peer.readRequest();
  peer.reset();
}

describe('upload', () => {
  test('needs one attempt where all is well', async () => {
    const server = await openServer(reply(200));
    const events = new Events();
    const body = await makeBody('{"a":1}');
    const report = await uploadTo(server.url, events, { body });
    expect(report).toMatchObject({
      result: 'accepted',
      attempts: 1,
      verdict: { result: 'accepted', cause: { kind: 'accepted', answer: { status: 200 } } },
      stop: 'final',
      digests: [sha256('{"a":1}')],
    });
    expect(events.attempts).toEqual([1]);
    expect(events.retries).toEqual([]);
  });

  test('sends everything again after a broken connection, and is accepted', async () => {
    const content = makeBytes(MIB / 2);
    const body = await makeBody(content);
    const server = await openServer(playInTurn(resetAfterBody, reply(201)));
    const events = new Events();
    const report = await uploadTo(server.url, events, { body });
    expect(report).toMatchObject({ result: 'accepted', attempts: 2, stop: 'final' });
    expect(report.digests).toEqual([sha256(content)]);
    expect(events.attempts).toEqual([1, 2]);
    expect(events.retries).toEqual([['unconfirmed', SHORTEST_WAIT_MS]]);
    const whole = joinSegments(body, content);
    expect(server.peers.map((peer) => peer.body.equals(whole))).toEqual([true, true]);
  });

  test.each([401, 409])(
    'stays unconfirmed when the next attempt is refused (%i)',
    async (status) => {
      const server = await openServer(playInTurn(resetAfterBody, reply(status)));
      const report = await uploadTo(server.url, new Events());
      expect(report).toMatchObject({
        result: 'unconfirmed',
        attempts: 2,
        verdict: { result: 'rejected', cause: { answer: { status } } },
        stop: 'final',
      });
    },
  );

  test('is not sent when no connection stands in any attempt', async () => {
    const url = new URL(`http://127.0.0.1:${await findClosedPort()}/`);
    const events = new Events();
    const report = await uploadTo(url, events, { retries: 1 });
    expect(report).toMatchObject({
      result: 'not-sent',
      attempts: 2,
      verdict: { cause: { kind: 'connection', phase: 'connect' } },
      stop: 'retries',
      digests: undefined,
    });
    expect(events.retries).toEqual([['not-sent', SHORTEST_WAIT_MS]]);
  });

  test('makes no further attempt where none is allowed', async () => {
    const server = await openServer(reply(503));
    const events = new Events();
    const report = await uploadTo(server.url, events, { retries: 0 });
    expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: 'retries' });
    expect(events.retries).toEqual([]);
    expect(server.peers).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 413, 302])(
    'repeats nothing that is final (%i)',
    async (status) => {
      const server = await openServer(reply(status));
      const events = new Events();
      const report = await uploadTo(server.url, events);
      expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: 'final' });
      expect(server.peers).toHaveLength(1);
    },
  );

  test('leaves a gateway’s answer to the whole body unconfirmed', async () => {
    const server = await openServer(reply(504));
    const report = await uploadTo(server.url, new Events(), { retries: 0 });
    expect(report).toMatchObject({ result: 'unconfirmed', stop: 'retries' });
  });

  test('stops at once when the wait would cross the time limit', async () => {
    const server = await openServer(reply(503));
    const events = new Events();
    const report = await uploadTo(server.url, events, { deadline: Date.now() + 4000 });
    expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: 'time' });
    expect(events.retries).toEqual([]);
  });

  test('stops at once when Retry-After lies beyond the time limit', async () => {
    const server = await openServer(reply(429, { 'Retry-After': '901' }));
    const report = await uploadTo(server.url, new Events());
    expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: 'time' });
  });

  test.each([
    ['without Retry-After', {}, 5000],
    ['with one in seconds', { 'Retry-After': '7' }, 7000],
    ['with one that is shorter', { 'Retry-After': '2' }, 5000],
    ['with one that is none', { 'Retry-After': 'soon' }, 5000],
  ])('waits for an answer of 429 %s', async (_, headers, waitMs) => {
    const controller = new AbortController();
    const events = new Events(controller);
    const server = await openServer(reply(429, headers));
    await uploadTo(server.url, events, {}, controller.signal);
    expect(events.retries).toEqual([['rejected', waitMs]]);
  });

  test('waits until the date of Retry-After', async () => {
    const controller = new AbortController();
    const events = new Events(controller);
    // The header knows whole seconds only, and the answer takes a while to arrive.
    const date = new Date(Date.now() + 600_000).toUTCString();
    const server = await openServer(reply(503, { 'Retry-After': date }));
    await uploadTo(server.url, events, {}, controller.signal);
    const [[, waitMs] = ['', 0]] = events.retries;
    expect(waitMs).toBeGreaterThan(500_000);
    expect(waitMs).toBeLessThanOrEqual(600_000);
  });

  test('ends the wait when told to stop', async () => {
    const controller = new AbortController();
    const events = new Events(controller);
    const server = await openServer(reply(503));
    const report = await uploadTo(server.url, events, {}, controller.signal);
    expect(report).toMatchObject({
      result: 'rejected',
      attempts: 1,
      verdict: { cause: { kind: 'refused', answer: { status: 503 } } },
      stop: 'aborted',
    });
    expect(server.peers).toHaveLength(1);
  });

  test('makes no further attempt once told to stop while sending', async () => {
    const controller = new AbortController();
    const reason = new CancelledError('SIGTERM');
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      controller.abort(reason);
    });
    const events = new Events();
    const report = await uploadTo(server.url, events, {}, controller.signal);
    expect(report).toMatchObject({
      result: 'unconfirmed',
      attempts: 1,
      verdict: { cause: { kind: 'aborted', phase: 'head', reason } },
      stop: 'final',
    });
    expect(events.retries).toEqual([]);
  });

  test('makes no further attempt once told to stop while an answer was being read', async () => {
    const controller = new AbortController();
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.send('HTTP/1.1 503 Status\r\nContent-Length: 9\r\n\r\nbusy');
      setTimeout(() => controller.abort(new CancelledError('SIGTERM')), 30);
    });
    const events = new Events();
    const report = await uploadTo(server.url, events, {}, controller.signal);
    expect(report).toMatchObject({ result: 'rejected', attempts: 1, stop: 'final' });
    expect(events.retries).toEqual([]);
  });

  test('sends a file that changed before the next attempt no more', async () => {
    const body = await makeBody(makeBytes(1000));
    const server = await openServer(
      playInTurn(async (peer) => {
        await peer.readRequest();
        await appendFile(findFile(body).path, 'more');
        peer.reset();
      }, reply(200)),
    );
    const report = await uploadTo(server.url, new Events(), { body });
    expect(report).toMatchObject({
      result: 'unconfirmed',
      attempts: 2,
      verdict: { result: 'not-sent', cause: { kind: 'file' }, retry: 'never' },
      stop: 'final',
    });
  });
});
