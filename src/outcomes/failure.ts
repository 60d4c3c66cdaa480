import { CANCELLED_FIX, toStepError } from '../errors.ts';
import { BEFORE_REQUEST, MAX_ID_CHARACTERS } from '../service/attempt.ts';
import type { ServiceResponse } from '../service/attempt.ts';
import { isSuccess } from '../service/verdict.ts';
import { cutText, cutWhole, formatMinutes, limitLines } from '../text.ts';
import { beginSmall, spellCauses } from './causes.ts';
import type { Cause } from './causes.ts';
import { toWords } from './results.ts';
import type { ResultName, UploadResult } from './results.ts';
import { findReason, findResult, findRow } from './situations.ts';
import type { Reason, Situation } from './situations.ts';
import type { Evidence } from './evidence.ts';

/** Why a step failed, or one of its scans, in words. */
export interface Failure {
  readonly reason: Reason;
  readonly situation: Situation;
  /** The annotation's title. */
  readonly title: string;
  /** What happened; the service's own `detail` if there is one. */
  readonly headline: string;
  /** More about what happened, a line each. */
  readonly details: readonly string[];
  /** What to do, a line each. */
  readonly fixes: readonly string[];
  /** How often it was tried, and the trace ids that identify the request in other logs. */
  readonly traces: readonly string[];
  /** The id that the service knows best, if a request was sent. */
  readonly traceId?: string | undefined;
  /** Response headers that identify a server and a request, for the log only. */
  readonly headers: readonly string[];
}

/**
 * Why an attempt was the last one: its situation has no retries, all retries were made, the wait would exceed the time
 * limit or did, another scan stopped the uploads of the step, or the step was cancelled.
 */
export type WhyLast = 'final' | 'retries' | 'time' | 'stopped' | 'cancelled';

/** An upload that was not accepted, with its last attempt. */
export interface FailedUpload extends Evidence {
  readonly situation: Situation;
  /** The likely causes, the likeliest first; only what the attempt shows, if it shows one. */
  readonly causes: readonly Cause[];
  /** The result over all attempts. */
  readonly result: UploadResult;
  /** How many attempts there were. */
  readonly attempts: number;
  readonly whyLast: WhyLast;
  /** The longest wait that any response of the step asked for, in milliseconds. */
  readonly askedMs: number;
}

/** The longest headline; most of it may be foreign text. */
export const MAX_HEADLINE_CHARACTERS = 1000;
/** How much of all details is shown, so that our own sentences are never cut. */
const MAX_DETAIL_CHARACTERS = 1500;
/** Headers that show which server responded, and those in which gateways and frameworks send the id of a request. */
const HEADERS =
  'server via x-request-id x-correlation-id request-id cf-ray x-amzn-requestid x-amzn-errortype x-amz-cf-id x-azure-ref x-ms-request-id x-cloud-trace-context'.split(
    ' ',
  );

/** Why a step failed, or a scan before its first attempt. */
export function spellError(thrown: unknown): Failure {
  const { situation, fixes, faults } = toStepError(thrown);
  const [first = '', ...more] = faults;
  const spelled = spellSituation(situation, 'not-sent', first);
  return {
    ...spelled,
    headline: cutWhole(spelled.headline, MAX_HEADLINE_CHARACTERS),
    details: limitLines(more, MAX_DETAIL_CHARACTERS, cutWhole),
    fixes,
    traces: [],
    headers: [],
  };
}

/** Why an upload failed. An error in our words does not change what is known of it. */
export function spellUpload(upload: FailedUpload): Failure {
  try {
    return spell(upload);
  } catch (error) {
    return spellError(error);
  }
}

function spell(upload: FailedUpload): Failure {
  const { last, result, situation, whyLast } = upload;
  const [first = '', ...details] = findRow(situation).headline(upload);
  const failure = {
    ...spellSituation(situation, result, first, last.response),
    details: limitLines(details, MAX_DETAIL_CHARACTERS, cutWhole),
    fixes: checkBefore(upload, listFixes(upload)),
    ...listTraces(upload),
    headers: listHeaders(upload),
  };
  if (whyLast !== 'cancelled') return failure;
  const fixes = checkBefore(upload, [CANCELLED_FIX]);
  return { ...failure, ...spellSituation('cancelled', result, first), fixes };
}

