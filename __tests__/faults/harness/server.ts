import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { FaultPeer } from './peer.ts';
import type { Scope } from './scope.ts';

/** What a server does with a connection; the number is 1 for the first one. */
export type Serve = (peer: FaultPeer, turn: number) => Promise<void> | void;

/** A server of raw bytes on loopback. */
export interface FaultServer {
  readonly port: number;
  /** The connections over which bytes may be exchanged, in the order in which they came. */
  readonly peers: readonly FaultPeer[];
  /** TCP connections, those included whose TLS handshake failed. */
  readonly connections: () => number;
}

/** Opens a server that treats every connection by `serve`, with TLS if there are options for it. */
export async function openServer(
  scope: Scope,
  serve: Serve,
  tls?: TlsOptions,
): Promise<FaultServer> {
  const peers: FaultPeer[] = [];
  const raw = new Map<number | undefined, Socket>();
  const onSocket = (socket: Socket): void => {
    const peer = new FaultPeer(socket, raw.get(socket.remotePort));
    void play(serve, peer, peers.push(peer));
  };
  const server = tls === undefined ? createServer(onSocket) : createTlsServer(tls, onSocket);
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    raw.set(socket.remotePort, socket);
    // What waits to be sent together with more would be lost in a reset.
    socket.setNoDelay(true);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  const port = await listen(server);
  scope.defer(async () => {
    for (const { socket } of peers) socket.destroy();
    for (const socket of raw.values()) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port, peers, connections: () => connections };
}

/** Listens on a free port of loopback. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
}

async function play(serve: Serve, peer: FaultPeer, turn: number): Promise<void> {
  try {
    await serve(peer, turn);
  } catch {
    // The client left before the script's end; the invariant tells whether it should have.
  }
}
