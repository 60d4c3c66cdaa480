import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import type { Contender } from './contenders.ts';
import type { Service } from './service.ts';

/**
 * The kinds of figures: the time of a process from before its start until it and its output have ended,
 * or the peak of its resident memory.
 */
export type Unit = 'ms' | 'MiB';

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
export async function measure(contender: Contender, unit: Unit, service: Service): Promise<number> {
  const { command, inputs, sends } = contender;
  const { directory } = service;
  const files = {
    GITHUB_OUTPUT: join(directory, 'outputs'),
    GITHUB_STEP_SUMMARY: join(directory, 'summary'),
    PEAK_FILE: join(directory, 'peak'),
  };
  for (const path of Object.values(files)) writeFileSync(path, '');
  const step = { PATH: process.env.PATH, CI: 'true', GITHUB_WORKSPACE: directory };
  const preload = unit === 'MiB' ? { NODE_OPTIONS: `--require=${JSON.stringify(PRELOAD)}` } : {};
  const env = { ...step, ...files, ...listInputs(inputs), ...preload };
  const started = performance.now();
  await runProcess(command, directory, env);
  const ms = performance.now() - started;
  if (sends !== undefined) checkArrived(sends, service.takeSizes());
  return unit === 'MiB' ? Number(readFileSync(files.PEAK_FILE, 'utf8')) / 1024 : ms;
}

/** The environment variables of inputs. */
function listInputs(inputs: Contender['inputs']): Readonly<Record<string, string>> {
  // The time of a step with retries cannot be compared.
  const given = { token: 'token-of-the-benchmark', retries: '0', ...inputs };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
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

/** Throws unless one upload arrived, with all bytes of the file. */
export function checkArrived(path: string, sizes: readonly number[]): void {
  const sent = statSync(path).size;
  if (sizes.length === 1 && sizes.every((size) => size >= sent)) return;
  throw new Error(
    `Uploads of ${sizes.join(' and ') || 'no'} bytes arrived, for a file of ${sent}.`,
  );
}
