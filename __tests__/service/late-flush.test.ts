import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import { exchange } from '../../src/service/exchange.ts';
import type { ExchangeEnd } from '../../src/service/exchange-types.ts';
import { judgeExchange } from '../../src/service/verdict.ts';
import { makeBody } from './fixtures.ts';
import { makeReply, openServer } from './raw-server.ts';
import type { Peer } from './raw-server.ts';

// Over TLS the callback of the last write may come after the answer that the write has caused. Here
// that is not left to chance: the connection keeps its callbacks back until the answer has come.

const QUIET = new AbortController().signal;
/** How late the word is that the last write has left, and what happens then. */
interface Lateness {
  readonly answer: (peer: Peer) => void;
  /** Turns of the event loop after the answer. */
  readonly turns: number;
  /** Whether the connection breaks right after the word. */
  readonly breaks?: boolean;
  /** Called in place of the word, which then never comes. */
  readonly instead?: () => void;
  readonly signal?: AbortSignal;
  readonly scheme?: 'http' | 'https';
  readonly stallMs?: number;
}

class LateConnection extends Duplex {
  readonly #socket: Socket;
  readonly #lateness: Lateness;
  #waiting: (() => void) | undefined;

  constructor(port: number, lateness: Lateness) {
    super();
    this.#lateness = lateness;
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk: Buffer) => {
      this.push(chunk);
      this.#release(this.#lateness.turns);
    });
    this.#socket.on('end', () => this.push(null));
    // What https waits for; there is no TLS here, only its lateness.
    this.#socket.once('connect', () => this.emit('secureConnect'));
    this.#socket.on('error', (error) => this.destroy(error));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, callback: () => void): void {
    this.#socket.write(chunk);
    // The word for the closing boundary is kept back; nothing would follow the others otherwise.
    if (chunk.toString('latin1').endsWith('--\r\n')) this.#waiting = callback;
    else callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }

  #release(turns: number): void {
    if (turns > 0) {
      setImmediate(() => this.#release(turns - 1));
      return;
    }
    if (this.#lateness.instead !== undefined) return this.#lateness.instead();
    this.#waiting?.();
    if (this.#lateness.breaks === true) this.destroy(new Error('broken'));
  }
}

async function exchangeLate(lateness: Lateness): Promise<ExchangeEnd> {
  const { answer, scheme = 'http', stallMs = 5000, signal = QUIET } = lateness;
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    answer(peer);
  });
  const agent = scheme === 'http' ? new Agent() : new HttpsAgent();
  agent.createConnection = () => new LateConnection(server.port, lateness);
  const spec = {
    url: new URL(`${scheme}://scan.example/`),
    agent,
    headers: {},
    body: await makeBody(),
    expectContinue: false,
  };
  const limits = { stallMs, headMs: 5000, continueMs: 5000 };
  return exchange(spec, limits, signal);
}

function reply(status: number, body = ''): (peer: Peer) => void {
  return (peer) => peer.send(makeReply(status, { body }));
}

/** The body of its answer never ends. */
function refuseByHalf(peer: Peer): void {
  peer.send(makeReply(400, { headers: { 'Content-Length': '100' }, body: 'half' }));
}

describe('an answer that overtakes the word that the last byte has left', () => {
  test.each([0, 1, 2, 5])('is judged with it where it comes %i turns later', async (turns) => {
    const end = await exchangeLate({ answer: reply(200), turns });
    expect(judgeExchange(end, QUIET).result).toBe('accepted');
  });

  test('leaves a gateway’s word as uncertain as it is', async () => {
    const end = await exchangeLate({ answer: reply(504), turns: 1 });
    expect(judgeExchange(end, QUIET).result).toBe('unconfirmed');
  });

  test.each([0, 1, 5])(
    'is cut at once by an end that overtakes it too (%i turns)',
    async (turns) => {
      const cut = makeReply(200, { headers: { 'Content-Length': '100' }, body: 'half' });
      const end = await exchangeLate({
        answer: (peer) => peer.socket.end(cut),
        turns,
        stallMs: 1000,
      });
      expect(end.outcome).toMatchObject({
        kind: 'answer',
        answer: { status: 200, complete: false },
      });
      expect(end.outcome).not.toHaveProperty('cause.name', 'StalledError');
      expect(judgeExchange(end, QUIET).result).toBe('unconfirmed');
    },
  );

  test.each([0, 1, 5])(
    'counts though the connection breaks behind it (%i turns)',
    async (turns) => {
      const end = await exchangeLate({ answer: reply(200, 'stored'), turns, breaks: true });
      expect(end.outcome).toMatchObject({ answer: { complete: true, text: 'stored' } });
      expect(judgeExchange(end, QUIET).result).toBe('accepted');
    },
  );

  test.each([
    ['https', 'unconfirmed'],
    ['http', 'not-sent'],
  ] as const)(
    'leaves open over %s what became of the body where neither comes: %s',
    async (scheme, result) => {
      const end = await exchangeLate({ answer: (peer) => peer.reset(), turns: 0, scheme });
      expect(end).toMatchObject({
        outcome: { kind: 'failure', phase: 'send' },
        digests: undefined,
      });
      expect(judgeExchange(end, QUIET).result).toBe(result);
    },
  );

  test('is none of success where that word does not come', async () => {
    const end = await exchangeLate({ answer: reply(200), turns: 100 });
    expect(judgeExchange(end, QUIET).result).toBe('not-sent');
  });

  test('is read under the limit of its own phase where that word comes meanwhile', async () => {
    const end = await exchangeLate({ answer: refuseByHalf, turns: 30, stallMs: 300 });
    expect(end.outcome).toMatchObject({
      kind: 'answer',
      answer: { status: 400, text: 'half', complete: false },
      cause: { name: 'StalledError', phase: 'body', limitMs: 300 },
    });
  });

  test('is kept, with the signal’s reason, where that fires before the word', async () => {
    const controller = new AbortController();
    const reason = new CancelledError('SIGTERM');
    const end = await exchangeLate({
      answer: refuseByHalf,
      turns: 3,
      instead: () => controller.abort(reason),
      signal: controller.signal,
      stallMs: 1000,
    });
    expect(end.outcome).toMatchObject({ kind: 'answer', answer: { status: 400, complete: false } });
    expect(end.outcome).toHaveProperty('cause', reason);
  });
});
