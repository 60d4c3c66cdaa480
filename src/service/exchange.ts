import type { Agent, ClientRequest } from 'node:http';
import { toStepError } from '../errors.ts';
import type { Attempt, AttemptFailure, State } from './attempt.ts';
import { writeBody } from './body.ts';
import { readConnectionError } from './connection-error.ts';
import { followConnection, openRequest } from './request.ts';
import type { RequestSpec } from './request.ts';
import { ResponseReader } from './response.ts';

/** Limits of the states of an exchange that no input sets, in milliseconds. */
export const LIMITS = {
  /** How long connecting may take in total, unless the stall limit is shorter. */
  connectMs: 20_000,
  /** How long to wait for a response to the request's headers before the body is sent anyway. */
  continueMs: 1000,
  /**
   * How long the response's status line and headers may take after the last byte. A service may check a scan before it
   * responds; one that takes longer does not get the scan again.
   */
  headMs: 300_000,
};

/** All limits. `stallMs` counts from the last progress while sending and reading. */
export type ExchangeLimits = Readonly<typeof LIMITS> & { readonly stallMs: number };

/** The agents whose server requested a client certificate: it does not again if a TLS session is resumed. */
const REQUESTING = new WeakSet<Agent>();

interface Context {
  readonly spec: RequestSpec;
  readonly limits: ExchangeLimits;
  readonly signal: AbortSignal;
  /** Called with the bytes of the body that the connection has taken so far. */
  readonly onSent: (bytes: number) => void;
  readonly onState: (state: State) => void;
}

/**
 * Sends one request and waits for its response, for a limit, or for `signal`. Rejects only for headers that node:http
 * refuses to send. `@actions/http-client` would miss early responses, follow redirects with the token, and hang on a
 * truncated body.
 */
export async function exchange(context: Context): Promise<Attempt> {
  return new Promise((resolve) => new Exchange(context, resolve).start());
}

class Exchange {
  readonly #context: Context;
  readonly #resolve: (attempt: Attempt) => void;
  readonly #abort = (): void => this.#fail(this.#context.signal.reason);
  /** It fires at the end, so that a tunnel that is not open yet is given up. */
  readonly #ended = new AbortController();
  #state: State | 'ended' = 'connecting';
  /** The limit of the state. It keeps the process alive, so that a silent peer cannot end it. */
  #timer: NodeJS.Timeout | undefined;
  #request: ClientRequest | undefined;
  // How much was sent, as `Attempt` says it.
  #sentBytes = 0;
  #isSent = false;
  #digests: readonly string[] | undefined;
  #reader: ResponseReader | undefined;

  constructor(context: Context, resolve: (attempt: Attempt) => void) {
    this.#context = context;
    this.#resolve = resolve;
  }

