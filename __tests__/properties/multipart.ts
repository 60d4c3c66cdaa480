import { once } from 'node:events';
import { utimes, writeFile } from 'node:fs/promises';
import { Busboy } from '@fastify/busboy';
import type { Part } from '../../src/service/operations.ts';

/** A part of a form as parsed. */
export interface ReadPart {
  readonly name: string;
  /** Undefined for a plain text field. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/** A file to send. */
export interface Content {
  readonly part: Part['name'];
  readonly name: string;
  readonly bytes: Buffer;
}

/** Replaces a file's content, but keeps its size and modification time. */
export async function replaceContent(path: string, bytes: Buffer): Promise<void> {
  await writeFile(path, bytes);
  await utimes(path, new Date(0), new Date(0));
}

/** Reads a form with busboy, in chunks of any size. */
export async function readWithBusboy(
  contentType: string,
  body: Buffer,
  chunkBytes: number,
): Promise<readonly ReadPart[]> {
  const parser = new Busboy({ headers: { 'content-type': contentType }, preservePath: true });
  const parts: ReadPart[] = [];
  parser.on('field', (name, value) => {
    const bytes = Buffer.from(value);
    parts.push({ name, filename: undefined, contentType: undefined, bytes });
  });
  parser.on('file', (name, stream, filename, _encoding, type) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      parts.push({ name, filename, contentType: type, bytes: Buffer.concat(chunks) });
    });
  });
  const finished = once(parser, 'finish');
  for (let start = 0; start < body.length; start += chunkBytes) {
    parser.write(body.subarray(start, start + chunkBytes));
  }
  parser.end();
  await finished;
  return parts;
}
