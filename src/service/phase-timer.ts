/** What an exchange is waiting for. */
export type Phase = 'connect' | 'continue' | 'send' | 'head' | 'body';

/** When a phase began, in milliseconds since the exchange did. */
export interface PhaseStart {
  readonly phase: Phase;
  readonly atMs: number;
}

/** A phase reached its limit without progress. */
export class StalledError extends Error {
  readonly phase: Phase;
  /** The limit of the phase, in milliseconds. */
  readonly limitMs: number;

  constructor(phase: Phase, limitMs: number) {
    super(`Nothing happened for ${limitMs / 1000} s (${phase}).`);
    this.name = 'StalledError';
    this.phase = phase;
    this.limitMs = limitMs;
  }
}

/**
 * The one timer of an exchange: entering a phase replaces the limit of the one before. It keeps the
 * process alive, so that a silent peer cannot end it with a pending promise.
 */
export class PhaseTimer {
  readonly starts: PhaseStart[] = [];
  readonly #begin = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** `onExpire` is called once `limitMs` have passed without progress. */
  enter(phase: Phase, limitMs: number, onExpire: (error: StalledError) => void): void {
    this.stop();
    this.starts.push({ phase, atMs: Math.round(performance.now() - this.#begin) });
    this.#timer = setTimeout(() => onExpire(new StalledError(phase, limitMs)), limitMs);
  }

  /** Starts the current phase's limit again. */
  noteProgress(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
