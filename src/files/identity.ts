import { lstat } from 'node:fs/promises';

/**
 * Returns the same text for two spellings of a path to one file or directory, and different ones for
 * different files: only the file system knows which spellings it takes for the same. A link is not what
 * it leads to. What cannot be found is only the same as itself.
 */
export async function identify(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await lstat(path, { bigint: true });
    // Some file systems do not number every file differently (ReFS, network drives).
    return [dev, ino, size, mtimeNs].join(':');
  } catch {
    return path;
  }
}
