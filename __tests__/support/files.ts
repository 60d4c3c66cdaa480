import { afterEach, beforeEach, describe, jest } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { open, readdir, readlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StepError } from '../../src/errors.ts';
import { cleanUp } from './scope.ts';
import { describeUnless } from './skip.ts';

const IS_WINDOWS = process.platform === 'win32';
const IS_LINUX = process.platform === 'linux';

/** For tests with signals, and with file names, links and file types that Windows lacks. */
export const describePosix = describeUnless(IS_WINDOWS ? 'not on Windows' : undefined);
/** For tests that read /proc. */
export const describeLinux = describeUnless(IS_LINUX ? undefined : 'Linux only');
/** For symbolic links, which need a privilege on Windows. */
export const describeLinks =
  IS_WINDOWS && !makesLinks() ? describeUnless('symbolic links are not permitted') : describe;

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

function makesLinks(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'scan-test-'));
  const link = join(directory, 'link');
  try {
    symlinkSync(directory, link);
    return existsSync(link);
  } catch {
    return false;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The files below a directory that this process holds open; Linux only. */
export async function listOpenFiles(directory: string): Promise<readonly string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(directory));
}
