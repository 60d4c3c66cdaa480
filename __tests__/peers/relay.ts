import { connect } from 'node:net';
import { openServer } from '../support/raw-server.ts';

/** A TCP relay to a loopback port that counts the bytes from the client. */
export interface Relay {
  readonly port: number;
  /** Bytes received from the client so far, over all connections. */
  readonly sentBytes: () => number;
}

/** Starts a relay; closed after the test. */
export async function startRelay(targetPort: number): Promise<Relay> {
  let sent = 0;
  const { port } = await openServer(({ socket: client }) => {
    const target = connect(targetPort, '127.0.0.1');
    client.on('data', (chunk) => {
      sent += chunk.length;
    });
    client.pipe(target).pipe(client);
    client.once('close', () => target.destroy());
    target.on('error', () => client.destroy());
  });
  return { port, sentBytes: () => sent };
}
