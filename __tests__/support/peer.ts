import { once } from 'node:events';
import type { Socket } from 'node:net';

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
