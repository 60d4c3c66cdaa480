import type { BigIntStats } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Whether paths have drives and backslashes, and names no case. */
export const IS_WINDOWS = process.platform === 'win32';

/** Whether a path lies in a folder and is not that folder, by their names alone. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Device and inode: what all paths of one file or folder have in common. */
export function identify({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
