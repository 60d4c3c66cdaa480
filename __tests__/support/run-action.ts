import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runStep } from '../../local/step/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { makeFolder, REPORT, SCAN_KEY } from './workspace.ts';
import type { Tree } from './workspace.ts';

/** The root of the repository, whose committed dist/ the tests run. */
export const ACTION = fileURLToPath(new URL('../../', import.meta.url));

export const TOKEN = 'token-that-is-secret-4711';

const FILE_INPUTS = ['files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'];

/** A workspace with files, by relative path. */
export function makeWorkspace(files: Tree = { 'scan.json': REPORT }): Promise<string> {
  return makeFolder(files);
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
    // It hangs: less than a test may take.
    timeoutMs: 100_000,
    runnerTemp: options.runnerTemp ?? (await makeFolder()),
    ...options,
  });
}

/** An ended step, before its RUNNER_TEMP is removed. */
interface Ended {
  readonly outputs: Readonly<Record<string, string>>;
}

/** What the file of `results-path` says of a scan. */
interface ScanEntry {
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

/** Environment variables with which a module is loaded into the action ahead of it. */
export function preload(code: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
