import { readFileSync } from 'node:fs';

/** An ended step, before its RUNNER_TEMP is removed. */
interface Ended {
  readonly outputs: Readonly<Record<string, string>>;
}

/** What the file of `results-path` says of a scan. */
export interface ScanEntry {
  readonly name: string | null;
  readonly uploaded: boolean;
  readonly result: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly manifest: readonly object[];
  readonly error: string | null;
}

/** The text of the file of `results-path`; that of no scans if there is no file. */
export function readResultsText({ outputs }: Ended): string {
  const path = outputs['results-path'] ?? '';
  return path === '' ? '[]' : readFileSync(path, 'utf8');
}

/** The scans in the file of `results-path`. */
export function readResults(step: Ended): readonly ScanEntry[] {
  const results: unknown = JSON.parse(readResultsText(step));
  if (Array.isArray(results) && results.every(isScanEntry)) return results;
  throw new TypeError('The file of results-path is no list of scans.');
}

function isScanEntry(value: unknown): value is ScanEntry {
  return typeof value === 'object' && value !== null && 'uploaded' in value && 'error' in value;
}

/** The attempts of all scans together. */
export function countAttempts(step: Ended): number {
  return readResults(step).reduce((sum, { attempts }) => sum + attempts, 0);
}

/** Every text that later steps can read. */
export function listOutputTexts(step: Ended): readonly string[] {
  return [...Object.values(step.outputs), readResultsText(step)];
}
