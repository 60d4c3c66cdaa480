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

const DEFAULT_TIMEOUT_MS = 300_000;

// ProcessInvoker.cs: time for SIGINT, then for SIGTERM, and for output held open by a grandchild.
const SIGINT_MS = 7_500;
const SIGTERM_MS = 2_500;
const STREAMS_MS = 5_000;

/** Runs a script with this process's Node until it and its output ended. */
export async function runChild(
  { script, cwd, env, onData }: ChildPlan,
  limits: Pick<StepOptions, 'signal' | 'killSignal' | 'timeoutMs'>,
): Promise<ChildEnd> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(process.execPath, [script], { cwd, env: { ...env }, stdio: [...stdio] });
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, action: () => void): void => void timers.push(setTimeout(action, ms));
  const cancel = (): void => {
    child.kill(limits.killSignal ?? 'SIGINT');
    after(SIGINT_MS, () => child.kill('SIGTERM'));
    after(SIGINT_MS + SIGTERM_MS, () => child.kill('SIGKILL'));
  };
  let timedOut = false;
  after(limits.timeoutMs ?? DEFAULT_TIMEOUT_MS, () => {
    timedOut = child.kill('SIGKILL');
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (bytes: Buffer) => onData(bytes, stream));
    child.once('exit', () => after(STREAMS_MS, () => child[stream]?.destroy()));
  }
  if (limits.signal?.aborted === true) cancel();
  limits.signal?.addEventListener('abort', cancel, { once: true });
  try {
    await once(child, 'close');
    return { exitCode: child.exitCode, signal: child.signalCode, timedOut };
  } finally {
    timers.forEach(clearTimeout);
    limits.signal?.removeEventListener('abort', cancel);
  }
}
