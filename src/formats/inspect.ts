import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FoundFile } from '../files/find.ts';
import { openScanFile } from '../files/open.ts';
import type { OpenFile } from '../files/open.ts';
import { explainReadError, readBytes } from '../files/regular-file.ts';
import type { Scope } from '../files/search.ts';
import { END_LENGTH } from './content.ts';
import type { Content } from './content.ts';
import { inspectBytes } from './inspect-bytes.ts';

/** A file and its content. */
export interface InspectedFile extends Omit<OpenFile, 'handle'> {
  readonly content: Content;
}

/** Files that were inspected, and others that were found. */
export interface ReadFiles {
  readonly files: readonly InspectedFile[];
  readonly others: readonly FoundFile[];
}

/**
 * Up to this size a file is read whole. The usual limit of the service for a whole request is lower, 28.6 MiB
 * (Kestrel's and IIS's default).
 */
const MAX_PARSED_BYTES = 32 * 1024 * 1024;

/** More than an upload has: a message about too many files says what they are. */
const MAX_INSPECTED = 10;

/**
 * Opens, inspects and closes the first ten files that were found. Throws a StepError, or the signal's reason if it fires
 * meanwhile.
 */
export async function readScanFiles(
  found: readonly FoundFile[],
  scope: Scope,
  signal: AbortSignal,
): Promise<ReadFiles> {
  const files: InspectedFile[] = [];
  for (const each of found.slice(0, MAX_INSPECTED)) {
    files.push(await readScanFile(each, scope, signal));
  }
  return { files, others: found.slice(MAX_INSPECTED) };
}

async function readScanFile(
  found: FoundFile,
  scope: Scope,
  signal: AbortSignal,
): Promise<InspectedFile> {
  const { handle, ...facts } = await openScanFile(found, scope);
  try {
    return { ...facts, ...(await inspectFile(handle, facts.size, signal)) };
  } catch (error) {
    throw explainReadError(error, facts.displayPath);
  } finally {
    await handle.close();
  }
}

/** Inspects an open file of `size` bytes. Returns its digest too if all of it was read. */
async function inspectFile(
  handle: FileHandle,
  size: number,
  signal: AbortSignal,
): Promise<Pick<InspectedFile, 'content' | 'digest'>> {
  if (size <= MAX_PARSED_BYTES) {
    const bytes = await readBytes(handle, 0, size, signal);
    const digest = createHash('sha256').update(bytes).digest('hex');
    return { content: inspectBytes(bytes), digest };
  }
  const head = await readBytes(handle, 0, END_LENGTH, signal);
  const tail = await readBytes(handle, size - END_LENGTH, END_LENGTH, signal);
  return { content: inspectBytes(head, tail, size) };
}
