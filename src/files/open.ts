import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { StepError, errorCode, errorReason } from '../errors.ts';
import { stripInvisible } from '../text.ts';
import { checkBounds } from './bounds.ts';
import type { FoundFile } from './find.ts';
import { displayPath } from './paths.ts';
import { READ_FIX, findRealPath, identify, openRegularFile } from './regular-file.ts';
import type { Scope } from './search.ts';

/** A regular file that was checked and is open for reading. */
export interface OpenFile extends FoundFile {
  /** Reads the file that was checked, even if its path leads to another one by now. */
  readonly handle: FileHandle;
  /** The path in messages, which is relative to the workspace if it is in it. */
  readonly displayPath: string;
  /** The base name, which is sent as the filename of the part. */
  readonly name: string;
  /** The size in bytes. Exactly so many are sent. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** A text that is the same for all paths of the file. */
  readonly identity: string;
  /** The SHA-256 in hexadecimal of all that was inspected; undefined if that was only a part. */
  readonly digest?: string | undefined;
}

/** A file as it was when it was inspected, closed again. */
type ClosedFile = Omit<OpenFile, 'handle'>;

/**
 * Opens a found file and then checks it: it must be a regular file that its pattern may match, with a name
 * that can be sent. Throws a StepError.
 */
export async function openScanFile(found: FoundFile, scope: Scope): Promise<OpenFile> {
  const { path } = found;
  const name = basename(path);
  const shownPath = displayPath(path, scope.workspace);
  checkCharacters(path, name, shownPath);
  const { handle, stats } = await openChecked(path, async (opened) =>
    checkBounds(found, await findRealPath(path, opened), scope),
  );
  return {
    ...found,
    displayPath: shownPath,
    name,
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    identity: identify(stats),
    handle,
  };
}

/** Throws a StepError if a name cannot be sent, or if messages and outputs could not show its path unchanged. */
function checkCharacters(path: string, name: string, shownPath: string): void {
  const isShown = stripInvisible(shownPath) === shownPath && !/[\t\n]/.test(shownPath);
  // A backslash separates directories on Windows, so a service may take the name for a path.
  if (isShown && !name.includes('\\')) return;
  throw new StepError(
    'files',
    `The path '${path}' has a control character, an invisible character or a backslash.`,
    'Rename the file or its directory.',
  );
}

/** Opens an inspected file again; it must be the same file, unchanged. Throws a StepError. */
export async function reopenScanFile(file: ClosedFile): Promise<OpenFile> {
  const { handle } = await openChecked(file.path, async (stats) => checkUnchanged(file, stats));
  return { ...file, handle };
}

/**
 * Throws a StepError unless an open file is the one that was inspected, with the same size and modification time. If
 * all of it was inspected, `sent`, the SHA-256 digest of what was sent, must be that of what was inspected.
 */
export function checkUnchanged(file: ClosedFile, stats: BigIntStats, sent?: string): void {
  const isOther = sent !== undefined && file.digest !== undefined && sent !== file.digest;
  if (stats.size !== BigInt(file.size)) throw explainChange(file, 'changed its size');
  if (stats.mtimeNs !== file.mtimeNs || isOther) throw explainChange(file, 'was written to');
  if (identify(stats) !== file.identity) throw explainChange(file, 'was replaced');
}

/** Returns the error for a file that is no longer as it was when it was inspected. */
export function explainChange(file: ClosedFile, change: string): StepError {
  return new StepError(
    'files',
    `'${file.displayPath}' ${change} after it was inspected.`,
    'Upload the file after the scan step has finished writing it.',
  );
}

export async function closeFiles(files: readonly OpenFile[]): Promise<void> {
  await Promise.all(files.map((file) => file.handle.close()));
}

/** Opens a regular file as `openRegularFile` does, but throws a StepError for all that is wrong with its path. */
async function openChecked(
  path: string,
  check: (stats: BigIntStats) => Promise<void>,
): ReturnType<typeof openRegularFile> {
  try {
    return await openRegularFile(path, check);
  } catch (error) {
    if (error instanceof StepError) throw error;
    throw new StepError(
      'files',
      `'${path}' cannot be opened (${errorReason(error)}).`,
      errorCode(error) === undefined ? 'Name a regular file.' : READ_FIX,
    );
  }
}
