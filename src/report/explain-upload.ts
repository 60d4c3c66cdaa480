import { CancelledError, TimeLimitError } from '../errors.ts';
import { StalledError } from '../service/phase-timer.ts';
import type { Phase } from '../service/phase-timer.ts';
import type { ServiceResponse } from '../service/response.ts';
import type { StopReason } from '../service/retry.ts';
import type { UploadReport } from '../service/upload.ts';
import { getResponse } from '../service/verdict.ts';
import type { Cause, UploadResult } from '../service/verdict.ts';
import { explainConnection, explainStall, namePhase } from './explain-connection.ts';
import { explainRedirect, explainRefusal, explainWebPage } from './explain-service.ts';
import { listTraceHeaders, nameStatus } from './response-facts.ts';
import { cancel } from './explain-step.ts';
import { MAX_HEADLINE_CHARACTERS, cutLines, cutText } from './clean.ts';
import { RESULT_WORDS, explain } from './result.ts';
import type { UploadFacts } from './upload-facts.ts';
import type { Explanation, Failure } from './result.ts';
import { countAttempts } from './units.ts';

/** How much of the service's texts is shown, so that our own sentences are never cut. */
const MAX_DETAIL_CHARACTERS = 1500;
const MAX_TRACE_CHARACTERS = 400;

const STOPS: Readonly<Record<StopReason, string | undefined>> = {
  final: undefined,
  retries: '',
  time: ': the next one would begin after the time limit (`timeout-seconds`)',
  aborted: ', while waiting for the next one',
  stopped: ', because no scan gets further attempts',
};

const UNCERTAINTY =
  'Everything was sent, but no complete and readable response of the service arrived: it may have the scan. Running the step again sends it again.';
const EARLIER_UNCERTAINTY = `In an earlier attempt: ${UNCERTAINTY}`;

/**
 * Explains why an upload failed; undefined if it was accepted. `aborted` is the reason of the step's
 * signal, if it fired.
 */
export function explainUpload(
  { result, verdict, attempts, stop }: UploadReport,
  facts: UploadFacts,
  aborted: unknown,
): Failure | undefined {
  if (result === 'accepted') return undefined;
  const cause = explainCause(verdict.cause, facts);
  const status = getResponse(verdict.cause)?.status;
  const why = STOPS[stop];
  const failure = {
    title: `Scan upload ${RESULT_WORDS[result]}${status === undefined ? '' : ` (${status})`}`,
    reason: cause.reason,
    headline: cutText(cause.headline, MAX_HEADLINE_CHARACTERS),
    details: [
      ...cutLines(cause.details, MAX_DETAIL_CHARACTERS),
      ...(why === undefined ? [] : [`Gave up after ${countAttempts(attempts)}${why}.`]),
      ...describeUncertainty(result, verdict.result),
    ],
    advice: cause.advice,
    traces: [
      ...cutLines(cause.traces, MAX_TRACE_CHARACTERS),
      // ASP.NET's trace id contains the one that was sent.
      ...(cause.traces.some((line) => line.includes(facts.traceId))
        ? []
        : [`Trace id of the requests: ${facts.traceId}`]),
    ],
  };
  return aborted instanceof CancelledError ? cancel(failure, result) : failure;
}

/** The result stays unconfirmed if an earlier attempt was, unless a later one is accepted. */
function describeUncertainty(result: UploadResult, last: UploadResult): readonly string[] {
  if (result !== 'unconfirmed') return [];
  return [last === 'unconfirmed' ? UNCERTAINTY : EARLIER_UNCERTAINTY];
}

/** Explains how an attempt ended. */
export function explainCause(cause: Cause, facts: UploadFacts): Explanation {
  const { origin } = facts;
  switch (cause.kind) {
    case 'accepted':
      // Never reached: only failures are explained.
      return explain('internal', 'The service accepted the upload.');
    case 'refused':
      return explainRefusal(cause.response, cause.problem, facts);
    case 'redirect':
      return explainRedirect(cause.response, facts);
    case 'web-page':
      return explainWebPage(cause.response);
    case 'early-success':
      return explain(
        'connection',
        `${origin} responded with ${nameStatus(cause.response.status)} before everything was sent: it cannot have the whole upload.`,
      );
    case 'truncated-response':
      return explainTruncated(cause.response, cause.error, facts);
    case 'unreadable-response':
      return explainUnreadable(cause.response, origin);
    case 'stalled':
      return explainStall(cause.phase, cause.limitMs, facts);
    case 'connection':
      return explainConnection(cause.diagnosis, cause.phase, facts);
    case 'file':
      return explain('files', cause.error.message);
    case 'oidc':
      return explain(
        'credentials',
        cause.error.message,
        cause.error.isPermission ? ['Give the job the permission `id-token: write`.'] : [],
      );
    case 'aborted':
      return explainAborted(cause.reason, cause.phase);
  }
}

function explainTruncated(
  { status }: ServiceResponse,
  error: Error | undefined,
  facts: UploadFacts,
): Explanation {
  if (error instanceof StalledError) return explainStall('body', error.limitMs, facts);
  if (error instanceof TimeLimitError) return explainAborted(error, 'body');
  const why = error === undefined ? '.' : `: ${error.message}`;
  return explain(
    'connection',
    `The response of ${facts.origin} (${nameStatus(status)}) was truncated${why}`,
  );
}

function explainUnreadable({ status, headers }: ServiceResponse, origin: string): Explanation {
  const coding = headers['content-encoding'];
  const response = `${nameStatus(status)}${coding === undefined ? '' : `, ${coding}`}`;
  const headline = `The response of ${origin} (${response}) cannot be read.`;
  const advice =
    'The service, or a gateway in front of it, must respond without compression, or with gzip, deflate or br.';
  return { ...explain('connection', headline, [advice]), traces: listTraceHeaders(headers) };
}

function explainAborted(reason: Error, phase: Phase | undefined): Explanation {
  const where = phase === undefined ? '' : ` This happened ${namePhase(phase)}.`;
  const headline = `${reason.message}${where}`;
  if (reason instanceof CancelledError) return explain('cancelled', headline);
  if (!(reason instanceof TimeLimitError)) return explain('internal', headline);
  return explain('time-limit', headline, ['Increase `timeout-seconds`.']);
}
