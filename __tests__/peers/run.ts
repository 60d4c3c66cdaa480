import { expect } from '@jest/globals';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { listOutputTexts } from '../support/results.ts';
import { TOKEN, runAction } from '../support/run-action.ts';

/** Options of a run, and the secrets that it must not show. */
export interface PeerOptions extends Partial<StepOptions> {
  /** Further secrets; of a PEM key, no line may appear. */
  readonly secrets?: readonly string[];
}

/**
 * Runs the committed action once, without retries unless the inputs set them, and checks what must
 * hold for every peer: the action ended by itself, succeeded only if the scan was accepted, showed
 * no secret, and wrote no command that the runner does not know.
 */
export async function runOnce(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  { secrets = [], ...options }: PeerOptions = {},
): Promise<StepRun> {
  const run = await runAction(workspace, { retries: '0', ...inputs }, options);
  expect(run.timedOut).toBe(false);
  expect(run.outputs.uploaded).toBe(String(run.outputs.result === 'accepted'));
  expect(run.exitCode).toBe(run.outputs.uploaded === 'true' ? 0 : 1);
  expect(run.commands.filter(({ command }) => command === 'unknown')).toEqual([]);
  expectNoSecret(run, [TOKEN, ...secrets.flatMap(listLines)]);
  return run;
}

function listLines(secret: string): readonly string[] {
  return secret.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
}

function expectNoSecret(run: StepRun, secrets: readonly string[]): void {
  const shown = run.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));
  const texts = [...shown, run.stderr, run.summary, ...listOutputTexts(run)];
  const leaks = texts.filter((text) => secrets.some((secret) => text.includes(secret)));
  expect(leaks).toEqual([]);
}