  start(): void {
    const { spec, limits, signal } = this.#context;
    if (signal.aborted) return this.#abort();
    const request = openRequest(spec, this.#ended.signal);
    this.#request = request;
    signal.addEventListener('abort', this.#abort, { once: true });
    this.#enter('connecting', Math.min(limits.connectMs, limits.stallMs));
    // Also a server that knows no `100 Continue` has time to respond before it gets the body.
    followConnection(request, (isCertificateRequested) => {
      if (isCertificateRequested) REQUESTING.add(spec.agent);
      this.#enter('asking', limits.continueMs, () => this.#send(request));
    });
    request.on('continue', () => {
      if (this.#state === 'asking') this.#send(request);
    });
    request.on('response', (response) => this.#respond(new ResponseReader(response)));
    // Errors after the whole response has arrived are ignored: reading it ends the exchange.
    request.on('error', (error) => {
      if (this.#reader?.response.complete !== true) this.#break(error);
    });
    request.on('close', () => {
      if (this.#reader === undefined) this.#break();
    });
  }

  #send(request: ClientRequest): void {
    this.#enter('sending');
    writeBody(this.#context.spec.body, (piece) => this.#write(request, piece)).then(
      (digests) => this.#finish(request, digests),
      (error: unknown) => {
        // Once a refusal is being read, the files do not matter any more.
        if (this.#state === 'sending') this.#fail(error);
      },
    );
  }

  /**
   * Resolves once the connection has taken the piece. If the connection fails, or the body is not wanted any more, it
   * never settles: then an event of the request or a limit ends the exchange.
   */
  async #write(request: ClientRequest, piece: Buffer): Promise<void> {
    const { spec, onSent } = this.#context;
    await new Promise<void>((resolve) => {
      if (this.#state !== 'sending') return;
      request.write(piece, (error) => {
        if (!error) resolve();
        // If a success has arrived whole, no other event ends the exchange.
        else if (this.#state === 'flushing' && this.#reader !== undefined) this.#break(error);
      });
      if (this.#sentBytes + piece.length < spec.body.length) return;
      this.#isSent = spec.url.protocol === 'https:';
      this.#enter('flushing');
    });
    this.#sentBytes += piece.length;
    // A response that is being read has a limit of its own.
    if (this.#state === 'sending' || this.#state === 'flushing') this.#timer?.refresh();
    onSent(this.#sentBytes);
  }

  #finish(request: ClientRequest, digests: readonly string[]): void {
    this.#digests = digests;
    this.#isSent = true;
    // In another state, a refusal is being read, or the exchange has ended.
    if (this.#state !== 'flushing') return;
    if (this.#reader !== undefined) return this.#read(this.#reader);
    this.#enter('waiting', this.#context.limits.headMs);
    request.end();
  }

  #respond(reader: ResponseReader): void {
    this.#reader = reader;
    if (!reader.isSuccessful || this.#digests !== undefined) return this.#read(reader);
    // A success does not count before the connection has taken the last byte; `#finish` reads it then.
    if (this.#state !== 'flushing') this.#end();
  }

  #read(reader: ResponseReader): void {
    const { response, isSuccessful } = reader;
    this.#enter('reading');
    // The connection may have broken while the response waited to be read.
    if (response.destroyed && !response.complete) return this.#break();
    response.on('data', (chunk: Buffer) => {
      // A refusal is decided by its status: its text gets no more time if it arrives byte by byte.
      if (isSuccessful) this.#timer?.refresh();
      if (!reader.take(chunk)) this.#end({ kind: 'too-long' });
    });
    // A body without framing is complete when the connection ends without an error (RFC 9112, section 8).
    response.on('end', () => this.#end(undefined, true));
    response.on('error', (error) => this.#break(error));
  }

  /** Enters a state. Once `limitMs` have passed without progress, the exchange ends, or `onExpire` is called. */
  #enter(state: State, limitMs = this.#context.limits.stallMs, onExpire?: () => void): void {
    if (this.#state === 'ended') return;
    this.#state = state;
    this.#context.onState(state);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onExpire ?? (() => this.#end({ kind: 'limit', limitMs })), limitMs);
  }

  #break(cause = new Error('the connection was closed')): void {
    this.#end({ kind: 'connection', error: readConnectionError(cause) });
  }

  #fail(reason: unknown): void {
    this.#end({ kind: 'step', error: toStepError(reason) });
  }

  #end(failure?: AttemptFailure, complete = false): void {
    const state = this.#state;
    if (state === 'ended') return;
    this.#state = 'ended';
    clearTimeout(this.#timer);
    this.#context.signal.removeEventListener('abort', this.#abort);
    const sent = { sentBytes: this.#sentBytes, isSent: this.#isSent, digests: this.#digests };
    const isCertificateRequested = REQUESTING.has(this.#context.spec.agent);
    const record = { state, ...sent, isCertificateRequested };
    try {
      this.#resolve({ ...record, response: this.#reader?.conclude(complete), failure });
    } catch (error) {
      // An error of our own in reading the response must not keep the exchange from ending.
      const unread = { kind: 'step', error: toStepError(error) } as const;
      this.#resolve({ ...record, response: undefined, failure: unread });
    }
    // No error is passed: it would end the TLS session that a further attempt resumes.
    this.#request?.destroy();
    this.#ended.abort();
  }
}
