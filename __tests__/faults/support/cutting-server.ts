import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { Peer } from '../../support/peer.ts';
import { listen } from '../../support/raw-server.ts';

/** Which bytes are counted: those of the client, or those of the server. */
export type Direction = 'request' | 'response';
export type Ending = 'FIN' | 'RST';

/** Where a connection is cut: once so many bytes of one direction have passed. */
export interface Cut {
  readonly direction: Direction;
  readonly bytes: number;
  readonly ending: Ending;
}

/** The bytes of a response, and whether the server ends the connection after it. */
export interface FixedResponse {
  readonly bytes: Buffer;
  readonly ends: boolean;
}

/** What happened on a connection, as the relay and the server saw it. */
export interface Traffic {
  /** Bytes that had passed the relay when the client had its result. */
  readonly request: number;
  readonly response: number;
  /** Whether the server had every byte of the request. */
  readonly whole: boolean;
}

/** The two sockets of the relay, and what passes between them. */
interface Ends {
  readonly client: Socket;
  readonly server: Socket;
  readonly cut: Cut | undefined;
  readonly passed: Record<Direction, number>;
  isCut: boolean;
}

const PIECE_BYTES = 32;

const NOTHING: Traffic = { request: 0, response: 0, whole: false };

/** A server behind a relay that cuts connections at an exact byte; one connection at a time. */
export class CuttingServer {
  port = 0;
  readonly #fixed: FixedResponse;
  readonly #context: SecureContext | undefined;
  readonly #open = new Set<Promise<unknown>>();
  /** Of the next connection. */
  #cut: Cut | undefined;
  #traffic = { ...NOTHING };

  private constructor(fixed: FixedResponse, context: SecureContext | undefined) {
    this.#fixed = fixed;
    this.#context = context;
  }

  /** Opens one, with TLS where there is a context for it; closed after the test. */
  static async open(fixed: FixedResponse, context?: SecureContext): Promise<CuttingServer> {
    const cutting = new CuttingServer(fixed, context);
    const server = createServer({ noDelay: true }, (socket) => void cutting.#serve(socket));
    const target = await listen(server);
    const options = { allowHalfOpen: true, noDelay: true };
    const relay = createServer(options, (socket) => cutting.#relay(socket, target));
    cutting.port = await listen(relay);
    return cutting;
  }

  /** Runs one exchange that is cut, or not, and returns what passed once both connections are gone. */
  async run<T>(
    cut: Cut | undefined,
    exchange: () => Promise<T>,
  ): Promise<Traffic & { readonly value: T }> {
    this.#cut = cut;
    this.#traffic = { ...NOTHING };
    const value = await exchange();
    const { request, response } = this.#traffic;
    while (this.#open.size > 0) await Promise.all(this.#open);
    return { ...this.#traffic, request, response, value };
  }

  async #serve(raw: Socket): Promise<void> {
    const secureContext = this.#context;
    raw.on('error', () => {});
    const socket =
      secureContext === undefined ? raw : new TLSSocket(raw, { isServer: true, secureContext });
    const peer = new Peer(socket);
    this.#track(peer.closed);
    try {
      await peer.readUpload();
    } catch {
      // Cut before it was whole.
      return;
    }
    this.#traffic.whole = true;
    await writeInPieces(socket, this.#fixed.bytes);
    if (this.#fixed.ends) peer.end();
  }

  #relay(client: Socket, target: number): void {
    const address = { port: target, host: '127.0.0.1' };
    const server = connect({ ...address, allowHalfOpen: true, noDelay: true });
    const passed = { request: 0, response: 0 };
    const ends: Ends = { client, server, cut: this.#cut, passed, isCut: false };
    for (const socket of [client, server]) {
      socket.on('error', () => {});
      this.#track(once(socket, 'close').catch(() => {}));
    }
    this.#forward(ends, 'request');
    this.#forward(ends, 'response');
  }

  #forward(ends: Ends, direction: Direction): void {
    const [from, to] =
      direction === 'request' ? [ends.client, ends.server] : [ends.server, ends.client];
    from.on('data', (chunk: Buffer) => {
      // What comes after the cut is read and dropped, so that no FIN turns into an RST.
      if (ends.isCut) return;
      const cut = ends.cut?.direction === direction ? ends.cut : undefined;
      const room = cut === undefined ? Infinity : cut.bytes - ends.passed[direction];
      const part = chunk.subarray(0, room);
      ends.passed[direction] += part.length;
      this.#traffic[direction] += part.length;
      if (part.length > 0) to.write(part);
      if (cut === undefined || part.length < room) return;
      ends.isCut = true;
      to.write('', () => endBoth(ends, cut.ending));
    });
    from.on('end', () => to.end());
    from.on('close', () => to.destroy());
  }

  #track(closed: Promise<unknown>): void {
    this.#open.add(closed);
    void closed.finally(() => this.#open.delete(closed));
  }
}

/** Over TLS each piece is a record of its own, so that a cut may leave half a response. */
async function writeInPieces(socket: Socket, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = bytes.subarray(start, start + PIECE_BYTES);
    await new Promise((resolve) => socket.write(piece, resolve));
  }
}

function endBoth({ client, server }: Ends, ending: Ending): void {
  for (const socket of [client, server]) {
    if (ending === 'FIN') socket.end();
    else socket.resetAndDestroy();
  }
}
