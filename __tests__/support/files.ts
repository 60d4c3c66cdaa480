import { afterEach, beforeEach, describe, jest } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { open, readdir, readlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileError } from '../../src/errors.ts';
import { cleanUp } from './scope.ts';

/** For signals between processes, and for names, links and kinds of files that Windows does not have. */
export const describePosix = process.platform === 'win32' ? describe.skip : describe;
/** For what only /proc can tell. */
export const describeLinux = process.platform === 'linux' ? describe : describe.skip;
/** For permissions, which do not bind root. */
export const describeUnprivileged =
  process.platform === 'win32' || process.getuid?.() === 0 ? describe.skip : describe;

/** For symbolic links, which Windows makes only for users with a privilege, and Wine 8 not at all. */
export const describeLinks =
  process.platform !== 'win32' || makesLinks() ? describe : describe.skip;

/** Keeps the debug lines of @actions/glob, which the runner hides, out of the tests' own output. */
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

/** The message of the FileError that a promise rejects with. */
export async function catchFileError(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FileError) return error.message;
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
