import type { IncomingHttpHeaders } from 'node:http';
import type { PeerCertificate } from 'node:tls';
import type { StepError } from '../errors.ts';

/** What an attempt does, in this order. A refusal may be read before everything was sent. */
export type State =
  /** It fetches its OIDC token. */
  | 'credential'
  /** It looks up the name, opens the proxy's tunnel, and secures the connection. */
  | 'connecting'
  /** It waits for a response to `Expect: 100-continue`. */
  | 'asking'
  /** It writes the body. */
  | 'sending'
  /** It has written the body, and waits until the connection has taken the last bytes. */
  | 'flushing'
  /** It waits for the status line and the headers of the response. */
  | 'waiting'
  /** It reads the body of the response. */
  | 'reading';

/** The states in which nothing of the request is sent yet. */
export const BEFORE_REQUEST: readonly State[] = ['credential', 'connecting'];

/** The longest id of a request that is shown: one of W3C Trace Context has 55. */
export const MAX_ID_CHARACTERS = 100;

/** A problem (interface document; RFC 9457). */
export interface ProblemDetails {
  /** The `traceId` member, which finds the request in the service's own logs, at most 100 characters; undefined if it is no text. */
  readonly serviceTraceId: string | undefined;
  /** Every member as it was sent, also of wrong types, as compact JSON, whose length the step limits. */
  readonly json: string;
}

export type ResponseKind =
  /** A 2xx whose body confirms an upload, whatever it is. */
  | 'success'
  /** Problem details (RFC 9457). */
  | 'problem'
  /** Any other object or array. */
  | 'json'
  | 'web-page'
  /** Any other text, or a body that cannot be read. */
  | 'other';

/** A response, as far as it was read. */
export interface ServiceResponse {
  readonly kind: ResponseKind;
  /** How a 2xx reports a failure: ``says `state: FAIL` ``. */
  readonly statedFailure?: string | undefined;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Whether its body was received to its end. */
  readonly complete: boolean;
  /**
   * All that it says, for decisions, never cut: lines of a text, of a page without tags, or of JSON (`name: value`),
   * without stacks, times and what repeats the request.
   */
  readonly text: string;
  readonly problem: ProblemDetails | undefined;
  /** Its target, if its body is only a link. */
  readonly link?: string | undefined;
  /** What it says, as `readExplanation` or `readConfirmation` returns it. A text may have several lines. */
  readonly says: readonly string[];
  /** The JSON object of a success as compact text, if that is short; undefined for any other body. */
  readonly object?: string | undefined;
  /** What a success warns of, in at most six lines. */
  readonly warnings: readonly string[];
  /** Its Retry-After, in milliseconds from the end of the attempt. */
  readonly retryAfterMs: number | undefined;
}

/** An error of a connection as data. What Node says only in a text is parsed once, where the error enters. */
export interface ConnectionError {
  /** For people. */
  readonly text: string;
  /** Node's code (`ECONNRESET`, `HPE_INVALID_CONSTANT`) or OpenSSL's (`CERT_HAS_EXPIRED`). */
  readonly code: string | undefined;
  /** The TLS alert of the other side (RFC 8446, section 6). */
  readonly alert: number | undefined;
  /** Whether the other side spoke plain HTTP where TLS was expected. */
  readonly isPlainHttp: boolean;
  /** Whether the proxy was not reached, or did not open the tunnel. */
  readonly isOfProxy: boolean;
  /** The status of the proxy's response to CONNECT, if that opened no tunnel. */
  readonly proxyStatus: number | undefined;
  /** Its `Proxy-Authenticate`. */
  readonly proxyChallenge: string | undefined;
  /** Dates (`Nov 22 10:00:00 2026 GMT`), issuer and fingerprint of the other side's certificate, and the whole, if there was one. */
  readonly certificate: {
    readonly validFrom?: string | undefined;
    readonly validTo?: string | undefined;
    readonly issuer?: string | undefined;
    /** As in `X509Certificate`. */
    readonly fingerprint256?: string | undefined;
    readonly whole?: PeerCertificate | undefined;
  };
  /** Whether the host has only IPv6 addresses, to which this machine has no route. */
  readonly isWithoutIpv6: boolean;
}

/** What ended an attempt, other than a response that arrived whole. */
export type AttemptFailure =
  /** The limit of the state in which it was. */
  | { readonly kind: 'limit'; readonly limitMs: number }
  | { readonly kind: 'connection'; readonly error: ConnectionError }
  /** The response has more bytes than are read. */
  | { readonly kind: 'too-long' }
  /** The error names its situation: a changed file, no OIDC token, the time limit, a cancellation, a bug. */
  | { readonly kind: 'step'; readonly error: StepError };

/** The record of an attempt. The exchange makes it, and nobody changes it. */
export interface Attempt {
  /** The state in which it ended. */
  readonly state: State;
  /** The bytes of the body that the connection has taken. */
  readonly sentBytes: number;
  /**
   * Whether the other side may have the whole body. Over http that is so once the connection has taken the last byte.
   * Node reports this late over https, and never if the connection breaks meanwhile. There it is so once the last byte
   * was written.
   */
  readonly isSent: boolean;
  /**
   * Whether the server requested a client certificate. One that requires it may close the connection without a word, or
   * with an alert.
   */
  readonly isCertificateRequested: boolean;
  /** SHA-256 of each file, in order. They are known once the connection has taken the whole body, also over https. */
  readonly digests: readonly string[] | undefined;
  readonly response: ServiceResponse | undefined;
  readonly failure: AttemptFailure | undefined;
}

/**
 * Whether a server asks for the same request without the expectation (RFC 9110, section 10.1.1). After a part of the
 * body a 417 is a refusal: the service must not get the scan twice in one attempt.
 */
export function isExpectationRefused({ response, sentBytes }: Attempt): boolean {
  return response?.status === 417 && sentBytes === 0;
}

/** The error of the connection that ended an attempt; empty if none did. */
export function findConnectionError({ failure }: Attempt): Partial<ConnectionError> {
  return failure?.kind === 'connection' ? failure.error : {};
}

/** Whether a server or a gateway in front of the service responded in its place. */
export function isForeign({ kind }: Pick<ServiceResponse, 'kind'>): boolean {
  return !['problem', 'json'].includes(kind);
}

/** Whether Cloudflare's firewall responded in place of the service, with a check that only browsers pass. */
export function isChallenge({ headers, text }: Pick<ServiceResponse, 'headers' | 'text'>): boolean {
  const isPage = headers.server === 'cloudflare' && text.trim().startsWith('Just a moment...');
  return isPage || headers['cf-mitigated'] === 'challenge';
}

/** The record of an attempt that ended before its request, because there was no credential. */
export function recordNoCredential(error: StepError): Attempt {
  return {
    state: 'credential',
    sentBytes: 0,
    isSent: false,
    isCertificateRequested: false,
    digests: undefined,
    response: undefined,
    failure: { kind: 'step', error },
  };
}
