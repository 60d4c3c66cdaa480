import type { ClientRequest } from 'node:http';
import type { Body } from './body.ts';
import { writeBody } from './write-body.ts';

/** A body on its way out through one request. */
export class OutgoingBody {
  readonly #request: ClientRequest;
  readonly #body: Body;
  /** Called with the bytes of each chunk that has left. */
  readonly #onSent: (bytes: number) => void;
  #given = 0;
  #isStopped = false;
  #digests: readonly string[] | undefined;

  constructor(request: ClientRequest, body: Body, onSent: (bytes: number) => void) {
    this.#request = request;
    this.#body = body;
    this.#onSent = onSent;
  }

  /** SHA-256 of each file, in order, once the last byte of the body has left. */
  get digests(): readonly string[] | undefined {
    return this.#digests;
  }

  /** Whether every byte has been given to the connection; over TLS the last may have left unsaid. */
  get isGiven(): boolean {
    return this.#given === this.#body.length;
  }

  /** Whether no more is written: the connection took no more, or nobody wants more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Writes the body; resolves when its last byte has left. Rejects with what writeBody does. */
  async send(): Promise<void> {
    const isEncrypted = this.#request.protocol === 'https:';
    this.#digests = await writeBody(this.#body, (chunk) => this.#write(chunk), isEncrypted);
  }

  /** Writes no further chunk. */
  stop(): void {
    this.#isStopped = true;
  }

  async #write(chunk: Buffer): Promise<void> {
    if (this.#isStopped) throw new Error('no more bytes are wanted');
    this.#given += chunk.length;
    await new Promise<void>((resolve, reject) => {
      this.#request.write(chunk, (error) => {
        if (!error) return resolve();
        this.#isStopped = true;
        reject(error);
      });
    });
    this.#onSent(chunk.length);
  }
}
