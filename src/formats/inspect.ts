import type { FileHandle } from 'node:fs/promises';
import { UTF_16, isUtf16, nameKind } from './bytes.ts';
import type { Content, Sample } from './content.ts';
import { inspectJson } from './json.ts';
import { inspectXml } from './xml.ts';

/**
 * Up to this size a file is read whole, parsed and counted. Measured at this size: a Trivy report takes
 * 0.5 s and 220 MiB, the worst (lists in lists) 4 s and 1.8 GiB. The usual limit of the service for a
 * whole request is less, 28.6 MiB (Kestrel's and IIS's default).
 */
export const MAX_PARSED_BYTES = 32 * 1024 * 1024;

/** What is read of a larger file at either end, in bytes. */
export const HEAD_BYTES = 1024 * 1024;

/**
 * Says what the file behind `handle`, of `size` bytes, is. Rejects with the signal's reason if that
 * fires meanwhile.
 */
export async function inspectContent(
  handle: FileHandle,
  size: number,
  signal: AbortSignal,
): Promise<Content> {
  if (size <= MAX_PARSED_BYTES) return inspectBytes(await readBytes(handle, 0, size, signal));
  const head = await readBytes(handle, 0, HEAD_BYTES, signal);
  const tail = await readBytes(handle, size - HEAD_BYTES, HEAD_BYTES, signal);
  return inspectBytes(head, { tail, size });
}

/** Says what a file is: all of its bytes, or those at either end of a large one. */
export function inspectBytes(
  bytes: Buffer,
  { tail, size }: Partial<Pick<Sample, 'tail' | 'size'>> = {},
): Content {
  const inspected = tail === undefined ? 'full' : 'partial';
  if (bytes.length === 0) return { format: 'empty', inspected, fault: 'is empty (0 bytes)' };
  if (isUtf16(bytes)) {
    return { format: 'unknown', inspected, kind: 'UTF-16 text', fault: `is ${UTF_16}` };
  }
  // The beginning of a large file may end inside a character, which is left out.
  const text = new TextDecoder().decode(bytes, { stream: tail !== undefined });
  if (text.trim() === '' && tail === undefined) {
    return { format: 'empty', inspected, fault: 'holds only white space' };
  }
  const sample = { bytes, text, tail, size: size ?? bytes.length };
  const content = inspectJson(sample) ?? inspectXml(sample);
  return content ?? { format: 'unknown', inspected, kind: nameKind(sample) };
}

/** So many bytes from `start` on, or fewer where the file ends. */
async function readBytes(
  handle: FileHandle,
  start: number,
  length: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
