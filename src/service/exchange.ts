import type { ClientRequest, IncomingMessage } from 'node:http';
import { toError } from '../errors.ts';
import { AnswerReader, isSuccess } from './answer.ts';
import type { ExchangeEnd, ExchangeLimits } from './exchange-types.ts';
import { OutgoingBody } from './outgoing-body.ts';
import { PhaseTimer } from './phase-timer.ts';
import type { Phase, StalledError } from './phase-timer.ts';
import { onConnected, openRequest } from './request.ts';
import type { RequestSpec } from './request.ts';

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

/** Turns of the event loop that the word of the last byte may take; one has been seen. */
const FLUSH_TURNS = 10;

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
  #body: OutgoingBody | undefined;
  #response: IncomingMessage | undefined;
  #reader: AnswerReader | undefined;
  #isSending = false;
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
      this.#request = openRequest(spec);
    } catch (error) {
      return this.#fail(error);
    }
    this.#body = new OutgoingBody(this.#request, spec.body, (bytes) => this.#noteSent(bytes));
    this.#listen(this.#request, this.#body);
  }

  #listen(request: ClientRequest, body: OutgoingBody): void {
    onConnected(request, this.#context.spec.url, () => this.#ready(request, body));
    request.on('continue', () => this.#send(request, body));
    request.on('response', (response) => {
      this.#response = response;
      this.#awaitFlush(response, body, FLUSH_TURNS);
    });
    // Of an answer that is complete, or has begun, its own end decides, which may be told later.
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
        // A broken connection tells more through the request's own events, which are under way.
        if (!body.isStopped) this.#fail(error);
      },
    );
  }

  #finish(request: ClientRequest): void {
    if (this.#settled || this.#response !== undefined) return;
    this.#enter('head', this.#context.limits.headMs);
    request.end();
  }

  #noteSent(bytes: number): void {
    if (this.#settled) return;
    this.#timer.noteProgress();
    this.#context.onSent(bytes);
  }

  /**
   * Over TLS the word that the last bytes have left comes a turn of the event loop late, and a fast
   * answer can overtake it: where all bytes are given, it gets a few turns before the answer is read.
   */
  #awaitFlush(response: IncomingMessage, body: OutgoingBody, turns: number): void {
    const isLate = body.digests === undefined && body.isGiven;
    if (turns === 0 || !isLate) return this.#read(response);
    setImmediate(() => this.#awaitFlush(response, body, turns - 1));
  }

  #read(response: IncomingMessage): void {
    if (this.#settled || this.#reader !== undefined) return;
    this.#body?.stop();
    this.#enter('body', this.#context.limits.stallMs);
    const isAfterBody = this.#body?.digests !== undefined;
    this.#reader = new AnswerReader(response, isAfterBody, {
      onProgress: () => this.#timer.noteProgress(),
      onEnd: (answer, cause) =>
        this.#settle({ kind: 'answer', answer, ...(cause !== undefined && { cause }) }),
    });
    // The end of an answer may have come while it was waiting to be read.
    if (response.destroyed && !response.complete) this.#reader.end(false);
    // A success that does not know the whole body yet cannot be one.
    if (!isAfterBody && isSuccess(response.statusCode ?? 0)) this.#reader.end(false);
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
    if (this.#response === undefined) {
      this.#settle({ kind: 'failure', phase: this.#phase, error });
      return;
    }
    this.#read(this.#response);
    this.#reader?.end(false, error);
  }

  #settle(outcome: ExchangeEnd['outcome']): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#timer.stop();
    this.#body?.stop();
    const { signal, spec, resolve } = this.#context;
    signal.removeEventListener('abort', this.#abort);
    if (!this.#mayKeep(outcome)) this.#disconnect();
    const digests = this.#body?.digests;
    const mayHaveLeft = spec.url.protocol === 'https:' && this.#body?.isGiven === true;
    const flushed = digests !== undefined || mayHaveLeft;
    resolve({
      outcome,
      flushed,
      digests,
      phases: this.#timer.starts,
      isReused: this.#request?.reusedSocket === true,
      isExpectIgnored: this.#isExpectIgnored,
    });
  }

  #disconnect(): void {
    this.#request?.destroy();
    // A request that has its whole answer has let go of its connection already.
    this.#request?.socket?.destroy();
  }

  /** Only a connection that has just brought a complete success, after the body, serves another request. */
  #mayKeep(outcome: ExchangeEnd['outcome']): boolean {
    if (outcome.kind === 'failure' || this.#request?.shouldKeepAlive !== true) return false;
    const { status, complete, afterBody } = outcome.answer;
    return isSuccess(status) && complete && afterBody;
  }
}
