import { execFileSync } from 'node:child_process';
import { open, readdir, readlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { describe, afterEach, beforeEach, jest } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
import { cleanUp } from './workspace.ts';

/** `describe`, or what skips its tests. */
export type Describe = (title: string, body: () => void) => void;

/** `describe` without a `reason`; with one its tests are skipped, and support/reporter.ts prints why. */
export function describeUnless(reason: string | undefined): Describe {
  if (reason === undefined) return describe;
  const { skip } = describe;
  return (title, body) => skip(`${title} [skipped: ${reason}]`, body);
}

/** For tests with signals, and with file names, links and file types that Windows lacks. */
export const describePosix = describeUnless(
  process.platform === 'win32' ? 'not on Windows' : undefined,
);
/** For tests that only run on Windows. */
export const describeWindows = describeUnless(
  process.platform === 'win32' ? undefined : 'Windows only',
);
/** For tests that read /proc. */
export const describeLinux = describeUnless(
  process.platform === 'linux' ? undefined : 'Linux only',
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

/** Hides the debug lines of @actions/glob from the output of the tests. */
export function hideDebugLines(): void {
  beforeEach(() => void jest.spyOn(process.stdout, 'write').mockReturnValue(true));
  afterEach(() => void jest.restoreAllMocks());
}

/** The message of the StepError about files, with a fix, that a promise rejects with. */
export async function catchFileError(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof StepError && error.situation === 'files' && error.fixes.length > 0) {
      return error.message;
    }
    throw error;
  }
  throw new Error('Nothing was refused.');
}

/** The files below a directory that this process holds open; Linux only. */
export async function listOpenFiles(directory: string): Promise<readonly string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(directory));
}

/** Has every file handle read as `read` does, until the test has ended. */
export async function replaceRead(read: (this: FileHandle) => Promise<never>): Promise<void> {
  const file = await open(import.meta.filename);
  await file.close();
  const prototype = Reflect.getPrototypeOf(file) ?? {};
  const original: unknown = Reflect.get(prototype, 'read');
  cleanUp(() => void Object.assign(prototype, { read: original }));
  Object.assign(prototype, { read });
}
