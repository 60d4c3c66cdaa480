import type { ClientRequest } from 'node:http';
import { toError } from '../errors.ts';
import { describeThrown } from './attempt.ts';
import type { Attempt, AttemptFailure, State } from './attempt.ts';
import { readConnectionError } from './connection-error.ts';
import { followConnection, openRequest } from './request.ts';
import type { RequestSpec } from './request.ts';
import { ResponseReader } from './response.ts';
import { StateTimer } from './states.ts';
import type { ExchangeLimits, Now } from './states.ts';
import { isAddress } from './tunnel.ts';
import { writeBody } from './write-body.ts';

/** More than any service sends. Node has no limit, and a flood of them would keep timers from running. */
const MAX_INTERIM = 100;

/** Sends one request and waits for its response, for a limit, or for `signal`. Never rejects. */
export async function exchange(
  spec: RequestSpec,
  limits: ExchangeLimits,
  signal: AbortSignal,
  onSent: (bytes: number) => void = () => {},
  onState: (state: State) => void = () => {},
): Promise<Attempt> {
  const timer = new StateTimer(limits, onState);
  return new Promise((resolve) => {
    new Exchange({ spec, timer, signal, onSent, resolve }).start();
  });
}

interface Context {
  readonly spec: RequestSpec;
  readonly timer: StateTimer;
  readonly signal: AbortSignal;
  /** Called with the bytes of each piece that the connection has taken. */
  readonly onSent: (bytes: number) => void;
  readonly resolve: (attempt: Attempt) => void;
}

class Exchange {
  readonly #context: Context;
  readonly #abort = (): void => this.#throw(this.#context.signal.reason);
  /** Fires at the end, for a tunnel that is not open yet. */
  readonly #ended = new AbortController();
  #now: Now = { state: 'resolving' };
  #request: ClientRequest | undefined;
  #interim = 0;
  #sentBytes = 0;
  #digests: readonly string[] | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  start(): void {
    const { spec, signal } = this.#context;
    if (spec.isProxied) this.#enter({ state: 'tunnelling' });
    else this.#enter(isAddress(spec.url) ? { state: 'connecting', addresses: 0 } : this.#now);
    signal.addEventListener('abort', this.#abort, { once: true });
    if (signal.aborted) return this.#abort();
    try {
      this.#request = openRequest(spec, this.#ended.signal);
    } catch (error) {
      return this.#throw(error);
    }
    this.#listen(this.#request);
  }

  #listen(request: ClientRequest): void {
    const onAddress = (addresses: number): void => this.#enter({ state: 'connecting', addresses });
    // A tunnel has a socket once it is open.
    if (this.#context.spec.isProxied) request.once('socket', () => onAddress(0));
    followConnection(request, onAddress, () => this.#ask(request));
    request.on('continue', () => {
      if (this.#now.state === 'asking') this.#send(request);
    });
    request.on('information', () => {
      this.#interim += 1;
      if (this.#interim > MAX_INTERIM) this.#break(new Error('too many interim responses (1xx)'));
    });
    request.on('response', (response) =>
      this.#read(new ResponseReader(response, this.#context.spec.url)),
    );
    // Ignore errors once the whole response has arrived: its reader ends the exchange.
    request.on('error', (error) => {
      if (this.#reader?.response.complete !== true) this.#break(error);
    });
    request.on('close', () => {
      if (this.#reader === undefined) this.#break();
    });
  }

  #ask(request: ClientRequest): void {
    const { expectContinue, waits = false } = this.#context.spec;
    if (!expectContinue && !waits) return this.#send(request);
    if (waits) request.flushHeaders();
    this.#enter({ state: 'asking' }, () => this.#send(request));
  }

  #send(request: ClientRequest): void {
    this.#enter({ state: 'sending' });
    writeBody(this.#context.spec.body, (piece) => this.#write(request, piece)).then(
      (digests) => this.#finish(request, digests),
      (error: unknown) => {
        // While a refusal is read, the files do not matter any more.
        if (this.#now.state === 'sending') this.#throw(error);
      },
    );
  }

  /** Resolves once the connection has taken the piece; never if it does not, or if no more are wanted. */
  async #write(request: ClientRequest, piece: Buffer): Promise<void> {
    const { spec, timer, onSent } = this.#context;
    await new Promise<void>((resolve) => {
      if (this.#now.state !== 'sending') return;
      request.write(piece, (error) => {
        if (!error) resolve();
        // Otherwise the request's own events say more about a broken connection.
        else if (this.#now.state === 'flushing' && this.#reader !== undefined) this.#break(error);
      });
      if (this.#sentBytes + piece.length === spec.body.length) this.#enter({ state: 'flushing' });
    });
    if (this.#now.state === 'ended') return;
    this.#sentBytes += piece.length;
    timer.noteProgress();
    onSent(piece.length);
  }

  #finish(request: ClientRequest, digests: readonly string[]): void {
    this.#digests = digests;
    if (this.#now.state !== 'flushing') return;
    if (this.#now.reader !== undefined) return this.#read(this.#now.reader);
    this.#enter({ state: 'waiting' });
    request.end();
  }

  get #reader(): ResponseReader | undefined {
    return 'reader' in this.#now ? this.#now.reader : undefined;
  }

  #read(reader: ResponseReader): void {
    const isEarly = reader.isSuccessful && this.#digests === undefined;
    if (isEarly && this.#now.state === 'flushing') {
      // A success does not count before the connection has taken the last byte; `#finish` reads it then.
      this.#now = { state: 'flushing', reader };
      return;
    }
    this.#enter({ state: 'reading', reader });
    if (isEarly) return this.#end();
    reader.read({
      onProgress: () => this.#context.timer.noteProgress(),
      onComplete: () => this.#end(undefined, true),
      onTooLong: () => this.#end({ kind: 'too-long' }),
      onBreak: (error) => this.#break(error),
    });
  }

  /** Enters a state; its limit calls `onExpire`, or else ends the exchange. */
  #enter(now: Now, onExpire?: () => void): void {
    if (this.#now.state === 'ended') return;
    this.#now = now;
    const end = (limitMs: number): void => this.#end({ kind: 'limit', limitMs });
    this.#context.timer.enter(now, onExpire ?? end);
  }

  #break(cause = new Error('the connection was closed')): void {
    this.#end({ kind: 'connection', error: readConnectionError(cause) });
  }

  #throw(reason: unknown): void {
    this.#end(describeThrown(toError(reason)));
  }

  #end(failure?: AttemptFailure, complete = false): void {
    const { spec, timer, signal, resolve } = this.#context;
    const { state } = this.#now;
    if (state === 'ended') return;
    const { response, broken } = this.#conclude(complete);
    this.#now = { state: 'ended' };
    timer.stop();
    signal.removeEventListener('abort', this.#abort);
    this.#request?.destroy();
    this.#ended.abort();
    const isHanded = timer.starts.some((start) => start.state === 'flushing');
    resolve({
      state,
      states: timer.starts,
      sentBytes: this.#sentBytes,
      isSent: this.#digests !== undefined || (isHanded && spec.url.protocol === 'https:'),
      digests: this.#digests,
      response,
      failure: broken ?? failure,
    });
  }

  /** What was read of the response. An error of our own in reading it must not keep the exchange from ending. */
  #conclude(complete: boolean): Pick<Attempt, 'response'> & { readonly broken?: AttemptFailure } {
    try {
      return { response: this.#reader?.conclude(complete) };
    } catch (error) {
      return { response: undefined, broken: describeThrown(toError(error)) };
    }
  }
}
