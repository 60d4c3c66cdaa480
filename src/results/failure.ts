import { REPORT_FIX, StepError, errorMessage } from '../errors.ts';
import { adviseWait } from '../upload/retry.ts';
import type { Upload } from '../upload/upload.ts';
import { BEFORE_REQUEST } from '../outcomes/judge.ts';
import { isSuccess } from '../service/response.ts';
import type { Reason } from '../outcomes/reasons.ts';
import { conclude, getRow } from '../outcomes/situations.ts';
import type { Situation, UploadResult } from '../outcomes/situations.ts';
import { cutAtWord, cutWhole, formatMinutes, listLines } from '../text.ts';
import { MAX_HEADLINE_CHARACTERS, cutLines, showText, showTexts } from '../redaction/gate.ts';
import { describeAttempt } from '../outcomes/headline.ts';
import { RESULTS } from './results.ts';
import type { ResultName } from './results.ts';

/** Why a step failed, or one of its scans, in sentences without secrets. */
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
  /** How often it was tried, and what identifies the request in other logs: trace ids, response headers. */
  readonly traces: readonly string[];
}

/** How many problems are listed; a key that was pasted into `headers` has a problem in every line. */
const MAX_PROBLEMS = 30;
/** How much of all details is shown, so that our own sentences are never cut. */
const MAX_DETAIL_CHARACTERS = 1500;
const MAX_TRACE_CHARACTERS = 400;
/** The longest headline of an attempt: that of a problem's whole detail, with its status. */
const MAX_SAID_CHARACTERS = 1600;

/** Describes why a step failed, or why a scan failed before its first attempt. */
export function explainError(error: unknown): Failure {
  const known = error instanceof StepError ? error : wrapUnexpected(error);
  const { situation, fixes, problems } = known;
  const { result, reason } = conclude(situation);
  const [first = '', ...more] = problems.slice(0, 1 + MAX_PROBLEMS);
  const others = cutLines(more, MAX_DETAIL_CHARACTERS, cutWhole);
  const omitted = problems.length - 1 - others.length;
  return showFailure({
    situation,
    reason,
    title: `Scan upload ${getRow(situation).title ?? nameResult(result, { reason })}`,
    headline: cutWhole(nameOutcome(situation, result) + first, MAX_HEADLINE_CHARACTERS),
    details: omitted > 0 ? [...others, `And ${omitted} more problems.`] : others,
    fixes,
    traces: [],
  });
}

/** An error of our own, with the first lines of its stack for bug reports. */
function wrapUnexpected(error: unknown): StepError {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const lines = listLines(stack).filter((line) => line.startsWith('at '));
  return new StepError('unexpected', [errorMessage(error), ...lines.slice(0, 4)], REPORT_FIX);
}

/** Describes why an upload failed; undefined if it was accepted. */
export function explainUpload(upload: Upload): Failure | undefined {
  const { last, result, stop, settings } = upload;
  if (upload.situation === undefined) return undefined;
  const situation = stop.reason === 'cancelled' ? 'cancelled' : upload.situation;
  const { reason } = conclude(situation, last);
  const [first, ...details] = describeAttempt(upload.situation, upload);
  // What the service refuses may be what was noticed of the files.
  const isStated = reason === 'problem' || reason === 'refused';
  const noticed = isStated ? settings.warnings.map((text) => `Before sending: ${text}`) : [];
  const named = nameResult(result, { reason }, last.response?.status);
  return showFailure({
    situation,
    reason,
    title: `Scan upload ${getRow(situation).title ?? named}`,
    headline: cutAtWord(nameOutcome(situation, result) + first, MAX_SAID_CHARACTERS),
    details: cutLines([...details, ...noticed], MAX_DETAIL_CHARACTERS),
    fixes: adviseUpload(situation, upload),
    traces: listTraces(upload),
  });
}

/**
 * A failure as it is shown. Secrets are removed at once: each attempt may have had a token of its own, which is not
 * known by its parts for long, and equal failures are compared as they are shown.
 */
function showFailure({ headline, details, fixes, traces, ...others }: Failure): Failure {
  return {
    ...others,
    headline: showText(headline),
    details: showTexts(details),
    fixes: showTexts(fixes),
    traces: showTexts(traces),
  };
}

function nameOutcome(situation: Situation, result: UploadResult): string {
  if (getRow(situation).namesResult !== true) return '';
  const outcome = result === 'unconfirmed' ? 'upload is unconfirmed' : 'scan was not uploaded';
  return `Cancelled: the ${outcome}. `;
}

