import type { FoundFile } from './find.ts';
import { inspectContent } from './inspect.ts';
import { openScanFile } from './open.ts';
import type { OpenFile, Roots } from './open.ts';
import type { ScanFile } from './plan.ts';

/** An upload has two files at most; a few more are opened so that a message can say what they are. */
const MAX_OPENED = 10;

/** Files that are open, and how many more were found. */
export interface ReadFiles {
  readonly files: readonly ScanFile[];
  readonly unopened: number;
}

/**
 * Opens what was found and tells what each file is. Throws a FileError, or the signal's reason if that
 * fires meanwhile, leaving nothing open.
 */
export async function readScanFiles(
  found: readonly FoundFile[],
  roots: Roots,
  signal: AbortSignal,
): Promise<ReadFiles> {
  const open: OpenFile[] = [];
  const files: ScanFile[] = [];
  try {
    for (const candidate of found.slice(0, MAX_OPENED)) {
      const file = await openScanFile(candidate, roots);
      open.push(file);
      files.push({ ...file, content: await inspectContent(file.handle, file.size, signal) });
    }
    return { files, unopened: found.length - files.length };
  } catch (error) {
    await closeScanFiles(open);
    throw error;
  }
}

/** Closes files that were read. */
export async function closeScanFiles(files: readonly OpenFile[]): Promise<void> {
  await Promise.all(files.map((file) => file.handle.close()));
}
