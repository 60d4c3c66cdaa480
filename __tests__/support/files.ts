import { afterEach, beforeEach, jest } from '@jest/globals';
import { open, readdir, readlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { StepError } from '../../src/errors.ts';
import { cleanUp } from './scope.ts';
import { describeUnless } from './skip.ts';

/** For tests with signals, and with file names, links and file types that Windows lacks. */
export const describePosix = describeUnless(
  process.platform === 'win32' ? 'not on Windows' : undefined,
);
/** For tests that read /proc. */
export const describeLinux = describeUnless(
  process.platform === 'linux' ? undefined : 'Linux only',
);
/** Hides the debug lines of @actions/glob from the output of the tests. */
export function hideDebugLines(): void {
  beforeEach(() => {
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
}

/** Opens a file for reading until the test ends. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path);
  cleanUp(() => handle.close());
  return handle;
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
