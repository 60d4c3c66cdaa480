import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cleanUp } from './scope.ts';
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

/** libuv's UV_FS_O_EXLOCK: on Windows no other process may open the file. */
const EXCLUSIVE = 0x10000000;

/** Has another process lock a file until the test ends. */
export async function lockFile(path: string): Promise<void> {
  const script = `
    const { constants, openSync } = require('node:fs');
    openSync(process.argv[1], constants.O_RDWR | ${EXCLUSIVE});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--eval', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp(async () => {
    const exit = once(child, 'exit');
    child.kill();
    await exit;
  });
  await once(child.stdout, 'data');
}
