import { createHash, randomUUID } from 'node:crypto';
import FormData from 'form-data';
import { checkUnchanged, explainChange } from '../files/open.ts';
import type { OpenFile } from '../files/open.ts';
import { explainReadError } from '../files/regular-file.ts';
import { FILE_CONTENT_TYPE, SCAN_KEY_PART } from './operations.ts';
import type { Part } from './operations.ts';

/** A multipart form, ready to be written any number of times. */
export interface RequestBody {
  /** Value of the Content-Type header, boundary included. */
  readonly contentType: string;
  /** Exact bytes of the whole body: the Content-Length. */
  readonly length: number;
  /** Framing bytes and files in the order in which they are sent. */
  readonly segments: readonly (Buffer | OpenFile)[];
}

/**
 * Frames the form of a scan key and of open files by their parts, with form-data. A random marker replaces the content of
 * each file; the bytes between the markers are the framing. The scan key comes first, as a plain field.
 */
export function frameBody(
  files: ReadonlyMap<Part['name'], OpenFile>,
  scanKey: string,
): RequestBody {
  const form = new FormData();
  form.append(SCAN_KEY_PART, scanKey);
  const marked = Array.from(files, ([part, file]) => {
    const marker = Buffer.from(randomUUID());
    form.append(part, marker, { filename: file.name, contentType: FILE_CONTENT_TYPE });
    return { file, marker };
  });
  const segments: (Buffer | OpenFile)[] = [];
  let rest = form.getBuffer();
  for (const { file, marker } of marked) {
    const position = rest.indexOf(marker);
    segments.push(rest.subarray(0, position), file);
    rest = rest.subarray(position + marker.length);
  }
  segments.push(rest);
  const sizes = segments.map((each) => (Buffer.isBuffer(each) ? each.length : each.size));
  const length = sizes.reduce((sum, bytes) => sum + bytes, 0);
  return { contentType: `multipart/form-data; boundary=${form.getBoundary()}`, length, segments };
}

/** Writes a piece to the connection. Resolves once the connection has taken it, and its buffer may be reused. */
type WritePiece = (piece: Buffer) => Promise<void>;

/** How much is read and digested at a time, in bytes. It fits in the cache of a core. */
const BUFFER_BYTES = 512 * 1024;
/** How much is written at a time, in bytes. A slow connection takes it within the stall limit. */
const PIECE_BYTES = 64 * 1024;

/**
 * Writes the body once, in pieces of at most 64 KiB, one after the other. Returns the SHA-256 digest (hexadecimal) of
 * each file in it, in order. Of each file as many bytes are sent as it had when it was opened. Rejects with a StepError
 * before the closing boundary if a file has changed, or if other bytes were sent than were inspected. Also rejects with
 * the errors of `write`.
 */
export async function writeBody(body: RequestBody, write: WritePiece): Promise<readonly string[]> {
  const digests = new Map<OpenFile, string>();
  for (const [index, segment] of body.segments.entries()) {
    // None of the files may have changed before the closing boundary completes the body.
    if (index === body.segments.length - 1) {
      for (const [file, digest] of digests) {
        checkUnchanged(file, await orExplain(file, file.handle.stat({ bigint: true })), digest);
      }
    }
    if (Buffer.isBuffer(segment)) await writePieces(segment, write);
    else digests.set(segment, await sendFile(segment, write));
  }
  return [...digests.values()];
}

async function writePieces(bytes: Buffer, write: WritePiece): Promise<void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    await write(bytes.subarray(start, start + PIECE_BYTES));
  }
}

/** Sends a file through one buffer, so that memory use does not depend on its size. Returns its digest. */
async function sendFile(file: OpenFile, write: WritePiece): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(Math.min(BUFFER_BYTES, file.size));
  for (let position = 0; position < file.size;) {
    const wanted = Math.min(buffer.length, file.size - position);
    const { bytesRead } = await orExplain(file, file.handle.read(buffer, 0, wanted, position));
    if (bytesRead === 0) throw explainChange(file, 'became shorter');
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await writePieces(chunk, write);
    position += bytesRead;
  }
  return hash.digest('hex');
}

/** Returns what the system says of a file, and throws a StepError in place of the system's errors. */
async function orExplain<T>({ displayPath }: OpenFile, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw explainReadError(error, displayPath);
  }
}
