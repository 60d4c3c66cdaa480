import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { cleanUp } from './fixtures.ts';

/** What a response says besides its status. */
export interface Reply {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const HEAD_END = '\r\n\r\n';

/** A response as bytes, with a Content-Length unless the headers frame it otherwise. */
export function makeReply(status: number, { headers = {}, body = '' }: Reply = {}): Buffer {
  const content = Buffer.from(body);
  const framed = { 'Content-Length': String(content.length), Connection: 'close', ...headers };
  const lines = Object.entries(framed).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([
    Buffer.from(`${[`HTTP/1.1 ${status} Status`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'),
    content,
  ]);
}

/** The server's end of a connection: records what came, and sends what a test wants. */
export class Peer {
  readonly socket: Socket;
  /** Settles once the connection is gone, whoever ended it. */
  readonly closed: Promise<void>;
  readonly #raw: Socket;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  /** `raw` is the TCP connection below, which `socket` itself is without TLS. */
  constructor(socket: Socket, raw: Socket = socket) {
    this.socket = socket;
    this.#raw = raw;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
    // How a connection ends is the client's to tell.
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
    });
  }

  /** Bytes that came so far. */
  get size(): number {
    return this.#bytes;
  }

  /** All bytes that came so far, joined once and not again for each look at a large body. */
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

  /** What came after the request's head. */
  get body(): Buffer {
    const end = this.received.indexOf(HEAD_END);
    return end < 0 ? Buffer.alloc(0) : this.received.subarray(end + HEAD_END.length);
  }

  /** Waits until so many bytes came. */
  async readBytes(count: number): Promise<void> {
    await this.#until(() => this.#bytes >= count);
  }

  async readHead(): Promise<void> {
    await this.#until(() => this.received.includes(HEAD_END));
  }

  /** Waits for the whole request, by its Content-Length. */
  async readRequest(): Promise<void> {
    await this.readHead();
    const headBytes = this.received.indexOf(HEAD_END) + HEAD_END.length;
    await this.readBytes(headBytes + Number(this.header('content-length')));
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Responds and ends the connection. */
  reply(status: number, reply?: Reply): void {
    this.socket.end(makeReply(status, reply));
  }

  /** Ends the connection with a FIN. */
  end(): void {
    this.socket.end();
  }

  /** Ends the connection with an RST; Node resets no TLS socket, only the connection below it. */
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

/** What a server does with a connection; the number is 1 for the first one. */
export type Script = (peer: Peer, turn: number) => Promise<void> | void;

/** A server of raw bytes on the loopback interface. */
export interface RawServer {
  readonly port: number;
  readonly url: URL;
  /** The connections, in the order in which they came. */
  readonly peers: readonly Peer[];
  /** The first connection. */
  readonly peer: Peer;
}

/** Opens a server that treats every connection by the script; closed after the test. */
export async function openServer(script: Script, tls?: TlsOptions): Promise<RawServer> {
  const peers: Peer[] = [];
  const raw = new Map<number | undefined, Socket>();
  const serve = (socket: Socket): void => {
    const peer = new Peer(socket, raw.get(socket.remotePort));
    const turn = peers.push(peer);
    void play(script, peer, turn);
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('connection', (socket: Socket) => {
    // What waits to be sent together with more would be lost in a reset.
    socket.setNoDelay(true);
    raw.set(socket.remotePort, socket);
  });
  const port = await listen(server);
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    port,
    url: new URL(`${scheme}://127.0.0.1:${port}/v1/scanner/upload-file`),
    peers,
    get peer(): Peer {
      const [peer] = peers;
      if (peer === undefined) throw new Error('No connection came.');
      return peer;
    },
  };
}

/** Opens any server on a free port of the loopback interface; closed after the test. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  return isAddress(address) ? address.port : 0;
}

/** A port on which nothing listens. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return isAddress(address) ? address.port : 0;
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

async function play(script: Script, peer: Peer, turn: number): Promise<void> {
  try {
    await script(peer, turn);
  } catch {
    // The client left before the script's end; what the test asserts tells whether it should have.
  }
}
