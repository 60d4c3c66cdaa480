import { expect } from '@jest/globals';
import { countMarkBytes, skipSpace } from '../../src/scan/content/bytes.ts';
import type { Sample } from '../../src/scan/content/content.ts';
import { MAX_PARSED_BYTES, PIECE_BYTES } from '../../src/scan/inspect.ts';
import type { ScanFile } from '../../src/scan/plan.ts';

export * from '../files/fixtures.ts';

/** The size of a file of which only the ends were read. */
export const SAMPLE_SIZE = 2 * MAX_PARSED_BYTES;

/** Pieces so small that their edges are everywhere; sizes without a common factor. */
const SMALL_PIECES = [1, 2, 3, 7];

/** A file that was read whole, in pieces of this size. */
export function sampleWhole(content: string | Buffer, pieceBytes = PIECE_BYTES): Sample {
  const bytes = Buffer.from(content);
  const { start, isMarked } = findStart(bytes);
  return {
    start,
    isMarked,
    head: bytes.subarray(start, start + PIECE_BYTES),
    // In small pieces a text takes the way of a large one.
    isAllInHead: pieceBytes === PIECE_BYTES && bytes.length - start <= PIECE_BYTES,
    isWhole: true,
    pieces: () => readPieces(bytes.subarray(start), pieceBytes),
    tail: async () => bytes.subarray(Math.max(start, bytes.length - PIECE_BYTES)),
    size: bytes.length,
  };
}

/** A file of which only both ends were read; the head in pieces of this size. */
export function sampleEnds(
  head: string | Buffer,
  tail: string | Buffer,
  pieceBytes = PIECE_BYTES,
): Sample {
  const bytes = Buffer.from(head);
  const { start, isMarked } = findStart(bytes);
  const read = bytes.subarray(start);
  return {
    start,
    isMarked,
    head: read,
    isAllInHead: false,
    isWhole: false,
    pieces: () => readPieces(read, pieceBytes),
    tail: async () => Buffer.from(tail),
    size: SAMPLE_SIZE,
  };
}

/** What is told of a sample: the same, whatever the size of the pieces it is read in. */
export async function inspectInPieces<T>(
  sampleIn: (pieceBytes?: number) => Sample,
  inspect: (sample: Sample) => Promise<T>,
): Promise<T> {
  const told = await inspect(sampleIn());
  for (const pieceBytes of SMALL_PIECES) {
    expect([pieceBytes, await inspect(sampleIn(pieceBytes))]).toEqual([pieceBytes, told]);
  }
  return told;
}

/** A file that was opened and looked at, as later stages see it. */
export async function makeScanFile(details: Partial<ScanFile> = {}): Promise<ScanFile> {
  const name = details.name ?? 'scan.json';
  return {
    path: `/workspace/${name}`,
    displayPath: name,
    name,
    size: 2,
    mtimeNs: 0n,
    ctimeNs: 0n,
    identity: `1:${name}`,
    input: 'files',
    folder: undefined,
    content: { format: 'json', syntax: 'json', inspected: 'whole' },
    ...details,
  };
}

function findStart(bytes: Buffer): Pick<Sample, 'start' | 'isMarked'> {
  const markBytes = countMarkBytes(bytes);
  return { start: skipSpace(bytes, markBytes), isMarked: markBytes > 0 };
}

/** Each piece is overwritten by the next, as where a file is read. */
async function* readPieces(bytes: Buffer, pieceBytes: number): AsyncIterable<Buffer> {
  const buffer = Buffer.alloc(Math.min(pieceBytes, bytes.length));
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    await Promise.resolve();
    const length = bytes.copy(buffer, 0, start, start + pieceBytes);
    yield buffer.subarray(0, length);
  }
}
