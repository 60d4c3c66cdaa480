import { sleep } from '../abort.ts';
import { NotBegunError } from '../errors.ts';
import { extendHold } from './retry.ts';
import type { FailedAttempt, RetryDecision } from './retry.ts';

const TOO_LONG =
  'The service asked to wait (Retry-After) for longer than the time limit (timeout-seconds) leaves.';

/**
 * When attempts may begin, for all uploads of a step: what the service asks of one holds back the
 * others too, and once nothing more is to begin, nothing does.
 */
export class Pace {
  readonly #deadline: number;
  readonly #halt = new AbortController();
  /** One for all uploads that it ends, so that it can be told once. */
  readonly #tooLong = new NotBegunError(TOO_LONG);
  #heldUntil = 0;

  /** `deadline` is when the step's time limit ends it, in milliseconds on the clock of `Date.now()`. */
  constructor(deadline: number) {
    this.#deadline = deadline;
  }

  /** Holds back all uploads after a failed attempt of one, if its answer asks for that. */
  hold(failed: FailedAttempt, decision: RetryDecision, random: () => number): void {
    const now = { nowMs: Date.now(), random };
    this.#heldUntil = extendHold(this.#heldUntil, failed, decision, now);
  }

  /** Nothing begins any more, for `reason`; what has begun goes on, without further attempts. */
  halt(reason: NotBegunError): void {
    if (!this.isHalted) this.#halt.abort(reason);
  }

  get isHalted(): boolean {
    return this.#halt.signal.aborted;
  }

  /**
   * Waits for `ms`, and for longer if all are held back. Rejects with the reason of `signal`, and with
   * a NotBegunError once nothing more is to begin, or where that would be after the time limit.
   */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const ownEnd = Date.now() + ms;
    for (;;) {
      signal.throwIfAborted();
      this.#halt.signal.throwIfAborted();
      const end = Math.max(ownEnd, this.#heldUntil);
      const left = end - Date.now();
      if (left <= 0) return;
      if (end >= this.#deadline) throw this.#tooLong;
      await sleep(left, AbortSignal.any([signal, this.#halt.signal]));
    }
  }
}
