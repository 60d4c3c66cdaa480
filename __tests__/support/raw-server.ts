import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { Peer } from './peer.ts';
import { TEST_SCOPE } from './scope.ts';
import type { TestScope } from './scope.ts';

// Below the ports that systems assign to outgoing connections and to listeners on port 0.
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;

/** Handles a connection; `turn` is 1 for the first one. */
export type Script = (peer: Peer, turn: number) => unknown;

/** A server on the loopback interface that sends raw bytes. */
export interface RawServer {
  readonly port: number;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The URL of an operation. */
  readonly url: URL;
  /** The established connections (with TLS: after the handshake), in order. */
  readonly peers: readonly Peer[];
  /** The first connection. */
  readonly peer: Peer;
  /** The number of TCP connections, including those whose TLS handshake failed. */
  readonly connections: () => number;
}

/** Opens a server that runs the script for every connection; closed with its scope. */
export async function openServer(
  script: Script,
  tls?: TlsOptions,
  scope = TEST_SCOPE,
): Promise<RawServer> {
  const peers: Peer[] = [];
  const raw = new Map<number | undefined, Socket>();
  let connections = 0;
  const serve = (socket: Socket): void => {
    const peer = new Peer(socket, raw.get(socket.remotePort));
    const turn = peers.push(peer);
    // The client may disconnect before the end of the script; the test checks whether it should have.
    Promise.resolve()
      .then(() => script(peer, turn))
      .catch(() => {});
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    // With Nagle's algorithm, bytes that wait to be sent would be lost in a reset.
    socket.setNoDelay(true);
    raw.set(socket.remotePort, socket);
  });
  const port = await listen(server, scope);
  const origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  return {
    port,
    origin,
    url: new URL(`${origin}/v1/scanner/upload-file`),
    peers,
    get peer(): Peer {
      const [peer] = peers;
      if (peer === undefined) throw new Error('No connection came.');
      return peer;
    },
    connections: () => connections,
  };
}

/** Opens any server on a free port of the loopback interface; closed with its scope. */
export async function listen(server: Server, scope: TestScope = TEST_SCOPE): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  scope.defer(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return address.port;
}

/** A loopback port on which nothing listens, and which the system assigns to no connection. */
export async function findClosedPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORT_COUNT);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
