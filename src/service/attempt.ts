import type { IncomingHttpHeaders } from 'node:http';
import { StepError } from '../errors.ts';
import { joinWhiteSpace } from '../text.ts';
import type { Clean } from '../text.ts';
import type { Confirmation } from './confirmation.ts';
import type { Mark } from './marks.ts';
import { cleanProblem } from './problem.ts';
import type { ProblemDetails } from './problem.ts';

/**
 * Where an attempt is: fetching its OIDC token, looking up the host's name, connecting (TLS included),
 * waiting for a response to `Expect: 100-continue`, writing the body, waiting until the connection has taken
 * its last bytes, waiting for the response's status line and headers, reading the response's body, ended.
 */
export type State =
  | 'credential'
  | 'resolving'
  | 'connecting'
  | 'asking'
  | 'sending'
  | 'flushing'
  | 'waiting'
  | 'reading'
  | 'ended';

/** When a state began, in milliseconds since the attempt did. */
export interface StateStart {
  readonly state: State;
  readonly atMs: number;
}

/** An error of a connection as data. What Node has only as a text is parsed once, where the error enters. */
export interface ConnectionError {
  /** Node's code (`ECONNRESET`, `HPE_INVALID_CONSTANT`) or OpenSSL's (`CERT_HAS_EXPIRED`). */
  readonly code: string | undefined;
  /** The TLS alert of the other side (RFC 8446, section 6). */
  readonly alert: number | undefined;
  readonly syscall: string | undefined;
  readonly address: string | undefined;
  readonly port: number | undefined;
  /** Whether the other side spoke TLS where HTTP was expected. */
  readonly isTlsRecord: boolean;
  /** Whether the proxy was not reached, or did not open the tunnel. */
  readonly isProxys: boolean;
  /** The status of the proxy's response to CONNECT, if there was one. */
  readonly proxyStatus: number | undefined;
}

/** What ended an attempt, other than a response that arrived whole. */
export type AttemptFailure =
  /** The limit of the state in which it was. */
  | { readonly kind: 'limit'; readonly limitMs: number }
  | { readonly kind: 'connection'; readonly error: ConnectionError }
  /** The response has more bytes than are read. */
  | { readonly kind: 'too-long' }
  /** A changed file, no OIDC token, the time limit, a cancellation: the error names its situation. */
  | { readonly kind: 'step'; readonly error: StepError }
  /** Anything else that was thrown. */
  | { readonly kind: 'unexpected'; readonly error: Error };

/** What decides about a response; its texts are in `Texts`. */
export interface ResponseFacts {
  readonly status: number;
  /** Whether its body was received to its end. */
  readonly complete: boolean;
  /** What its whole body says, if the status is one of success. */
  readonly confirmation: Confirmation;
  readonly marks: ReadonlySet<Mark>;
  /** Its Retry-After, in milliseconds from the end of the attempt. */
  readonly retryAfterMs: number | undefined;
}

/** What is known of an attempt except its texts. The exchange makes it; nobody changes it. */
export interface AttemptFacts {
  /** The last state before `ended`. */
  readonly state: State;
  readonly states: readonly StateStart[];
  /** The bytes of the body that the connection has taken. */
  readonly sentBytes: number;
  /**
   * Whether everything was sent: the connection has taken the last byte. TLS reports that late, and not at
   * all once the connection is broken, so over https a body that was handed over counts as sent.
   */
  readonly isSent: boolean;
  /** SHA-256 of each file, in order, if the connection has taken the whole body. */
  readonly digests: readonly string[] | undefined;
  /** Whether the body was sent because no response to `Expect: 100-continue` arrived in time. */
  readonly isExpectIgnored: boolean;
  readonly response: ResponseFacts | undefined;
  readonly failure: AttemptFailure | undefined;
}

/** The texts of others in a record. */
export interface ForeignTexts {
  /** The message of the error, in one line. */
  readonly error: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the response's body, decoded. */
  readonly body: string;
  readonly problem: ProblemDetails | undefined;
  /** What the response says, in texts of one line: see `readExplanation`. */
  readonly explanation: readonly string[];
}

/** The texts of others in a record, without secrets and invisible characters. */
export interface Texts extends ForeignTexts {
  /** The target of a redirect. */
  readonly target: string | undefined;
}

/** The texts of others as they came in: nothing but `clean` can read them. */
export class Foreign {
  readonly #texts: ForeignTexts;

  constructor(texts: Partial<ForeignTexts>) {
    const none = { error: undefined, headers: {}, body: '', problem: undefined, explanation: [] };
    this.#texts = { ...none, ...texts };
  }

  /** Cleans the texts of a response of `url`. */
  clean(clean: Clean, url: URL): Texts {
    const { error, headers: raw, body, problem, explanation } = this.#texts;
    const headers: IncomingHttpHeaders = Object.fromEntries(
      Object.entries(raw).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(clean) : value && clean(value),
      ]),
    );
    // URL changes the case of a host, which could hide a secret, and drops tabs and segments of a path, which
    // could join the parts of one: the target is clean before and after it is resolved.
    const target = headers.location && URL.parse(headers.location, url.href)?.href;
    return {
      error: error && clean(error),
      headers,
      body: clean(body),
      problem: problem && cleanProblem(problem, clean),
      // White space within a line may be part of a secret.
      explanation: explanation
        .map((line) => joinWhiteSpace(clean(line)))
        .filter((line) => line !== ''),
      target: target && clean(target),
    };
  }
}

/** The record of an attempt as it was made. */
export interface RawAttempt extends AttemptFacts {
  readonly foreign: Foreign;
}

/** The record of an attempt that may be shown. */
export interface Attempt extends AttemptFacts {
  readonly texts: Texts;
}

/** Cleans the texts of the record of a request to `url`. */
export function cleanAttempt({ foreign, ...facts }: RawAttempt, url: URL, clean: Clean): Attempt {
  return { ...facts, texts: foreign.clean(clean, url) };
}

/** The record of an attempt that ended before its request, because there was no credential. */
export function recordNoCredential(error: Error): RawAttempt {
  const isKnown = error instanceof StepError;
  return {
    state: 'credential',
    states: [],
    sentBytes: 0,
    isSent: false,
    digests: undefined,
    isExpectIgnored: false,
    response: undefined,
    failure: isKnown ? { kind: 'step', error } : { kind: 'unexpected', error },
    foreign: new Foreign({ error: error.message }),
  };
}
