import { Agent } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { exchange } from '../../src/service/exchange.ts';
import type { ExchangeEnd } from '../../src/service/exchange-types.ts';
import { judgeExchange } from '../../src/service/outcome.ts';
import { makeBody } from './fixtures.ts';
import { makeReply, openServer } from './raw-server.ts';
import type { Peer } from './raw-server.ts';

// Over TLS the callback of the last write may come after the answer that the write has caused. Here
// that is not left to chance: the connection keeps its callbacks back until the answer has come.

/** A connection whose writes are said to have left `turns` of the event loop after the answer. */
class LateConnection extends Duplex {
  readonly #socket: Socket;
  readonly #turns: number;
  #waiting: (() => void) | undefined;

  constructor(port: number, turns: number) {
    super();
    this.#turns = turns;
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk: Buffer) => {
      this.push(chunk);
      this.#release(this.#turns);
    });
    this.#socket.on('end', () => this.push(null));
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
    if (turns > 0) setImmediate(() => this.#release(turns - 1));
    else this.#waiting?.();
  }
}

async function exchangeLate(
  answer: (peer: Peer) => void,
  turns: number,
  stallMs = 5000,
): Promise<ExchangeEnd> {
  const server = await openServer(async (peer) => {
    await peer.readRequest();
    answer(peer);
  });
  const agent = new Agent();
  agent.createConnection = () => new LateConnection(Number(server.url.port), turns);
  const spec = {
    url: server.url,
    agent,
    headers: {},
    body: await makeBody(),
    expectContinue: false,
  };
  const limits = { stallMs, headMs: 5000, continueMs: 5000 };
  return exchange(spec, limits, new AbortController().signal);
}

function reply(status: number): (peer: Peer) => void {
  return (peer) => peer.send(makeReply(status));
}

describe('an answer that overtakes the word that the last byte has left', () => {
  test.each([0, 1, 2, 5])('is judged with it where it comes %i turns later', async (turns) => {
    const end = await exchangeLate(reply(200), turns);
    expect(judgeExchange(end, new AbortController().signal).result).toBe('accepted');
  });

  test('leaves a gateway’s word as uncertain as it is', async () => {
    const end = await exchangeLate(reply(504), 1);
    expect(judgeExchange(end, new AbortController().signal).result).toBe('unconfirmed');
  });

  test.each([0, 1, 5])(
    'is cut at once by an end that overtakes it too (%i turns)',
    async (turns) => {
      const cut = makeReply(200, { headers: { 'Content-Length': '100' }, body: 'half' });
      const end = await exchangeLate((peer) => peer.socket.end(cut), turns, 1000);
      expect(end.outcome).toMatchObject({
        kind: 'answer',
        answer: { status: 200, complete: false },
      });
      expect(end.outcome).not.toHaveProperty('cause.name', 'StalledError');
      expect(judgeExchange(end, new AbortController().signal).result).toBe('unconfirmed');
    },
  );

  test('is none of success where that word does not come', async () => {
    const end = await exchangeLate(reply(200), 100);
    expect(judgeExchange(end, new AbortController().signal).result).toBe('not-sent');
  });
});
