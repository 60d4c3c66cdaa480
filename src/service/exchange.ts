import type { ClientRequest, IncomingMessage } from 'node:http';
import { toError } from '../errors.ts';
import { OutgoingBody } from './outgoing-body.ts';
import { PhaseTimer } from './phase-timer.ts';
import type { Phase, PhaseStart, StalledError } from './phase-timer.ts';
import { onConnected, openRequest } from './request.ts';
import type { RequestSpec } from './request.ts';
import { ResponseReader, isSuccess } from './response.ts';
import type { ServiceResponse } from './response.ts';

/** More than any service sends. Node has no limit, and a flood of them would keep timers from running. */
const MAX_INTERIM = 100;

/** Limits of the phases, in milliseconds. */
export interface ExchangeLimits {
  /** For connecting, the total time; for sending and for the response's body, the time since the last progress. */
  readonly stallMs: number;
  /** How long the service may take from the last byte sent to the response's status line and headers. */
  readonly headMs: number;
  /** How long to wait for a response to `Expect: 100-continue` before the body is sent anyway. */
  readonly continueMs: number;
}

/** How one request ended; an exchange never rejects. */
export interface ExchangeEnd {
  readonly outcome:
    | { readonly kind: 'response'; readonly response: ServiceResponse; readonly error?: Error }
    | { readonly kind: 'failure'; readonly phase: Phase; readonly error: Error };
  /** Whether everything was sent, so that the service may have the whole body. */
  readonly isSent: boolean;
  /** SHA-256 of each file, in order, if the connection has taken the whole body. */
  readonly digests: readonly string[] | undefined;
  readonly phases: readonly PhaseStart[];
  /** Whether the body was sent because no response to `Expect: 100-continue` arrived in time. */
  readonly isExpectIgnored: boolean;
}

/** Sends one request and waits for its response, for a limit, or for `signal`, whichever is first. */
export async function exchange(
  spec: RequestSpec,
  limits: ExchangeLimits,
  signal: AbortSignal,
  onSent: (bytes: number) => void = () => {},
): Promise<ExchangeEnd> {
  return new Promise((resolve) => {
    new Exchange({ spec, limits, signal, onSent, resolve }).start();
  });
}

interface ExchangeContext {
  readonly spec: RequestSpec;
  readonly limits: ExchangeLimits;
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
  readonly resolve: (end: ExchangeEnd) => void;
}

class Exchange {
  readonly #context: ExchangeContext;
  readonly #timer = new PhaseTimer();
  readonly #abort = (): void => this.#fail(this.#context.signal.reason);
  readonly #ended = new AbortController();
  #phase: Phase = 'connect';
  #request: ClientRequest | undefined;
  #body: OutgoingBody | undefined;
  #response: IncomingMessage | undefined;
  #reader: ResponseReader | undefined;
  #isSending = false;
  #interim = 0;
  #isExpectIgnored = false;
  #settled = false;

  constructor(context: ExchangeContext) {
    this.#context = context;
  }

  start(): void {
    const { spec, limits, signal } = this.#context;
    this.#enter('connect', limits.stallMs);
    signal.addEventListener('abort', this.#abort, { once: true });
    if (signal.aborted) return this.#abort();
    try {
      this.#request = openRequest(spec, this.#ended.signal);
    } catch (error) {
      return this.#fail(error);
    }
    this.#body = new OutgoingBody(this.#request, spec.body, (bytes) => this.#noteSent(bytes));
    this.#listen(this.#request, this.#body);
  }

  #listen(request: ClientRequest, body: OutgoingBody): void {
    onConnected(request, this.#context.spec.url, () => this.#ready(request, body));
    request.on('continue', () => this.#send(request, body));
    request.on('information', () => this.#countInterim());
    request.on('response', (response) => {
      this.#response = response;
      // A success counts once the connection has taken the last byte; `send` or the stall limit ends the wait.
      const isFlushing = body.isHanded && body.digests === undefined;
      if (!isFlushing || !isSuccess(response.statusCode ?? 0)) this.#read(response);
    });
    // Ignore errors once the whole response has arrived: its reader settles the exchange.
    request.on('error', (error) => {
      if (this.#response?.complete !== true) this.#fail(error);
    });
    request.on('close', () => {
      if (this.#response === undefined) this.#fail(new Error('the connection was closed'));
    });
  }

  #ready(request: ClientRequest, body: OutgoingBody): void {
    if (this.#settled) return;
    const send = (): void => this.#send(request, body);
    if (!this.#context.spec.expectContinue) return send();
    this.#enter('continue', this.#context.limits.continueMs, () => {
      this.#isExpectIgnored = true;
      send();
    });
  }

  #send(request: ClientRequest, body: OutgoingBody): void {
    if (this.#settled || this.#isSending || this.#response !== undefined) return;
    this.#isSending = true;
    this.#enter('send', this.#context.limits.stallMs);
    body.send().then(
      () => this.#finish(request),
      (error: unknown) => {
        // The request's own events say more about a broken connection, unless a response awaits the last byte.
        const isAwaited = this.#response !== undefined && this.#reader === undefined;
        if (!body.isStopped || isAwaited) this.#fail(error);
      },
    );
  }

  #finish(request: ClientRequest): void {
    if (this.#settled) return;
    if (this.#response !== undefined) return this.#read(this.#response);
    this.#enter('head', this.#context.limits.headMs);
    request.end();
  }

  #countInterim(): void {
    this.#interim += 1;
    if (this.#interim > MAX_INTERIM) this.#fail(new Error('too many interim responses (1xx)'));
  }

  #noteSent(bytes: number): void {
    if (this.#settled) return;
    this.#timer.noteProgress();
    this.#context.onSent(bytes);
  }

  #read(response: IncomingMessage): void {
    if (this.#settled || this.#reader !== undefined) return;
    this.#body?.stop();
    this.#enter('body', this.#context.limits.stallMs);
    const reader = this.#startReader(response);
    const isSuccessful = isSuccess(response.statusCode ?? 0);
    // A 2xx response before the whole body was sent is not a success, so its body does not matter.
    if (isSuccessful && this.#body?.digests === undefined) reader.end(false);
    // The connection may have broken while the response waited to be read.
    if (response.destroyed && !response.complete) reader.end(false);
  }

  #startReader(response: IncomingMessage): ResponseReader {
    this.#reader ??= new ResponseReader(response, {
      onProgress: () => this.#timer.noteProgress(),
      onEnd: (ended, error) =>
        this.#settle({
          kind: 'response',
          response: ended,
          ...(error !== undefined && { error }),
        }),
    });
    return this.#reader;
  }

  #enter(
    phase: Phase,
    limitMs: number,
    onExpire: (error: StalledError) => void = (error) => this.#fail(error),
  ): void {
    this.#phase = phase;
    this.#timer.enter(phase, limitMs, onExpire);
  }

  #fail(reason: unknown): void {
    if (this.#settled) return;
    const error = toError(reason);
    if (this.#response !== undefined) this.#startReader(this.#response).end(false, error);
    else this.#settle({ kind: 'failure', phase: this.#phase, error });
  }

  #settle(outcome: ExchangeEnd['outcome']): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#timer.stop();
    this.#body?.stop();
    this.#context.signal.removeEventListener('abort', this.#abort);
    this.#request?.destroy();
    this.#ended.abort();
    // A request whose response is complete has released its connection already.
    this.#request?.socket?.destroy();
    this.#context.resolve({
      outcome,
      isSent: this.#body?.isSent === true,
      digests: this.#body?.digests,
      phases: this.#timer.starts,
      isExpectIgnored: this.#isExpectIgnored,
    });
  }
}
