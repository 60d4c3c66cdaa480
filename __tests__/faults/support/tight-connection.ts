import { Agent } from 'node:http';
import { Duplex } from 'node:stream';
import { judgeExchange } from '../../../src/service/verdict.ts';
import { makeError } from '../../support/bodies.ts';
import { exchangeWith } from '../../support/exchanges.ts';

/**
 * A connection that breaks with the first write that goes beyond `limit` bytes, or behind the whole
 * request. There is no kernel that takes more than it can deliver.
 */
class TightConnection extends Duplex {
  taken = 0;
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
    queueMicrotask(() => this.emit('connect'));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    const broken = makeError('ECONNRESET');
    if (this.taken + chunk.length > this.#limit) return done(broken);
    this.taken += chunk.length;
    done();
    if (chunk.toString('latin1').endsWith('--\r\n')) setImmediate(() => this.destroy(broken));
  }
}

/** The bytes of a whole request over a connection that takes them all. */
export async function countTaken(): Promise<number> {
  const connection = new TightConnection(Infinity);
  await exchangeOver(connection);
  return connection.taken;
}

/** What comes of a request over a connection that takes `limit` bytes. */
export async function exchangeTight(limit: number): Promise<string> {
  return exchangeOver(new TightConnection(limit));
}

async function exchangeOver(connection: TightConnection): Promise<string> {
  const agent = new Agent();
  agent.createConnection = () => connection;
  const end = await exchangeWith(new URL('http://scan.example/upload'), { agent });
  return judgeExchange(end, new AbortController().signal).result;
}
