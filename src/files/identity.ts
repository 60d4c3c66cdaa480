import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';

/**
 * Returns the same text for the stats of one file or directory, and different texts for different ones:
 * device, inode and time of creation, because some file systems do not number every file differently (ReFS,
 * network drives).
 */
export function identifyStats({ dev, ino, birthtimeNs }: BigIntStats): string {
  return [dev, ino, birthtimeNs].join(':');
}

/**
 * Returns the same text for two spellings of the path of one file or directory, and different texts for
 * different files: only the file system knows which spellings are the same. A link differs from its
 * target. For a path that cannot be read, returns the path.
 */
export async function identify(path: string): Promise<string> {
  try {
    return identifyStats(await lstat(path, { bigint: true }));
  } catch {
    return path;
  }
}
