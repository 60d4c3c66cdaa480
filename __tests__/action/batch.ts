import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { runAction } from '../support/run-action.ts';
import { makeKey } from '../support/samples.ts';

/** Entries of `scans` that all name the same file, each with its own scan key. */
export function repeatFile(
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
