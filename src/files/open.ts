import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { FileError, errorCode } from '../errors.ts';
import { IS_WINDOWS, identify, isInside } from './paths.ts';
import { isPlainAscii } from '../text.ts';
import { checkBounds } from './bounds.ts';
import type { Roots } from './bounds.ts';
import type { FoundFile } from './find.ts';

/** A regular file as it was when it was opened; what is sent is opened once more and has to be the same. */
export interface FileFacts extends FoundFile {
  /** The path as an author would write it: relative to the workspace where it lies there. */
  readonly displayPath: string;
  /** Base name, which goes out as the part's filename. */
  readonly name: string;
  /** Bytes when it was opened; exactly so many are sent. */
  readonly size: number;
  /** Modification time when it was opened, in nanoseconds. */
  readonly mtimeNs: bigint;
  /** When its content or its entry last changed, in nanoseconds; nobody can set it back. */
  readonly ctimeNs: bigint;
  /** The same for two paths of one file. */
  readonly identity: string;
}

/** A regular file, open for reading: what was checked of it is true of what `handle` reads. */
export interface OpenFile extends FileFacts {
  readonly handle: FileHandle;
}

const IS_LINUX = process.platform === 'linux';

/** Control, format (bidi, zero-width), separator and unpaired surrogate characters, and backslashes. */
const UNSAFE_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\]/u;

/**
 * Opens a found file and makes sure of what it is: a regular file, inside its bounds, with a name
 * that can be sent. Opening comes first and does not block on a FIFO; what is checked afterwards is
 * what was opened. Throws a FileError.
 */
export async function openScanFile(found: FoundFile, roots: Roots): Promise<OpenFile> {
  const name = basename(found.path);
  if (name === '' || isUnsafe(name)) {
    throw new FileError(
      `The name of '${found.path}' has a character that is not sent (control, invisible or backslash): rename the file.`,
    );
  }
  const handle = await openHandle(found.path);
  try {
    return { ...found, ...(await examine(handle, found, roots)), handle, name };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens a file again that was looked at before. It has to be the very same, untouched, and so lies
 * within its bounds as it did then. Throws a FileError.
 */
export async function reopenScanFile(file: FileFacts): Promise<OpenFile> {
  const handle = await openHandle(file.path);
  const stats = await handle.stat({ bigint: true }).catch(() => undefined);
  if (stats !== undefined && isSameFile(stats, file)) return { ...file, handle };
  await handle.close();
  throw new FileError(
    `'${file.displayPath}' was changed since it was looked at: upload it after the scan has finished writing it.`,
  );
}

function isSameFile(stats: BigIntStats, file: FileFacts): boolean {
  if (identify(stats) !== file.identity) return false;
  // On Windows, a scanner for viruses changes this time too.
  const isUntouched = IS_WINDOWS || stats.ctimeNs === file.ctimeNs;
  return isUntouched && stats.mtimeNs === file.mtimeNs && Number(stats.size) === file.size;
}

/** Closes files that were opened. */
export async function closeFiles(files: readonly OpenFile[]): Promise<void> {
  await Promise.all(files.map((file) => file.handle.close()));
}

function isUnsafe(name: string): boolean {
  if (isPlainAscii(name)) return /[\t\n\\]/.test(name);
  return UNSAFE_NAME.test(name);
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
): Promise<Omit<FileFacts, 'name' | keyof FoundFile>> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) throw new FileError(`'${found.path}' is not a regular file.`);
  const identity = identify(stats);
  const real = await findRealPath(handle, found.path, identity);
  await checkBounds(found, real, roots);
  return {
    displayPath: displayPath(found.path, roots.workspace),
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    identity,
  };
}

/**
 * Where an open file lies. Linux is asked by descriptor: a folder on the path may have been a link
 * when the file was opened and be none now. Without /proc, the path is all there is.
 */
async function findRealPath(handle: FileHandle, path: string, identity: string): Promise<string> {
  const opened = IS_LINUX ? readlink(`/proc/self/fd/${handle.fd}`) : realpath(path);
  const real = await opened.catch(() => realpath(path)).catch(() => '');
  const reached = isAbsolute(real) && (await stat(real, { bigint: true }).catch(() => undefined));
  if (!reached) throw new FileError(`'${path}' was removed while it was being opened.`);
  if (identify(reached) === identity) return real;
  throw new FileError(`'${path}' was replaced while it was being opened.`);
}

function displayPath(path: string, workspace: string): string {
  return isInside(path, workspace) ? relative(workspace, path).replaceAll(sep, '/') : path;
}
