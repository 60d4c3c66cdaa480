import { afterEach, beforeEach, describe, expect, jest } from '@jest/globals';
import { mkdir, mkdtemp, open, readdir, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileError } from '../../src/errors.ts';
import { countMarkBytes, skipSpace } from '../../src/scan/content/bytes.ts';
import type { Sample } from '../../src/scan/content/content.ts';
import { MAX_PARSED_BYTES, PIECE_BYTES } from '../../src/scan/inspect.ts';
import type { ScanFile } from '../../src/scan/plan.ts';
import { recogniseNodeErrors } from '../inputs/node-errors.ts';

recogniseNodeErrors();

/** What is below a folder: contents by relative path, with `/`. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** For names, links and kinds of files that Windows does not have. */
export const describePosix = process.platform === 'win32' ? describe.skip : describe;
/** For what only /proc can tell. */
export const describeLinux = process.platform === 'linux' ? describe : describe.skip;
/** For permissions, which do not bind root. */
export const describeUnprivileged =
  process.platform === 'win32' || process.getuid?.() === 0 ? describe.skip : describe;

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) {
    await cleanup();
  }
});

/** Keeps the debug lines of @actions/glob, which the runner hides, out of the tests' own output. */
export function hideDebugLines(): void {
  beforeEach(() => {
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
}

/** A fresh folder with files in it, as a real path, removed after the test. */
export async function makeFolder(tree: Tree = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'scan-test-')));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  await writeTree(folder, tree);
  return folder;
}

export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Runs something after the test. */
export function cleanUp(action: () => Promise<void>): void {
  cleanups.push(action);
}

/** Opens a file for reading until the test ends. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path);
  cleanUp(() => handle.close());
  return handle;
}

/** The message of the FileError that a promise rejects with. */
export async function catchFileError(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

/** The files below a folder that this process holds open; Linux only. */
export async function listOpenFiles(folder: string): Promise<readonly string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(folder));
}

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
