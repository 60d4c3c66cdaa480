import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/**
 * Makes a service on a port of loopback distant. What a client sends waits for a round trip after it
 * has connected, as it would for the handshake of TCP; each piece then takes half a round trip, in
 * either direction, so that the TLS handshake is as late as every request and response.
 */
export function createRelay(port: number, roundTripMs: number): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    setTimeout(carry, roundTripMs, client, service, roundTripMs / 2);
    carry(service, client, roundTripMs / 2);
  });
}

/** Timers of the same length fire in the order they were set, so the bytes keep theirs. */
function carry(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (piece: Buffer) => setTimeout(() => to.write(piece), delayMs));
  from.once('end', () => setTimeout(() => to.end(), delayMs));
  from.once('error', () => to.destroy());
}
