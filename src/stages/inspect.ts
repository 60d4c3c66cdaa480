import { StepError } from '../errors.ts';
import { findFiles } from '../files/find.ts';
import type { Unmatched } from '../files/find.ts';
import type { Scope } from '../files/search.ts';
import { readScanFiles } from '../formats/inspect.ts';
import type { ReadFiles } from '../formats/inspect.ts';
import type { ScanEntry } from '../inputs/scans.ts';
import { endNotSent } from '../outcomes/scan-result.ts';
import type { ScanResult } from '../outcomes/scan-result.ts';

/** A scan whose files were found and inspected. */
export interface InspectedScan {
  readonly entry: ScanEntry;
  readonly files: ReadFiles;
  /** Patterns that match no file. If there are any, no file was inspected. */
  readonly unmatched: readonly Unmatched[];
}

/**
 * Finds and inspects the files of all scans, and calls `advance` after each scan. A scan whose files cannot be found or
 * read has a result. Rejects with the signal's reason before the next scan.
 */
export async function inspectScans(
  entries: readonly ScanEntry[],
  scope: Scope,
  signal: AbortSignal,
  advance: () => void,
): Promise<readonly (InspectedScan | ScanResult)[]> {
  const inspected: (InspectedScan | ScanResult)[] = [];
  // They are inspected one after the other, because parsing a large file takes a lot of memory.
  for (const entry of entries) {
    inspected.push(await inspectScan(entry, scope, signal));
    signal.throwIfAborted();
    advance();
  }
  return inspected;
}

async function inspectScan(
  entry: ScanEntry,
  scope: Scope,
  signal: AbortSignal,
): Promise<InspectedScan | ScanResult> {
  try {
    const { files: found, unmatched } = await findFiles(entry.selection, scope, signal);
    const isComplete = unmatched.length === 0;
    const files = isComplete
      ? await readScanFiles(found, scope, signal)
      : { files: [], others: found };
    return { entry, files, unmatched };
  } catch (error) {
    if (error instanceof StepError) return endNotSent(entry, undefined, error);
    throw error;
  }
}
