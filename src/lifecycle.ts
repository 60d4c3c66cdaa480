import { constants } from 'node:os';
import { setImmediate as endTurn, setTimeout as wait } from 'node:timers/promises';
import { CancelledError, TimeLimitError, toError } from './errors.ts';

/** The signals that cancel a step. The runner sends SIGINT first, on Windows SIGBREAK, which only Windows has. */
const CANCEL_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

/** How long the step may take to report once its signal has fired. */
const GRACE_MS = 1500;
/** How long the output may take to be written, and a system call to return, when the process ends. */
const OUTPUT_MS = 5000;
const THREADS_MS = 1000;

/** How Node's names of requests in its threads begin; a file system or a resolver that hangs blocks a thread. */
const THREAD_REQUESTS = ['FSReq', 'CloseReq', 'GetAddrInfo'];

/** When a step must end. */
export interface StepLimits {
  /** Fires with a CancelledError, a TimeLimitError or an uncaught error. */
  readonly signal: AbortSignal;
  /** When the time limit fires it, in milliseconds on the clock of `performance.now()`. */
  readonly deadline: number;
}

/** Settles as `promise`, which may never settle, or rejects with the reason of `signal` once that fires. */
export async function settleWithin<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(toError(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * The process around a step. Everything that may end the step early fires one signal; the process exits
 * once the step has reported. Only if the step does not report in time, this class writes one line.
 */
export class Lifecycle {
  readonly #controller = new AbortController();
  readonly #writeError: (text: string) => void;
  #ended = false;

  /** `writeError` writes the one line of a step that does not report in time. */
  constructor(writeError: (text: string) => void) {
    this.#writeError = writeError;
  }

  /** Listens to the process: signals and uncaught errors. */
  watch(): void {
    for (const name of CANCEL_SIGNALS)
      process.on(name, () => this.#abort(new CancelledError(name)));
    process.on('uncaughtException', (error) => this.#abort(error));
    process.on('unhandledRejection', (reason) => this.#abort(toError(reason)));
    // A closed pipe raises an error for every write; reporting it would raise the next one.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
  }

  /** Starts the time limit of the whole step, which keeps the process alive, and returns when it ends. */
  limit(milliseconds: number): StepLimits {
    setTimeout(() => this.#abort(new TimeLimitError(milliseconds / 1000)), milliseconds);
    return { signal: this.#controller.signal, deadline: performance.now() + milliseconds };
  }

  /** Ends the process with an exit code once its output has been written. */
  async end(exitCode: number): Promise<void> {
    this.#ended = true;
    await flush();
    // process.exit() waits for Node's threads, also for one that a system call blocks. A thread counts until its
    // callback has returned, which may call this.
    await endTurn();
    if (hasBusyThreads()) await wait(THREADS_MS);
    // Killing the process also fails the step.
    if (exitCode !== 0 && hasBusyThreads()) process.kill(process.pid, 'SIGKILL');
    process.exit(exitCode);
  }

  #abort(reason: Error): void {
    if (this.#ended || this.#controller.signal.aborted) return;
    this.#controller.abort(reason);
    setTimeout(() => this.#forceEnd(reason), GRACE_MS);
  }

  /** Writes one line about a step that did not report in time, and ends the process. */
  #forceEnd(reason: Error): void {
    if (this.#ended) return;
    // Only our own messages are written: that of an uncaught error may contain secrets.
    const text = isExpectedEnd(reason)
      ? reason.message
      : 'The step did not end in time after an unexpected error.';
    this.#writeError(text);
    void this.end(getExitCode(reason));
  }
}

/** Whether a step ended because it was cancelled, or at its time limit. */
export function isExpectedEnd(reason: unknown): boolean {
  return reason instanceof CancelledError || reason instanceof TimeLimitError;
}

/** The exit code of a step that failed for `reason`: the shell's for a signal, else 1. */
export function getExitCode(reason: unknown): number {
  return reason instanceof CancelledError ? 128 + constants.signals[reason.signal] : 1;
}

function hasBusyThreads(): boolean {
  const active = process.getActiveResourcesInfo();
  return active.some((name) => THREAD_REQUESTS.some((start) => name.startsWith(start)));
}

/** Resolves when the output of both streams has been written, or after a limit: a reader may have stopped reading. */
async function flush(): Promise<void> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => void stream.write('', () => resolve())),
  );
  await Promise.race([Promise.all(written), wait(OUTPUT_MS, undefined, { ref: false })]);
}
