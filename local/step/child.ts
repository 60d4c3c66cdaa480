import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { OutputStream, StepOptions } from './types.ts';

/** What is to be started. */
export interface ChildPlan {
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onData: (bytes: Buffer, stream: OutputStream) => void;
}

/** When a child is to be ended before its time. */
export type ChildLimits = Pick<StepOptions, 'signal' | 'killAfterMs' | 'killSignal' | 'timeoutMs'>;

/** How a child ended. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const DEFAULT_TIMEOUT_MS = 300_000;

// ProcessInvoker.cs: time for SIGINT, then for SIGTERM, and for output held open by a grandchild.
const SIGINT_MS = 7_500;
const SIGTERM_MS = 2_500;
const STREAMS_MS = 5_000;

/** Runs a script with this process's Node until it and its output ended. */
export async function runChild(plan: ChildPlan, limits: ChildLimits): Promise<ChildEnd> {
  const child = spawn(process.execPath, [plan.script], {
    cwd: plan.cwd,
    env: { ...plan.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  child.stdout.on('data', (bytes: Buffer) => plan.onData(bytes, 'stdout'));
  child.stderr.on('data', (bytes: Buffer) => plan.onData(bytes, 'stderr'));
  const guard = guardChild(child, limits);
  try {
    await waitForEnd(child);
    return { exitCode: child.exitCode, signal: child.signalCode, timedOut: guard.timedOut() };
  } finally {
    guard.release();
  }
}

async function waitForEnd(child: Child): Promise<void> {
  const closed = once(child, 'close');
  let timer: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    timer = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, STREAMS_MS);
  });
  try {
    await closed;
  } finally {
    clearTimeout(timer);
  }
}

function guardChild(
  child: Child,
  limits: ChildLimits,
): { readonly timedOut: () => boolean; readonly release: () => void } {
  const timers = new Set<NodeJS.Timeout>();
  let timedOut = false;
  const after = (ms: number, action: () => void): void => void timers.add(setTimeout(action, ms));
  const cancel = (): void => {
    child.kill(limits.killSignal ?? 'SIGINT');
    after(SIGINT_MS, () => child.kill('SIGTERM'));
    after(SIGINT_MS + SIGTERM_MS, () => child.kill('SIGKILL'));
  };
  after(limits.timeoutMs ?? DEFAULT_TIMEOUT_MS, () => {
    timedOut = child.kill('SIGKILL');
  });
  if (limits.killAfterMs !== undefined) {
    after(limits.killAfterMs, () => child.kill(limits.killSignal ?? 'SIGINT'));
  }
  if (limits.signal?.aborted === true) {
    cancel();
  }
  limits.signal?.addEventListener('abort', cancel, { once: true });
  return {
    timedOut: () => timedOut,
    release: () => {
      timers.forEach((timer) => clearTimeout(timer));
      limits.signal?.removeEventListener('abort', cancel);
    },
  };
}
