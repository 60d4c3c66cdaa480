import type { BigIntStats } from 'node:fs';
import { StepError } from '../errors.ts';
import type { FoundFile } from './find.ts';
import { IS_WINDOWS } from './paths.ts';
import { identify } from './regular-file.ts';

/** What to do about a file that is not complete yet. */
export const WAIT_FIX = 'Upload the file after the scan step has finished writing it.';

/** A regular file as it was when it was inspected. */
export interface FileState extends FoundFile {
  /** The path in messages: relative to the workspace if it is in it. */
  readonly displayPath: string;
  /** Base name, which is sent as the part's filename. */
  readonly name: string;
  /** In bytes; exactly so many are sent. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** When its content or its entry last changed; programs cannot set it. */
  readonly ctimeNs: bigint;
  /** The same for two paths of one file. */
  readonly identity: string;
  /** SHA-256 in hexadecimal of the content that was inspected, if that was all of it. */
  readonly digest?: string;
}

/**
 * Throws a StepError unless an open file is the one that was inspected, unchanged: the same file with the
 * same size and modification time. `sent` is the SHA-256 digest of what was sent, once it is known; it must
 * be that of the inspected content. Of a file that was inspected in part no digest is known, so that ctime
 * must be the same too, which changes with every write, but also with a rename or with permissions.
 */
export function checkUnchanged(file: FileState, stats: BigIntStats, sent?: string): void {
  if (stats.size !== BigInt(file.size)) throw explainChange(file, 'changed its size');
  if (stats.mtimeNs !== file.mtimeNs) throw explainChange(file, 'was written to');
  // Some systems change the time of creation with each write.
  if (identify(stats) !== file.identity) throw explainChange(file, 'was replaced');
  const isOther = sent !== undefined && sent !== file.digest;
  if (file.digest !== undefined && isOther) throw explainChange(file, 'was written to');
  // On Windows, virus scanners change ctime.
  if (file.digest !== undefined || IS_WINDOWS || stats.ctimeNs === file.ctimeNs) return;
  throw new StepError(
    'files',
    `'${file.displayPath}' was renamed, linked, given other permissions or written to after it was inspected. Only a part of it was inspected, because it is large, so that its content cannot be compared.`,
    'Upload the file after other programs have finished with it.',
  );
}

/** The error for a file that is no longer as it was when it was inspected. */
export function explainChange(file: FileState, change: string): StepError {
  return new StepError(
    'files',
    `'${file.displayPath}' ${change} after it was inspected.`,
    WAIT_FIX,
  );
}
