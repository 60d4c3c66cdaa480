import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { frameBody } from '../../src/service/body.ts';
import type { Body, FilePart } from '../../src/service/body.ts';
import { writeBody } from '../../src/service/write-body.ts';
import { makePart } from '../support/bodies.ts';
import { KIB, MIB, sha256 } from '../support/samples.ts';

/** A part of a form with the length and digest of its bytes, which would be too long to show. */
interface ReadPart {
  readonly name: string;
  /** Undefined for a plain text field. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly length: number;
  readonly sha256: string;
}

/** A file to send. */
interface Content {
  readonly part: FilePart['part'];
  readonly name: string;
  readonly bytes: Buffer;
}

/** Pieces of names, including quotation and text that resembles multipart framing. Windows forbids some. */
const NAME_PIECES = [
  ...Array.from("ab.-_ ';=,%&+()[]{}#@!~^$`é漢\u{1f50d}\u00a0"),
  '%22',
  '%0D%0A',
  ...(process.platform === 'win32' ? [] : ['"', ':', '<', 'filename="x"']),
];
const NAME = fc.oneof(
  fc
    .array(fc.constantFrom(...NAME_PIECES), { minLength: 1, maxLength: 20, size: 'max' })
    .map((pieces) => `a${pieces.join('')}a`),
  fc.constantFrom('.scan', '-', 'a'.repeat(255)),
);

/** Around the size of a write, and of the buffers. */
const EDGES = [0, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 192 * KIB, MIB - 1, MIB + 1];
const SIZE = fc.oneof(fc.nat(200), fc.nat(100 * KIB), fc.constantFrom(...EDGES), fc.nat(3 * MIB));
/** Texts that resemble a boundary or the head of a part, and other bytes. */
const FRAMING = fc.constantFrom(
  '\r\n--',
  '--',
  '\r\n',
  '\r',
  '\n',
  '--------------------------123456789012345678901234--\r\n',
  'Content-Disposition: form-data; name="ScanKey"\r\n\r\nx',
  '\0',
  '\u00ff',
);
const BYTES = fc
  .tuple(SIZE, fc.array(fc.oneof(FRAMING, fc.string()), { minLength: 1, maxLength: 8 }))
  .map(([size, pieces]) => Buffer.alloc(size, pieces.join('') || 'x'));

function content(part: Content['part']): Arbitrary<Content> {
  return fc.record({ part: fc.constant(part), name: NAME, bytes: BYTES });
}

/** The files of either operation. */
const CONTENTS = fc.oneof(
  fc.tuple(content('ScanJsonFile')),
  fc.tuple(content('DependenciesCDX'), content('VulnerabilitiesTool')),
);
const CHUNK_BYTES = fc.oneof(fc.integer({ min: 1024, max: 70_000 }), fc.constant(MIB));

/**
 * Writes a body, one chunk after the other. Reads each chunk late, as a connection does, so that a
 * buffer that is refilled too early changes the result.
 */
async function write(body: Body): Promise<{ bytes: Buffer; digests: readonly string[] }> {
  const chunks: Buffer[] = [];
  const digests = await writeBody(body, async (chunk) => {
    await setTimeout(1);
    chunks.push(Buffer.from(chunk));
  });
  return { bytes: Buffer.concat(chunks), digests };
}

/** Reads a form with busboy, in chunks of any size. */
async function readForm(
  { contentType: type }: Body,
  bytes: Buffer,
  size: number,
): Promise<unknown> {
  const parser = new Busboy({ headers: { 'content-type': type }, preservePath: true });
  const parts: ReadPart[] = [];
  parser.on('field', (name, value) => {
    parts.push({ name, filename: undefined, contentType: undefined, ...outline(value) });
  });
  parser.on('file', (name, stream, filename, _encoding, contentType) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      parts.push({ name, filename, contentType, ...outline(Buffer.concat(chunks)) });
    });
  });
  const finished = once(parser, 'finish');
  for (let start = 0; start < bytes.length; start += size) {
    parser.write(bytes.subarray(start, start + size));
  }
  parser.end();
  await finished;
  return parts;
}

function outline(bytes: string | Buffer): Pick<ReadPart, 'length' | 'sha256'> {
  return { length: bytes.length, sha256: sha256(bytes) };
}

/** The part of a file. A quote is sent as %22, which busboy does not decode. */
function outlineFile({ part, name, bytes }: Content): ReadPart {
  const filename = name.replaceAll('"', '%22');
  return { name: part, filename, contentType: 'application/octet-stream', ...outline(bytes) };
}

test('a body is what a parser reads correctly, and the same body again', async () => {
  await fc.assert(
    fc.asyncProperty(CONTENTS, fc.uuid(), CHUNK_BYTES, async (contents, key, chunkBytes) => {
      const making = contents.map(({ part, bytes, name }) => makePart(part, bytes, name));
      const body = frameBody(await Promise.all(making), key);
      expect(frameBody([], key).contentType).not.toBe(frameBody([], key).contentType);
      const { bytes, digests } = await write(body);
      const again = await write(body);
      expect(bytes.equals(again.bytes)).toBe(true);
      expect(again.digests).toEqual(digests);
      expect(bytes.length).toBe(body.length);
      expect(digests).toEqual(contents.map((each) => sha256(each.bytes)));
      const field = { name: 'ScanKey', filename: undefined, contentType: undefined };
      expect(await readForm(body, bytes, chunkBytes)).toEqual([
        { ...field, ...outline(key) },
        ...contents.map(outlineFile),
      ]);
    }),
    { numRuns: 30 },
  );
});
