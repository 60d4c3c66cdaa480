import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { frameBody } from '../../src/service/body.ts';
import type { Body } from '../../src/service/body.ts';
import { writeBody } from '../../src/service/write-body.ts';
import { makePart } from '../support/bodies.ts';
import { sha256 } from '../support/samples.ts';
import { repeatTo, uploadContents } from './file-arbitraries.ts';
import type { Content, ReadPart } from './multipart.ts';
import { readWithBusboy, replaceContent } from './multipart.ts';

const KEY = fc.uuid();
const CHUNK_BYTES = fc.oneof(fc.integer({ min: 1024, max: 70_000 }), fc.constant(1024 * 1024));

interface Written {
  readonly bytes: Buffer;
  readonly digests: readonly string[];
}

/**
 * Writes a body, one chunk after the other. Reads each chunk late, as a connection does, so that a
 * buffer that is refilled too early changes the result.
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

/** A part with the length and digest of its bytes, which would be too long to show. */
function outline({ bytes, ...head }: ReadPart): unknown {
  return { ...head, length: bytes.length, sha256: sha256(bytes) };
}

/** The expected form. A quote is sent as %22, which busboy does not decode. */
function outlineMeant(scanKey: string, contents: readonly Content[]): readonly unknown[] {
  const key = { name: 'ScanKey', filename: undefined, contentType: undefined };
  return [
    outline({ ...key, bytes: Buffer.from(scanKey) }),
    ...contents.map(({ part, name, bytes }) =>
      outline({
        name: part,
        filename: name.replaceAll('"', '%22'),
        contentType: 'application/octet-stream',
        bytes,
      }),
    ),
  ];
}

describe('frameBody and writeBody', () => {
  test('write a body that a parser reads correctly, and the same body again', async () => {
    await fc.assert(
      fc.asyncProperty(uploadContents(), KEY, CHUNK_BYTES, async (contents, key, chunkBytes) => {
        const making = contents.map(({ part, bytes, name }) => makePart(part, bytes, name));
        const body = frameBody(await Promise.all(making), key);
        const { bytes, digests } = await write(body);
        const again = await write(body);
        expect(bytes.equals(again.bytes)).toBe(true);
        expect(again.digests).toEqual(digests);
        expect(bytes.length).toBe(body.length);
        expect(digests).toEqual(contents.map((content) => sha256(content.bytes)));
        const read = await readWithBusboy(body.contentType, bytes, chunkBytes);
        expect(read.map(outline)).toEqual(outlineMeant(key, contents));
      }),
      { numRuns: 30 },
    );
  });

  test('handle files with the boundary except its last character', async () => {
    const size = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 200_000 }));
    const start = fc.constantFrom('\r\n--', '--', '\r\n', '');
    const named = { part: 'ScanJsonFile', name: 'a.json' } as const;
    await fc.assert(
      fc.asyncProperty(size, start, fc.nat({ max: 3 }), KEY, async (length, mark, missing, key) => {
        const part = await makePart(named.part, Buffer.alloc(length), named.name);
        const body = frameBody([part], key);
        const boundary = body.contentType.replace(/^.*boundary=/, '');
        const content = repeatTo(`${mark}${boundary.slice(0, -1 - missing)}`, length);
        await replaceContent(part.file.path, content);
        const segments = body.segments.map((segment) =>
          Buffer.isBuffer(segment) ? segment : { ...segment, digest: sha256(content) },
        );
        const { bytes } = await write({ ...body, segments });
        const meant = outlineMeant(key, [{ ...named, bytes: content }]);
        const read = await readWithBusboy(body.contentType, bytes, 1024);
        expect(read.map(outline)).toEqual(meant);
      }),
      { numRuns: 20 },
    );
  });
});
