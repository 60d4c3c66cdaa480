import { createHash } from 'node:crypto';
import { FileError, explainReadError } from '../errors.ts';
import type { OpenFile } from '../files/open.ts';
import type { Body } from './body.ts';

/** Writes a piece to the connection; resolves once it was taken and its buffer may be reused. */
export type WritePiece = (piece: Buffer) => Promise<void>;

/** How much is read and digested at a time, in bytes: small enough for a core's cache. */
export const BUFFER_BYTES = 512 * 1024;
/** How much is written at a time, in bytes: small enough for a slow connection within the stall limit. */
export const PIECE_BYTES = 64 * 1024;

/** A file and the SHA-256 digest (hexadecimal) of the bytes of it that were written. */
interface SentFile {
  readonly file: OpenFile;
  readonly digest: string;
}

/**
 * Writes the body once, in pieces of at most 64 KiB, one after the other, and returns the SHA-256
 * digest (hexadecimal) of each file in it, in order. Exactly the size of the file when it was opened is
 * sent. Before the closing boundary is sent, the file must still have that size and modification time; if
 * its ctime has changed, it is read again and must have the same digest. Otherwise rejects with a
 * FileError; also rejects with the errors of `write`.
 */
export async function writeBody(body: Body, write: WritePiece): Promise<readonly string[]> {
  const writer = new PieceWriter(write);
  const sent: SentFile[] = [];
  for (const [index, segment] of body.segments.entries()) {
    // None of the files may have changed before the closing boundary completes the body.
    if (index === body.segments.length - 1) await checkAllUnchanged(sent);
    if (Buffer.isBuffer(segment)) await writer.start(segment);
    else sent.push({ file: segment, digest: await writeFile(segment, writer) });
  }
  await writer.finish();
  return sent.map(({ digest }) => digest);
}

/** Writes one buffer at a time, so that another can be filled meanwhile. */
class PieceWriter {
  readonly #write: WritePiece;
  #written: Promise<void> = Promise.resolve();

  constructor(write: WritePiece) {
    this.#write = write;
  }

  /** Waits until all earlier bytes were taken, and starts to write these. Rejects if a write failed. */
  async start(bytes: Buffer): Promise<void> {
    await this.#written;
    this.#written = this.#writePieces(bytes);
    // The next call reports a failed write; until then it must not count as unhandled.
    this.#written.catch(() => {});
  }

  /** Resolves once everything was taken. */
  async finish(): Promise<void> {
    await this.#written;
  }

  async #writePieces(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      await this.#write(bytes.subarray(start, start + PIECE_BYTES));
    }
  }
}

/**
 * Writes a file and returns its digest. Two buffers take turns: one is filled while the other is being
 * written, so that memory use does not depend on the size of the file.
 */
async function writeFile(file: OpenFile, writer: PieceWriter): Promise<string> {
  const hash = createHash('sha256');
  const bufferBytes = Math.min(BUFFER_BYTES, file.size);
  let [buffer, other] = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)];
  for (let position = 0; position < file.size;) {
    const wanted = Math.min(bufferBytes, file.size - position);
    const bytesRead = await readBytes(file, buffer, wanted, position);
    if (bytesRead === 0) throw describeChange(file, 'became shorter');
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await writer.start(chunk);
    position += bytesRead;
    [buffer, other] = [other, buffer];
  }
  return hash.digest('hex');
}

/** Reads up to `length` bytes from `position` on, and returns how many were read. Throws a FileError. */
async function readBytes(
  { handle, displayPath }: OpenFile,
  buffer: Buffer,
  length: number,
  position: number,
): Promise<number> {
  try {
    return (await handle.read(buffer, 0, length, position)).bytesRead;
  } catch (error) {
    throw explainReadError(error, displayPath);
  }
}

async function checkAllUnchanged(sent: readonly SentFile[]): Promise<void> {
  for (const file of sent) await checkUnchanged(file);
}

async function checkUnchanged({ file, digest }: SentFile): Promise<void> {
  const { size, mtimeNs, ctimeNs } = await file.handle.stat({ bigint: true });
  if (size !== BigInt(file.size)) throw describeChange(file, 'changed its size');
  if (mtimeNs !== file.mtimeNs) throw describeChange(file, 'was written to');
  // A rename or a removal changes only ctime; so does a program that resets mtime after writing.
  if (ctimeNs !== file.ctimeNs && (await digestAgain(file)) !== digest) {
    throw describeChange(file, 'was written to');
  }
  // The size is not enough: files of /proc have size 0, and a file may grow at this moment.
  if ((await readBytes(file, Buffer.alloc(1), 1, file.size)) > 0)
    throw describeChange(file, 'became longer');
}

async function digestAgain(file: OpenFile): Promise<string> {
  const { size } = file;
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(Math.min(BUFFER_BYTES, size));
  for (let position = 0; position < size;) {
    const wanted = Math.min(buffer.length, size - position);
    const bytesRead = await readBytes(file, buffer, wanted, position);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest('hex');
}

function describeChange(file: OpenFile, change: string): FileError {
  return new FileError(
    `'${file.displayPath}' ${change} while it was being sent. Upload it after the scan step has finished writing it.`,
  );
}
