import { toStepError } from '../errors.ts';
import { MAX_HEADLINE_CHARACTERS, cutLines, showLine, showText } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import { isSuccess } from '../service/response.ts';
import { cutAtWord, cutWhole, formatMinutes } from '../text.ts';
import { describeAttempt } from './headline.ts';
import { BEFORE_REQUEST } from './judge.ts';
import type { Reason } from './reasons.ts';
import { RESULTS } from './results.ts';
import type { ResultName } from './results.ts';
import { TITLES, findReason, findResult, getRow } from './situations.ts';
import type { Situation, UploadResult } from './situations.ts';
import type { FailedAttempt } from './task.ts';

/** Why a step failed, or one of its scans, in words. */
export interface Failure {
  readonly reason: Reason;
  readonly situation: Situation;
  /** The annotation's title. */
  readonly title: SafeText;
  /** What happened; the service's own `detail` if there is one. */
  readonly headline: SafeText;
  /** More about what happened, a line each. */
  readonly details: readonly SafeText[];
  /** What to do, a line each. */
  readonly fixes: readonly SafeText[];
  /** How often it was tried, and the trace ids that identify the request in other logs. */
  readonly traces: readonly SafeText[];
  /** Response headers that identify a server and a request, for the log only. */
  readonly headers: readonly SafeText[];
}

/**
 * Why there is no further attempt: the result is final, all retries were made, the wait would exceed the time
 * limit or did, a cancellation ended it, or no upload of the step gets a further attempt.
 */
export type Stop = 'final' | 'retries' | 'time' | 'cancelled' | 'stopped';

/** An upload whose last attempt was not accepted. */
export interface FailedUpload extends FailedAttempt {
  readonly situation: Situation;
  /** Over all attempts. */
  readonly result: UploadResult;
  readonly attempts: number;
  readonly stop: Stop;
  /** The longest wait that any response of the step asked for, in milliseconds. */
  readonly askedMs: number;
  /** Until the time limit of the step when the last attempt had ended, in milliseconds. */
  readonly remainingMs: number;
}

/** How many problems are listed; a key that was pasted into `headers` has a problem in every line. */
const MAX_PROBLEMS = 30;
/** How much of all details is shown, so that our own sentences are never cut. */
const MAX_DETAIL_CHARACTERS = 1500;
const MAX_TRACE_CHARACTERS = 400;
/** The longest headline of an attempt: that of a problem's whole detail, with its status. */
const MAX_SAID_CHARACTERS = 1600;
/** Headers that show which server responded. */
const SERVERS = 'server via'.split(' ');
/** In these, known gateways and frameworks send the id of a request. */
const IDS =
  'x-request-id x-correlation-id request-id cf-ray x-amzn-requestid x-amz-cf-id x-azure-ref x-ms-request-id x-cloud-trace-context'.split(
    ' ',
  );

