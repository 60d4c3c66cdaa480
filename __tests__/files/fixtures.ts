import { afterEach, beforeEach, describe, jest } from '@jest/globals';
import { mkdir, mkdtemp, open, readdir, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileError } from '../../src/errors.ts';
import { recogniseNodeErrors } from '../inputs/node-errors.ts';

recogniseNodeErrors();

/** What is below a directory: contents by relative path, with `/`. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** For names, links and kinds of files that Windows does not have. */
export const describePosix = process.platform === 'win32' ? describe.skip : describe;
/** For what only /proc can tell. */
export const describeLinux = process.platform === 'linux' ? describe : describe.skip;
/** For permissions, which do not bind root. */
export const describeUnprivileged =
  process.platform === 'win32' || process.getuid?.() === 0 ? describe.skip : describe;

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) {
    await cleanup();
  }
});

/** Keeps the debug lines of @actions/glob, which the runner hides, out of the tests' own output. */
export function hideDebugLines(): void {
  beforeEach(() => {
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
}

/** A fresh directory with files in it, as a real path, removed after the test. */
export async function makeFolder(tree: Tree = {}): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'scan-test-')));
  cleanUp(() => rm(directory, { recursive: true, force: true }));
  await writeTree(directory, tree);
  return directory;
}

export async function writeTree(directory: string, tree: Tree): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
}

/** Runs something after the test. */
export function cleanUp(action: () => Promise<void>): void {
  cleanups.push(action);
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

/** The files below a directory that this process holds open; Linux only. */
export async function listOpenFiles(directory: string): Promise<readonly string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(directory));
}
