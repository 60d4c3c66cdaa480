import { describe, expect, jest, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { appendFile, truncate } from 'node:fs/promises';
import { Agent, STATUS_CODES } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Duplex } from 'node:stream';
import { CancelledError, StepError } from '../../src/errors.ts';
import type { Attempt, State } from '../../src/service/attempt.ts';
import { findFile, joinSegments, makeBody, makeError } from '../support/bodies.ts';
import {
  exchangeWith,
  expectFailure,
  expectResponse,
  listStates,
  readError,
} from '../support/exchanges.ts';
import type { Setting } from '../support/exchanges.ts';
import { CONTINUE, makeReply } from '../support/peer.ts';
import { findClosedPort, openServer } from '../support/raw-server.ts';
import type { Peer } from '../support/peer.ts';
import type { RawServer, Script } from '../support/raw-server.ts';
import { KIB, MIB, makeBytes, sha256 } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';

/** More bytes than the socket buffers of both ends together take. */
const HUGE = Buffer.alloc(24 * MIB, 'x');
/** Short enough for a test, and longer than a busy machine takes to connect. */
const STALL_MS = 400;
const SLOW_MS = 100;
const PIECE_BYTES = 64 * KIB;

/**
 * A connection that writes slowly and, like a socket, writes all waiting pieces at once. Its response
 * begins once it has received the whole body, and arrives as slowly. The time passes for fake timers.
 */
class SlowConnection extends Duplex {
  readonly #bodyBytes: number;
  #bytes = 0;

  constructor(bodyBytes: number) {
    super();
    this.#bodyBytes = bodyBytes;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#take([chunk], done);
  }

