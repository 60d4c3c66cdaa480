import { isAbsolute, relative, sep } from 'node:path';

/** Whether paths have drives and backslashes, and names ignore case. */
export const IS_WINDOWS = process.platform === 'win32';

/** Whether names are the same with composed and with decomposed letters. */
export const IS_MACOS = process.platform === 'darwin';

/** A path for messages: relative to the workspace, with `/`, if it is in it; otherwise unchanged. */
export function displayPath(path: string, workspace: string): string {
  const way = relative(workspace, path);
  const isOutside = way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  return isOutside ? path : way.replaceAll(sep, '/');
}
