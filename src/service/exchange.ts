import type { ClientRequest, IncomingMessage } from 'node:http';
import { toError } from '../errors.ts';
import { AnswerReader, isSuccess } from './answer.ts';
import type { Answer } from './answer.ts';
import { PhaseTimer } from './phase-timer.ts';
import type { Phase, PhaseStart, StalledError } from './phase-timer.ts';
import { onConnected, openRequest } from './request.ts';
import type { RequestSpec } from './request.ts';
import { writeBody } from './write-body.ts';

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
  /** Whether the last byte of the body had left. */
  readonly flushed: boolean;
  /** SHA-256 of each file, in order, if the whole body had left. */
  readonly digests: readonly string[] | undefined;
  readonly phases: readonly PhaseStart[];
}

/** Sends one request and waits for its answer, for a limit, or for `signal`, whichever is first. */
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
  #phase: Phase = 'connect';
  #request: ClientRequest | undefined;
  #reader: AnswerReader | undefined;
  #sending = false;
  #connectionLost = false;
  #flushed = false;
  #digests: readonly string[] | undefined;
  #settled = false;

  constructor(context: ExchangeContext) {
    this.#context = context;
  }

  start(): void {
    this.#enter('connect', this.#context.limits.stallMs);
    this.#context.signal.addEventListener('abort', this.#abort, { once: true });
    if (this.#context.signal.aborted) return this.#abort();
    try {
      this.#request = openRequest(this.#context.spec);
    } catch (error) {
      return this.#fail(error);
    }
    this.#listen(this.#request);
    if (this.#context.spec.expectContinue) this.#request.flushHeaders();
  }

  #listen(request: ClientRequest): void {
    onConnected(request, this.#context.spec.url, () => this.#ready(request));
    request.on('continue', () => this.#send(request));
    request.on('response', (response) => this.#read(response));
    request.on('error', (error) => this.#fail(error));
    request.on('close', () => {
      // Of an answer that has begun, its own end decides, which may be told after this one.
      if (this.#reader === undefined) this.#fail(new Error('the connection was closed'));
    });
  }

  #ready(request: ClientRequest): void {
    if (this.#settled) return;
    if (!this.#context.spec.expectContinue) return this.#send(request);
    this.#enter('continue', this.#context.limits.continueMs, () => this.#send(request));
  }

  #send(request: ClientRequest): void {
    if (this.#settled || this.#sending || this.#reader !== undefined) return;
    this.#sending = true;
    this.#enter('send', this.#context.limits.stallMs);
    const write = async (chunk: Buffer): Promise<void> => this.#write(request, chunk);
    writeBody(this.#context.spec.body, write).then(
      (digests) => this.#finish(request, digests),
      (error: unknown) => {
        // A broken connection tells more through the request's own events, which are under way.
        if (!this.#connectionLost) this.#fail(error);
      },
    );
  }

  async #write(request: ClientRequest, chunk: Buffer): Promise<void> {
    if (this.#settled || this.#reader !== undefined) this.#connectionLost = true;
    if (this.#connectionLost) throw new Error('the connection takes no more bytes');
    await new Promise<void>((resolve, reject) => {
      request.write(chunk, (error) => {
        if (!error) return resolve();
        this.#connectionLost = true;
        reject(error);
      });
    });
    this.#timer.noteProgress();
    this.#context.onSent(chunk.length);
  }

  #finish(request: ClientRequest, digests: readonly string[]): void {
    if (this.#settled || this.#reader !== undefined) return;
    this.#flushed = true;
    this.#digests = digests;
    this.#enter('head', this.#context.limits.headMs);
    request.end();
  }

  #read(response: IncomingMessage): void {
    if (this.#settled) return;
    this.#enter('body', this.#context.limits.stallMs);
    this.#reader = new AnswerReader(response, this.#flushed, {
      onProgress: () => this.#timer.noteProgress(),
      onEnd: (answer, cause) =>
        this.#settle({ kind: 'answer', answer, ...(cause !== undefined && { cause }) }),
    });
    const status = response.statusCode ?? 0;
    // A success that does not know the whole body yet cannot be one.
    if (!this.#flushed && isSuccess(status)) this.#reader.end(false);
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
    const error = toError(reason);
    if (this.#reader !== undefined) this.#reader.end(false, error);
    else this.#settle({ kind: 'failure', phase: this.#phase, error });
  }

  #settle(outcome: ExchangeEnd['outcome']): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#timer.stop();
    this.#context.signal.removeEventListener('abort', this.#abort);
    this.#request?.destroy();
    const { starts: phases } = this.#timer;
    this.#context.resolve({ outcome, flushed: this.#flushed, digests: this.#digests, phases });
  }
}
