import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError, TimeLimitError } from '../src/errors.ts';
import { Lifecycle, getExitCode } from '../src/lifecycle.ts';
import { makeFolder } from './support/directories.ts';
import { describePosix } from './support/files.ts';
import { REPORT, SCAN_KEY } from './support/samples.ts';
import { cleanUp } from './support/scope.ts';

const SCRIPT = fileURLToPath(new URL('lifecycle.process.ts', import.meta.url));

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
}

function start(...scenario: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [SCRIPT, ...scenario], { stdio: ['ignore', 'pipe', 'ignore'] });
}

async function waitForEnd(child: ReturnType<typeof start>): Promise<Ended> {
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  await once(child, 'close');
  return { exitCode: child.exitCode, stdout };
}

describe('Lifecycle.watch', () => {
  test.concurrent.each([
    ['uncaught', 'Error: nobody caught this'],
    ['unhandled', 'Error: nobody handled this'],
    ['limit', 'TimeLimitError: The time limit of 0.05 s (`timeout-seconds`) ended the step.'],
    ['dry', 'Error: The step ended without a result.'],
  ])('fires the signal and fails the process: %s', async (scenario, reason) => {
    expect(await waitForEnd(start(scenario))).toEqual({
      exitCode: 1,
      stdout: `reported: ${reason}\n`,
    });
  });

  test.concurrent.each([
    ['deaf', /^::error title=Scan upload ended::The time limit of 0\.05 s/],
    // The message of an unexpected error is not redacted.
    ['deaf-unexpected', /^::error title=Scan upload ended::The step did not end(?!.*secret)/s],
  ])('ends a step that does not react to the signal: %s', async (scenario, line) => {
    const { exitCode, stdout } = await waitForEnd(start(scenario));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(line);
  });
});

describe('Lifecycle.end', () => {
  test.concurrent('waits for a slow reader of its output', async () => {
    const child = start('output');
    await delay(300);
    const { exitCode, stdout } = await waitForEnd(child);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/last line\n$/);
    expect(stdout).toHaveLength(300_011);
  });

  test.concurrent('is not kept or stopped by a reader that has closed the pipe', async () => {
    const child = start('unread');
    child.stdout.destroy();
    const { exitCode } = await waitForEnd(child);
    expect(exitCode).toBe(0);
  });
});

test('Lifecycle.end does not wait for the request whose callback ends the step', async () => {
  // Instead of ending the tests.
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit code ${code}`);
  });
  cleanUp(() => {
    jest.restoreAllMocks();
    process.exitCode = undefined;
  });
  const busy = jest.spyOn(process, 'getActiveResourcesInfo');
  const end = new Promise((_, reject) => {
    access(SCRIPT, () => void new Lifecycle().end(0).catch(reject));
  });
  await expect(end).rejects.toThrow('exit code 0');
  expect(busy.mock.results[0]?.value).not.toContain('FSReqCallback');
});

describePosix('Lifecycle of a process that gets a signal or opens a FIFO', () => {
  test.concurrent.each(['SIGINT', 'SIGTERM'] as const)(
    'exits with the code of a shell after %s',
    async (signal) => {
      const child = start('signalled');
      const end = waitForEnd(child);
      await once(child.stdout, 'data');
      child.kill(signal);
      const { exitCode, stdout } = await end;
      expect(exitCode).toBe(signal === 'SIGINT' ? 130 : 143);
      expect(stdout).toContain(
        `CancelledError: The step was cancelled or the job timed out (${signal}).`,
      );
    },
  );

  test.concurrent.each([
    // A resolver that hangs, and a file that is never closed.
    ['kills the process', 'GetAddrInfoReqWrap', '1', '9', 'SIGKILL'],
    ['kills the process', 'CloseReq', '1', '9', 'SIGKILL'],
    ['does not kill the process', 'FSReqPromise', '1', '1', null],
    ['does not kill the process', 'FSReqCallback', '0', '9', null],
  ])('%s with a thread in %s, exit code %s, busy at %s checks', async (...row) => {
    const [, name, exitCode, checks, signal] = row;
    const child = start('busy', name, exitCode, checks);
    await waitForEnd(child);
    expect(child.signalCode).toBe(signal);
  });

  test.concurrent('does not wait for a system call that never ends', async () => {
    const fifo = join(await makeFolder(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    const child = start('blocked', fifo);
    await waitForEnd(child);
    expect(child.signalCode).toBe('SIGKILL');
  });
});

describe('getExitCode', () => {
  test.each([
    ['SIGINT', new CancelledError('SIGINT'), 130],
    ['SIGTERM', new CancelledError('SIGTERM'), 143],
    ['the time limit', new TimeLimitError(1), 1],
    ['an error', new Error('other'), 1],
  ])('returns the exit code for %s', (_, reason, exitCode) => {
    expect(getExitCode(reason)).toBe(exitCode);
  });
});

const BUNDLE = fileURLToPath(new URL('../dist/index.js', import.meta.url));
/** Ends the process without an exit code as soon as the action listens for its end. */
const EXIT_EARLY =
  'data:text/javascript,process.on("newListener",(name)=>{if(name==="beforeExit")process.exit()})';
/** Throws an uncaught error once the files have been read. */
const THROW_LATE = `data:text/javascript,const write=process.stdout.write.bind(process.stdout);
process.stdout.write=(text,...rest)=>{
  if(String(text).startsWith("Dry run:"))queueMicrotask(()=>{throw new Error("late")});
  return write(text,...rest);
}`;

test('the action fails if the process ends before the step has a result', () => {
  const { status } = spawnSync(process.execPath, ['--import', EXIT_EARLY, BUNDLE], {
    env: { PATH: process.env.PATH },
  });
  expect(status).toBe(1);
});

test('the action fails after an uncaught error even if the step has succeeded', async () => {
  const workspace = await makeFolder({ 'report.json': REPORT });
  const { status, stdout } = spawnSync(process.execPath, ['--import', THROW_LATE, BUNDLE], {
    env: {
      PATH: process.env.PATH,
      GITHUB_WORKSPACE: workspace,
      'INPUT_BASE-URL': 'http://127.0.0.1:9',
      'INPUT_SCAN-KEY': SCAN_KEY,
      'INPUT_SCAN-FILE': 'report.json',
      INPUT_TOKEN: 'a-token-of-a-test',
      'INPUT_DRY-RUN': 'true',
    },
    encoding: 'utf8',
  });
  expect(stdout).toContain('::error title=Scan upload failed unexpectedly::late');
  expect(status).toBe(1);
});
