import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { FileError, errorCode } from '../errors.ts';
import type { FileInput, FoundFile } from './find.ts';

/** The folders that scan files may come from. */
export interface Roots {
  /** The workspace, absolute. */
  readonly workspace: string;
  /** The runner's temporary folder, absolute, if there is one. */
  readonly temp: string | undefined;
}

/** A regular file, open for reading; the bytes behind `handle` are the ones that are sent. */
export interface OpenFile {
  readonly handle: FileHandle;
  /** Absolute path. */
  readonly path: string;
  /** The path as an author would write it: relative to the workspace where it lies there. */
  readonly displayPath: string;
  /** Base name, which goes out as the part's filename. */
  readonly name: string;
  /** Bytes when it was opened; exactly so many are sent. */
  readonly size: number;
  /** Modification time when it was opened, in nanoseconds. */
  readonly mtimeNs: bigint;
  /** Device and inode: the same for two paths of one file. */
  readonly identity: string;
  readonly input: FileInput;
}

/** Control, format (bidi, zero-width), separator and unpaired surrogate characters, and backslashes. */
const UNSAFE_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\]/u;

/**
 * Opens a found file and makes sure of what it is: a regular file, inside its bounds, with a name
 * that can be sent. Opening comes first and does not block on a FIFO; what is checked afterwards is
 * what was opened. Throws a FileError.
 */
export async function openScanFile(found: FoundFile, roots: Roots): Promise<OpenFile> {
  const name = basename(found.path);
  if (name === '' || UNSAFE_NAME.test(name)) {
    throw new FileError(
      `The name of '${found.path}' has a character that is not sent (control, invisible or backslash): rename the file.`,
    );
  }
  const handle = await openHandle(found.path);
  try {
    return { ...(await examine(handle, found, roots)), handle, name };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openHandle(path: string): Promise<FileHandle> {
  try {
    // Windows knows no O_NONBLOCK (undefined there), and no FIFO in its file system either.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new FileError(`'${path}' cannot be opened (${errorCode(error) ?? 'unknown error'}).`);
  }
}

async function examine(
  handle: FileHandle,
  found: FoundFile,
  roots: Roots,
): Promise<Omit<OpenFile, 'handle' | 'name'>> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) throw new FileError(`'${found.path}' is not a regular file.`);
  const real = await realpath(found.path).catch(() => undefined);
  const reached = real && (await stat(real, { bigint: true }).catch(() => undefined));
  if (!real || !reached)
    throw new FileError(`'${found.path}' was removed while it was being opened.`);
  if (reached.ino !== stats.ino || reached.dev !== stats.dev) {
    throw new FileError(`'${found.path}' was replaced while it was being opened.`);
  }
  await checkBounds(found, real, roots);
  return {
    path: found.path,
    displayPath: displayPath(found.path, roots.workspace),
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    identity: `${stats.dev}:${stats.ino}`,
    input: found.input,
  };
}

/**
 * A relative pattern stays in the workspace; an absolute one in the workspace, in the runner's
 * temporary folder, or, for a folder outside both, where no link lies below it. A folder that is
 * named inside the workspace may itself be a link that a pull request planted, so it is no bound.
 */
async function checkBounds(found: FoundFile, real: string, roots: Roots): Promise<void> {
  const bounds = await listBounds(found, roots);
  if (bounds.some((folder) => isInside(real, folder))) return;
  if (found.folder !== undefined && !isWithin(found.folder, [...bounds, ...listRoots(roots)])) {
    if (real === join(await realpath(found.folder), relative(found.folder, found.path))) return;
  }
  const bound = found.folder === undefined ? 'the workspace' : 'the folder that is named';
  throw new FileError(
    `'${found.path}' leads to '${real}', outside ${bound}, and is not uploaded. Name the file itself, or copy it into the workspace.`,
  );
}

/** The real folders that a file may lie in. */
async function listBounds(
  found: FoundFile,
  { workspace, temp }: Roots,
): Promise<readonly string[]> {
  const bounds = [await realpath(workspace)];
  if (found.folder === undefined || temp === undefined) return bounds;
  // A temporary folder that is not there bounds nothing.
  const realTemp = await realpath(temp).catch(() => undefined);
  return realTemp === undefined ? bounds : [...bounds, realTemp];
}

function listRoots({ workspace, temp }: Roots): readonly string[] {
  return temp === undefined ? [workspace] : [workspace, temp];
}

function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => relative(folder, path) === '' || isInside(path, folder));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function displayPath(path: string, workspace: string): string {
  return isInside(path, workspace) ? relative(workspace, path).replaceAll(sep, '/') : path;
}
