import { FileError, errorCode, toError } from '../errors.ts';
import type { Credential } from '../inputs/credential.ts';
import type { Header } from '../inputs/headers.ts';
import { VERSION } from '../version.ts';
import { makeCredentialHeaders } from './auth.ts';
import type { FetchIdToken } from './auth.ts';
import type { Body } from './body.ts';
import { diagnose } from './connection-error.ts';
import { exchange } from './exchange.ts';
import type { ExchangeEnd } from './exchange-types.ts';
import type { Link } from './link.ts';
import { judgeCredentialError, judgeExchange } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import { StalledError } from './phase-timer.ts';
import type { PhaseStart } from './phase-timer.ts';
import { createTraceparent } from './trace.ts';

/** What every attempt sends, and where. */
export interface SendTask {
  readonly url: URL;
  readonly body: Body;
  readonly credential: Credential;
  readonly headers: readonly Header[];
  readonly traceId: string;
  /** No progress for so long ends an attempt, in milliseconds. */
  readonly stallMs: number;
}

/** What sending needs from outside, and whom it tells what happens. */
export interface SendTools {
  readonly fetchIdToken: FetchIdToken;
  /** Called with the bytes of each chunk that has left. */
  readonly onSent: (bytes: number) => void;
  /** Called with the names of the headers of each request, and with its phases once it has ended. */
  readonly onRequest: (headerNames: readonly string[]) => void;
  readonly onPhases: (phases: readonly PhaseStart[]) => void;
}

/** Bodies above this size ask first, so that a refusal arrives before they are sent. */
const MIN_EXPECT_BYTES = 1024 * 1024;
const CONTINUE_MS = 1000;
/** A service may check a scan before it answers; one that takes longer is not sent the scan again. */
const HEAD_MS = 300_000;
const ACCEPT = 'application/problem+json, application/json, text/json, text/plain';

type Headers = Readonly<Record<string, string>>;

/** Makes the attempts of one upload. */
export class Sender {
  /** SHA-256 of each file as last sent whole. */
  digests: readonly string[] | undefined;
  readonly #task: SendTask;
  readonly #link: Link;
  readonly #tools: SendTools;
  readonly #signal: AbortSignal;

  constructor(task: SendTask, link: Link, tools: SendTools, signal: AbortSignal) {
    this.#task = task;
    this.#link = link;
    this.#tools = tools;
    this.#signal = signal;
  }

  /** One attempt, judged. */
  async send(): Promise<Verdict> {
    const { credential, stallMs } = this.#task;
    let proof: Headers;
    try {
      const { fetchIdToken } = this.#tools;
      proof = await makeCredentialHeaders(credential, fetchIdToken, stallMs, this.#signal);
    } catch (error) {
      return judgeCredentialError(toError(error));
    }
    const end = await this.#request(proof);
    this.digests = end.digests ?? this.digests;
    return judgeExchange(end, this.#signal);
  }

  async #request(proof: Headers): Promise<ExchangeEnd> {
    const { trust } = this.#link;
    let end = await this.#exchange(proof);
    if (trust === 'given' && isUntrusted(end)) {
      // Only then is it worth the time to load all authorities; nothing has been sent yet.
      this.#link.trustAll();
      end = await this.#exchange(proof);
    }
    if (end.isReused && isBroken(end)) {
      // The service closes what it was asked to keep. What cannot have arrived goes out again at once.
      this.#link.keepNone();
      if (!end.flushed && !this.#signal.aborted) end = await this.#exchange(proof);
    }
    if (!end.expected || !isExpectationFailed(end)) return end;
    // RFC 9110, section 10.1.1: a 417 asks for the same request without the expectation.
    this.#link.mayExpect = false;
    return this.#exchange(proof);
  }

  async #exchange(proof: Headers): Promise<ExchangeEnd & { readonly expected: boolean }> {
    const { url, body, stallMs } = this.#task;
    const headers = this.#makeHeaders(proof);
    this.#tools.onRequest(Object.keys(headers));
    const agent = await this.#link.getAgent();
    const expectContinue = this.#link.mayExpect && body.length > MIN_EXPECT_BYTES;
    const limits = { stallMs, headMs: HEAD_MS, continueMs: CONTINUE_MS };
    const spec = { url, agent, headers, body, expectContinue };
    const end = await exchange(spec, limits, this.#signal, this.#tools.onSent);
    this.#tools.onPhases(end.phases);
    // A service that does not know the expectation would keep every upload waiting for it.
    if (end.isExpectIgnored && end.outcome.kind === 'answer') this.#link.mayExpect = false;
    return { ...end, expected: expectContinue };
  }

  #makeHeaders(proof: Headers): Headers {
    const { headers, traceId } = this.#task;
    return {
      Accept: ACCEPT,
      'Accept-Encoding': 'identity',
      'User-Agent': `scan-upload-action/${VERSION}`,
      traceparent: createTraceparent(traceId),
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      ...proof,
    };
  }
}

function isUntrusted({ outcome }: ExchangeEnd): boolean {
  if (outcome.kind !== 'failure' || outcome.phase !== 'connect') return false;
  // No authority mends a certificate for another host.
  if (errorCode(outcome.error) === 'ERR_TLS_CERT_ALTNAME_INVALID') return false;
  return diagnose(outcome.error, outcome.phase).fault === 'certificate';
}

function isBroken({ outcome }: ExchangeEnd): boolean {
  if (outcome.kind !== 'failure') return false;
  return !(outcome.error instanceof FileError || outcome.error instanceof StalledError);
}

function isExpectationFailed({ outcome }: ExchangeEnd): boolean {
  return outcome.kind === 'answer' && outcome.answer.status === 417;
}
