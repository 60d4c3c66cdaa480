import { FileError } from '../errors.ts';
import { isSuccess } from './answer.ts';
import type { Answer } from './answer.ts';
import { IdentityError } from './auth.ts';
import { diagnose } from './connection-error.ts';
import type { Diagnosis } from './connection-error.ts';
import type { ExchangeEnd } from './exchange-types.ts';
import { StalledError } from './phase-timer.ts';
import type { Phase } from './phase-timer.ts';
import { isProblemType, parseProblem } from './problem.ts';
import type { ProblemDetails } from './problem.ts';
import { parseRetryAfter } from './retry.ts';
import type { FailedAttempt, RetryClass } from './retry.ts';

/**
 * `accepted`: a complete 2xx answer after the last byte. `rejected`: answered no. `not-sent`: the
 * service cannot have the whole body. `unconfirmed`: it may have it, and no complete answer came.
 */
export type UploadResult = 'accepted' | 'rejected' | 'not-sent' | 'unconfirmed';

/** What an attempt ended with. */
export type Cause =
  | { readonly kind: 'accepted'; readonly answer: Answer }
  | {
      readonly kind: 'refused';
      readonly answer: Answer;
      readonly problem: ProblemDetails | undefined;
    }
  | { readonly kind: 'redirect'; readonly answer: Answer }
  | { readonly kind: 'web-page'; readonly answer: Answer }
  | { readonly kind: 'early-success'; readonly answer: Answer }
  | { readonly kind: 'cut-answer'; readonly answer: Answer; readonly error: Error | undefined }
  | { readonly kind: 'stalled'; readonly phase: Phase; readonly limitMs: number }
  | { readonly kind: 'connection'; readonly phase: Phase; readonly diagnosis: Diagnosis }
  | { readonly kind: 'file'; readonly error: FileError }
  | { readonly kind: 'identity'; readonly error: IdentityError }
  | { readonly kind: 'aborted'; readonly phase: Phase | undefined; readonly reason: Error };

/** One attempt, judged. */
export interface Verdict {
  readonly result: UploadResult;
  readonly cause: Cause;
  readonly retry: RetryClass;
}

/** Answers that a gateway gives in place of a service that may have the whole body. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524]);
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 503, ...GATEWAY_STATUSES]);

/** Judges what became of a request. */
export function judgeExchange(
  { outcome, flushed }: Pick<ExchangeEnd, 'outcome' | 'flushed'>,
  signal: AbortSignal,
): Verdict {
  if (outcome.kind === 'answer') return judgeAnswer(outcome.answer, outcome.cause);
  const failure = judgeFailure(outcome.error, outcome.phase, signal);
  return { result: flushed && !isUnread(failure.cause) ? 'unconfirmed' : 'not-sent', ...failure };
}

/** A service that wants another certificate ends TLS without reading what was sent meanwhile. */
function isUnread(cause: Cause): boolean {
  return cause.kind === 'connection' && cause.diagnosis.fault === 'client-certificate';
}

/** Judges an attempt that ended without a credential, and so before a request was made. */
export function judgeCredentialError(error: Error): Verdict {
  if (error instanceof IdentityError) {
    const retry = error.isPermission ? 'never' : 'always';
    return { result: 'not-sent', cause: { kind: 'identity', error }, retry };
  }
  const cause: Cause = { kind: 'aborted', phase: undefined, reason: error };
  return { result: 'not-sent', cause, retry: 'never' };
}

/** The answer an attempt ended with, whatever it said. */
export function getAnswer(cause: Cause): Answer | undefined {
  return 'answer' in cause ? cause.answer : undefined;
}

/** What the retry policy is to know of an attempt that ended at `nowMs` (by `Date.now()`). */
export function describeFailedAttempt({ cause, retry }: Verdict, nowMs: number): FailedAttempt {
  const answer = getAnswer(cause);
  const retryAfterMs = parseRetryAfter(answer?.headers['retry-after'], nowMs);
  return { retry, isConnectionLevel: answer === undefined, retryAfterMs };
}

function judgeAnswer(answer: Answer, error: Error | undefined): Verdict {
  const { status } = answer;
  if (isSuccess(status)) return judgeSuccess(answer, error);
  if (status >= 300 && status < 400) {
    return { result: 'rejected', cause: { kind: 'redirect', answer }, retry: 'never' };
  }
  const problem = readProblem(answer);
  const isUnconfirmed = answer.afterBody && GATEWAY_STATUSES.has(status);
  return {
    result: isUnconfirmed ? 'unconfirmed' : 'rejected',
    cause: { kind: 'refused', answer, problem },
    retry: classifyRefusal(status, problem),
  };
}

function judgeSuccess(answer: Answer, error: Error | undefined): Verdict {
  if (isWebPage(answer)) {
    return { result: 'rejected', cause: { kind: 'web-page', answer }, retry: 'never' };
  }
  const problem = readProblem(answer);
  if (isProblemType(answer.headers['content-type']) || (problem?.status ?? 0) >= 400) {
    // A success that calls itself a problem is no clear yes.
    return { result: 'rejected', cause: { kind: 'refused', answer, problem }, retry: 'never' };
  }
  if (!answer.afterBody) {
    return { result: 'not-sent', cause: { kind: 'early-success', answer }, retry: 'always' };
  }
  if (!answer.complete) {
    return { result: 'unconfirmed', cause: { kind: 'cut-answer', answer, error }, retry: 'always' };
  }
  return { result: 'accepted', cause: { kind: 'accepted', answer }, retry: 'never' };
}

function readProblem({ headers, text }: Answer): ProblemDetails | undefined {
  return parseProblem(headers['content-type'], text);
}

/** A login wall or a portal in the service's place; also where it does not say what it is. */
function isWebPage({ headers, text }: Answer): boolean {
  const isDeclared = /^[\s",]*(?:text\s*\/\s*html|application\/xhtml\+xml)\b/i;
  const looksLikeOne = /^<(?:!doctype\s+html|html|head|body|title|meta|script)\b/i;
  return isDeclared.test(headers['content-type'] ?? '') || looksLikeOne.test(skipProlog(text));
}

/** Drops comments, which HTML also ends with `--!>`, and an XML declaration. */
function skipProlog(text: string): string {
  let rest = text.trimStart();
  for (let end = findPrologEnd(rest); end > 0; end = findPrologEnd(rest)) {
    rest = rest.slice(end).trimStart();
  }
  return rest;
}

function findPrologEnd(text: string): number {
  const end = text.startsWith('<!--') ? /--!?>/g : /\?>/g;
  if (!text.startsWith('<!--') && !/^<\?xml\s/i.test(text)) return 0;
  return end.test(text) ? end.lastIndex : 0;
}

function classifyRefusal(status: number, problem: ProblemDetails | undefined): RetryClass {
  if (TRANSIENT_STATUSES.has(status)) return 'always';
  // A 500 that explains itself is the service's word; a bare one may be a passing crash.
  return status === 500 && problem === undefined ? 'limited' : 'never';
}

function judgeFailure(error: Error, phase: Phase, signal: AbortSignal): Omit<Verdict, 'result'> {
  if (signal.aborted) {
    return { cause: { kind: 'aborted', phase, reason: error }, retry: 'never' };
  }
  if (error instanceof FileError) return { cause: { kind: 'file', error }, retry: 'never' };
  if (error instanceof StalledError) {
    // A service that is still working on the scan must not be sent it again.
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
    case 'not-http':
      return 'never';
  }
}
