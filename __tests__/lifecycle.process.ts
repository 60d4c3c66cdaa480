// A step in a separate process that ends as its argument says; started by lifecycle.test.ts.
import { open } from 'node:fs';
import { settleWithin } from '../src/abort.ts';
import { Lifecycle, getExitCode } from '../src/lifecycle.ts';

const lifecycle = new Lifecycle();
lifecycle.watch();
process.exitCode = 1;

/** Waits for the signal, prints its reason, and ends as a step does. */
async function report(): Promise<void> {
  try {
    await settleWithin(new Promise(() => {}), lifecycle.signal);
  } catch (reason) {
    console.log(`reported: ${String(reason)}`);
    await lifecycle.end(getExitCode(reason));
  }
}

switch (process.argv[2] ?? '') {
  case 'uncaught':
    setTimeout(() => {
      throw new Error('nobody caught this');
    }, 10);
    await report();
    break;
  case 'unhandled':
    void Promise.reject(new Error('nobody handled this'));
    await report();
    break;
  case 'limit': {
    const before = performance.now();
    const { signal, deadline } = lifecycle.limit(50);
    const isRight = deadline >= before + 50 && deadline <= performance.now() + 50;
    if (signal === lifecycle.signal && isRight) await report();
    break;
  }
  case 'signalled':
    lifecycle.limit(60_000);
    console.log('ready');
    await report();
    break;
  case 'dry':
    // Nothing keeps the event loop alive: the process would end without a result.
    lifecycle.signal.addEventListener('abort', () => {
      console.log(`reported: ${String(lifecycle.signal.reason)}`);
      void lifecycle.end(getExitCode(lifecycle.signal.reason));
    });
    break;
  case 'deaf':
    // A step that does not react to the signal.
    lifecycle.limit(50);
    setInterval(() => {}, 1000);
    break;
  case 'deaf-unexpected':
    setInterval(() => {}, 1000);
    setTimeout(() => {
      throw new Error('with a secret in it');
    }, 10);
    break;
  case 'output':
    process.stdout.write('x'.repeat(300_000));
    process.stdout.write('\nlast line\n');
    setTimeout(() => {
      throw new Error('too late to stop the step');
    }, 50);
    process.once('exit', () => {
      if (lifecycle.signal.aborted) process.exitCode = 2;
    });
    await lifecycle.end(0);
    break;
  case 'unread':
    process.stdout.write('x'.repeat(300_000));
    setTimeout(() => void lifecycle.end(lifecycle.signal.aborted ? 2 : 0), 200);
    break;
  case 'blocked':
    // A thread of Node waits for a writer of the FIFO that never opens it.
    open(process.argv[3] ?? '', () => {});
    setTimeout(() => void lifecycle.end(1), 50);
    break;
  case 'busy': {
    // A thread is in a system call of this name for so many checks.
    const [name = '', exitCode, checks] = process.argv.slice(3);
    let left = Number(checks);
    process.getActiveResourcesInfo = () => {
      left -= 1;
      return left < 0 ? [] : [name];
    };
    await lifecycle.end(Number(exitCode));
    break;
  }
  default:
    throw new Error('unknown scenario');
}
