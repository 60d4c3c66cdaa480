import { lstat } from 'node:fs/promises';

/**
 * Returns the same text for two spellings of the path of one file or directory, and different texts for
 * different files: only the file system knows which spellings are the same. A link differs from its
 * target. For a path that cannot be read, returns the path.
 */
export async function identify(path: string): Promise<string> {
  try {
    const { dev, ino, birthtimeNs } = await lstat(path, { bigint: true });
    // Some file systems do not number every file differently (ReFS, network drives).
    return [dev, ino, birthtimeNs].join(':');
  } catch {
    return path;
  }
}
