import { fileURLToPath } from 'node:url';
import { runStep } from '../../local/step/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { makeFolder } from './directories.ts';
import type { Tree } from './directories.ts';
import { REPORT, SCAN_KEY } from './samples.ts';
import type { TestScope } from './scope.ts';

/** The root of the repository, whose committed dist/ the tests run. */
export const ACTION = fileURLToPath(new URL('../../', import.meta.url));

export const TOKEN = 'token-that-is-secret-4711';

const FILE_INPUTS = ['files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'];

/** A workspace with files, by relative path. */
export function makeWorkspace(
  files: Tree = { 'scan.json': REPORT },
  scope?: TestScope,
): Promise<string> {
  return makeFolder(files, scope);
}

/**
 * Runs the committed action on `scan.json`, unless the inputs name other files. The file of `results-path` is there
 * until the test has ended.
 */
export async function runAction(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  options: Partial<StepOptions> = {},
): Promise<StepRun> {
  const isNamed = FILE_INPUTS.some((name) => name in inputs);
  const file = isNamed ? {} : { 'scan-file': 'scan.json' };
  return runStep({
    action: ACTION,
    workspace,
    inputs: { 'scan-key': SCAN_KEY, token: TOKEN, ...file, ...inputs },
    timeoutMs: 18_000,
    runnerTemp: options.runnerTemp ?? (await makeFolder()),
    ...options,
  });
}
