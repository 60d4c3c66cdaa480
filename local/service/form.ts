import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Incoming } from './store.ts';
import type { RecordedPart } from './types.ts';

/** A multipart body that was read up to its closing boundary. */
export interface Form {
  /** First value of every text field. */
  readonly fields: ReadonlyMap<string, string>;
  /** Every file part in order of arrival. */
  readonly parts: readonly RecordedPart[];
}

/** The body is no complete multipart form. */
export class MalformedFormError extends Error {
  override readonly name = 'MalformedFormError';
}

// FormOptions of ASP.NET Core: ValueLengthLimit and ValueCountLimit.
const LIMITS = { fieldSize: 4 * 1024 * 1024, parts: 1024 };

/** Reads a multipart body chunk by chunk and streams its files to where they belong. */
export class FormReader {
  readonly #incoming: Incoming;
  readonly #parser: BusboyInstance;
  readonly #finished: Promise<void>;
  readonly #fields = new Map<string, string>();
  readonly #parts: Promise<RecordedPart>[] = [];
  readonly #stop = new AbortController();

  /** Throws what the parser throws when `contentType` has no usable boundary. */
  constructor(contentType: string, incoming: Incoming) {
    this.#incoming = incoming;
    this.#parser = new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      limits: LIMITS,
      // As ASP.NET Core tells them apart: a part with a filename is a file, any other is a value.
      isPartAFile: (_name, _type, filename) => filename !== undefined && filename !== '',
    });
    this.#finished = this.#listen();
    this.#finished.catch(() => undefined);
  }

  /** Takes a chunk; resolves when the next one may come. Throws what writing a file threw. */
  async write(chunk: Buffer): Promise<void> {
    this.#stop.signal.throwIfAborted();
    if (!this.#parser.write(chunk)) {
      await once(this.#parser, 'drain', { signal: this.#stop.signal });
    }
  }

  /** Ends the body. Throws a MalformedFormError when its closing boundary is missing. */
  async end(): Promise<Form> {
    this.#parser.end();
    await this.#finished;
    return { fields: this.#fields, parts: await Promise.all(this.#parts) };
  }

  /** Gives up: waits until no file is being written any more. */
  async abort(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#parts);
  }

  #listen(): Promise<void> {
    this.#parser.on('field', (name, value, _nameTruncated, truncated) => {
      if (truncated) {
        this.#parser.emit('error', new Error(`Form value length limit exceeded in ${name}.`));
      } else if (!this.#fields.has(name)) {
        this.#fields.set(name, value);
      }
    });
    this.#parser.on('file', (name, stream, filename, _encoding, contentType) => {
      const part = this.#keepPart(stream, { name, filename, contentType });
      part.catch((error: unknown) => this.#stop.abort(error));
      this.#parts.push(part);
    });
    return new Promise((resolve, reject) => {
      this.#parser.on('finish', resolve);
      this.#parser.on('error', (cause) =>
        reject(new MalformedFormError('not a complete multipart form', { cause })),
      );
    });
  }

  async #keepPart(
    stream: Readable,
    head: Pick<RecordedPart, 'name' | 'filename' | 'contentType'>,
  ): Promise<RecordedPart> {
    const path = this.#incoming.place(head.name, head.filename);
    const hash = createHash('sha256');
    let bytes = 0;
    async function* measure(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    }
    const file = createWriteStream(path, { flags: 'wx' });
    await pipeline(stream, measure, file, { signal: this.#stop.signal });
    return { ...head, path, bytes, sha256: hash.digest('hex') };
  }
}
