import { FileError } from '../errors.ts';
import { OidcError } from './auth.ts';
import { isHtmlType } from './confirmation.ts';
import { diagnose } from './connection-error.ts';
import type { Diagnosis } from './connection-error.ts';
import type { ExchangeEnd } from './exchange.ts';
import { StalledError } from './phase-timer.ts';
import type { Phase } from './phase-timer.ts';
import { parseProblem } from './problem.ts';
import type { ProblemDetails } from './problem.ts';
import { TooLongError, isSuccess } from './response.ts';
import type { ServiceResponse } from './response.ts';
import { parseRetryAfter } from './retry.ts';
import type { FailedAttempt, RetryClass } from './retry.ts';

/** `not-sent`: the service cannot have the whole body. `unconfirmed`: it may have it, but did not confirm it. */
export type UploadResult = 'accepted' | 'rejected' | 'not-sent' | 'unconfirmed';

/** How an attempt ended. */
export type Cause =
  | { readonly kind: 'accepted'; readonly response: ServiceResponse }
  | {
      readonly kind: 'refused';
      readonly response: ServiceResponse;
      readonly problem: ProblemDetails | undefined;
    }
  | { readonly kind: 'redirect'; readonly response: ServiceResponse }
  | { readonly kind: 'web-page'; readonly response: ServiceResponse }
  | { readonly kind: 'early-success'; readonly response: ServiceResponse }
  | {
      readonly kind: 'truncated-response';
      readonly response: ServiceResponse;
      readonly error: Error | undefined;
    }
  | { readonly kind: 'unreadable-response'; readonly response: ServiceResponse }
  | { readonly kind: 'stalled'; readonly phase: Phase; readonly limitMs: number }
  | { readonly kind: 'connection'; readonly phase: Phase; readonly diagnosis: Diagnosis }
  | { readonly kind: 'file'; readonly error: FileError }
  | { readonly kind: 'oidc'; readonly error: OidcError }
  | { readonly kind: 'aborted'; readonly phase: Phase | undefined; readonly reason: Error };

/** The verdict on one attempt. */
export interface Verdict {
  readonly result: UploadResult;
  readonly cause: Cause;
  readonly retry: RetryClass;
  /** The Retry-After header of the response. */
  readonly retryAfter: string | undefined;
}

type Judgement = Omit<Verdict, 'retryAfter'>;

/** Statuses of gateways; the service behind them may have the whole body. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524]);
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 503, ...GATEWAY_STATUSES]);

/** Judges the end of a request. */
export function judgeExchange(
  { outcome, isSent }: Pick<ExchangeEnd, 'outcome' | 'isSent'>,
  signal: AbortSignal,
): Verdict {
  if (outcome.kind === 'response') {
    const retryAfter = outcome.response.headers['retry-after'];
    return { ...judgeResponse(outcome.response, isSent, outcome.error), retryAfter };
  }
  const failure = judgeFailure(outcome.error, outcome.phase, signal);
  const result = isSent && !isUnread(failure.cause) ? 'unconfirmed' : 'not-sent';
  return { result, ...failure, retryAfter: undefined };
}

/** Whether the service cannot have read the body: it rejected the client certificate and ended TLS. */
function isUnread(cause: Cause): boolean {
  return cause.kind === 'connection' && cause.diagnosis.fault === 'client-certificate';
}

/** Judges an attempt that failed before its request, because there was no credential. */
export function judgeCredentialError(error: Error): Verdict {
  if (error instanceof OidcError) {
    const retry = error.isPermission ? 'never' : 'always';
    return { result: 'not-sent', cause: { kind: 'oidc', error }, retry, retryAfter: undefined };
  }
  const cause: Cause = { kind: 'aborted', phase: undefined, reason: error };
  return { result: 'not-sent', cause, retry: 'never', retryAfter: undefined };
}

/** The response an attempt ended with, if there was one. */
export function getResponse(cause: Cause): ServiceResponse | undefined {
  return 'response' in cause ? cause.response : undefined;
}

