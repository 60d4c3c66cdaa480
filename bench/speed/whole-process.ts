import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';

/** A process to run. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a process did. */
export interface Ran {
  /** From before it was started until it and its output had ended. */
  readonly ms: number;
  readonly stdout: string;
}

const SAID_CHARACTERS = 1000;

/** Runs a process to its end, its output read as a runner does. Rejects if it failed. */
export async function runWhole({ file, args, cwd, env }: Command): Promise<Ran> {
  const started = performance.now();
  const child = spawn(file, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  // Ahead of the removal of the folder it writes to.
  process.prependOnceListener('exit', kill);
  const said: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  child.stdout.on('data', (bytes: Buffer) => said.stdout.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => said.stderr.push(bytes));
  try {
    await once(child, 'close');
  } finally {
    process.off('exit', kill);
  }
  const ms = performance.now() - started;
  const stdout = Buffer.concat(said.stdout).toString();
  if (child.exitCode !== 0) {
    const all = `${stdout}${Buffer.concat(said.stderr).toString()}`;
    const end = child.signalCode ?? `exit code ${child.exitCode}`;
    throw new Error(`${file} ${args.join(' ')}: ${end}\n${all.slice(-SAID_CHARACTERS)}`);
  }
  return { ms, stdout };
}

/** The variables without which no program is found. */
export function getPath(): Readonly<Record<string, string>> {
  return { PATH: process.env.PATH ?? '' };
}
