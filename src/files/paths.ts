import { isAbsolute, relative, sep } from 'node:path';

/** Whether paths have drives and backslashes, and names ignore case. */
export const IS_WINDOWS = process.platform === 'win32';

/** Whether names are the same with composed and with decomposed letters. */
export const IS_MACOS = process.platform === 'darwin';

/** A path for messages: relative to the workspace, with `/`, if it is in it; otherwise unchanged. */
export function displayPath(path: string, workspace: string): string {
  return isInside(path, workspace) ? relative(workspace, path).replaceAll(sep, '/') : path;
}

/** Whether a path is in a directory and is not that directory, by their names alone. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
