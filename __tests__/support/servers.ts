import { once } from 'node:events';
import type { Socket, Server } from 'node:net';
import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { startService } from '../../local/service/index.ts';
import type { LocalService, ServiceOptions } from '../../local/service/index.ts';
import { TEST_SCOPE, makeFolder } from './workspace.ts';
import type { TestScope } from './workspace.ts';

/** Parts of a response besides its status. */
export interface Reply {
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** What a client may wait for before it sends its body. */
export const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HEAD_END = '\r\n\r\n';

/** A response as bytes, with a Content-Length unless the headers set another framing. */
export function makeReply(status: number, reply: Reply = {}): Buffer {
  const { reason = 'Status', headers = {}, body = '' } = reply;
  const content = Buffer.from(body);
  const framed = { 'Content-Length': String(content.length), Connection: 'close', ...headers };
  const lines = Object.entries(framed).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${reason}`, ...lines].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}${HEAD_END}`, 'latin1'), content]);
}

/** The server's end of a connection: records received bytes, and sends what a test sets. */
export class Peer {
  readonly socket: Socket;
  /** Whether a complete 2xx response was sent in the name of the service. */
  accepted = false;
  /** Settles once the connection is closed, by either side. */
  readonly closed: Promise<void>;
  /** The number of bytes received so far. */
  size = 0;
  readonly #raw: Socket;
  readonly #chunks: Buffer[] = [];

  /** `raw` is the TCP connection below TLS; without TLS it is `socket` itself. */
  constructor(socket: Socket, raw: Socket = socket) {
    this.socket = socket;
    this.#raw = raw;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
    // The client under test reports how a connection ends.
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.size += chunk.length;
    });
  }

  /** All bytes received so far, joined only once because a body may be large. */
  get received(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks.splice(0, Infinity, Buffer.concat(this.#chunks));
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  /** The request's head as lines. */
  get head(): readonly string[] {
    const end = this.received.indexOf(HEAD_END);
    return this.received.toString('latin1', 0, end < 0 ? undefined : end).split('\r\n');
  }

  /** A request header's value. */
  header(name: string): string | undefined {
    const prefix = `${name.toLowerCase()}: `;
    const line = this.head.find((text) => text.toLowerCase().startsWith(prefix));
    return line?.slice(prefix.length);
  }

  /** The bytes received after the request's head. */
  get body(): Buffer {
    const end = this.received.indexOf(HEAD_END);
    return end < 0 ? Buffer.alloc(0) : this.received.subarray(end + HEAD_END.length);
  }

  /** Waits until `count` bytes have been received. */
  async readBytes(count: number): Promise<void> {
    await this.#until(() => this.size >= count);
  }

  async readHead(): Promise<void> {
    await this.#until(() => this.received.includes(HEAD_END));
  }

  /** Reads the head, and sends 100 Continue if the client waits for it. */
  async readHeadAndContinue(): Promise<void> {
    await this.readHead();
    if (this.header('expect') !== undefined) this.send(CONTINUE);
  }

  /** Reads the whole request, by its Content-Length, and sends 100 Continue if the client waits for it. */
  async readUpload(): Promise<void> {
    await this.readHeadAndContinue();
    const headBytes = this.received.indexOf(HEAD_END) + HEAD_END.length;
    await this.readBytes(headBytes + Number(this.header('content-length')));
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Responds as the service, and ends the connection. */
  reply(status: number, reply?: Reply): void {
    if (status >= 200 && status < 300) this.accepted = true;
    this.replyAsStranger(status, reply);
  }

  /** Responds as a server that is not the service, and ends the connection. */
  replyAsStranger(status: number, reply?: Reply): void {
    this.socket.end(makeReply(status, reply));
  }

  /** Ends the connection with an RST. Node cannot reset a TLS socket, only its TCP connection. */
  reset(): void {
    this.#raw.resetAndDestroy();
    this.socket.destroy();
  }

  async #until(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const isGone = await Promise.race([
        once(this.socket, 'data').then(() => false),
        this.closed.then(() => true),
      ]);
      if (isGone && !isDone()) throw new Error('The client is gone.');
    }
  }
}

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
    const count = peers.push(peer);
    // The client may disconnect before the end of the script; the test checks whether it should have.
    Promise.resolve()
      .then(() => script(peer, count))
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

/** The local service with its directory, closed with its scope. */
export async function openService(
  options: Partial<ServiceOptions> = {},
  scope = TEST_SCOPE,
): Promise<LocalService & { readonly directory: string }> {
  const directory = options.directory ?? (await makeFolder({}, scope));
  const service = await startService({ ...options, directory });
  scope.defer(() => service.close());
  return { ...service, directory };
}

/** Waits until a condition that the service fulfils on its own is true. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}
