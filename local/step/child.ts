import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { StepOptions } from './types.ts';

/** The two streams that a step writes to; the runner reads commands from both. */
export type OutputStream = 'stdout' | 'stderr';

/** The process to start. */
export interface ChildPlan {
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onData: (bytes: Buffer, stream: OutputStream) => void;
}

/** How a child ended. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
}

/** Runs a script with this process's Node until it and its output ended. */
export async function runChild(
  { script, cwd, env, onData }: ChildPlan,
  { signal, killSignal = 'SIGINT', timeoutMs = 300_000 }: StepOptions,
): Promise<ChildEnd> {
  const child = spawn(process.execPath, [script], {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (bytes: Buffer) => onData(bytes, 'stdout'));
  child.stderr.on('data', (bytes: Buffer) => onData(bytes, 'stderr'));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = child.kill('SIGKILL');
  }, timeoutMs);
  const cancel = (): void => void child.kill(killSignal);
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await once(child, 'close');
    return { exitCode: child.exitCode, signal: child.signalCode, timedOut };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
