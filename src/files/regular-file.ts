import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { StepError, errorCode } from '../errors.ts';

/** What to do about a file that the system does not let the action open or read. */
export const READ_FIX =
  "Give the runner's user permission to read it (`EPERM`, `EACCES`), or upload it after the program that locks it has ended (`EBUSY`).";

/** Returns device and inode as a text, which is the same for all paths of one file or directory. */
export function identify({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Returns this text for what a path leads to. */
export async function identifyPath(path: string): Promise<string> {
  return identify(await stat(path, { bigint: true }));
}

/**
 * Opens a regular file for reading, and returns what it was then. Closes it again if `check` throws. Rejects with the
 * errors of the system and of `check`, and with an Error for anything but a regular file.
 */
export async function openRegularFile(
  path: string,
  check: (stats: BigIntStats) => Promise<void> = async () => {},
): Promise<{ readonly handle: FileHandle; readonly stats: BigIntStats }> {
  // Without O_NONBLOCK, opening a FIFO waits for its writer. Windows has neither, and O_NONBLOCK is undefined there.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new Error('not a regular file');
    await check(stats);
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a regular file. Rejects as `openRegularFile` does, and with an Error for more than `maxBytes`. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer> {
  const { handle } = await openRegularFile(path);
  try {
    // The size of the file does not say how much can be read: files of /proc have none, and a file may grow.
    const bytes = await readBytes(handle, 0, maxBytes + 1);
    if (bytes.length > maxBytes) throw new Error('too large');
    return bytes;
  } finally {
    await handle.close();
  }
}

/**
 * Reads `length` bytes of a file from `start` on, or fewer if it ends before. Rejects with the signal's reason if that
 * fires meanwhile.
 */
export async function readBytes(
  handle: FileHandle,
  start: number,
  length: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Returns the real path of an open file. Throws an Error if its path leads to another file by now. */
export async function findRealPath(path: string, stats: BigIntStats): Promise<string> {
  const real = await realpath(path);
  if ((await identifyPath(real)) === identify(stats)) return real;
  throw new Error('replaced while it was being opened');
}

/** Turns a system error while reading a file into a StepError; returns any other error unchanged. */
export function explainReadError(error: unknown, displayPath: string): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  return new StepError('files', `'${displayPath}' cannot be read (${code}).`, READ_FIX);
}
