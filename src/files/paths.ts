import { isAbsolute, relative, sep } from 'node:path';

/** Whether paths have drives and backslashes, and names ignore case. */
export const IS_WINDOWS = process.platform === 'win32';

/** Whether names are the same with composed and with decomposed letters. */
export const IS_MACOS = process.platform === 'darwin';

/** Returns a path for messages. One in the workspace is relative to it and has `/` between names. */
export function displayPath(path: string, workspace: string): string {
  if (!isWithin(path, workspace)) return path;
  return relative(workspace, path).replaceAll(sep, '/') || path;
}

/** Whether a path is a directory or below it. Both must be absolute and without links. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns one text for all spellings of a name that a file system may take for the same, in case or composed letters. */
export function foldSpelling(name: string): string {
  return name.normalize().toLowerCase();
}
