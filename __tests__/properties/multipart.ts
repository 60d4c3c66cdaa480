import { once } from 'node:events';
import { mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Busboy } from '@fastify/busboy';
import { openScanFile } from '../../src/files/open.ts';
import type { FilePart } from '../../src/service/body.ts';
import type { Part } from '../../src/service/operations.ts';

/** A part of a form as a parser read it. */
export interface ReadPart {
  readonly name: string;
  /** Undefined for a plain text field. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/** A file that is to be sent. */
export interface Content {
  readonly part: Part['name'];
  readonly name: string;
  readonly bytes: Buffer;
}

/** Parts of files on the disk, for as long as `use` takes; each file lies in a folder of its own. */
export async function withParts<T>(
  contents: readonly Content[],
  use: (parts: readonly FilePart[]) => Promise<T>,
): Promise<T> {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'properties-')));
  const parts: FilePart[] = [];
  try {
    for (const content of contents) parts.push(await openPart(workspace, content));
    return await use(parts);
  } finally {
    for (const { file } of parts) await file.handle.close();
    await rm(workspace, { recursive: true, force: true });
  }
}

async function openPart(workspace: string, { part, name, bytes }: Content): Promise<FilePart> {
  const path = join(await mkdtemp(join(workspace, 'file-')), name);
  await writeFile(path, bytes);
  // So that contents can be replaced and nothing but the contents differs.
  await utimes(path, new Date(0), new Date(0));
  const found = { path, input: 'files', directory: workspace } as const;
  const file = await openScanFile(found, { workspace, includeHidden: false });
  return { part, file };
}

/** Replaces a file's content unnoticed: same size, same modification time. */
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

/** Reads a form as Node's own fetch does. */
export async function readWithNode(
  contentType: string,
  body: Buffer,
): Promise<readonly ReadPart[]> {
  const headers = { 'content-type': contentType };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  const parts: ReadPart[] = [];
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') {
      const bytes = Buffer.from(value);
      parts.push({ name, filename: undefined, contentType: undefined, bytes });
    } else {
      const bytes = Buffer.from(await value.arrayBuffer());
      parts.push({ name, filename: value.name, contentType: value.type, bytes });
    }
  }
  return parts;
}
