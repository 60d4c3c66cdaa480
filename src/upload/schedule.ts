import { StepError } from '../errors.ts';
import { settleWithin } from '../lifecycle.ts';
import { extendDelay } from './retry.ts';

/** The scan that was asked to wait says for how long. */
const TOO_LONG =
  'Not tried, because the service asked to wait (Retry-After) longer than `timeout-seconds` allows.';

/** When attempts may start, for all uploads of a step. */
export class Schedule {
  readonly #deadline: number;
  readonly #stopping = new AbortController();
  #delayedUntil = 0;
  /** The longest wait that any response asked for, in milliseconds. */
  askedMs = 0;

  /** `deadline` is when the step's time limit ends it, in milliseconds on the clock of `performance.now()`. */
  constructor(deadline: number) {
    this.#deadline = deadline;
  }

  /** Milliseconds until the step's time limit; 0 after it. */
  get remainingMs(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  /** Delays all uploads after a response that asks to wait for `askedMs`, whose own upload waits for `waitMs`. */
  delayAll(askedMs: number, waitMs: number): void {
    this.#delayedUntil = extendDelay(this.#delayedUntil, askedMs, waitMs, performance.now());
    this.askedMs = Math.max(this.askedMs, askedMs);
  }

  /** Stops starting uploads, for `reason`; those that have started get no further attempts. */
  stop(reason: StepError): void {
    this.#stopping.abort(reason);
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /**
   * Waits for `ms`, and longer while all uploads are delayed. Rejects with the reason of `signal`, and
   * with a StepError after `stop`, or if the wait would end after the time limit.
   */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const ownEnd = performance.now() + ms;
    for (;;) {
      signal.throwIfAborted();
      this.#stopping.signal.throwIfAborted();
      const end = Math.max(ownEnd, this.#delayedUntil);
      const waitMs = end - performance.now();
      if (waitMs <= 0) return;
      if (end >= this.#deadline) throw new StepError('other-scans', TOO_LONG, []);
      await sleep(waitMs, AbortSignal.any([signal, this.#stopping.signal]));
    }
  }
}

/** Resolves after `ms`, or rejects with the reason of `signal`. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await settleWithin(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
