import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { CancelledError, TimeLimitError, toError } from './errors.ts';

/** The signals that ask a step to stop; the runner sends the first, on Windows the last. */
const STOP_SIGNALS: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGBREAK'] : ['SIGINT', 'SIGTERM'];

/** How long the step may take to report once it has been told to stop, and to let go of output. */
const GRACE_MS = 1500;
const THREADS_MS = 300;
const THREADS_POLL_MS = 20;

/** When a step must end: once the signal fires, which it does at `deadline` (by `Date.now()`). */
export interface StepLimits {
  readonly signal: AbortSignal;
  readonly deadline: number;
}

/**
 * The process around a step: everything that may end it early fires one signal, and the process
 * ends for good once the step has reported. Nothing here reports by itself but the last resort.
 */
export class Lifecycle {
  readonly #controller = new AbortController();
  #timeLimit: NodeJS.Timeout | undefined;
  #ended = false;

  /** Fires with a CancelledError, a TimeLimitError or whatever nobody caught. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Listens to the process: signals, errors nobody caught, and an end without a result. */
  watch(): void {
    for (const name of STOP_SIGNALS) process.on(name, () => this.#stop(new CancelledError(name)));
    process.on('uncaughtException', (error) => this.#stop(error));
    process.on('unhandledRejection', (reason) => this.#stop(toError(reason)));
    process.on('beforeExit', () => this.#stop(new Error('The step ended without a result.')));
    // A closed pipe raises an error on every write, and reporting that would raise the next.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
    // Users cannot fix what the bundled libraries call.
    process.noDeprecation = true;
  }

  /** Starts the time limit of the whole step, and tells when it ends. */
  limit(milliseconds: number): StepLimits {
    this.#timeLimit = setTimeout(
      () => this.#stop(new TimeLimitError(milliseconds / 1000)),
      milliseconds,
    );
    return { signal: this.signal, deadline: Date.now() + milliseconds };
  }

  /** Ends the process with an exit code once its output has been taken. */
  async end(exitCode: number): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timeLimit);
    process.exitCode = exitCode;
    await Promise.all([flush(process.stdout), flush(process.stderr)]);
    await awaitThreads();
    // Exiting joins Node's threads: one that is stuck in a call of the system (a resolver or a file
    // system that hangs) would hold the process for as long. A kill fails the step as well.
    if (exitCode !== 0 && hasBusyThreads()) process.kill(process.pid, 'SIGKILL');
    process.exit(exitCode);
  }

  #stop(reason: Error): void {
    if (this.#ended || this.signal.aborted) return;
    this.#controller.abort(reason);
    setTimeout(() => this.#forceEnd(reason), GRACE_MS);
  }

  /** The step did not stop when told to: say so in one line, and end it. */
  #forceEnd(reason: Error): void {
    if (this.#ended) return;
    // Only our own words: those of an error that nobody caught have not been redacted.
    const isOwn = reason instanceof CancelledError || reason instanceof TimeLimitError;
    const text = isOwn ? reason.message : 'The step did not end in time after an unexpected error.';
    process.stdout.write(`::error title=Scan upload ended::${text}\n`);
    void this.end(getExitCode(reason));
  }
}

/** The exit code of a step that failed for `reason`: the shell's for a signal, else 1. */
export function getExitCode(reason: unknown): number {
  if (!(reason instanceof CancelledError)) return 1;
  return 128 + (constants.signals[reason.signal] ?? 0);
}

/** Gives calls that Node's threads are busy with a moment to end. */
async function awaitThreads(): Promise<void> {
  for (let waited = 0; hasBusyThreads() && waited < THREADS_MS; waited += THREADS_POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, THREADS_POLL_MS));
  }
}

function hasBusyThreads(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(?:FSReq|GetAddrInfo)/.test(name));
}

/** Resolves when a stream's output has been taken, or when nobody has taken any of it for a while. */
async function flush(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    let waiting = stream.writableLength;
    const timer = setInterval(() => {
      if (stream.writableLength >= waiting) done();
      waiting = stream.writableLength;
    }, GRACE_MS);
    const done = (): void => {
      clearInterval(timer);
      resolve();
    };
    stream.write('', done);
  });
}
