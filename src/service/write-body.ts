import { createHash } from 'node:crypto';
import { FileError } from '../errors.ts';
import type { OpenFile } from '../scan/open.ts';
import type { Body } from './body.ts';
import { ChunkRing } from './chunk-ring.ts';
import type { WriteChunk } from './chunk-ring.ts';

/**
 * Writes the body once and returns the SHA-256 digest (hexadecimal) of each file in it, in order.
 * Of each file exactly the bytes counted when it was opened are sent, and before the closing boundary
 * goes out it must still have that size and modification time. Throws a FileError otherwise, and whatever
 * `write` rejects with.
 */
export async function writeBody(body: Body, write: WriteChunk): Promise<readonly string[]> {
  const largest = Math.max(...body.segments.map((part) => (Buffer.isBuffer(part) ? 0 : part.size)));
  const ring = new ChunkRing(write, largest);
  const digests: string[] = [];
  for (const [index, segment] of body.segments.entries()) {
    // Before the closing boundary makes it a whole body, none of the files may have changed.
    if (index === body.segments.length - 1) await checkAllUnchanged(body);
    if (Buffer.isBuffer(segment)) ring.pass(segment);
    else digests.push(await writeFile(segment, ring));
  }
  await ring.drain();
  return digests;
}

async function writeFile(file: OpenFile, ring: ChunkRing): Promise<string> {
  const hash = createHash('sha256');
  for (let position = 0; position < file.size;) {
    const bytes = await ring.relay(file.size - position, async (buffer) => {
      const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, position);
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      return chunk;
    });
    if (bytes === 0) throw describeChange(file, 'became shorter');
    position += bytes;
  }
  return hash.digest('hex');
}

async function checkAllUnchanged({ segments }: Body): Promise<void> {
  for (const segment of segments) if (!Buffer.isBuffer(segment)) await checkUnchanged(segment);
}

async function checkUnchanged(file: OpenFile): Promise<void> {
  const { size, mtimeNs } = await file.handle.stat({ bigint: true });
  if (size !== BigInt(file.size)) throw describeChange(file, 'changed its size');
  if (mtimeNs !== file.mtimeNs) throw describeChange(file, 'was written to');
}

function describeChange(file: OpenFile, change: string): FileError {
  return new FileError(
    `'${file.displayPath}' ${change} while it was being sent: upload it after the scan has finished writing it.`,
  );
}
