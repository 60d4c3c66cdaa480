// Apart from other helpers, because tests import it after they have mocked modules of `src/`.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { run } from '../../src/main.ts';
import { setInputs } from './inputs.ts';
import { parseOutputs } from './report.ts';
import { TOKEN } from './run-action.ts';
import { makeFolder, SCAN_KEY } from './workspace.ts';

interface InProcessRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs the stages in this process, so that coverage is measured; `jest.restoreAllMocks` gives its output back. */
export async function runHere(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  signal: AbortSignal = new AbortController().signal,
  onOutput: (text: string) => void = () => {},
): Promise<InProcessRun> {
  const directory = await makeFolder();
  const outputPath = join(directory, 'outputs');
  writeFileSync(outputPath, '');
  setInputs({ 'scan-key': SCAN_KEY, token: TOKEN, ...inputs });
  process.env.GITHUB_WORKSPACE = workspace;
  process.env.GITHUB_OUTPUT = outputPath;
  process.env.RUNNER_TEMP = directory;
  const written: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    onOutput(String(chunk));
    return true;
  });
  const limit = (milliseconds: number) => ({ signal, deadline: performance.now() + milliseconds });
  const exitCode = await run({ limit });
  const outputs = parseOutputs(readFileSync(outputPath, 'utf8'));
  return { exitCode, stdout: written.join(''), outputs };
}