/**
 * A result with its status: `rejected (400)`. The reason stands for a status that does not say it: none, or
 * that of a success which does not count, such as a web page.
 */
export function nameResult(
  result: ResultName,
  failure?: Pick<Failure, 'reason'>,
  status?: number,
): string {
  const isMeant = failure === undefined || !isSuccess(status ?? 0);
  const isShown = isMeant || (result === 'rejected' && failure.reason !== 'web-page');
  const cause = (isShown ? status : undefined) ?? failure?.reason.replaceAll('-', ' ');
  return `${RESULTS[result].word}${cause === undefined ? '' : ` (${cause})`}`;
}

/** What to do: the fix of the situation, unless only the end of the attempts prevents a success. */
function adviseUpload(situation: Situation, upload: Upload): readonly string[] {
  const { stop, last } = upload;
  const askedMs = last.response?.retryAfterMs ?? 0;
  // More retries would not help if the service asks to wait longer than there is time.
  const isLate =
    stop.reason === 'time' || (stop.reason === 'retries' && askedMs >= stop.remainingMs);
  if (isLate && askedMs > 0) return checkFirst(explainWait(stop, askedMs), situation, upload);
  const fixes = adviseAttempt(situation, upload);
  if (stop.reason === 'time') return [...fixes, 'Or increase `timeout-seconds`.'];
  const { finalFix } = getRow(situation);
  return stop.reason === 'retries' && finalFix !== undefined ? [...fixes, finalFix] : fixes;
}

/** When to re-run, and why the step did not wait as long as it was asked to. */
function explainWait({ reason, remainingMs }: Upload['stop'], askedMs: number) {
  // Without retries a longer limit changes nothing.
  if (reason === 'retries') return [`Re-run in ${formatMinutes(askedMs)}.`];
  const [asked, left] = [askedMs, remainingMs].map((ms) => Math.ceil(ms / 1000));
  const why = `The step did not wait, because the service asks for ${asked} s (Retry-After), waits are up to twice as long, and ${left} s of \`timeout-seconds\` were left.`;
  return [adviseWait(askedMs), why];
}

/** The fix of a situation, after a check if the service may have the scan: a re-run would send it again. */
export function adviseAttempt(
  situation: Situation,
  upload: Pick<Upload, 'last' | 'settings' | 'result'>,
): readonly string[] {
  const { fix } = getRow(situation);
  return checkFirst([typeof fix === 'string' ? fix : fix(upload)].flat(), situation, upload);
}

function checkFirst(
  fixes: readonly string[],
  situation: Situation,
  { last, result }: Pick<Upload, 'last' | 'result'>,
): readonly string[] {
  if (result !== 'unconfirmed') return fixes;
  const isLast = conclude(situation, last).result === 'unconfirmed';
  const cause = isLast ? 'it may have the scan' : 'it may have the scan from an earlier attempt';
  const check = `Check the service before a re-run, because ${cause}.`;
  const [fix = '', ...others] = fixes;
  return [fix === '' ? check : `${check} If it does not: ${fix}`, ...others];
}

/** Headers that show which server responded, and in which known gateways and frameworks send the id of a request. */
const TRACE_HEADERS =
  'server via x-request-id x-correlation-id request-id cf-ray x-amzn-requestid x-amz-cf-id x-azure-ref x-ms-request-id x-cloud-trace-context'.split(
    ' ',
  );

/** How many attempts there were, and what identifies the requests: in a problem, in headers, and what was sent. */
function listTraces({ last, settings, result, attempts }: Upload): readonly string[] {
  const { problem, headers = {} } = last.response ?? {};
  // Problem details come from the service itself: its server needs no name.
  const names = problem === undefined ? TRACE_HEADERS : TRACE_HEADERS.slice(2);
  const known = names.filter((name) => headers[name] !== undefined);
  const ids = known.map((name) => `${name}: ${String(headers[name])}`).join(', ');
  const traceId = problem?.traceId;
  const header = ids === '' ? [] : [`Response headers: ${ids}`];
  const lines = traceId === undefined ? header : [`Trace id of the service: ${traceId}`];
  const count = attempts > 1 ? [`Attempts: ${attempts}`] : [];
  const theirs = [...count, ...cutLines(lines, MAX_TRACE_CHARACTERS)];
  const hasLeft = result === 'unconfirmed' || !BEFORE_REQUEST.includes(last.state);
  // ASP.NET's trace id contains the one that was sent.
  const isSaid = theirs.some((line) => line.includes(settings.traceId));
  return hasLeft && !isSaid ? [...theirs, `Trace id of the requests: ${settings.traceId}`] : theirs;
}
