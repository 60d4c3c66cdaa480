import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import { findSituation } from '../../src/outcomes/judge.ts';
import { SETTINGS } from '../support/attempts.ts';
import { makeBody, makeError } from '../support/bodies.ts';
import { exchangeWith } from '../support/exchanges.ts';
import type { Setting } from '../support/exchanges.ts';
import { makeReply } from '../support/peer.ts';
import { KIB, MIB, makeBytes } from '../support/samples.ts';

// A server responds early and closes the connection: the next write fails before the response is read.

/** What arrives on a connection after its writes have begun to fail. */
type Arrive = (connection: BrokenConnection) => void;

class BrokenConnection extends Duplex {
  readonly #failAt: number;
  readonly #arrive: Arrive;
  #bytes = 0;

  /** Writes fail from `failAt` bytes on, or else at the last piece. */
  constructor(failAt: number, arrive: Arrive) {
    super();
    this.#failAt = failAt;
    this.#arrive = arrive;
    setImmediate(() => this.emit('secureConnect'));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    this.#bytes += chunk.length;
    const isLast = chunk.toString('latin1').endsWith('--\r\n');
    if (this.#bytes < this.#failAt && !isLast) return done();
    done(makeError('EPIPE', 'write EPIPE'));
    setTimeout(() => this.#arrive(this), 30);
  }
}

interface Broken extends Setting {
  readonly arrive: Arrive;
  readonly failAt?: number;
  readonly scheme?: 'http' | 'https';
}

async function send({ arrive, failAt = 500 * KIB, scheme = 'http', ...setting }: Broken) {
  const agent = scheme === 'http' ? new Agent() : new HttpsAgent();
  agent.createConnection = () => new BrokenConnection(failAt, arrive);
  const body = setting.body ?? (await makeBody(makeBytes(MIB)));
  return exchangeWith(new URL(`${scheme}://scan.example/`), { ...setting, body, agent });
}

function respond(status: number): Arrive {
  return (connection) => {
    connection.push(makeReply(status, { body: 'too large' }));
    connection.push(null);
  };
}

describe.each(['http', 'https'] as const)('a write that fails over %s', (scheme) => {
  test('waits for the refusal that has arrived', async () => {
    const end = await send({ arrive: respond(413), scheme });
    expect(end).toMatchObject({ isSent: false, response: { status: 413, complete: true } });
    expect(end.response?.says).toEqual(['too large']);
    expect(end.failure).toBeUndefined();
  });

  test('never counts as sent, and fails with its own error if nothing has arrived', async () => {
    const sent: number[] = [];
    const end = await send({
      arrive: (connection) => connection.destroy(),
      scheme,
      onSent: (bytes) => sent.push(bytes),
    });
    expect(end).toMatchObject({ state: 'sending', isSent: false, response: undefined });
    expect(end.failure).toMatchObject({ kind: 'connection' });
    expect(end.sentBytes).toBe(sent.at(-1));
    expect(end.sentBytes).toBeLessThan(500 * KIB);
    expect(findSituation(end, SETTINGS)).toBe('connection-broken');
  });

  test('does not stop the stall limit, or delay a cancellation', async () => {
    const controller = new AbortController();
    const reason = new CancelledError('SIGTERM');
    const stalled = await send({ arrive: () => {}, scheme, limits: { stallMs: 200 } });
    expect(stalled).toMatchObject({ state: 'sending', failure: { kind: 'limit', limitMs: 200 } });
    const arrive = (): void => controller.abort(reason);
    const end = await send({ arrive, scheme, signal: controller.signal });
    expect(end).toMatchObject({ failure: { kind: 'step', error: reason }, isSent: false });
  });

  test('at the last piece keeps a success from being accepted', async () => {
    const body = await makeBody(makeBytes(100 * KIB));
    const end = await send({ arrive: respond(200), scheme, body, failAt: Infinity });
    // Over TLS the service may have everything, although the write failed.
    expect(end).toMatchObject({ isSent: scheme === 'https', digests: undefined });
    expect(end.response).toMatchObject({ status: 200, complete: false });
    expect(findSituation(end, SETTINGS)).toBe('early-success');
  });
});

test('a write that fails ends the attempt with its error after 1 s if the connection does not end', async () => {
  const end = await send({ arrive: () => {} });
  expect(end.failure).toMatchObject({ kind: 'connection', error: { code: 'EPIPE' } });
});
