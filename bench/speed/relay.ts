import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/**
 * Adds a round trip to a service on a loopback port. The first data of a client waits for one round trip
 * after the connection, like the TCP handshake. All data then takes half a round trip in each direction,
 * TLS handshakes included.
 */
export function createRelay(port: number, roundTripMs: number): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    setTimeout(carry, roundTripMs, client, service, roundTripMs / 2);
    carry(service, client, roundTripMs / 2);
  });
}

/** Timers of the same length fire in the order they were set, so the order of the bytes is kept. */
function carry(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (piece: Buffer) => setTimeout(() => to.write(piece), delayMs));
  from.once('end', () => setTimeout(() => to.end(), delayMs));
  from.once('error', () => to.destroy());
}
