import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TlsMaterial } from './types.ts';

/** A listening server and the means to end it with everything on it. */
export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** What is called for each request; the second one for `Expect: 100-continue`. */
export interface Listeners {
  readonly onRequest: RequestListener;
  readonly onExpect: RequestListener;
}

// Kestrel's limits; an upload may take as long as it likes.
const SERVER_OPTIONS = {
  keepAliveTimeout: 130_000,
  maxHeaderSize: 32 * 1024,
  requestTimeout: 0,
};

/** Listens on one address. Throws what listening throws, such as EADDRINUSE. */
export async function listen(
  address: { readonly host: string; readonly port: number },
  tls: TlsMaterial | undefined,
  listeners: Listeners,
): Promise<Listener> {
  const server = createServer(tls);
  const sockets = trackSockets(server);
  server.on('request', listeners.onRequest);
  server.on('checkContinue', listeners.onExpect);
  server.listen(address);
  await once(server, 'listening');
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : address.port,
    close: () => closeServer(server, sockets),
  };
}

function createServer(tls: TlsMaterial | undefined): Server {
  if (tls === undefined) {
    return createHttpServer(SERVER_OPTIONS);
  }
  const rejectUnauthorized = tls.requestCert === true;
  return createHttpsServer({ ...SERVER_OPTIONS, ...tls, rejectUnauthorized });
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) {
    return;
  }
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) {
    socket.destroy();
  }
  await closed;
}
