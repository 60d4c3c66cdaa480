import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { Attempt } from '../../src/service/attempt.ts';
import { isAccepted } from '../../src/service/response.ts';
import { exchangeWith, readError } from '../support/exchanges.ts';
import { makeReply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import type { Peer } from '../support/peer.ts';

// Over TLS, the callback of the last write may come after the response to it. These tests force
// that order: the connection delays the callback until the response has arrived.

const QUIET = new AbortController().signal;

/** How late the callback of the last write is, and what happens then. */
interface Lateness {
  readonly respond: (peer: Peer) => void;
  /** Milliseconds after the response. */
  readonly ms: number;
  /** Whether the last write fails in the end. */
  readonly fails?: boolean;
  /** Whether the connection breaks right after the callback. */
  readonly breaks?: boolean;
  /** Called in place of the callback, which then never comes. */
  readonly instead?: () => void;
  readonly signal?: AbortSignal;
  readonly scheme?: 'http' | 'https';
  readonly stallMs?: number;
}

class LateConnection extends Duplex {
  readonly #socket: Socket;
  readonly #lateness: Lateness;
  #waiting: ((error?: Error) => void) | undefined;

  constructor(port: number, lateness: Lateness) {
    super();
    this.#lateness = lateness;
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk: Buffer) => {
      this.push(chunk);
      setTimeout(() => this.#release(), this.#lateness.ms).unref();
    });
    this.#socket.on('end', () => this.push(null));
    // node:https waits for this event; the connection only imitates the late callback of TLS.
    this.#socket.once('connect', () => this.emit('secureConnect'));
    this.#socket.on('error', (error) => this.destroy(error));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, callback: (error?: Error) => void): void {
    this.#socket.write(chunk);
    // Delays only the callback of the closing boundary: each other write waits for the one before.
    if (chunk.toString('latin1').endsWith('--\r\n')) this.#waiting = callback;
    else callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }

  #release(): void {
    const { instead, fails, breaks } = this.#lateness;
    if (instead !== undefined) return instead();
    this.#waiting?.(...(fails === true ? [new Error('broken')] : []));
    if (fails === true) this.push(null);
    if (breaks === true) this.destroy(new Error('broken'));
  }
}

async function exchangeLate(lateness: Lateness): Promise<Attempt> {
  const { respond, scheme = 'http', stallMs = 5000, signal = QUIET } = lateness;
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    respond(peer);
  });
  const agent = scheme === 'http' ? new Agent() : new HttpsAgent();
  agent.createConnection = () => new LateConnection(server.port, lateness);
  return exchangeWith(new URL(`${scheme}://scan.example/`), { agent, limits: { stallMs }, signal });
}

function reply(status: number, body = ''): (peer: Peer) => void {
  return (peer) => peer.send(makeReply(status, { body }));
}

/** Sends a refusal whose body never ends. */
function refuseByHalf(peer: Peer): void {
  peer.send(makeReply(400, { headers: { 'Content-Length': '100' }, body: 'half of it' }));
}

describe.each([
  ['http', false],
  // Over TLS everything may have been sent.
  ['https', true],
] as const)('a response over %s before the callback of the last write', (scheme, isSent) => {
  test.each([
    [0, {}],
    [100, {}],
    [0, { breaks: true }],
    [50, { breaks: true }],
  ])('is accepted if the callback comes %i ms later (%j)', async (ms, rest) => {
    const end = await exchangeLate({ respond: reply(200, 'stored'), ms, scheme, ...rest });
    expect(end).toMatchObject({ isSent: true, response: { complete: true }, failure: undefined });
    expect(end.response?.says).toEqual(['stored']);
    expect(isAccepted(end)).toBe(true);
  });

  test('is not accepted if the callback does not come within the stall limit', async () => {
    const stallMs = 200;
    const end = await exchangeLate({ respond: reply(200), ms: 10_000, stallMs, scheme });
    const failure = { kind: 'limit', limitMs: stallMs };
    const response = { status: 200, complete: false };
    expect(end).toMatchObject({ state: 'flushing', isSent, response, failure });
    expect(isAccepted(end)).toBe(false);
  });

  test('is not accepted if the last write fails', async () => {
    const end = await exchangeLate({ respond: reply(200), ms: 50, fails: true, scheme });
    const failure = { kind: 'connection' };
    expect(end).toMatchObject({ isSent, response: { complete: false }, failure });
    expect(readError(end)).toBe('broken');
    expect(isAccepted(end)).toBe(false);
  });

  test.each([0, 50])(
    'is truncated if the connection ends before the callback too (%i ms)',
    async (ms) => {
      const half = makeReply(200, { headers: { 'Content-Length': '100' }, body: 'half of it' });
      const respond = (peer: Peer): void => void peer.socket.end(half);
      const end = await exchangeLate({ respond, ms, stallMs: 1000, scheme });
      const failure = { kind: 'connection' };
      expect(end).toMatchObject({ response: { status: 200, complete: false }, failure });
      expect(isAccepted(end)).toBe(false);
    },
  );

  test('is read at once if it is a refusal', async () => {
    const end = await exchangeLate({ respond: reply(400, 'no'), ms: 10_000, scheme });
    expect(end).toMatchObject({ isSent, response: { status: 400, complete: true } });
    expect(end.response?.says).toEqual(['no']);
  });

  test('is not accepted if it is missing after a reset', async () => {
    const end = await exchangeLate({ respond: (peer) => peer.reset(), ms: 0, scheme });
    const failure = { kind: 'connection' };
    expect(end).toMatchObject({ state: 'flushing', isSent, digests: undefined, failure });
    expect(end.response).toBeUndefined();
  });
});

describe('a response before the callback of the last write', () => {
  test('is read under the limit of its own state', async () => {
    const end = await exchangeLate({ respond: refuseByHalf, ms: 30, stallMs: 300 });
    const failure = { kind: 'limit', limitMs: 300 };
    const response = { status: 400, complete: false };
    expect(end).toMatchObject({ state: 'reading', response, failure });
    expect(end.response?.says).toEqual(['half of']);
  });

  test.each([
    ['a refusal', refuseByHalf, 400],
    ['a success', reply(200), 200],
  ])(
    'is kept with the reason of the signal if the signal fires first: %s',
    async (_, respond, status) => {
      const controller = new AbortController();
      const reason = new CancelledError('SIGTERM');
      const end = await exchangeLate({
        respond,
        ms: 30,
        instead: () => controller.abort(reason),
        signal: controller.signal,
        stallMs: 1000,
      });
      const failure = { kind: 'step', error: reason };
      expect(end).toMatchObject({ response: { status, complete: false }, failure });
    },
  );
});
