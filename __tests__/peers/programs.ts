import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { describeUnless } from '../support/files.ts';
import type { Describe } from '../support/files.ts';
import { cleanUp } from '../support/workspace.ts';

/** A program of the system that the tests run against. */
type Program = 'nginx' | 'squid';

// Debian installs daemons here, which is not on the PATH of every user.
const DAEMON_DIRECTORIES = ['/usr/sbin', '/usr/local/sbin'];
const RECONNECT_MS = 5;

/** `describe` for tests that need a program. If it is missing they are skipped; with REQUIRE_PROGRAMS=true they fail. */
export function describeWith(program: Program): Describe {
  if (process.platform !== 'linux') return describeUnless('Linux only');
  if (findProgram(program) !== undefined || process.env.REQUIRE_PROGRAMS === 'true')
    return describe;
  return describeUnless(`${program} is missing (bash scripts/install-programs.sh)`);
}

/** How to start a program in the foreground. */
interface DaemonPlan {
  readonly program: Program;
  readonly args: readonly string[];
  /** The loopback port on which it will listen. */
  readonly port: number;
  /** What ends it after the test. */
  readonly signal: NodeJS.Signals;
  /** User and group to run as; the caller's own by default. */
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts a program and waits until it accepts connections; ended after the test. Throws with its output if it ends. */
export async function startDaemon(plan: DaemonPlan): Promise<void> {
  const { program, args, port, signal, ...user } = plan;
  const path = findProgram(program);
  if (path === undefined)
    throw new Error(`${program} is not installed (scripts/install-programs.sh)`);
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = once(child, 'close');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  cleanUp(async () => {
    if (!hasEnded()) child.kill(signal);
    await ended;
  });
  while (!(await accepts(port))) {
    if (hasEnded()) {
      await ended;
      throw new Error(`${path} does not run:\n${output}`);
    }
    await pause(RECONNECT_MS);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function findProgram(program: Program): string | undefined {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...DAEMON_DIRECTORIES];
  return directories.map((directory) => join(directory, program)).find((path) => existsSync(path));
}
