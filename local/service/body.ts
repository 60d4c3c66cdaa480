import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** How reading a body ended: at its end, or at the limit with the rest unread. */
export type BodyEnd = 'complete' | 'too-large';

/** The caller left, or broke the framing, before its body was complete. */
export class BodyCutError extends Error {
  override readonly name = 'BodyCutError';
}

/** A request's body, counted and digested as it arrives. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  constructor(request: IncomingMessage) {
    this.#request = request;
    // What has arrived counts even when the caller leaves before it is read.
    const push = request.push.bind(request);
    request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (Buffer.isBuffer(chunk)) {
        this.#bytes += chunk.length;
        this.#hash.update(chunk);
      }
      return push(chunk, encoding);
    };
  }

  /** Bytes that arrived so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** SHA-256 of the bytes that arrived so far, in lower-case hexadecimal. */
  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /**
   * Hands the body to `sink` chunk by chunk, at most `limit` bytes of it. Throws a BodyCutError
   * when the body does not arrive completely, and what `sink` throws.
   */
  async readTo(sink: (chunk: Buffer) => Promise<void>, limit: number): Promise<BodyEnd> {
    let read = 0;
    for await (const chunk of this.#readChunks()) {
      read += chunk.length;
      if (read > limit) {
        return 'too-large';
      }
      await sink(chunk);
    }
    return 'complete';
  }

  /** Reads what is left and drops it. Throws a BodyCutError like `readTo`. */
  async drain(): Promise<void> {
    await this.readTo(() => Promise.resolve(), Infinity);
  }

  async *#readChunks(): AsyncGenerator<Buffer, void, undefined> {
    const chunks: AsyncIterable<unknown> = this.#request.iterator({ destroyOnReturn: false });
    try {
      for await (const chunk of chunks) {
        if (Buffer.isBuffer(chunk)) {
          yield chunk;
        }
      }
    } catch (cause) {
      throw new BodyCutError('the request ended before its body was complete', { cause });
    }
    if (!this.#request.complete) {
      throw new BodyCutError('the request ended before its body was complete');
    }
  }
}