/** What an annotation begins with. After a cancellation, what became of the scan comes before what happened. */
function spellSituation(
  situation: Situation,
  result: UploadResult,
  text: string,
  response?: ServiceResponse,
): Pick<Failure, 'situation' | 'reason' | 'title' | 'headline'> {
  const reason = findReason(situation, response);
  const outcome = result === 'unconfirmed' ? 'upload is unconfirmed' : 'scan was not uploaded';
  const start = situation === 'cancelled' ? `Cancelled: the ${outcome}. ` : '';
  return {
    situation,
    reason,
    title: spellTitle(result, reason, response?.status),
    headline: start + text,
  };
}

function spellTitle(result: UploadResult, reason: Reason, status?: number): string {
  if (reason === 'cancelled') return 'Scan upload cancelled';
  if (reason === 'internal') return 'Scan upload failed unexpectedly';
  return `Scan upload ${nameResult(result, reason, status)}`;
}

/**
 * A result with its status: `rejected (400)`. The reason stands for a status that does not say it: none, or
 * that of a success which does not count, such as a web page.
 */
export function nameResult(result: ResultName, reason?: Reason, status?: number): string {
  const isOfStatus = reason === undefined || reason === 'problem' || reason === 'refused';
  const isSaid = status !== undefined && (isOfStatus || !isSuccess(status));
  const cause = isSaid ? String(status) : reason;
  return cause === undefined ? toWords(result) : `${toWords(result)} (${toWords(cause)})`;
}

/** A re-run would send the scan again, so that a check comes first if the service may have it. */
function checkBefore(upload: FailedUpload, fixes: readonly string[]): readonly string[] {
  const { situation, last, result } = upload;
  if (result !== 'unconfirmed') return fixes;
  const isLast = findResult(situation, last.isSent) === 'unconfirmed';
  const cause = isLast ? 'it may have the scan' : 'it may have the scan from an earlier attempt';
  const check = `Check the service before a re-run, because ${cause}.`;
  const [fix, ...others] = fixes;
  return fix === undefined ? [check] : [`${check} If it does not: ${beginSmall(fix)}`, ...others];
}

/** What to do about the causes, unless only the end of the attempts prevents a success. */
function listFixes(upload: FailedUpload): readonly string[] {
  const { causes, situation, whyLast, last, askedMs } = upload;
  const { retryAfterMs = 0 } = last.response ?? {};
  // All scans of a step say the same time.
  const again = `Re-run in ${formatMinutes(askedMs)}`;
  if (whyLast === 'time' && retryAfterMs > 0) return [`${again}, or increase \`timeout-seconds\`.`];
  if (whyLast === 'retries' && retryAfterMs > 0) return [`${again}.`];
  const { failure } = last;
  const isByError = failure?.kind === 'step' && failure.error.situation === situation;
  const fixes = isByError ? failure.error.fixes : spellCauses(causes, upload);
  const isOfTime = whyLast === 'time' && situation !== 'connection-broken';
  return isOfTime ? [...fixes, 'Or increase `timeout-seconds`.'] : fixes;
}

/** How many attempts there were, and what identifies the requests: the trace id of a problem, and that of the requests. */
function listTraces(upload: FailedUpload): Pick<Failure, 'traces' | 'traceId'> {
  const { last, task, result, attempts } = upload;
  const { serviceTraceId } = last.response?.problem ?? {};
  const hasLeft = result === 'unconfirmed' || !BEFORE_REQUEST.includes(last.state);
  // A service may take over the id that was sent.
  const isSame = serviceTraceId?.includes(task.requestTraceId) === true;
  const requestTraceId = hasLeft && !isSame ? task.requestTraceId : undefined;
  const lines = [
    ['Attempts', attempts > 1 ? attempts : undefined],
    ['Trace id of the service', serviceTraceId],
    ['Trace id of the requests', requestTraceId],
  ];
  const traces = lines.flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}`));
  return { traces, traceId: serviceTraceId ?? requestTraceId };
}

function listHeaders({ last: { response } }: FailedUpload): readonly string[] {
  const { headers = {} } = response ?? {};
  const known = HEADERS.filter((name) => headers[name] !== undefined);
  const ids = known
    .map((name) => `${name}: ${cutText(String(headers[name]), MAX_ID_CHARACTERS)}`)
    .join(', ');
  return ids === '' ? [] : [`Response headers: ${ids}`];
}
