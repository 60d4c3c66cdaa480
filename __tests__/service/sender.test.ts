import { beforeAll, describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { Body } from '../../src/service/body.ts';
import type { Verdict } from '../../src/service/verdict.ts';
import { Sender } from '../../src/service/sender.ts';
import type { SendTask } from '../../src/service/sender.ts';
import { VERSION } from '../../src/version.ts';
import { makeCertificate } from './certificates.ts';
import type { Certificate } from './certificates.ts';
import { MIB, joinSegments, makeBody, makeBytes, sha256 } from './fixtures.ts';
import { openServer } from './raw-server.ts';
import type { Peer } from './raw-server.ts';
import { TRACE_ID, Told, makeLink, makeTask } from './sender-fixtures.ts';

const QUIET = new AbortController().signal;
const OIDC = { kind: 'oidc', header: 'X-Id', prefix: 'Bearer ', audience: 'scans' } as const;

async function answerOk(peer: Peer): Promise<void> {
  await peer.readRequest();
  peer.reply(200);
}

/** Refuses the expectation, and accepts a request without one. */
async function refuseExpectation(peer: Peer): Promise<void> {
  await peer.readHead();
  if (peer.header('Expect') === undefined) await answerOk(peer);
  else peer.reply(417);
}

async function sendOnce(
  url: URL,
  task: Partial<SendTask> = {},
  told = new Told(),
  link = makeLink(url),
): Promise<Verdict> {
  return new Sender(await makeTask(url, task), link, told, QUIET).send();
}

/** A body of exactly so many bytes, framing included. */
async function makeBodyOf(length: number): Promise<Body> {
  const { length: framing } = await makeBody('');
  return makeBody(makeBytes(length - framing));
}

describe('Sender', () => {
  let certificate: Certificate;

  beforeAll(async () => {
    certificate = await makeCertificate();
  });

  test('sends who it is, what it takes, the trace, the extra headers and the credential', async () => {
    const server = await openServer(answerOk);
    const told = new Told();
    const headers = [{ name: 'X-Gateway', value: 'a, b' }];
    const verdict = await sendOnce(server.url, { headers }, told);
    expect(verdict).toMatchObject({ result: 'accepted', retry: 'never' });
    const { peer } = server;
    expect(peer.header('Accept')).toBe(
      'application/problem+json, application/json, text/json, text/plain',
    );
    expect(peer.header('Accept-Encoding')).toBe('identity');
    expect(peer.header('User-Agent')).toBe(`scan-upload-action/${VERSION}`);
    expect(peer.header('traceparent')).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
    expect(peer.header('X-Gateway')).toBe('a, b');
    expect(peer.header('Authorization')).toBe('Bearer s3cret');
    expect(told.requests).toEqual([
      ['Accept', 'Accept-Encoding', 'User-Agent', 'traceparent', 'X-Gateway', 'Authorization'],
    ]);
    expect(told.phases).toEqual([['connect', 'send', 'head', 'body']]);
  });

  test('sends no credential where none is wanted', async () => {
    const server = await openServer(answerOk);
    await sendOnce(server.url, { credential: { kind: 'none' } });
    expect(server.peer.header('Authorization')).toBeUndefined();
  });

  test('uses the TLS material, and tells of every byte', async () => {
    const server = await openServer(answerOk, certificate);
    const body = await makeBody(makeBytes(100_000));
    const told = new Told();
    const link = makeLink(server.url, { ca: certificate.cert });
    expect((await sendOnce(server.url, { body }, told, link)).result).toBe('accepted');
    expect(told.bytes).toBe(body.length);
  });

  test('makes a new span of the one trace for each attempt', async () => {
    const server = await openServer(answerOk);
    const sender = new Sender(await makeTask(server.url), makeLink(server.url), new Told(), QUIET);
    await sender.send();
    await sender.send();
    const spans = server.peers.map((peer) => peer.header('traceparent')?.split('-'));
    expect(spans.map((parts) => parts?.[1])).toEqual([TRACE_ID, TRACE_ID]);
    expect(spans[0]?.[2]).not.toBe(spans[1]?.[2]);
  });

  test.each([
    [MIB, undefined],
    [MIB + 1, '100-continue'],
  ])('with a body of %i bytes sends Expect: %s', async (length, expectation) => {
    const server = await openServer(async (peer) => {
      await peer.readHead();
      if (peer.header('Expect') !== undefined) peer.send('HTTP/1.1 100 Continue\r\n\r\n');
      await answerOk(peer);
    });
    const body = await makeBodyOf(length);
    expect(body.length).toBe(length);
    expect((await sendOnce(server.url, { body })).result).toBe('accepted');
    expect(server.peer.header('Expect')).toBe(expectation);
    expect(server.peer.body.length).toBe(length);
  });

  test('sends the body to a service that does not know the expectation', async () => {
    const server = await openServer(answerOk);
    const content = makeBytes(MIB);
    const body = await makeBody(content);
    expect((await sendOnce(server.url, { body })).result).toBe('accepted');
    expect(server.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test('leaves a service time to refuse before a large body goes out', async () => {
    const server = await openServer(async (peer) => {
      await peer.readHead();
      setTimeout(() => peer.reply(401), 200);
    });
    const verdict = await sendOnce(server.url, { body: await makeBody(makeBytes(MIB)) });
    expect(verdict).toMatchObject({ result: 'rejected', cause: { answer: { status: 401 } } });
    await server.peer.closed;
    expect(server.peer.body.length).toBe(0);
    expect(server.peers).toHaveLength(1);
  });

  test('does not repeat a request whose connection breaks while it waits to be asked for the body', async () => {
    const server = await openServer(async (peer) => {
      await peer.readHead();
      peer.reset();
    });
    const verdict = await sendOnce(server.url, { body: await makeBody(makeBytes(MIB)) });
    expect(verdict).toMatchObject({
      result: 'not-sent',
      cause: { kind: 'connection', phase: 'continue' },
      retry: 'always',
    });
    expect(server.peers).toHaveLength(1);
  });

  test('repeats a request without the expectation that was refused, in the same attempt', async () => {
    const server = await openServer(refuseExpectation);
    const content = makeBytes(MIB);
    const body = await makeBody(content);
    const told = new Told();
    const sender = new Sender(
      await makeTask(server.url, { body }),
      makeLink(server.url),
      told,
      QUIET,
    );
    expect((await sender.send()).result).toBe('accepted');
    expect(server.peers.map((peer) => peer.header('Expect'))).toEqual(['100-continue', undefined]);
    expect(server.peers.map((peer) => peer.body.length)).toEqual([0, body.length]);
    expect(told.requests).toHaveLength(2);
    expect(sender.digests).toEqual([sha256(content)]);
    await sender.send();
    expect(server.peers.map((peer) => peer.header('Expect'))).toEqual([
      '100-continue',
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['large', MIB, 2],
    ['small', 0, 1],
  ])('takes a 417 without an expectation for a refusal (%s body)', async (_, size, requests) => {
    const server = await openServer(async (peer) => {
      await peer.readHead();
      if (peer.header('Expect') === undefined) await peer.readRequest();
      peer.reply(417);
    });
    const verdict = await sendOnce(server.url, { body: await makeBody(makeBytes(size)) });
    expect(verdict).toMatchObject({
      result: 'rejected',
      cause: { kind: 'refused', answer: { status: 417 } },
      retry: 'never',
    });
    expect(server.peers).toHaveLength(requests);
  });

  test('waits for an answer longer than for progress', async () => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      setTimeout(() => peer.reply(200), 1200);
    });
    expect((await sendOnce(server.url, { stallMs: 500 })).result).toBe('accepted');
  });

  test('gives up on a connection that makes no progress', async () => {
    const server = await openServer((peer) => {
      peer.socket.pause();
    });
    const url = new URL(server.url.href.replace('http:', 'https:'));
    expect(await sendOnce(url, { stallMs: 150 })).toEqual({
      result: 'not-sent',
      cause: { kind: 'stalled', phase: 'connect', limitMs: 150 },
      retry: 'always',
    });
  });

  test('judges a refusal by what it says', async () => {
    const server = await openServer(async (peer) => {
      await peer.readRequest();
      peer.reply(400, { body: '{"title":"Bad","detail":"No such scan."}' });
    });
    expect(await sendOnce(server.url)).toMatchObject({
      result: 'rejected',
      cause: { kind: 'refused', problem: { detail: 'No such scan.' } },
    });
  });

  test('fetches the job’s identity afresh for each attempt, for at most the stall limit', async () => {
    const server = await openServer(answerOk);
    const tokens = ['first', 'second'];
    const told = Object.assign(new Told(), {
      fetchIdToken: async (audience: string) => `${audience}-${tokens.shift()}`,
    });
    const task = await makeTask(server.url, { credential: OIDC });
    const sender = new Sender(task, makeLink(server.url), told, QUIET);
    await sender.send();
    await sender.send();
    expect(server.peers.map((peer) => peer.header('X-Id'))).toEqual([
      'Bearer scans-first',
      'Bearer scans-second',
    ]);
    const silent = Object.assign(new Told(), {
      fetchIdToken: async () => new Promise<string>(() => {}),
    });
    const verdict = await sendOnce(server.url, { credential: OIDC, stallMs: 60 }, silent);
    expect(verdict).toMatchObject({ result: 'not-sent', cause: { kind: 'identity' } });
    expect(server.peers).toHaveLength(2);
  });

  test('connects to nobody without the identity it was to show', async () => {
    const server = await openServer(answerOk);
    const verdict = await sendOnce(server.url, { credential: OIDC });
    expect(verdict).toMatchObject({
      result: 'not-sent',
      cause: { kind: 'identity', error: { isPermission: false } },
      retry: 'always',
    });
    expect(server.peers).toHaveLength(0);
  });

  test('connects to nobody once it was told to stop', async () => {
    const server = await openServer(answerOk);
    const reason = new CancelledError('SIGTERM');
    const signal = AbortSignal.abort(reason);
    const sender = new Sender(await makeTask(server.url), makeLink(server.url), new Told(), signal);
    expect(await sender.send()).toEqual({
      result: 'not-sent',
      cause: { kind: 'aborted', phase: 'connect', reason },
      retry: 'never',
    });
    expect(server.peers).toHaveLength(0);
  });

  test('remembers the digests of what was once sent whole', async () => {
    const server = await openServer(async (peer, turn) => {
      await peer.readRequest();
      if (turn === 1) peer.reset();
    });
    const task = await makeTask(server.url, { body: await makeBody('{"a":1}') });
    const controller = new AbortController();
    const sender = new Sender(task, makeLink(server.url), new Told(), controller.signal);
    expect(sender.digests).toBeUndefined();
    expect((await sender.send()).result).toBe('unconfirmed');
    expect(sender.digests).toEqual([sha256('{"a":1}')]);
    controller.abort(new CancelledError('SIGINT'));
    expect((await sender.send()).result).toBe('not-sent');
    expect(sender.digests).toEqual([sha256('{"a":1}')]);
  });
});