/** The facts for the retry policy, of an attempt that ended at `nowMs` (by `Date.now()`). */
export function describeFailedAttempt(verdict: Verdict, nowMs: number): FailedAttempt {
  const { cause, retry, retryAfter } = verdict;
  const isConnectionLevel = getResponse(cause) === undefined;
  return { retry, isConnectionLevel, retryAfterMs: parseRetryAfter(retryAfter, nowMs) };
}

function judgeResponse(
  response: ServiceResponse,
  isSent: boolean,
  error: Error | undefined,
): Judgement {
  const { status } = response;
  if (isSuccess(status)) return judgeSuccess(response, isSent, error);
  if (status >= 300 && status < 400) {
    return { result: 'rejected', cause: { kind: 'redirect', response }, retry: 'never' };
  }
  const problem = readProblem(response);
  return {
    result: isSent && GATEWAY_STATUSES.has(status) ? 'unconfirmed' : 'rejected',
    cause: { kind: 'refused', response, problem },
    retry: classifyRefusal(status, problem),
  };
}

function judgeSuccess(
  response: ServiceResponse,
  isSent: boolean,
  error: Error | undefined,
): Judgement {
  const { confirmation, headers } = response;
  if (confirmation === 'problem') {
    // A 2xx response with a problem in its body is ambiguous, so it does not count as a success.
    const problem = readProblem(response);
    return { result: 'rejected', cause: { kind: 'refused', response, problem }, retry: 'never' };
  }
  // The body of an early response is not read, so its type decides.
  if (confirmation === 'web-page' || (!isSent && isHtmlType(headers['content-type']))) {
    return { result: 'rejected', cause: { kind: 'web-page', response }, retry: 'never' };
  }
  if (!isSent) {
    return { result: 'not-sent', cause: { kind: 'early-success', response }, retry: 'always' };
  }
  if (!response.complete) {
    const cause = { kind: 'truncated-response', response, error } as const;
    // The next response would be as long.
    const retry = error instanceof TooLongError ? 'never' : 'always';
    return { result: 'unconfirmed', cause, retry };
  }
  if (confirmation === 'unreadable') {
    const cause = { kind: 'unreadable-response', response } as const;
    return { result: 'unconfirmed', cause, retry: 'never' };
  }
  return { result: 'accepted', cause: { kind: 'accepted', response }, retry: 'never' };
}

function readProblem({ headers, text }: ServiceResponse): ProblemDetails | undefined {
  return parseProblem(headers['content-type'], text);
}

function classifyRefusal(status: number, problem: ProblemDetails | undefined): RetryClass {
  if (TRANSIENT_STATUSES.has(status)) return 'always';
  // A 500 with a problem is the service's own decision; without one it may be a temporary crash.
  return status === 500 && problem === undefined ? 'limited' : 'never';
}

function judgeFailure(error: Error, phase: Phase, signal: AbortSignal): Omit<Judgement, 'result'> {
  if (signal.aborted) {
    return { cause: { kind: 'aborted', phase, reason: error }, retry: 'never' };
  }
  if (error instanceof FileError) return { cause: { kind: 'file', error }, retry: 'never' };
  if (error instanceof StalledError) {
    // A service that is still working on the scan must not get it again.
    const retry = error.phase === 'head' ? 'never' : 'always';
    return { cause: { kind: 'stalled', phase, limitMs: error.limitMs }, retry };
  }
  const diagnosis = diagnose(error, phase);
  return { cause: { kind: 'connection', phase, diagnosis }, retry: classifyConnection(diagnosis) };
}

function classifyConnection({ fault }: Diagnosis): RetryClass {
  switch (fault) {
    case 'connection':
    case 'proxy':
      return 'always';
    case 'name':
    case 'proxy-name':
      return 'limited';
    case 'certificate':
    case 'client-certificate':
    case 'tls':
    case 'proxy-refused':
    case 'proxy-certificate':
    case 'not-http':
      return 'never';
  }
}
