import {
  CancelledError,
  NotStartedError,
  StepError,
  TimeLimitError,
  errorMessage,
} from '../errors.ts';
import type { UploadReport } from '../service/upload.ts';
import { getResponse } from '../service/verdict.ts';
import type { UploadResult } from '../service/verdict.ts';
import type { StopReason } from '../service/retry.ts';
import { explainCause } from './causes.ts';
import type { Redact, UploadFacts } from './explanation.ts';
import { RESULT_WORDS } from './result.ts';
import type { Failure } from './result.ts';
import { countAttempts } from './units.ts';

const STOPS: Readonly<Record<StopReason, string | undefined>> = {
  final: undefined,
  retries: '',
  time: ': the next one would begin after the time limit (timeout-seconds)',
  aborted: ', while waiting for the next one',
  stopped: ', since no scan gets a further attempt',
};

/** How many problems are listed; a key that is pasted into headers has one in every line. */
const MAX_PROBLEMS = 30;

const UNCERTAINTY =
  'Everything was sent, but no complete response arrived: the service may have the scan. Running the step again sends it again.';
const EARLIER_UNCERTAINTY = `In an earlier attempt: ${UNCERTAINTY}`;

/**
 * Puts into sentences why an upload failed; undefined for one that was accepted. `aborted` is why
 * the step's signal fired, if it did.
 */
export function explainUpload(
  { result, verdict, attempts, stop }: UploadReport,
  facts: UploadFacts,
  aborted: unknown,
  redact: Redact,
): Failure | undefined {
  if (result === 'accepted') return undefined;
  const { headline, details, advice } = explainCause(verdict.cause, facts, redact);
  const status = getResponse(verdict.cause)?.status;
  const reason = STOPS[stop];
  const failure = {
    title: `Scan upload ${RESULT_WORDS[result]}${status === undefined ? '' : ` (${status})`}`,
    headline,
    details: [
      ...details,
      ...(reason === undefined ? [] : [`Gave up after ${countAttempts(attempts)}${reason}.`]),
      ...describeUncertainty(result, verdict.result),
      `Trace id of the requests: ${facts.traceId}`,
    ],
    advice,
  };
  return aborted instanceof CancelledError ? cancel(failure, result) : failure;
}

/** An unconfirmed attempt stays one, whatever a later attempt is told. */
function describeUncertainty(result: UploadResult, last: UploadResult): readonly string[] {
  if (result !== 'unconfirmed') return [];
  return [last === 'unconfirmed' ? UNCERTAINTY : EARLIER_UNCERTAINTY];
}

/** Puts into sentences why a step failed, or one of its scans without an attempt. */
export function explainError(error: unknown): Failure {
  if (error instanceof StepError) {
    const [headline = error.message, ...others] = error.problems;
    const details = others.slice(0, MAX_PROBLEMS);
    const more = others.length - details.length;
    return {
      title: TITLES[error.kind],
      headline,
      details: more === 0 ? details : [...details, `And ${more} more problems.`],
      advice: ADVICE[error.kind],
    };
  }
  const failure: Failure = {
    title: 'Scan upload not sent',
    headline: errorMessage(error),
    details: [],
    advice: [],
  };
  if (error instanceof CancelledError) return cancel(failure, 'not-sent');
  if (error instanceof TimeLimitError) return failure;
  if (error instanceof NotStartedError) return { ...failure, isFollowing: true };
  return { ...failure, title: 'Scan upload failed unexpectedly', details: describeStack(error) };
}

const TITLES: Readonly<Record<StepError['kind'], string>> = {
  inputs: 'Scan upload not sent: inputs',
  files: 'Scan upload not sent: files',
  contents: 'Scan upload not sent: file contents',
  runtime: 'Scan upload not sent: runner',
};

/** Where the problem itself does not say it. */
const ADVICE: Readonly<Record<StepError['kind'], readonly string[]>> = {
  inputs: [],
  files: [],
  contents: [
    'Mend the step that writes the file, or the inputs that name it; with content-check: warn the file is sent all the same.',
    'A changed workflow needs a new run: a re-run keeps the old one.',
  ],
  runtime: [],
};

function cancel(failure: Failure, result: UploadResult): Failure {
  const outcome = result === 'unconfirmed' ? 'unconfirmed' : 'not uploaded';
  return {
    ...failure,
    title: 'Scan upload cancelled',
    headline: `cancelled; ${outcome}`,
    details: [failure.headline, ...failure.details],
  };
}

/** Where in the action it happened: the one thing a bug report needs. */
function describeStack(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  return error.stack
    .split('\n')
    .slice(1, 5)
    .map((line) => line.trim());
}
