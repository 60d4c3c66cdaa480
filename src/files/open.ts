import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { StepError, errorCode, errorMessage } from '../errors.ts';
import { stripInvisible } from '../text.ts';
import { checkBounds } from './bounds.ts';
import type { FoundFile } from './find.ts';
import { displayPath } from './paths.ts';
import { READ_FIX, findRealPath, identify, openRegularFile } from './regular-file.ts';
import type { RegularFile } from './regular-file.ts';
import type { Scope } from './search.ts';

/** A regular file as it was when it was inspected. */
export interface FileState extends FoundFile {
  /** The path in messages: relative to the workspace if it is in it. */
  readonly displayPath: string;
  /** Base name, which is sent as the part's filename. */
  readonly name: string;
  /** In bytes; exactly so many are sent. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** The same for two paths of one file. */
  readonly identity: string;
  /** SHA-256 in hexadecimal of the content that was inspected, if that was all of it. */
  readonly digest?: string;
}

/** A regular file, open for reading: the file that was checked is the one that `handle` reads. */
export interface OpenFile extends FileState {
  readonly handle: FileHandle;
}

/**
 * Opens a found file and then checks it: it must be a regular file that its pattern may match, with a name
 * that can be sent. Throws a StepError.
 */
export async function openScanFile(found: FoundFile, scope: Scope): Promise<OpenFile> {
  const { path } = found;
  const name = basename(path);
  const shownPath = displayPath(path, scope.workspace);
  checkCharacters(path, name, shownPath);
  const { handle, stats } = await openChecked(path, async (file) =>
    checkBounds(found, await findRealPath(path, file), scope),
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
  // A backslash separates directories on Windows, and cannot be in the name that is sent.
  if (isShown && !name.includes('\\')) return;
  throw new StepError(
    'files',
    `The path '${path}' has a control character, an invisible character or a backslash.`,
    'Rename the file or its directory.',
  );
}

/** Opens an inspected file again; it must be the same file, unchanged. Throws a StepError. */
export async function reopenScanFile(file: FileState): Promise<OpenFile> {
  const { handle } = await openChecked(file.path, async ({ stats }) => checkUnchanged(file, stats));
  return { ...file, handle };
}

/**
 * Throws a StepError unless an open file is the one that was inspected, with the same size and modification time. If
 * all of it was inspected, `sent`, the SHA-256 digest of what was sent, must be that of what was inspected.
 */
export function checkUnchanged(file: FileState, stats: BigIntStats, sent?: string): void {
  const isOther = sent !== undefined && file.digest !== undefined && sent !== file.digest;
  if (stats.size !== BigInt(file.size)) throw explainChange(file, 'changed its size');
  if (stats.mtimeNs !== file.mtimeNs || isOther) throw explainChange(file, 'was written to');
  if (identify(stats) !== file.identity) throw explainChange(file, 'was replaced');
}

/** The error for a file that is no longer as it was when it was inspected. */
export function explainChange(file: FileState, change: string): StepError {
  return new StepError(
    'files',
    `'${file.displayPath}' ${change} after it was inspected.`,
    'Upload the file after the scan step has finished writing it.',
  );
}

export async function closeFiles(files: readonly OpenFile[]): Promise<void> {
  await Promise.all(files.map((file) => file.handle.close()));
}

/** Opens a regular file. Throws a StepError, of `check` or about the path. */
async function openChecked(
  path: string,
  check: (file: RegularFile) => Promise<void>,
): Promise<RegularFile> {
  try {
    return await openRegularFile(path, check);
  } catch (error) {
    if (error instanceof StepError) throw error;
    throw new StepError(
      'files',
      `'${path}' cannot be opened (${errorCode(error) ?? errorMessage(error)}).`,
      errorCode(error) === undefined ? 'Name a regular file.' : READ_FIX,
    );
  }
}
