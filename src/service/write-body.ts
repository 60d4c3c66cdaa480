import { createHash } from 'node:crypto';
import { FileError } from '../errors.ts';
import type { OpenFile } from '../files/open.ts';
import type { Body } from './body.ts';
import { ChunkRing } from './chunk-ring.ts';
import { createDigester } from './digester.ts';
import type { WriteChunk } from './chunk-ring.ts';

/** A file and the SHA-256 digest (hexadecimal) of the bytes of it that were written. */
interface SentFile {
  readonly file: OpenFile;
  readonly digest: string;
}

/** Bytes that are read at once from a file that is read again. */
const REREAD_BYTES = 1024 * 1024;

/**
 * Writes the body once and returns the SHA-256 digest (hexadecimal) of each file in it, in order.
 * Of each file exactly the bytes counted when it was opened are sent, and before the closing boundary
 * goes out it must still be that long, with that modification time; if its entry has changed since, it
 * is read again and must be what was sent. Throws a FileError otherwise, and whatever `write` rejects
 * with. `isEncrypted` says whether `write` encrypts, and so keeps a core busy.
 */
export async function writeBody(
  body: Body,
  write: WriteChunk,
  isEncrypted = false,
): Promise<readonly string[]> {
  const largest = Math.max(...body.segments.map((part) => (Buffer.isBuffer(part) ? 0 : part.size)));
  const ring = new ChunkRing(write, largest);
  const sent: SentFile[] = [];
  for (const [index, segment] of body.segments.entries()) {
    // Before the closing boundary makes it a whole body, none of the files may have changed.
    if (index === body.segments.length - 1) await checkAllUnchanged(sent);
    if (Buffer.isBuffer(segment)) ring.pass(segment);
    else sent.push({ file: segment, digest: await writeFile(segment, ring, isEncrypted) });
  }
  await ring.drain();
  return sent.map(({ digest }) => digest);
}

async function writeFile(file: OpenFile, ring: ChunkRing, isEncrypted: boolean): Promise<string> {
  const digester = await createDigester(file.size, isEncrypted);
  try {
    for (let position = 0; position < file.size;) {
      const bytes = await ring.relay(
        file.size - position,
        async (buffer) => {
          const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, position);
          return buffer.subarray(0, bytesRead);
        },
        (chunk) => digester.update(chunk),
      );
      if (bytes === 0) throw describeChange(file, 'became shorter');
      position += bytes;
    }
    return await digester.finish();
  } finally {
    await digester.close();
  }
}

async function checkAllUnchanged(sent: readonly SentFile[]): Promise<void> {
  for (const file of sent) await checkUnchanged(file);
}

async function checkUnchanged({ file, digest }: SentFile): Promise<void> {
  const { size, mtimeNs, ctimeNs } = await file.handle.stat({ bigint: true });
  if (size !== BigInt(file.size)) throw describeChange(file, 'changed its size');
  if (mtimeNs !== file.mtimeNs) throw describeChange(file, 'was written to');
  // A rename or a removal changes only this time; so does a writer who sets the other one back.
  if (ctimeNs !== file.ctimeNs && (await digestAgain(file)) !== digest) {
    throw describeChange(file, 'was written to');
  }
  // What a size does not tell: files of /proc have size 0, and any may grow just now.
  const { bytesRead } = await file.handle.read(Buffer.alloc(1), 0, 1, file.size);
  if (bytesRead > 0) throw describeChange(file, 'became longer');
}

async function digestAgain({ handle, size }: OpenFile): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(Math.min(size, REREAD_BYTES));
  for (let position = 0; position < size;) {
    const wanted = Math.min(buffer.length, size - position);
    const { bytesRead } = await handle.read(buffer, 0, wanted, position);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest('hex');
}

function describeChange(file: OpenFile, change: string): FileError {
  return new FileError(
    `'${file.displayPath}' ${change} while it was being sent: upload it after the scan has finished writing it.`,
  );
}
