import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { frameBody } from '../../src/service/body.ts';
import type { Body } from '../../src/service/body.ts';
import { writeBody } from '../../src/service/write-body.ts';
import { repeatTo, uploadContents } from './file-arbitraries.ts';
import type { Content, ReadPart } from './multipart.ts';
import { readWithBusboy, readWithNode, replaceContent, withParts } from './multipart.ts';

const KEY = fc.uuid();
const CHUNK_BYTES = fc.oneof(fc.integer({ min: 1024, max: 70_000 }), fc.constant(1024 * 1024));

interface Written {
  readonly bytes: Buffer;
  readonly digests: readonly string[];
}

/**
 * All that is written of a body, one chunk after the other. Each is read late, as a connection does:
 * a buffer that was filled again too early would show.
 */
async function write(body: Body): Promise<Written> {
  const chunks: Buffer[] = [];
  let turn = Promise.resolve();
  const digests = await writeBody(body, async (chunk) => {
    turn = keepAfter(turn, chunk, chunks);
    await turn;
  });
  return { bytes: Buffer.concat(chunks), digests };
}

async function keepAfter(turn: Promise<void>, chunk: Buffer, chunks: Buffer[]): Promise<void> {
  await turn;
  await setTimeout(1);
  chunks.push(Buffer.from(chunk));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A part without its bytes, which would be too many to be shown. */
function outline({ bytes, ...head }: ReadPart): unknown {
  return { ...head, length: bytes.length, sha256: sha256(bytes) };
}

/** The form as it was meant; each parser reads a quoted name in its own way. */
function outlineMeant(
  scanKey: string,
  contents: readonly Content[],
  readName: (name: string) => string,
): readonly unknown[] {
  const key = { name: 'ScanKey', filename: undefined, contentType: undefined };
  return [
    outline({ ...key, bytes: Buffer.from(scanKey) }),
    ...contents.map(({ part, name, bytes }) =>
      outline({
        name: part,
        filename: readName(name),
        contentType: 'application/octet-stream',
        bytes,
      }),
    ),
  ];
}

/** A quote goes out as %22, which busboy leaves. */
function readAsBusboy(name: string): string {
  return name.replaceAll('"', '%22');
}

/** Browsers' names, as fetch reads them: %22, %0D and %0A are unescaped, whoever escaped them. */
function readAsNode(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

describe('the body of any upload', () => {
  test('is read by two parsers as what was meant, has its length and tells its digests', async () => {
    await fc.assert(
      fc.asyncProperty(uploadContents(), KEY, CHUNK_BYTES, async (contents, key, chunkBytes) => {
        await withParts(contents, async (parts) => {
          const body = frameBody(parts, key);
          const { bytes, digests } = await write(body);
          expect(bytes.length).toBe(body.length);
          expect(digests).toEqual(contents.map((content) => sha256(content.bytes)));
          const read = await readWithBusboy(body.contentType, bytes, chunkBytes);
          expect(read.map(outline)).toEqual(outlineMeant(key, contents, readAsBusboy));
          const readByNode = await readWithNode(body.contentType, bytes);
          expect(readByNode.map(outline)).toEqual(outlineMeant(key, contents, readAsNode));
        });
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test('is the same each time it is written', async () => {
    await fc.assert(
      fc.asyncProperty(uploadContents(), KEY, async (contents, key) => {
        await withParts(contents, async (parts) => {
          const body = frameBody(parts, key);
          const [first, second] = [await write(body), await write(body)];
          expect(first.bytes.equals(second.bytes)).toBe(true);
          expect(first.digests).toEqual(second.digests);
        });
      }),
      { numRuns: 30 },
    );
  }, 60_000);

  test('withstands files that hold all of its own boundary but the last character', async () => {
    const size = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 200_000 }));
    const pattern = fc.tuple(fc.constantFrom('\r\n--', '--', '\r\n', ''), fc.nat({ max: 3 }));
    const scheme = fc.record({ size, pattern, key: KEY, chunkBytes: CHUNK_BYTES });
    await fc.assert(
      fc.asyncProperty(
        scheme,
        async ({ size: length, pattern: [start, missing], key, ...rest }) => {
          const empty = {
            part: 'ScanJsonFile',
            name: 'a.json',
            bytes: Buffer.alloc(length),
          } as const;
          await withParts([empty], async (parts) => {
            const body = frameBody(parts, key);
            const boundary = body.contentType.replace(/^.*boundary=/, '');
            const near = `${start}${boundary.slice(0, -1 - missing)}`;
            const content = { ...empty, bytes: repeatTo(near, length) };
            for (const { file } of parts) await replaceContent(file.path, content.bytes);
            const { bytes } = await write(body);
            const meant = outlineMeant(key, [content], (name) => name);
            const read = await readWithBusboy(body.contentType, bytes, rest.chunkBytes);
            expect(read.map(outline)).toEqual(meant);
            expect((await readWithNode(body.contentType, bytes)).map(outline)).toEqual(meant);
          });
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});
