import { explainReadError } from '../errors.ts';
import type { FoundFile } from '../files/find.ts';
import { openScanFile } from '../files/open.ts';
import type { Scope } from '../files/search.ts';
import type { ScanFile } from './inspect.ts';
import { inspectContent } from './inspect.ts';

/** An upload has two files at most; a few more are opened so that a message can describe them. */
const MAX_OPENED = 10;

/** Files that were inspected, and how many more were found. */
export interface ReadFiles {
  readonly files: readonly ScanFile[];
  readonly unopened: number;
}

/**
 * Opens, inspects and closes each file that was found. Throws a FileError, or the signal's reason if it
 * fires meanwhile.
 */
export async function readScanFiles(
  found: readonly FoundFile[],
  scope: Scope,
  signal: AbortSignal,
): Promise<ReadFiles> {
  const files: ScanFile[] = [];
  for (const candidate of found.slice(0, MAX_OPENED)) {
    files.push(await readScanFile(candidate, scope, signal));
  }
  return { files, unopened: found.length - files.length };
}

async function readScanFile(
  found: FoundFile,
  scope: Scope,
  signal: AbortSignal,
): Promise<ScanFile> {
  const { handle, ...facts } = await openScanFile(found, scope);
  try {
    return { ...facts, ...(await inspectContent(handle, facts.size, signal)) };
  } catch (error) {
    throw explainReadError(error, facts.displayPath);
  } finally {
    await handle.close();
  }
}
