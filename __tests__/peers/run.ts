import { expect } from '@jest/globals';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { TOKEN, runAction } from '../support/run-action.ts';

/** A run's settings, and what must not be seen of it. */
export interface PeerOptions extends Partial<StepOptions> {
  /** Further texts that must appear nowhere; of a key in PEM form every line. */
  readonly secrets?: readonly string[];
}

/**
 * Runs the committed action once, without retries unless the inputs ask for them, and checks what
 * holds whatever the peer did: it ended by itself, was green only on a proven upload, showed no
 * secret, and gave the runner no command that it does not know.
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
  const texts = [...shown, run.stderr, run.summary, ...Object.values(run.outputs)];
  const leaks = texts.filter((text) => secrets.some((secret) => text.includes(secret)));
  expect(leaks).toEqual([]);
}
