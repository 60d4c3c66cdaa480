import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { UTF_16, isUtf16 } from '../formats/bytes.ts';

/**
 * Reads a small regular file as text; a FIFO or a device behind a link would block or never end.
 * Throws what opening does, and an Error for anything else, larger than `maxBytes` or in UTF-16.
 */
export function readTextFile(path: string, maxBytes: number): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('not a regular file');
    if (stats.size > maxBytes) throw new Error('too large');
    const bytes = readFileSync(descriptor);
    if (isUtf16(bytes)) throw new Error(UTF_16);
    return bytes.toString();
  } finally {
    closeSync(descriptor);
  }
}
