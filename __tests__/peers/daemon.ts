import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp } from '../support/scope.ts';

/** A program that runs in the foreground, and how to start it. */
interface DaemonPlan {
  readonly path: string;
  readonly args: readonly string[];
  /** The loopback port on which it will listen. */
  readonly port: number;
  /** What ends it after the test. */
  readonly signal: NodeJS.Signals;
  /** User and group to run as; the caller's own by default. */
  readonly uid?: number;
  readonly gid?: number;
}

const RECONNECT_MS = 5;

/** Starts a program and waits until it accepts connections; ended after the test. Throws with its output if it ends. */
export async function startDaemon({
  path,
  args,
  port,
  signal,
  ...user
}: DaemonPlan): Promise<void> {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = once(child, 'close');
  cleanUp(async () => {
    if (!hasEnded(child)) child.kill(signal);
    await ended;
  });
  while (!(await accepts(port))) {
    if (hasEnded(child)) {
      await ended;
      throw new Error(`${path} does not run:\n${output}`);
    }
    await pause(RECONNECT_MS);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
