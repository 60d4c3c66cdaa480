import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileError, errorCode } from '../errors.ts';
import { checkBounds } from './bounds.ts';
import type { FoundFile } from './find.ts';
import { IS_WINDOWS, displayPath } from './paths.ts';
import type { Scope } from './search.ts';

/** A regular file as it was when it was inspected. */
export interface FileFacts extends FoundFile {
  /** The path in messages: relative to the workspace if it is in it. */
  readonly displayPath: string;
  /** Base name, which is sent as the part's filename. */
  readonly name: string;
  /** In bytes; exactly so many are sent. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** When its content or its entry last changed; programs cannot set it. */
  readonly ctimeNs: bigint;
  /** Device and inode: the same for two paths of one file. */
  readonly identity: string;
}

/** A regular file, open for reading: the file that was checked is the one that `handle` reads. */
export interface OpenFile extends FileFacts {
  readonly handle: FileHandle;
}

/** Control, format (bidi, zero-width), separator and unpaired surrogate characters, and backslashes. */
const UNSAFE_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\]/u;

/**
 * Opens a found file and then checks it: it must be a regular file that its pattern may match, with a name
 * that can be sent. Throws a FileError.
 */
export async function openScanFile(found: FoundFile, scope: Scope): Promise<OpenFile> {
  const { path } = found;
  const name = basename(path);
  if (name === '' || UNSAFE_NAME.test(name)) {
    throw new FileError(
      `The name of '${path}' has a control character, an invisible character or a backslash. Rename the file.`,
    );
  }
  const shown = displayPath(path, scope.workspace);
  return openChecked(path, async (handle) => {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new FileError(`'${path}' is not a regular file.`);
    const real = await findRealPath(path, handle);
    const { dev, ino } = await stat(real, { bigint: true });
    if (dev !== stats.dev || ino !== stats.ino) {
      throw new FileError(`'${path}' was replaced while it was being opened.`);
    }
    await checkBounds(found, real, scope);
    const { size, mtimeNs, ctimeNs } = stats;
    const identity = `${dev}:${ino}`;
    return {
      ...found,
      displayPath: shown,
      name,
      size: Number(size),
      mtimeNs,
      ctimeNs,
      identity,
      handle,
    };
  });
}

/** Opens an inspected file again; it must be the same file, unchanged. Throws a FileError. */
export async function reopenScanFile(file: FileFacts): Promise<OpenFile> {
  return openChecked(file.path, async (handle) => {
    const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
    const isSame = `${dev}:${ino}` === file.identity && Number(size) === file.size;
    // On Windows, virus scanners change ctime.
    const isUntouched = mtimeNs === file.mtimeNs && (IS_WINDOWS || ctimeNs === file.ctimeNs);
    if (isSame && isUntouched) return { ...file, handle };
    throw new FileError(
      `'${file.displayPath}' was changed since it was inspected. Upload it after the scan step has finished writing it.`,
    );
  });
}

/** Closes files that were opened. */
export async function closeFiles(files: readonly OpenFile[]): Promise<void> {
  await Promise.all(files.map((file) => file.handle.close()));
}

/** The real path of an open file. Only Linux knows it; elsewhere the path may lead to another file by now. */
async function findRealPath(path: string, handle: FileHandle): Promise<string> {
  // On Windows this would be a directory of the current drive.
  if (IS_WINDOWS) return realpath(path);
  return realpath(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path));
}

/** Opens a path, without waiting for the writer of a FIFO, and closes the file if `check` throws. */
async function openChecked(
  path: string,
  check: (handle: FileHandle) => Promise<OpenFile>,
): Promise<OpenFile> {
  let handle: FileHandle | undefined;
  try {
    // Windows has no O_NONBLOCK (undefined there), and no FIFO in its file system.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return await check(handle);
  } catch (error) {
    await handle?.close();
    if (error instanceof FileError) throw error;
    throw new FileError(`'${path}' cannot be opened (${errorCode(error) ?? 'unknown error'}).`);
  }
}
