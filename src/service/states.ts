import { ADDRESS_MS } from './agent.ts';
import type { State, StateStart } from './attempt.ts';
import type { ResponseReader } from './response.ts';

/** Limits of the states of an exchange, in milliseconds. */
export interface ExchangeLimits {
  /** In total while resolving and for a proxy's tunnel; since the last progress while sending and reading. */
  readonly stallMs: number;
  /** In total while connecting; more for many addresses, but never more than `stallMs`. */
  readonly connectMs: number;
  /** How long the service may take from the last byte sent to the response's status line and headers. */
  readonly headMs: number;
  /** How long to wait for a response to `Expect: 100-continue` before the body is sent anyway. */
  readonly continueMs: number;
}

/** The current state of an exchange, with what belongs to it. */
export type Now =
  | { readonly state: 'resolving' | 'tunnelling' | 'asking' | 'sending' | 'waiting' | 'ended' }
  /** How many addresses were found for the host's name; 0 through a proxy, which looks it up. */
  | { readonly state: 'connecting'; readonly addresses: number }
  /** `reader` has a 2xx response that arrived before the connection had taken the last byte. */
  | { readonly state: 'flushing'; readonly reader?: ResponseReader }
  | { readonly state: 'reading'; readonly reader: ResponseReader };

/** How long an exchange may stay in a state without progress, in milliseconds. */
export function findLimit(now: Now, limits: ExchangeLimits): number {
  const { stallMs, connectMs, headMs, continueMs } = limits;
  if (now.state === 'asking') return continueMs;
  if (now.state === 'waiting') return headMs;
  if (now.state !== 'connecting') return stallMs;
  return Math.min(stallMs, Math.max(connectMs, now.addresses * ADDRESS_MS));
}

/**
 * The one timer of an exchange: entering a state replaces the limit of the one before. It keeps the
 * process alive, so that a silent peer cannot end it with a pending promise.
 */
export class StateTimer {
  readonly starts: StateStart[] = [];
  readonly #begin = performance.now();
  readonly #limits: ExchangeLimits;
  readonly #onState: (state: State) => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onState` is called with each new state. */
  constructor(limits: ExchangeLimits, onState: (state: State) => void) {
    this.#limits = limits;
    this.#onState = onState;
  }

  /** `onExpire` is called with the limit of the state once it has passed without progress. */
  enter(now: Now, onExpire: (limitMs: number) => void): void {
    this.stop();
    const { state } = now;
    const limitMs = findLimit(now, this.#limits);
    this.#timer = setTimeout(onExpire, limitMs, limitMs);
    // Each further address enters `connecting` again.
    if (this.starts.at(-1)?.state === state) return;
    this.starts.push({ state, atMs: Math.round(performance.now() - this.#begin) });
    this.#onState(state);
  }

  /** Starts the current state's limit again. */
  noteProgress(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
