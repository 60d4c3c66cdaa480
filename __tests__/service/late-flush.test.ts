import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { Attempt } from '../../src/service/attempt.ts';
import { findSituation } from '../../src/outcomes/judge.ts';
import { SETTINGS } from '../support/attempts.ts';
import { exchangeWith } from '../support/exchanges.ts';
import type { Setting } from '../support/exchanges.ts';
import { makeReply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import type { Peer } from '../support/peer.ts';

// Over TLS, the callback of the last write may come after the response to it. These tests force
// that order: the connection delays the callback until the response has arrived.

/** When the callback of the last write comes after the response, and what happens then. */
interface Lateness extends Pick<Setting, 'signal'> {
  readonly respond: (peer: Peer) => void;
  readonly ms: number;
  /** Called in place of the callback with a function that calls it. */
  readonly release?: (done: (error?: Error) => void, connection: Duplex) => void;
  readonly scheme?: string;
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
    const { release = (done) => done() } = this.#lateness;
    release((error) => this.#waiting?.(error), this);
  }
}

async function exchangeLate(lateness: Lateness): Promise<Attempt> {
  const { respond, scheme = 'http', stallMs = 5000, signal } = lateness;
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    respond(peer);
  });
  const agent = scheme === 'http' ? new Agent() : new HttpsAgent();
  agent.createConnection = () => new LateConnection(server.port, lateness);
  const setting = { agent, limits: { stallMs }, ...(signal && { signal }) };
  return exchangeWith(new URL(`${scheme}://scan.example/`), setting);
}

const HALF = { headers: { 'Content-Length': '100' }, body: 'half of it' };
const LATE = { ms: 10_000, stallMs: 200 };

function reply(status: number, body = ''): (peer: Peer) => void {
  return (peer) => peer.send(makeReply(status, { body }));
}

/** Sends a refusal whose body never ends. */
function refuseByHalf(peer: Peer): void {
  peer.send(makeReply(400, HALF));
}

describe.each([
  ['http', false],
  // Over TLS everything may have been sent.
  ['https', true],
] as const)('a response over %s before the callback of the last write', (scheme, isSent) => {
  test.each([
    [0, false],
    [100, false],
    [0, true],
    [50, true],
  ])('is accepted if the callback comes %i ms later (and the end: %s)', async (ms, breaks) => {
    const release: Lateness['release'] = (done, connection) => {
      done();
      if (breaks) connection.destroy(new Error('broken'));
    };
    const end = await exchangeLate({ respond: reply(200, 'stored'), ms, scheme, release });
    expect(end).toMatchObject({ isSent: true, response: { complete: true }, failure: undefined });
    expect(end.response?.says).toEqual(['stored']);
    expect(findSituation(end, SETTINGS)).toBeUndefined();
  });

  test.each<[string, Lateness, object]>([
    [
      'the callback does not come within the stall limit',
      { respond: reply(200), ...LATE },
      { state: 'flushing', isSent, failure: { kind: 'limit', limitMs: 200 } },
    ],
    [
      'the last write fails',
      {
        respond: reply(200),
        ms: 50,
        release: (done, connection) => {
          done(new Error('broken'));
          connection.push(null);
        },
      },
      { isSent, failure: { kind: 'connection', error: { text: 'broken' } } },
    ],
    [
      'the connection ends at once',
      { respond: (peer) => peer.socket.end(makeReply(200, HALF)), ms: 0 },
      { failure: { kind: 'connection' } },
    ],
    [
      'the connection ends before the callback',
      { respond: (peer) => peer.socket.end(makeReply(200, HALF)), ms: 50 },
      { failure: { kind: 'connection' } },
    ],
  ])('is not accepted if %s', async (_, lateness, record) => {
    const end = await exchangeLate({ ...lateness, scheme });
    expect(end).toMatchObject({ ...record, response: { status: 200, complete: false } });
    expect(['early-success', 'connection-broken']).toContain(findSituation(end, SETTINGS));
  });

  test('is read at once if it is a refusal', async () => {
    const end = await exchangeLate({ respond: reply(400, 'no'), ms: 10_000, scheme });
    expect(end).toMatchObject({ isSent, response: { status: 400, complete: true } });
    expect(end.response?.says).toEqual(['no']);
  });

  test('is not accepted if it is missing after a reset', async () => {
    const end = await exchangeLate({ respond: (peer) => peer.reset(), ms: 0, scheme });
    const failure = { kind: 'connection' };
    const record = { state: 'flushing', isSent, digests: undefined, response: undefined };
    expect(end).toMatchObject({ ...record, failure });
  });
});

describe('a response before the callback of the last write', () => {
  test('is read under the limit of its own state', async () => {
    const end = await exchangeLate({ respond: refuseByHalf, ms: 30, stallMs: 300 });
    const response = { status: 400, complete: false, says: ['half of it'] };
    const failure = { kind: 'limit', limitMs: 300 };
    expect(end).toMatchObject({ state: 'reading', response, failure });
  });

  test.each([
    ['a refusal', refuseByHalf, 400],
    ['a success', reply(200), 200],
  ])('is kept with the reason of the signal if it fires first: %s', async (_, respond, status) => {
    const controller = new AbortController();
    const reason = new CancelledError('SIGTERM');
    const release = (): void => controller.abort(reason);
    const { signal } = controller;
    const end = await exchangeLate({ respond, ms: 30, release, signal, stallMs: 1000 });
    const failure = { kind: 'step', error: reason };
    expect(end).toMatchObject({ response: { status, complete: false }, failure });
  });
});
