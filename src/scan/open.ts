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
  /** Whether a link may lead to a hidden file of the workspace. */
  readonly includeHidden?: boolean;
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
 * A relative pattern stays in the workspace. An absolute one stays in the workspace or the runner's
 * temporary folder if what it found lies there, however that is linked; any other may also name a
 * folder below which no link lies. So a link that a pull request plants leads nowhere.
 */
async function checkBounds(found: FoundFile, real: string, roots: Roots): Promise<void> {
  const { folder } = found;
  const realWorkspace = await realpath(roots.workspace);
  if (folder === undefined || isWithin(found.path, [roots.workspace, realWorkspace])) {
    if (isInside(real, realWorkspace)) return checkHidden(found.path, real, realWorkspace, roots);
  } else if (await isAllowedElsewhere(found.path, folder, real, [realWorkspace, roots.temp])) {
    return;
  }
  const bound = folder === undefined ? 'the workspace' : 'the folder that is named';
  throw new FileError(
    `'${found.path}' leads to '${real}', outside ${bound}, and is not uploaded. Name the file itself, or copy it into the workspace.`,
  );
}

/** For a folder outside the workspace, as written. */
async function isAllowedElsewhere(
  path: string,
  folder: string,
  real: string,
  [workspace, temp]: readonly [string, string | undefined],
): Promise<boolean> {
  const realTemp = temp === undefined ? undefined : await resolveFolder(temp);
  if (isInside(real, workspace)) return true;
  if (realTemp !== undefined && isInside(real, realTemp)) return true;
  const isTemp = [temp, realTemp].some((known) => known !== undefined && isWithin(folder, [known]));
  return !isTemp && real === join(await realpath(folder), relative(folder, path));
}

/** A link's own name must not hide that it leads to .git/config or .env. */
function checkHidden(path: string, real: string, realWorkspace: string, roots: Roots): void {
  const base = isInside(path, roots.workspace) ? roots.workspace : realWorkspace;
  const isLinked = real !== join(realWorkspace, relative(base, path));
  const isHidden = relative(realWorkspace, real)
    .split(sep)
    .some((segment) => segment.startsWith('.'));
  if (roots.includeHidden === true || !isLinked || !isHidden) return;
  throw new FileError(
    `'${path}' is a link to the hidden '${real}' and is not uploaded: name the file itself, or set include-hidden-files.`,
  );
}

/** A temporary folder that is not there bounds nothing. */
async function resolveFolder(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
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
