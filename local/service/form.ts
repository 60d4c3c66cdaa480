import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { makeUnreadableForm, Refusal } from './reply.ts';
import { placePart } from './store.ts';
import type { RecordedPart } from './types.ts';

/** A file part, and the path that it is kept at. */
interface KeptPart extends RecordedPart {
  readonly path: string;
}

/** A complete form: the first value of every text field, and every file part in order. */
export interface Form {
  readonly fields: ReadonlyMap<string, string>;
  readonly parts: readonly KeptPart[];
}

// The message of ASP.NET Core's multipart reader for a body without its closing boundary.
const TRUNCATED_FORM =
  'Unexpected end of Stream, the content may have already been read by another component. ';

/**
 * Reads a multipart body and streams each file into the directory. Throws a Refusal if it is not a
 * complete form, and what reading the body or writing a file throws.
 */
export async function readForm(
  body: AsyncIterable<Buffer>,
  contentType: string,
  directory: string,
): Promise<Form> {
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    preservePath: true,
    // In ASP.NET Core a part with a filename is a file, and any other part is a value.
    isPartAFile: (_name, _type, filename) => filename !== undefined && filename !== '',
  });
  const fields = new Map<string, string>();
  const parts: Promise<KeptPart>[] = [];
  const stop = new AbortController();
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', () => reject(new Refusal(makeUnreadableForm(TRUNCATED_FORM))));
    parser.on('file', (name, stream, filename) => {
      const head = { name, filename, path: placePart(directory, name, filename) };
      const part = keepPart(stream, head, stop.signal);
      part.catch(reject);
      parts.push(part);
    });
  });
  parser.on('field', (name, value) => void (fields.has(name) || fields.set(name, value)));
  ended.catch(() => undefined);
  try {
    for await (const chunk of body) {
      if (parser.write(chunk)) continue;
      await Promise.race([new Promise((resolve) => parser.once('drain', resolve)), ended]);
    }
    parser.end();
    await ended;
    return { fields, parts: await Promise.all(parts) };
  } finally {
    // All writing must have ended before the directory is renamed or removed.
    stop.abort();
    await Promise.allSettled(parts);
  }
}

async function keepPart(
  stream: BusboyFileStream,
  head: Omit<KeptPart, 'bytes' | 'sha256'>,
  signal: AbortSignal,
): Promise<KeptPart> {
  const hash = createHash('sha256');
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    hash.update(chunk);
  });
  await pipeline(stream, createWriteStream(head.path, { flags: 'wx' }), { signal });
  return { ...head, bytes, sha256: hash.digest('hex') };
}
