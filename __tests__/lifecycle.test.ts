import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { access } from 'node:fs';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError } from '../src/errors.ts';
import { Lifecycle, settleWithin } from '../src/lifecycle.ts';
import { describePosix } from './support/files.ts';
import { makeFolder, REPORT, SCAN_KEY, cleanUp } from './support/workspace.ts';

const SCRIPT = fileURLToPath(new URL('lifecycle.process.ts', import.meta.url));
const BUNDLE = fileURLToPath(new URL('../dist/index.js', import.meta.url));

function start(args: readonly string[], env = process.env) {
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The exit code or signal of a process, and its output; a long run of `x` by its length. */
async function waitForEnd(child: ReturnType<typeof start>): Promise<readonly unknown[]> {
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  await once(child, 'close');
  const shown = stdout.replace(/^x+/, (all) => `${all.length} x`);
  return [child.signalCode ?? child.exitCode, shown];
}

async function run(...scenario: readonly string[]): Promise<readonly unknown[]> {
  return waitForEnd(start([SCRIPT, ...scenario]));
}

async function runSignalled(signal: NodeJS.Signals): Promise<readonly unknown[]> {
  const child = start([SCRIPT, 'signalled']);
  child.stdout.once('data', () => child.kill(signal));
  return waitForEnd(child);
}

async function runSlowlyRead(): Promise<readonly unknown[]> {
  const child = start([SCRIPT, 'output']);
  await delay(300);
  return waitForEnd(child);
}

async function runUnread(): Promise<readonly unknown[]> {
  const child = start([SCRIPT, 'unread']);
  child.stdout.destroy();
  return waitForEnd(child);
}

// The processes of a table start together, when it is made: most of them wait for a limit.
describe('Lifecycle', () => {
  test.each([
    ['an uncaught error', run('uncaught'), 1, 'reported: Error: nobody caught this\n'],
    ['an unhandled rejection', run('unhandled'), 1, 'reported: Error: nobody handled this\n'],
    [
      'the time limit, without a report',
      run('deaf'),
      1,
      '::error title=Scan upload ended::The time limit of 0.05 s (`timeout-seconds`) ended the step.\n',
    ],
    [
      // Its message may contain a secret.
      'an unexpected error, without a report',
      run('deaf-unexpected'),
      1,
      '::error title=Scan upload ended::The step did not end in time after an unexpected error.\n',
    ],
    ['a success with a slow reader', runSlowlyRead(), 0, '2000000 x\nlast line\n'],
    ['a success with a closed pipe', runUnread(), 0, ''],
    ['a success with a busy thread', run('busy', 'FSReqPromise', '9', '0'), 0, ''],
    ['a failure with a thread that was busy', run('busy', 'FSReqPromise', '1', '1'), 1, ''],
  ])('ends the process after %s', async (_, end, ...expected) => {
    expect(await end).toEqual(expected);
  });

  test('does not wait for the request whose callback ends the step', async () => {
    // Instead of ending the tests.
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit code ${code}`);
    });
    cleanUp(() => void jest.restoreAllMocks());
    const busy = jest.spyOn(process, 'getActiveResourcesInfo');
    const end = new Promise((_, reject) => {
      access(SCRIPT, () => void new Lifecycle(() => {}).end(0).catch(reject));
    });
    await expect(end).rejects.toThrow('exit code 0');
    expect(busy.mock.results[0]?.value).not.toContain('FSReqCallback');
  });
});

describePosix('Lifecycle with signals', () => {
  const cancelled = 'ready\nreported: Error: The step was cancelled or the job timed out';
  test.each([
    ['SIGINT', runSignalled('SIGINT'), 130, `${cancelled} (SIGINT).\n`],
    ['SIGTERM', runSignalled('SIGTERM'), 143, `${cancelled} (SIGTERM).\n`],
    // A resolver that hangs, a file that is never closed, and a FIFO without a writer.
    [
      'a failure with a thread in GetAddrInfo',
      run('busy', 'GetAddrInfoReqWrap', '9', '1'),
      'SIGKILL',
      '',
    ],
    ['a failure with a thread in CloseReq', run('busy', 'CloseReq', '9', '1'), 'SIGKILL', ''],
    ['a failure with a thread that never returns', run('blocked'), 'SIGKILL', ''],
  ])('ends the process after %s', async (_, end, ...expected) => {
    expect(await end).toEqual(expected);
  });
});

describe('settleWithin', () => {
  const reason = new CancelledError('SIGTERM');

  test('settles like the promise', async () => {
    const { signal } = new AbortController();
    await expect(settleWithin(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(settleWithin(Promise.reject(reason), signal)).rejects.toBe(reason);
    await setImmediate();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('rejects with the reason of the signal, before or while waiting', async () => {
    const controller = new AbortController();
    const never = new Promise(() => {});
    const waiting = settleWithin(never, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(settleWithin(never, controller.signal)).rejects.toBe(reason);
    // An Error, even if the reason is none.
    await expect(settleWithin(never, AbortSignal.abort('stop'))).rejects.toThrow(/^stop$/);
  });
});

describe('the action fails', () => {
  /** Ends the process without an exit code as soon as the action listens to it. */
  const EXIT_EARLY =
    'process.on("newListener",(name)=>{if(name==="uncaughtException")process.exit()})';
  /** Throws an uncaught error once the files have been read. */
  const THROW_LATE = `const write=process.stdout.write.bind(process.stdout);
process.stdout.write=(text,...rest)=>{
  if(String(text).startsWith("Dry run:"))queueMicrotask(()=>{throw new Error("late")});
  return write(text,...rest);
}`;

  test.each([
    ['if the process ends before the step has a result', EXIT_EARLY, /^$/],
    [
      'after an uncaught error even if the step has succeeded',
      THROW_LATE,
      /Result: dry run.*::error title=Scan upload failed unexpectedly::late\n$/s,
    ],
  ])('%s', async (_, code, output) => {
    const env = {
      PATH: process.env.PATH,
      GITHUB_WORKSPACE: await makeFolder({ 'report.json': REPORT }),
      'INPUT_BASE-URL': 'http://127.0.0.1:9',
      'INPUT_SCAN-KEY': SCAN_KEY,
      'INPUT_SCAN-FILE': 'report.json',
      INPUT_TOKEN: 'a-token-of-a-test',
      'INPUT_DRY-RUN': 'true',
    };
    const child = start(['--import', `data:text/javascript,${code}`, BUNDLE], env);
    expect(await waitForEnd(child)).toEqual([1, expect.stringMatching(output)]);
  });
});