/** Why a step failed, or a scan before its first attempt. */
export function spellError(thrown: unknown): Failure {
  const { situation, fixes, problems } = toStepError(thrown);
  const reason = findReason(situation);
  const [first = '', ...more] = problems.slice(0, 1 + MAX_PROBLEMS);
  const others = cutLines(more, MAX_DETAIL_CHARACTERS, cutWhole);
  const omitted = problems.length - 1 - others.length;
  const headline = nameOutcome(situation, 'not-sent') + first;
  return {
    situation,
    reason,
    title: nameFailure(situation, nameResult('not-sent', reason)),
    headline: showText(cutWhole(headline, MAX_HEADLINE_CHARACTERS)),
    details: [...others, ...(omitted > 0 ? [`And ${omitted} more problems.`] : [])].map(showText),
    fixes: fixes.map(showText),
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

/** What happened in an attempt, in one line. */
export function spellAttempt(situation: Situation, failed: FailedAttempt): SafeText {
  try {
    const [first] = describeAttempt(situation, failed);
    return showLine(cutAtWord(first, MAX_SAID_CHARACTERS));
  } catch (error) {
    return spellError(error).headline;
  }
}

function spell(upload: FailedUpload): Failure {
  const { last, result, stop, task } = upload;
  const situation = stop === 'cancelled' ? stop : upload.situation;
  const reason = findReason(situation, last.response);
  const [first, ...details] = describeAttempt(upload.situation, upload);
  // What the service refuses may be what was noticed of the files.
  const isStated = reason === 'problem' || reason === 'refused';
  const warnings = isStated ? task.plan.parts.flatMap((part) => part.warnings ?? []) : [];
  const noticed = warnings.map((text) => `Before sending: ${text}`);
  return {
    situation,
    reason,
    title: nameFailure(situation, nameResult(result, reason, last.response?.status)),
    headline: showText(cutAtWord(nameOutcome(situation, result) + first, MAX_SAID_CHARACTERS)),
    details: cutLines([...details, ...noticed], MAX_DETAIL_CHARACTERS).map(showText),
    fixes: listFixes({ ...upload, situation }).map(showText),
    traces: listTraces(upload).map(showText),
    headers: listHeaders(upload).map(showText),
  };
}

function nameFailure(situation: Situation, named: string): SafeText {
  return showText(`Scan upload ${TITLES[situation] ?? named}`);
}

/** After a cancellation, what became of the scan comes before what happened. */
function nameOutcome(situation: Situation, result: UploadResult): string {
  if (situation !== 'cancelled') return '';
  const outcome = result === 'unconfirmed' ? 'upload is unconfirmed' : 'scan was not uploaded';
  return `Cancelled: the ${outcome}. `;
}

/**
 * A result with its status: `rejected (400)`. The reason stands for a status that does not say it: none, or
 * that of a success which does not count, such as a web page.
 */
export function nameResult(result: ResultName, reason?: Reason, status?: number): string {
  const isMeant = reason === undefined || !isSuccess(status ?? 0);
  const isShown = isMeant || (result === 'rejected' && reason !== 'web-page');
  const cause = (isShown ? status : undefined) ?? reason?.replaceAll('-', ' ');
  return `${RESULTS[result].word}${cause === undefined ? '' : ` (${cause})`}`;
}

/** What to do, after a check if the service may have the scan: a re-run would send it again. */
function listFixes(upload: FailedUpload): readonly string[] {
  const { situation, last, result } = upload;
  const [fix = '', ...others] = listOwn(upload);
  if (result !== 'unconfirmed') return [fix, ...others].filter((text) => text !== '');
  const isLast = findResult(situation, last.isSent) === 'unconfirmed';
  const cause = isLast ? 'it may have the scan' : 'it may have the scan from an earlier attempt';
  const check = `Check the service before a re-run, because ${cause}.`;
  const small = fix.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  return [fix === '' ? check : `${check} If it does not: ${small}`, ...others];
}

/** The fix of the situation, unless only the end of the attempts prevents a success. */
function listOwn(upload: FailedUpload): readonly string[] {
  const { situation, stop, last, askedMs, remainingMs } = upload;
  const { retryAfterMs = 0 } = last.response ?? {};
  // More retries would not help if the service asks to wait longer than there is time.
  if (stop === 'retries' && retryAfterMs >= remainingMs && retryAfterMs > 0) {
    return [`Re-run in ${formatMinutes(askedMs)}.`];
  }
  if (stop === 'time' && retryAfterMs > 0) return explainWait(retryAfterMs, askedMs, remainingMs);
  const { fix } = getRow(situation);
  const fixes = [typeof fix === 'string' ? fix : fix(upload)].flat();
  if (stop === 'time') return [...fixes, 'Or increase `timeout-seconds`.'];
  const isLimited = stop === 'retries' && situation === 'rate-limited';
  return isLimited ? [...fixes, 'Or increase `retries`.'] : fixes;
}

/** When to re-run, and why the step did not wait as long as it was asked to. All scans of a step say the same time. */
function explainWait(retryAfterMs: number, askedMs: number, remainingMs: number) {
  const [asked, left] = [retryAfterMs, remainingMs].map((ms) => Math.ceil(ms / 1000));
  return [
    `Re-run in ${formatMinutes(askedMs)}, or increase \`timeout-seconds\`.`,
    `The step did not wait, because the service asks for ${asked} s (Retry-After), waits are up to twice as long, and ${left} s of \`timeout-seconds\` were left.`,
  ];
}

/** How many attempts there were, and what identifies the requests: the trace id of a problem, and that of the requests. */
function listTraces({ last, task, result, attempts }: FailedUpload): readonly string[] {
  const count = attempts > 1 ? [`Attempts: ${attempts}`] : [];
  const { traceId } = last.response?.problem ?? {};
  const theirs = traceId === undefined ? [] : [`Trace id of the service: ${traceId}`];
  const shown = cutLines(theirs, MAX_TRACE_CHARACTERS);
  const hasLeft = result === 'unconfirmed' || !BEFORE_REQUEST.includes(last.state);
  // ASP.NET's trace id contains the one that was sent.
  const isSaid = shown.some((line) => line.includes(task.traceId));
  const own = hasLeft && !isSaid ? [`Trace id of the requests: ${task.traceId}`] : [];
  return [...count, ...shown, ...own];
}

function listHeaders({ last: { response } }: FailedUpload): readonly string[] {
  const { problem, headers = {} } = response ?? {};
  // Problem details come from the service itself: its server needs no name.
  const names = problem === undefined ? [...SERVERS, ...IDS] : IDS;
  const known = names.filter((name) => headers[name] !== undefined);
  const ids = known.map((name) => `${name}: ${String(headers[name])}`).join(', ');
  return ids === '' ? [] : cutLines([`Response headers: ${ids}`], MAX_TRACE_CHARACTERS);
}
