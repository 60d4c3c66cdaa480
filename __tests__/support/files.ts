import { afterEach, beforeEach, describe, jest } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { open, readdir, readlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StepError } from '../../src/errors.ts';
import { cleanUp } from './scope.ts';

/** For tests with signals, and with file names, links and file types that Windows lacks. */
export const describePosix = process.platform === 'win32' ? describe.skip : describe;
/** For tests that read /proc. */
export const describeLinux = process.platform === 'linux' ? describe : describe.skip;
/** For tests of permissions, which do not apply to root. */
export const describeUnprivileged =
  process.platform === 'win32' || process.getuid?.() === 0 ? describe.skip : describe;

/** For symbolic links, which need a privilege on Windows, and which Wine 8 does not support. */
export const describeLinks =
  process.platform !== 'win32' || makesLinks() ? describe : describe.skip;

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

/** The message of the StepError that a promise rejects with. */
export async function catchFileError(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof StepError) return error.message;
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