  override _writev(pieces: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.#take(
      pieces.map(({ chunk }) => chunk),
      done,
    );
  }

  #take(chunks: readonly Buffer[], done: () => void): void {
    const bytes = Buffer.concat(chunks);
    this.#bytes += bytes.length;
    // The bytes include the request's headers.
    const isWhole = this.#bytes > this.#bodyBytes && bytes.toString('latin1').endsWith('--\r\n');
    setImmediate(() => {
      jest.advanceTimersByTime(SLOW_MS * Math.ceil(bytes.length / PIECE_BYTES));
      done();
      if (isWhole) void this.#respond();
    });
  }

  async #respond(): Promise<void> {
    this.push(makeReply(200, { headers: { 'Content-Length': '10' } }));
    for (let drip = 0; drip < 10; drip += 1) {
      await nextTurn();
      jest.advanceTimersByTime(SLOW_MS);
      this.push('.');
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Acts once the whole request has arrived. */
function afterRequest(act: (peer: Peer) => unknown): Script {
  return async (peer) => {
    await peer.readRequest();
    act(peer);
  };
}

/** Acts once the request's headers have arrived. */
function afterHead(act: (peer: Peer) => unknown): Script {
  return async (peer) => {
    await peer.readHead();
    await act(peer);
  };
}

/** Acts in the middle of a body, and stops reading it. */
function amidBody(act: (peer: Peer) => unknown): Script {
  return async (peer) => {
    await peer.readBytes(MIB);
    peer.socket.pause();
    await act(peer);
  };
}

const accept = afterRequest((peer) => peer.reply(200));

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
    const script = afterRequest((peer) => peer.reply(200, { body: 'stored' }));
    const { end, server } = await play(script, {
      body,
      headers: { Authorization: 'Bearer t', 'X-Extra': 'a b' },
      onSent: (bytes) => sent.push(bytes),
    });
    expect(expectResponse(end)).toMatchObject({ status: 200, says: ['stored'], complete: true });
    expect(end).toMatchObject({ isSent: true, digests: [sha256(content)] });
    expect(listStates(end)).toEqual(['connecting', 'sending', 'flushing', 'waiting', 'reading']);
    expect(server.peers).toHaveLength(1);
    expect(server.peer.body.equals(joinSegments(body, content))).toBe(true);
    expect(server.peer.head[0]).toBe('POST /v1/scanner/upload-file HTTP/1.1');
    expect(server.peer.header('Authorization')).toBe('Bearer t');
    expect(server.peer.header('X-Extra')).toBe('a b');
    expect(server.peer.header('Content-Type')).toBe(body.contentType);
    expect(server.peer.header('Content-Length')).toBe(String(body.length));
    expect(server.peer.header('Transfer-Encoding')).toBeUndefined();
    expect(server.peer.header('Expect')).toBeUndefined();
    expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBe(body.length);
  });

  test('leaves no timer and no listener behind', async () => {
    const server = await openServer(accept);
    const body = await makeBody();
    const { signal } = new AbortController();
    // No timer has to fire here: sockets use timers that jest does not replace.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      await exchangeWith(server.url, { body, signal });
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test.each(['http', 'https'])(
    'fails to connect if the connection is refused (%s)',
    async (scheme) => {
      const end = await exchangeWith(new URL(`${scheme}://127.0.0.1:${await findClosedPort()}/`));
      const error = { code: 'ECONNREFUSED' };
      expect(end).toMatchObject({ state: 'connecting', isSent: false, sentBytes: 0 });
      expect(expectFailure(end)).toMatchObject({ kind: 'connection', error });
    },
  );

  const SYSCALL = { kind: 'connection', error: { code: expect.any(String) } };
  const REFUSED = { kind: 'unexpected', text: expect.stringContaining('Invalid character') };
  test.each([
    ['the system has no route to the host', '255.255.255.255', {}, SYSCALL],
    ['the system lacks the local address', '127.0.0.1', { localAddress: '192.0.2.1' }, SYSCALL],
    ['node:http refuses a header', '127.0.0.1', {}, REFUSED, 'a\nb'],
  ])('fails to connect if %s', async (_, host, options, failure, value = '') => {
    const agent = new Agent({ keepAlive: false, ...options });
    const headers = { 'X-Extra': value };
    const end = await exchangeWith(new URL(`http://${host}:9/`), { agent, headers });
    expect(end).toMatchObject({ failure, isSent: false, digests: undefined });
    expect(listStates(end)).toEqual(['connecting']);
  });

  test('looks up a name before it connects, and reports each state as it begins', async () => {
    const server = await openServer(accept);
    const entered: State[] = [];
    const url = new URL(`http://localhost:${server.port}/`);
    const end = await exchangeWith(url, { onState: (state) => entered.push(state) });
    expect(entered.slice(0, 3)).toEqual(['resolving', 'connecting', 'sending']);
    expect(listStates(end)).toEqual(entered);
  });

  test.each([
    [
      'has no such name',
      (_n, _o, done) => void setImmediate(done, makeError('ENOTFOUND'), ''),
      'connection',
    ],
    ['does not respond', () => {}, 'limit'],
    [
      'responds too late',
      (_n, _o, done) => void setTimeout(done, 200, null, '127.0.0.1', 4),
      'limit',
    ],
  ] satisfies [string, LookupFunction, string][])(
    'fails while resolving if the resolver %s',
    async (_, lookup, kind) => {
      const agent = new Agent({ keepAlive: false, lookup, autoSelectFamily: false });
      const limits = kind === 'limit' ? { stallMs: 100 } : {};
      const end = await exchangeWith(new URL('http://scan.example:9/'), { agent, limits });
      expect(end).toMatchObject({ state: 'resolving', failure: { kind }, isSent: false });
      await delay(kind === 'limit' ? 200 : 0);
      expect(listStates(end)).toEqual(['resolving']);
    },
  );

  test('recognises a server that expects TLS by its alert', async () => {
    const alert = Buffer.from([0x15, 3, 1, 0, 2, 2, 70]);
    const { end } = await play(afterRequest((peer) => peer.send(alert)));
    expect(expectFailure(end)).toMatchObject({ error: { isTlsRecord: true } });
  });

  test.each([
    ['text of another protocol', '220 mail.example ESMTP\r\n', /HPE_INVALID_CONSTANT/],
    [
      'a header that is too long',
      `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}`,
      /HPE_HEADER_OVERFLOW/,
    ],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      /^the connection was closed$/,
    ],
    [
      'an endless number of interim ones',
      'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000),
      /^too many interim responses \(1xx\)$/,
    ],
  ])('fails with isSent set, if the response is %s', async (_, text, error) => {
    const { end } = await play(afterRequest((peer) => peer.send(text)));
    const failure = { kind: 'connection' };
    expect(end).toMatchObject({ state: 'waiting', isSent: true, response: undefined, failure });
    expect(readError(end)).toMatch(error);
  });

  test.each([
    ['FIN', (peer: Peer) => peer.end()],
    ['FIN inside the head', (peer: Peer) => peer.socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
  ])('fails with isSent set, after a %s in place of the response', async (_, close) => {
    const { end } = await play(afterRequest(close));
    expect(expectFailure(end).kind).toBe('connection');
    expect(end).toMatchObject({ state: 'waiting', isSent: true, digests: [sha256('{}')] });
  });

  test('stops reading the file after a reset while sending', async () => {
    const body = await makeBody(HUGE);
    let sent = 0;
    const { end } = await play(
      async (peer) => {
        await peer.readBytes(MIB);
        peer.reset();
      },
      {
        body,
        onSent: (bytes) => {
          sent += bytes;
        },
      },
    );
    expect(expectFailure(end)).toMatchObject({
      error: { code: expect.stringMatching(/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/) },
    });
    expect(end).toMatchObject({ state: 'sending', isSent: false, sentBytes: sent });
    expect(sent).toBeLessThan(body.length);
  });
});

