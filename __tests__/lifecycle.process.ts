// A step in a separate process that ends as its argument says; started by lifecycle.test.ts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lifecycle, getExitCode } from '../src/lifecycle.ts';
import { Log } from '../src/report/log.ts';

const lifecycle = new Lifecycle((text) => new Log().error('Scan upload ended', text));
lifecycle.watch();
process.exitCode = 1;
const [scenario = '', name = '', checks, exitCode] = process.argv.slice(2);
const before = performance.now();
const limitMs = scenario === 'deaf' ? 50 : 60_000;
const { signal, deadline } = lifecycle.limit(limitMs);
signal.addEventListener('abort', report);

/** Prints the reason of the signal, and ends as a step does. */
function report(): void {
  const reason: unknown = signal.reason;
  console.log(`reported: ${String(reason)}`);
  void lifecycle.end(getExitCode(reason));
}

/** A step that does not react to the signal. */
function ignoreSignal(): void {
  signal.removeEventListener('abort', report);
  setInterval(() => {}, 1000);
}

function throwAfter(ms: number, message: string): void {
  setTimeout(() => {
    throw new Error(message);
  }, ms);
}

/** A thread is in a system call of this name for so many checks. */
function keepBusy(call: string, times: number): void {
  let left = times;
  process.getActiveResourcesInfo = () => {
    left -= 1;
    return left < 0 ? ['Timeout'] : ['Timeout', call];
  };
}

switch (scenario) {
  case 'uncaught':
    throwAfter(10, 'nobody caught this');
    break;
  case 'unhandled':
    void Promise.reject(new Error('nobody handled this'));
    break;
  case 'signalled':
    console.log('ready');
    break;
  case 'deaf':
    if (deadline < before + limitMs || deadline > performance.now() + limitMs) process.exit(3);
    ignoreSignal();
    // SECURITY.md promises 3 s; a busy machine may need longer.
    process.once('exit', () => {
      if (performance.now() > before + limitMs + 4000) process.exitCode = 4;
    });
    break;
  case 'deaf-unexpected':
    ignoreSignal();
    throwAfter(10, 'with a secret in it');
    break;
  case 'output':
    process.stdout.write('x'.repeat(2_000_000));
    process.stdout.write('\nlast line\n');
    throwAfter(50, 'too late to stop the step');
    await lifecycle.end(0);
    break;
  case 'unread':
    process.stdout.write('x'.repeat(2_000_000));
    setTimeout(() => void lifecycle.end(signal.aborted ? 2 : 0), 200);
    break;
  case 'blocked': {
    const directory = mkdtempSync(join(tmpdir(), 'lifecycle-'));
    const fifo = join(directory, 'fifo');
    execFileSync('mkfifo', [fifo]);
    // A thread of Node waits for a writer of the FIFO that never opens it.
    void open(fifo);
    setTimeout(() => {
      rmSync(directory, { recursive: true });
      void lifecycle.end(1);
    }, 50);
    break;
  }
  case 'busy':
    keepBusy(name, Number(checks));
    await lifecycle.end(Number(exitCode));
    break;
  default:
    throw new Error('unknown scenario');
}
