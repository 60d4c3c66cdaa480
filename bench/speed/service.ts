import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { dirname, join } from 'node:path';
import type { Server } from 'node:net';
import { createRelay } from './relay.ts';

/** A service that only counts bytes. */
export interface Service {
  readonly url: string;
  /** Path of the CA certificate to trust; empty over http. */
  readonly ca: string;
  /** The sizes of the complete bodies that arrived since the last call. */
  readonly takeSizes: () => readonly number[];
  readonly stop: () => void;
}

/**
 * Starts a service with the given round trip, over https if it has a certificate. It runs in this process,
 * which does nothing else while a program runs.
 */
export async function startService(ca: string, roundTripMs: number): Promise<Service> {
  const sizes: number[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    let size = 0;
    request.on('data', (piece: Buffer) => (size += piece.length));
    request.once('end', () => {
      const isWhole = size === Number(request.headers['content-length']);
      if (isWhole) sizes.push(size);
      response.writeHead(isWhole ? 200 : 400, { 'Content-Length': 0 }).end();
    });
  };
  // Both respond to `Expect: 100-continue` at once by themselves, and keep connections open.
  const server = ca === '' ? createHttpServer(serve) : createHttpsServer(readKeyPair(ca), serve);
  const innerPort = await listen(server);
  const relay = createRelay(innerPort, roundTripMs);
  const port = roundTripMs === 0 ? innerPort : await listen(relay);
  return {
    url: `${ca === '' ? 'http' : 'https'}://127.0.0.1:${port}`,
    ca,
    takeSizes: () => sizes.splice(0),
    stop: () => {
      relay.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

function readKeyPair(path: string): { readonly key: Buffer; readonly cert: Buffer } {
  return { key: readFileSync(join(dirname(path), 'key.pem')), cert: readFileSync(path) };
}

/** Listens on a free port of loopback, and returns it. */
async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
