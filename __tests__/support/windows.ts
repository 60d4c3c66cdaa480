import { execFileSync } from 'node:child_process';
import { describeUnless } from './skip.ts';

/** For tests that only run on Windows. */
export const describeWindows = describeUnless(
  process.platform === 'win32' ? undefined : 'Windows only',
);

/** Other ways to write the path of a directory on Windows. */
export const SPELLINGS: readonly (readonly [string, (path: string) => string])[] = [
  ['in upper case', (path) => path.toUpperCase()],
  ['in lower case', (path) => path.toLowerCase()],
  ['with slashes', (path) => path.replaceAll('\\', '/')],
  ['by its short name', shorten],
];

/** The short name of a path, such as `C:\Users\RUNNER~1`. */
function shorten(path: string): string {
  const command = `for %I in ("${path}") do @echo %~sI`;
  const options = { encoding: 'utf8', windowsVerbatimArguments: true } as const;
  return execFileSync('cmd.exe', ['/d', '/c', command], options).trim();
}
