import type { ClientRequest } from 'node:http';
import type { Body } from './body.ts';
import { writeBody } from './write-body.ts';

/** A body that is being sent through one request. */
export class OutgoingBody {
  readonly #request: ClientRequest;
  readonly #body: Body;
  /** Called with the bytes of each piece that the connection has taken. */
  readonly #onSent: (bytes: number) => void;
  #handedBytes = 0;
  #isStopped = false;
  #digests: readonly string[] | undefined;

  constructor(request: ClientRequest, body: Body, onSent: (bytes: number) => void) {
    this.#request = request;
    this.#body = body;
    this.#onSent = onSent;
  }

  /** SHA-256 of each file, in order, once the connection has taken the last byte of the body. */
  get digests(): readonly string[] | undefined {
    return this.#digests;
  }

  /** Whether every byte was handed to the connection, which may not have taken the last ones yet. */
  get isHanded(): boolean {
    return this.#handedBytes === this.#body.length;
  }

  /**
   * Whether everything was sent: the connection has taken the last byte. TLS reports that late, and not at
   * all once the connection is broken, so over https a body that was handed over counts as sent.
   */
  get isSent(): boolean {
    return this.#digests !== undefined || (this.isHanded && this.#request.protocol === 'https:');
  }

  /** Whether writing has ended: the connection takes no more bytes, or `stop` was called. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Writes the body; resolves when its last byte was taken. Rejects with the errors of writeBody. */
  async send(): Promise<void> {
    this.#digests = await writeBody(this.#body, (piece) => this.#write(piece));
  }

  /** Writes no further piece. */
  stop(): void {
    this.#isStopped = true;
  }

  async #write(piece: Buffer): Promise<void> {
    if (this.#isStopped) throw new Error('no more bytes are wanted');
    this.#handedBytes += piece.length;
    await new Promise<void>((resolve, reject) => {
      this.#request.write(piece, (error) => {
        if (!error) return resolve();
        this.#isStopped = true;
        reject(error);
      });
    });
    this.#onSent(piece.length);
  }
}
