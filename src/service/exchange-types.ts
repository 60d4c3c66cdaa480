import type { Answer } from './answer.ts';
import type { Phase, PhaseStart } from './phase-timer.ts';

/** Limits of the phases, in milliseconds. */
export interface ExchangeLimits {
  /** Absolute for connecting; since the last progress for sending and for the answer's body. */
  readonly stallMs: number;
  /** How long the service may take from the last byte sent to its answer's head. */
  readonly headMs: number;
  /** How long an answer to `Expect: 100-continue` is awaited before the body goes out anyway. */
  readonly continueMs: number;
}

/** What became of one request; an exchange never rejects. */
export interface ExchangeEnd {
  readonly outcome:
    | { readonly kind: 'answer'; readonly answer: Answer; readonly cause?: Error }
    | { readonly kind: 'failure'; readonly phase: Phase; readonly error: Error };
  /** Whether the last byte of the body had left, or over TLS, where that is told late, may have. */
  readonly flushed: boolean;
  /** SHA-256 of each file, in order, if the whole body had left. */
  readonly digests: readonly string[] | undefined;
  readonly phases: readonly PhaseStart[];
  /** Whether the connection had served another request before. */
  readonly isReused: boolean;
  /** Whether the body went out since nothing came of `Expect: 100-continue`. */
  readonly isExpectIgnored: boolean;
}