describe('exchange with an early response', () => {
  test('reads a refusal that arrives while the body is being sent, and stops sending', async () => {
    const body = await makeBody(HUGE);
    const reply = makeReply(413, { body: 'too large' });
    const agent = new Agent({ keepAlive: false });
    const { end, server } = await play(
      amidBody((peer) => peer.send(reply)),
      { body, agent },
    );
    const sockets = Object.values(agent.sockets).flatMap((some) => some ?? []);
    expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([]);
    expect(expectResponse(end)).toMatchObject({ status: 413, says: ['too large'], complete: true });
    expect(end).toMatchObject({ isSent: false, digests: undefined });
    expect(listStates(end)).toEqual(['connecting', 'sending', 'reading']);
    expect(server.peer.size).toBeLessThan(body.length);
  });

  test('reads a refusal to its end, even if a file can no longer be read', async () => {
    const body = await makeBody();
    const reading = Promise.withResolvers<never>();
    jest.spyOn(findFile(body).handle, 'read').mockReturnValue(reading.promise);
    const script = afterHead(async (peer) => {
      await delay(50);
      peer.send(makeReply(413, { headers: { 'Content-Length': '9' } }));
      await delay(50);
      peer.socket.end('too large');
    });
    const onState = (state: State): void => {
      if (state === 'reading') reading.reject(makeError('EIO'));
    };
    const { end } = await play(script, { body, onState });
    expect(expectResponse(end)).toMatchObject({ status: 413, says: ['too large'], complete: true });
    expect(end.failure).toBeUndefined();
  });

  test('stops sending once a refusal has started, even if the service still reads', async () => {
    const body = await makeBody(HUGE);
    const script = amidBody(async (peer) => {
      peer.send(makeReply(413, { headers: { 'Content-Length': '9' } }));
      await delay(100);
      peer.socket.resume();
      await delay(100);
      peer.socket.end('too large');
    });
    const { end, server } = await play(script, { body });
    expect(expectResponse(end)).toMatchObject({ status: 413, says: ['too large'], complete: true });
    expect(server.peer.size).toBeLessThan(body.length);
  });

  test.each([
    ['with a body', makeReply(200, { body: 'ok' })],
    ['with a body that never ends', makeReply(200, { headers: { 'Content-Length': '9' } })],
  ])('treats a success before the last byte as incomplete (%s)', async (_, reply) => {
    const body = await makeBody(HUGE);
    const { end, server } = await play(
      amidBody((peer) => peer.send(reply)),
      { body },
    );
    expect(expectResponse(end)).toMatchObject({ complete: false });
    expect(end).toMatchObject({ isSent: false, digests: undefined, failure: undefined });
    // While its socket is paused, the server does not notice that the client has disconnected.
    server.peer.socket.resume();
    await server.peer.closed;
    expect(server.peer.size).toBeLessThan(body.length);
  });
});

