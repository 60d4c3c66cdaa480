import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { runAction } from '../support/run-action.ts';
import { makeKey } from '../support/samples.ts';

/** An entry of the output `results`. */
export interface ScanOutputs {
  readonly name: string | null;
  readonly uploaded: boolean;
  readonly result: string;
  readonly attempts: number;
  readonly manifest: readonly object[];
  readonly error: string | null;
  readonly reason: string | null;
}

/** Entries of `scans` that all name the same file, each with its own scan key. */
export function makeEntries(
  count: number,
  file: string,
): readonly { readonly name: string; readonly 'scan-key': string; readonly 'scan-file': string }[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `scan ${index}`,
    'scan-key': makeKey(index),
    'scan-file': file,
  }));
}

/** Runs the committed action with `scans`. */
export async function runBatch(
  workspace: string,
  url: string,
  scans: readonly object[],
  inputs: Readonly<Record<string, string>> = {},
  options: Partial<StepOptions> = {},
): Promise<StepRun> {
  const none = { 'scan-key': '', 'scan-file': '' };
  const named = { 'base-url': url, scans: JSON.stringify(scans) };
  return runAction(workspace, { ...none, ...named, ...inputs }, options);
}

/** The output `results`. */
export function readResults({ outputs }: StepRun): readonly ScanOutputs[] {
  const results: unknown = JSON.parse(outputs.results ?? '');
  if (Array.isArray(results) && results.every(isScanOutputs)) return results;
  throw new Error('The output results is no list of results.');
}

function isScanOutputs(value: unknown): value is ScanOutputs {
  return typeof value === 'object' && value !== null && 'uploaded' in value && 'error' in value;
}
