import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import type { Contender, Stage } from './contenders.ts';

/**
 * The kinds of figures: the time of a process from before its start until it and its output have ended,
 * the peak of its resident memory, or the size of the script that it runs.
 */
export type Unit = 'ms' | 'KiB' | 'bytes';

const PRELOAD = join(import.meta.dirname, 'others', 'peak.preload.cjs');

/**
 * Runs the contenders in turn, a, b, a, b, ..., so that other load on the machine affects all of them.
 * Returns the figures by name; the first round is discarded, since it fills the caches.
 */
export async function runInTurn(
  contenders: readonly Contender[],
  rounds: number,
  run: (contender: Contender) => Promise<number>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const figures = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of contenders) {
      const figure = await run(contender);
      if (round > 0) figures.get(contender.name)?.push(figure);
    }
  }
  return figures;
}

/** Runs a contender once. Rejects if it failed or did not send all its files: then it has no figure. */
export async function measure(contender: Contender, unit: Unit, stage: Stage): Promise<number> {
  const { command, next, inputs, workspace = stage.directory, sends = [], scale = 1 } = contender;
  if (unit === 'bytes') return statSync(command[1] ?? '').size;
  const files = {
    GITHUB_OUTPUT: join(stage.directory, 'outputs'),
    GITHUB_STEP_SUMMARY: join(stage.directory, 'summary'),
    PEAK_FILE: join(stage.directory, 'peak'),
  };
  for (const path of Object.values(files)) writeFileSync(path, '');
  const preload = unit === 'KiB' ? { NODE_OPTIONS: `--require=${JSON.stringify(PRELOAD)}` } : {};
  const env = { ...describeStep(workspace, inputs), ...files, ...preload };
  const started = performance.now();
  await runProcess(command, workspace, env);
  if (next !== undefined) await runProcess(next, workspace, env);
  const ms = performance.now() - started;
  checkArrived(sends, stage.service.takeSizes());
  return scale * (unit === 'KiB' ? Number(readFileSync(files.PEAK_FILE, 'utf8')) : ms);
}

/** The environment of a step, which every program gets. */
function describeStep(workspace: string, inputs: Contender['inputs']): NodeJS.ProcessEnv {
  // The time of a step with retries cannot be compared.
  const given = { token: 'token-of-the-benchmark', retries: '0', ...inputs };
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    CI: 'true',
    GITHUB_WORKSPACE: workspace,
  };
  for (const [name, value] of Object.entries(given)) env[`INPUT_${name.toUpperCase()}`] = value;
  return env;
}

/** Runs a process until it and its output have ended. Rejects if it failed. */
async function runProcess(
  [program = '', ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  await once(child, 'close');
  if (child.exitCode === 0) return;
  const end = child.signalCode ?? `exit code ${child.exitCode}`;
  throw new Error(`${program} ended with ${end}: ${(await output).join('').slice(-1000)}`);
}

/** Throws unless as many bodies arrived as files were to be sent, with all their bytes. */
export function checkArrived(files: readonly string[], sizes: readonly number[]): void {
  const arrived = sizes.reduce((sum, size) => sum + size, 0);
  const sent = files.reduce((sum, path) => sum + statSync(path).size, 0);
  if (sizes.length === files.length && arrived >= sent) return;
  const all = `${files.length} uploads with ${sent} bytes`;
  throw new Error(`${sizes.length} uploads with ${arrived} bytes arrived of ${all}.`);
}
