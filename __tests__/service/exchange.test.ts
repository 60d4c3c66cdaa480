import { getEventListeners } from 'node:events';
import { Agent, STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import { createAgent } from '../../src/service/agent.ts';
import type { Attempt, State } from '../../src/service/attempt.ts';
import { LIMITS } from '../../src/service/exchange.ts';
import {
  findFile,
  joinSegments,
  makeBody,
  makeError,
  PATIENT_MS,
  exchangeOver,
  exchangeWith,
  expectFailure,
  expectResponse,
  makeConnection,
} from '../support/exchanges.ts';
import type { Setting, Take } from '../support/exchanges.ts';
import { makeCertificate } from '../support/network.ts';
import { CONTINUE, makeReply, findClosedPort, openServer } from '../support/servers.ts';
import type { Peer, RawServer, Script } from '../support/servers.ts';
import { MIB, makeBytes, sha256, cleanUp } from '../support/workspace.ts';

/** More bytes than the socket buffers of both ends together take. */
const HUGE = Buffer.alloc(24 * MIB, 'x');
const HALF = { headers: { 'Content-Length': '100' }, body: 'half of it' };
/** Short enough for a test, and longer than a busy machine takes to connect. */
const SHORT = { stallMs: 400, headMs: 400 };
/** Asks before the body, and waits for the response to that. */
const ASKING = { expectContinue: true, limits: { continueMs: PATIENT_MS } };

/** Lets fake time pass in a turn of the event loop. */
async function pass(ms: number): Promise<void> {
  await new Promise(setImmediate);
  jest.advanceTimersByTime(ms);
}

/** Takes a piece after 100 ms; after the last one, a response arrives as slowly. */
async function takeSlowly(...[connection, , done, isLast]: Parameters<Take>): Promise<void> {
  await pass(100);
  done();
  if (!isLast) return;
  await pass(1);
  connection.push(makeReply(200, { headers: { 'Content-Length': '10' } }));
  for (let drip = 0; drip < 10; drip += 1) {
    await pass(100);
    connection.push('.');
  }
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

type Act = (peer: Peer) => unknown;

const afterRequest = (act: Act) => (peer: Peer) => peer.readUpload().then(() => act(peer));
const afterHead = (act: Act) => (peer: Peer) => peer.readHead().then(() => act(peer));
/** Acts in the middle of a body, and stops reading it. */
const amidBody = (act: Act) => (peer: Peer) =>
  peer.readBytes(MIB).then(() => {
    peer.socket.pause();
    return act(peer);
  });
const accept = afterRequest((peer) => peer.reply(200));

const sendContinue: Script = async (peer) => {
  await peer.readHead();
  peer.send('HTTP/1.1 102 Processing\r\n\r\n');
  await delay(50);
  expect(peer.body.length).toBe(0);
  peer.send(CONTINUE);
  await peer.readUpload();
  peer.send('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
  peer.reply(200);
};
const sendLateContinue: Script = async (peer) => {
  await peer.readBytes(MIB);
  peer.send(CONTINUE);
  await accept(peer);
};

const sendHalfAndWait = (abort: () => void): Script =>
  afterRequest((peer) => {
    peer.send(makeReply(200, HALF));
    setTimeout(abort, 50);
  });

/** How an exchange ended with a server that follows `script`. */
async function play(
  script: Script,
  setting: Setting = {},
): Promise<{ readonly end: Attempt; readonly server: RawServer }> {
  const server = await openServer(script);
  return { end: await exchangeWith(server.url, setting), server };
}

describe('exchange', () => {
  test('sends the exact bytes with a Content-Length, and returns a complete response', async () => {
    const content = makeBytes(3 * MIB + 1);
    const body = await makeBody(content);
    const sent: number[] = [];
    const states: State[] = [];
    const script = afterRequest((peer) => peer.reply(200, { body: 'stored' }));
    const { end, server } = await play(script, {
      body,
      headers: { 'X-Extra': 'a b' },
      onSent: (bytes) => sent.push(bytes),
      onState: (state) => states.push(state),
    });
    const response = { status: 200, says: ['stored'], complete: true };
    const record = { state: 'reading', isSent: true, sentBytes: body.length, response };
    expect(end).toMatchObject({ ...record, digests: [sha256(content)], failure: undefined });
    expect(server.peers).toHaveLength(1);
    expect(server.peer.body.equals(joinSegments(body, content))).toBe(true);
    expect(server.peer.head[0]).toBe('POST /v1/scanner/upload-file HTTP/1.1');
    const progress = ['asking', 'sending', 'flushing', 'waiting', 'reading'];
    expect(states).toEqual(['connecting', ...progress]);
    const own = ['X-Extra', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'Expect'];
    const values = ['a b', body.contentType, String(body.length), undefined, undefined];
    expect(own.map((name) => server.peer.header(name))).toEqual(values);
    expect(sent).toEqual(sent.toSorted((one, other) => one - other));
    expect(sent.at(-1)).toBe(body.length);
  });

  test('leaves no timer and no listener behind', async () => {
    const { signal } = new AbortController();
    const before = countTimers();
    await play(accept, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(countTimers()).toBe(before);
  });

  const NO_ROUTE = { kind: 'connection', error: { code: expect.any(String) } };
  const SILENT = { agent: new Agent({ keepAlive: false, lookup: () => {} }) };
  const LATE = { kind: 'limit', limitMs: 100 };
  test.each<[string, string, Setting, object]>([
    ['nothing listens', '127.0.0.1', {}, { kind: 'connection', error: { code: 'ECONNREFUSED' } }],
    ['the system has no route', '255.255.255.255', {}, NO_ROUTE],
    ['the name is not looked up', 'scan.example', { ...SILENT, limits: { connectMs: 100 } }, LATE],
    [
      'it takes over the stall limit',
      'scan.example',
      { ...SILENT, limits: { stallMs: 100 } },
      LATE,
    ],
  ])('fails to connect if %s', async (_, host, setting, failure) => {
    const end = await exchangeWith(new URL(`http://${host}:${await findClosedPort()}/`), setting);
    expect(end).toMatchObject({ state: 'connecting', failure, isSent: false, sentBytes: 0 });
  });

  test.each([
    ['text of another protocol', '220 mail.example ESMTP\r\n', /HPE_INVALID_CONSTANT/],
    ['a huge header', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}`, /HPE_HEADER_OVERFLOW/],
    ['a switch', 'HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', /clos/],
    ['nothing', '', /closed the connection/],
  ])('fails with isSent set, if the response is %s', async (_, text, error) => {
    const { end } = await play(afterRequest((peer) => peer.socket.end(text)));
    const record = { state: 'waiting', isSent: true, digests: [sha256('{}')] };
    const failure = { kind: 'connection', error: { text: expect.stringMatching(error) } };
    expect(end).toMatchObject({ ...record, response: undefined, failure });
  });
});

describe('exchange that ends early', () => {
  const TOO_LARGE = { status: 413, says: ['too large'], complete: true };

  test('reads a refusal that arrives while the body is being sent, and stops sending', async () => {
    const body = await makeBody(HUGE);
    const reading = Promise.withResolvers<void>();
    let sentBytes = 0;
    let before = 0;
    const script = amidBody(async (peer) => {
      peer.send(makeReply(413, { headers: { 'Content-Length': '9' } }));
      await reading.promise;
      before = sentBytes;
      peer.socket.resume();
      await delay(100);
      peer.send('too large');
    });
    const { end } = await play(script, {
      body,
      onSent: (bytes) => (sentBytes = bytes),
      onState: (state) => state === 'reading' && reading.resolve(),
    });
    expect(expectResponse(end)).toMatchObject(TOO_LARGE);
    expect(end).toMatchObject({ state: 'reading', isSent: false, digests: undefined });
    // The connection may still take the piece that it had been given.
    expect(end.sentBytes - before).toBeLessThan(MIB);
  });

  test('reads a refusal to its end, even if a file can no longer be read', async () => {
    const body = await makeBody();
    const reading = Promise.withResolvers<never>();
    jest.spyOn(findFile(body).handle, 'read').mockReturnValue(reading.promise);
    const script = afterHead(async (peer) => {
      await delay(50);
      peer.send(makeReply(413, { headers: { 'Content-Length': '9' } }));
      await delay(50);
      reading.reject(makeError('EIO'));
      await delay(50);
      peer.socket.end('too large');
    });
    const { end } = await play(script, { body });
    expect(expectResponse(end)).toMatchObject(TOO_LARGE);
    expect(end.failure).toBeUndefined();
  });

  const RESET = expect.stringMatching(/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/);
  test.each<[string, Act, object]>([
    ['a reset', (peer) => peer.reset(), { failure: { error: { code: RESET } } }],
    [
      'a success before the last byte',
      (peer) => peer.send(makeReply(200, HALF)),
      { response: { status: 200, complete: false }, failure: undefined },
    ],
  ])('ends at once after %s', async (_, act, record) => {
    const body = await makeBody(HUGE);
    let sentBytes = 0;
    const onSent = (bytes: number): void => void (sentBytes = bytes);
    const { end, server } = await play(amidBody(act), { body, onSent });
    const sending = { state: 'sending', isSent: false, digests: undefined, sentBytes };
    expect(end).toMatchObject({ response: undefined, ...sending, ...record });
    expect(sentBytes).toBeLessThan(body.length);
    // While its socket is paused, the server does not notice that the client has disconnected.
    server.peer.socket.resume();
    await server.peer.closed;
  });
});

describe('exchange that asks before it sends the body', () => {
  test.each([
    [401, true, 'reading'],
    [401, false, 'reading'],
    [200, true, 'asking'],
    [200, false, 'asking'],
  ])('sends only its headers if a %i arrives instead (Expect: %s)', async (...row) => {
    const [status, expects, state] = row;
    const body = await makeBody(makeBytes(2 * MIB));
    const script = afterHead((peer) => peer.reply(status, { body: 'text' }));
    const { end, server } = await play(script, { ...ASKING, body, expectContinue: expects });
    expect(expectResponse(end)).toMatchObject({ status, complete: status === 401 });
    expect(end).toMatchObject({ state, sentBytes: 0, isSent: false, failure: undefined });
    await server.peer.closed;
    expect(server.peer.header('Expect')).toBe(expects ? '100-continue' : undefined);
    expect(server.peer.body.length).toBe(0);
  });

  test.each<[string, Script, number]>([
    ['after 100 Continue, not after other interim responses', sendContinue, PATIENT_MS],
    ['only once to a service that sends 100 Continue too late', sendLateContinue, 60],
  ])('sends the body %s', async (_, script, continueMs) => {
    const content = makeBytes(2 * MIB);
    const body = await makeBody(content);
    const setting = { body, expectContinue: true, limits: { continueMs } };
    const { end, server } = await play(script, setting);
    expect(expectResponse(end)).toMatchObject({ status: 200, complete: true });
    expect(end.isSent).toBe(true);
    expect(server.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test('fails before sending if the connection ends instead', async () => {
    const script = afterHead((peer) => peer.reset());
    const { end } = await play(script, ASKING);
    expect(expectFailure(end)).toMatchObject({ error: { code: 'ECONNRESET' } });
    expect(end).toMatchObject({ state: 'asking', isSent: false });
  });
});

// Each byte of a response is the last one in __tests__/faults/every-byte.test.ts.
test('exchange ends at once if a response is truncated', async () => {
  const { end } = await play(afterRequest((peer) => peer.socket.end(makeReply(200, HALF))));
  const response = { status: 200, complete: false };
  expect(end).toMatchObject({ state: 'reading', response, failure: { kind: 'connection' } });
});

test('exchange ends, if a response cannot be read for an error of our own', async () => {
  Reflect.set(STATUS_CODES, 499, 7);
  cleanUp(async () => void Reflect.deleteProperty(STATUS_CODES, 499));
  const { end } = await play(afterRequest((peer) => peer.reply(499, { body: 'a b' })));
  const failure = { kind: 'step', error: { situation: 'unexpected' } };
  expect(end).toMatchObject({ isSent: true, response: undefined, failure });
});

describe('exchange that stalls', () => {
  test('has 20 s to connect, 1 s to be asked for the body, and 5 minutes to respond', () => {
    expect(LIMITS).toEqual({ connectMs: 20_000, continueMs: 1000, headMs: 300_000 });
  });

  const dripRefusal = afterRequest((peer) => {
    peer.send(makeReply(400, { headers: { 'Content-Length': '60000' } }));
    const timer = setInterval(() => peer.send('.'), SHORT.stallMs / 10);
    peer.socket.once('close', () => clearInterval(timer));
  });
  const sendHalf = afterRequest((peer) => peer.send(makeReply(200, HALF)));
  test.each<[string, Buffer, Script, object]>([
    ['the service does not read', HUGE, (peer) => peer.socket.pause(), { state: 'sending' }],
    ['no response arrives', makeBytes(1), () => {}, { state: 'waiting', isSent: true }],
    ['a response stalls', makeBytes(1), sendHalf, { state: 'reading', response: { status: 200 } }],
    ['a refusal drips', makeBytes(1), dripRefusal, { state: 'reading', response: { status: 400 } }],
  ])('fails if %s', async (_, content, script, record) => {
    const setting = { body: await makeBody(content), limits: SHORT };
    const { end, server } = await play(script, setting);
    const failure = { kind: 'limit', limitMs: SHORT.stallMs };
    const digests = content === HUGE ? undefined : [sha256(content)];
    expect(end).toMatchObject({ ...record, failure, digests });
    server.peer.socket.resume();
    await server.peer.closed;
  });

  test('does not fail while a body is sent and its response arrives slowly', async () => {
    const body = await makeBody(makeBytes(MIB));
    // Streams use these; no timer has to fire by itself.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    cleanUp(() => void jest.useRealTimers());
    const connection = makeConnection((...piece) => void takeSlowly(...piece));
    const end = await exchangeOver(connection, { body, limits: { stallMs: 250 } });
    expect(expectResponse(end)).toMatchObject({ complete: true });
  });
});

describe('exchange that is aborted', () => {
  const reason = new CancelledError('SIGTERM');
  const failure = { kind: 'step', error: reason };
  test('does not connect if the signal has already fired', async () => {
    const { end, server } = await play(accept, { signal: AbortSignal.abort(reason) });
    expect(end).toMatchObject({ failure, response: undefined, isSent: false });
    expect(server.peers).toHaveLength(0);
  });

  test.each<[State, (abort: () => void) => Script, object | undefined]>([
    ['sending', amidBody, undefined],
    ['reading', sendHalfAndWait, { status: 200, complete: false }],
  ])('ends at once while %s, with what has arrived', async (state, makeScript, response) => {
    const controller = new AbortController();
    const body = await makeBody(state === 'sending' ? HUGE : '{}');
    const script = makeScript(() => controller.abort(reason));
    const { end, server } = await play(script, { body, signal: controller.signal });
    expect(end).toMatchObject({ state, failure, isSent: state === 'reading', response });
    server.peer.socket.resume();
    await server.peer.closed;
  });
});

test.each([
  ['TLSv1.2', true],
  ['TLSv1.3', true],
  ['TLSv1.2', false],
  ['TLSv1.3', false],
] as const)(
  'says of %s whether it requested a client certificate: %s',
  async (version, requestCert) => {
    const { cert, key } = await makeCertificate('127.0.0.1');
    const tls = { cert, key, requestCert, rejectUnauthorized: false, maxVersion: version };
    const server = await openServer(
      afterHead((peer) => peer.socket.destroy()),
      tls,
    );
    const agent = createAgent(server.url, { ca: cert });
    for (const attempt of [1, 2]) {
      const end = await exchangeWith(server.url, { agent, ...ASKING });
      expect({ attempt, ...end }).toMatchObject({
        attempt,
        isCertificateRequested: requestCert,
        state: 'asking',
      });
    }
  },
);
