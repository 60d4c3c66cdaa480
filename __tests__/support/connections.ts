import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Duplex } from 'node:stream';
import type { Attempt } from '../../src/service/attempt.ts';
import { exchangeWith } from './exchanges.ts';
import type { Setting } from './exchanges.ts';

export type Done = (error?: Error) => void;
/** Takes a piece in place of a connection; `isLast` says whether it ends the body. */
export type Take = (connection: Duplex, piece: Buffer, done: Done, isLast: boolean) => void;

/** Makes an exchange over a connection whose pieces the test takes. */
export async function exchangeOver(
  take: Take,
  { scheme = 'http', ...setting }: Setting & { readonly scheme?: string } = {},
): Promise<Attempt> {
  const agent = scheme === 'http' ? new Agent() : new HttpsAgent();
  agent.createConnection = () => {
    const connection = new Duplex({
      read: () => {},
      write: (piece: Buffer, _, done) =>
        take(connection, piece, done, piece.toString('latin1').endsWith('--\r\n')),
    });
    // node:https waits for this event.
    setImmediate(() => connection.emit('secureConnect'));
    return connection;
  };
  return exchangeWith(new URL(`${scheme}://scan.example/`), { agent, ...setting });
}
