import type { BigIntStats } from 'node:fs';
import { StepError } from '../errors.ts';
import type { FoundFile } from './find.ts';
import { identify } from './regular-file.ts';

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

/**
 * Throws a StepError unless an open file is the one that was inspected, with the same size and modification time.
 * `sent` is the SHA-256 digest of what was sent, once it is known: it must be that of the inspected content, if that
 * was all of it.
 */
export function checkUnchanged(file: FileState, stats: BigIntStats, sent = file.digest): void {
  if (stats.size !== BigInt(file.size)) throw explainChange(file, 'changed its size');
  if (stats.mtimeNs !== file.mtimeNs) throw explainChange(file, 'was written to');
  if (identify(stats) !== file.identity) throw explainChange(file, 'was replaced');
  if (file.digest !== undefined && sent !== file.digest)
    throw explainChange(file, 'was written to');
}

/** The error for a file that is no longer as it was when it was inspected. */
export function explainChange(file: FileState, change: string): StepError {
  const problem = `'${file.displayPath}' ${change} after it was inspected.`;
  return new StepError(
    'files',
    problem,
    'Upload the file after the scan step has finished writing it.',
  );
}