describe('exchange with Expect: 100-continue', () => {
  test.each([
    [401, { complete: true }],
    [200, { complete: false }],
  ])('sends only the head if a %i arrives instead of 100 Continue', async (status, rest) => {
    const body = await makeBody(makeBytes(2 * MIB));
    const script = afterHead((peer) => peer.reply(status, { body: 'text' }));
    const { end, server } = await play(script, { body, expectContinue: true });
    expect(expectResponse(end)).toMatchObject({ status, ...rest });
    expect(end).toMatchObject({ isSent: false, digests: undefined });
    expect(listStates(end)).toEqual(['connecting', 'asking', 'reading']);
    await server.peer.closed;
    expect(server.peer.header('Expect')).toBe('100-continue');
    expect(server.peer.body.length).toBe(0);
  });

  test.each<[string, Script, number]>([
    [
      'after 100 Continue, and ignores other interim responses',
      async (peer) => {
        await peer.readHead();
        peer.send('HTTP/1.1 102 Processing\r\n\r\n');
        await delay(50);
        expect(peer.body.length).toBe(0);
        peer.send(CONTINUE);
        await peer.readRequest();
        peer.send('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
        peer.reply(200);
      },
      20_000,
    ],
    [
      'only once to a service that sends 100 Continue too late',
      async (peer, turn) => {
        await peer.readBytes(MIB);
        peer.send(CONTINUE);
        await accept(peer, turn);
      },
      60,
    ],
  ])('sends the body %s', async (_, script, continueMs) => {
    const content = makeBytes(2 * MIB);
    const body = await makeBody(content);
    const setting = { body, expectContinue: true, limits: { continueMs } };
    const { end, server } = await play(script, setting);
    expect(expectResponse(end)).toMatchObject({ status: 200, complete: true });
    expect(end).toMatchObject({ isSent: true });
    expect(listStates(end)).toEqual([
      'connecting',
      'asking',
      'sending',
      'flushing',
      'waiting',
      'reading',
    ]);
    expect(server.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test('fails before sending if the connection ends instead', async () => {
    const { end } = await play(
      afterHead((peer) => peer.reset()),
      { expectContinue: true },
    );
    expect(expectFailure(end)).toMatchObject({ error: { code: 'ECONNRESET' } });
    expect(end).toMatchObject({ state: 'asking', isSent: false });
  });
});

// Each byte of a response is cut in __tests__/faults/every-byte-http.test.ts.
describe('exchange with a truncated response', () => {
  const half = makeReply(200, { headers: { 'Content-Length': '100' }, body: 'half of it' });
  const chunk = 'HTTP/1.1 500 OK\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nhalf of it';
  test.each([
    ['by length', 'FIN', half, (peer: Peer) => peer.end(), /closed|aborted/],
    ['by chunks', 'RST', chunk, (peer: Peer) => setTimeout(() => peer.reset(), 50), /ECONNRESET/],
  ])(
    'detects that a response framed %s is truncated by a %s',
    async (_, _closing, bytes, close, message) => {
      const script = afterRequest((peer) => {
        peer.send(bytes);
        close(peer);
      });
      const { end } = await play(script);
      const { status, says, complete } = expectResponse(end);
      // A truncated success says nothing that counts.
      expect([says, complete]).toEqual([status === 200 ? [] : ['half of'], false]);
      expect(end).toMatchObject({ isSent: true, failure: { kind: 'connection' } });
      expect(readError(end)).toMatch(message);
    },
  );

  test('treats a response without framing as complete after a FIN', async () => {
    const { end } = await play(
      afterRequest((peer) => peer.socket.end('HTTP/1.0 200 OK\r\n\r\nstored')),
    );
    expect(expectResponse(end)).toMatchObject({ status: 200, says: ['stored'], complete: true });
  });
});

describe('exchange that stalls', () => {
  const SHORT = { stallMs: STALL_MS, headMs: STALL_MS, continueMs: STALL_MS };

  test('fails if the service does not read the body', async () => {
    const setting = { body: await makeBody(HUGE), limits: SHORT };
    const { end } = await play((peer) => void peer.socket.pause(), setting);
    expect(expectFailure(end)).toEqual({ kind: 'limit', limitMs: STALL_MS });
    expect(end).toMatchObject({ state: 'sending', isSent: false, digests: undefined });
  });

  test('does not fail while a body is sent and its response arrives slowly', async () => {
    const body = await makeBody(makeBytes(MIB));
    const agent = new Agent();
    agent.createConnection = () => new SlowConnection(body.length);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    cleanUp(() => void jest.useRealTimers());
    const url = new URL('http://scan.example/');
    const end = await exchangeWith(url, { body, agent, limits: { stallMs: 6 * SLOW_MS } });
    expect(expectResponse(end)).toMatchObject({ complete: true });
  });

  test('fails if no response arrives', async () => {
    const { end, server } = await play(() => {}, { limits: { headMs: 150 } });
    expect(expectFailure(end)).toEqual({ kind: 'limit', limitMs: 150 });
    expect(end).toMatchObject({ state: 'waiting', isSent: true, digests: [expect.any(String)] });
    await server.peer.closed;
  });

  test('fails if the body of a response stalls', async () => {
    const half = makeReply(200, { headers: { 'Content-Length': '100' }, body: 'half of it' });
    const { end } = await play(
      afterRequest((peer) => peer.send(half)),
      { limits: SHORT },
    );
    expect(expectResponse(end)).toMatchObject({ status: 200, says: [], complete: false });
    expect(end).toMatchObject({ state: 'reading', failure: { kind: 'limit', limitMs: STALL_MS } });
  });
});

describe('exchange with a response that cannot be read for an error of our own', () => {
  test('ends all the same', async () => {
    const failing: PropertyDescriptor = {
      configurable: true,
      get: () => {
        throw new Error('no name');
      },
    };
    Reflect.defineProperty(STATUS_CODES, 499, failing);
    cleanUp(async () => void Reflect.deleteProperty(STATUS_CODES, 499));
    const { end } = await play(afterRequest((peer) => peer.reply(499, { body: 'a b' })));
    expect(end).toMatchObject({ isSent: true, response: undefined });
    expect(end.failure).toEqual({ kind: 'unexpected', text: 'no name' });
  });
});

describe('exchange that is aborted', () => {
  const reason = new CancelledError('SIGTERM');
  const failure = { kind: 'step', error: reason, text: reason.message };

  test('does not connect if the signal has already fired', async () => {
    const server = await openServer(accept);
    const end = await exchangeWith(server.url, { signal: AbortSignal.abort(reason) });
    expect(expectFailure(end)).toEqual(failure);
    expect(end).toMatchObject({ state: 'connecting', isSent: false });
    expect(server.peers).toHaveLength(0);
  });

  test('keeps a reason that is no StepError', async () => {
    const error = makeError('ESTOP', 'stop');
    const url = new URL('http://127.0.0.1:9/');
    const end = await exchangeWith(url, { signal: AbortSignal.abort(error) });
    expect(expectFailure(end)).toEqual({ kind: 'unexpected', text: error.message });
    expect(readError(end)).toBe('stop');
  });

  test('ends at once while sending', async () => {
    const controller = new AbortController();
    const setting = { body: await makeBody(HUGE), signal: controller.signal };
    const { end } = await play(
      amidBody(() => controller.abort(reason)),
      setting,
    );
    expect(expectFailure(end)).toEqual(failure);
    expect(end).toMatchObject({ state: 'sending', isSent: false, digests: undefined });
  });

  test('ends at once while reading the response, with the bytes received so far', async () => {
    const controller = new AbortController();
    const script = afterRequest((peer) => {
      peer.send(makeReply(200, { headers: { 'Content-Length': '100' }, body: 'half of it' }));
      setTimeout(() => controller.abort(reason), 50);
    });
    const { end, server } = await play(script, { signal: controller.signal });
    expect(expectResponse(end)).toMatchObject({ status: 200, says: [], complete: false });
    expect(end.failure).toEqual(failure);
    await server.peer.closed;
  });
});

describe('exchange of a file that changes', () => {
  test.each([
    ['shrinks', (path: string) => truncate(path, MIB), /became shorter/],
    ['grows', (path: string) => appendFile(path, 'more'), /changed its size/],
  ] as const)(
    'fails at once when it %s, before the closing boundary',
    async (_, change, message) => {
      const body = await makeBody(HUGE);
      const script = amidBody(async (peer) => {
        await change(findFile(body).path);
        peer.socket.resume();
      });
      const { end, server } = await play(script, { body });
      expect(expectFailure(end)).toMatchObject({ kind: 'step', error: expect.any(StepError) });
      expect(readError(end)).toMatch(message);
      expect(end).toMatchObject({ isSent: false, digests: undefined });
      await server.peer.closed;
      expect(server.peer.body.length).toBeLessThan(body.length);
    },
  );
});
