import {
  CancelledError,
  NotStartedError,
  StepError,
  TimeLimitError,
  errorMessage,
} from '../errors.ts';
import type { UploadResult } from '../service/verdict.ts';
import type { Clean } from '../text.ts';
import { MAX_HEADLINE_CHARACTERS, cutAtWord, cutLines, cutText, dropCutWord } from './clean.ts';
import type { Failure } from './result.ts';

/** How many problems are listed; a key that was pasted into `headers` has a problem in every line. */
const MAX_PROBLEMS = 30;
const MAX_PROBLEM_CHARACTERS = 2000;

/** Explains why a step failed, or why a scan failed before its first attempt. */
export function explainError(error: unknown, clean: Clean): Failure {
  if (error instanceof StepError) {
    const [headline = error.message, ...others] = error.problems
      .slice(0, 1 + MAX_PROBLEMS)
      .map(clean);
    const details = cutLines(others, MAX_PROBLEM_CHARACTERS).map(dropCutWord);
    const more = Math.max(error.problems.length - 1, 0) - details.length;
    return {
      title: TITLES[error.kind],
      reason: error.kind === 'runtime' ? 'internal' : error.kind,
      headline: cutAtWord(headline, MAX_HEADLINE_CHARACTERS),
      details: more === 0 ? details : [...details, `And ${more} more problems.`],
      advice: error.advice,
      traces: [],
    };
  }
  const failure: Failure = {
    title: 'Scan upload not sent',
    reason: 'internal',
    headline: cutText(clean(errorMessage(error)), MAX_HEADLINE_CHARACTERS),
    details: [],
    advice: [],
    traces: [],
  };
  if (error instanceof CancelledError) return cancel(failure, 'not-sent');
  if (error instanceof TimeLimitError) return { ...failure, reason: 'time-limit' };
  if (error instanceof NotStartedError) {
    return { ...failure, reason: error.reason, isFollowing: true };
  }
  return {
    ...failure,
    title: 'Scan upload failed unexpectedly',
    details: describeStack(error).map(clean),
  };
}

const TITLES: Readonly<Record<StepError['kind'], string>> = {
  inputs: 'Scan upload not sent: inputs',
  files: 'Scan upload not sent: files',
  contents: 'Scan upload not sent: file contents',
  runtime: 'Scan upload not sent: runner',
};

/** The failure of an upload that ended because the step was cancelled. */
export function cancel(failure: Failure, result: UploadResult): Failure {
  const outcome =
    result === 'unconfirmed' ? 'the upload is unconfirmed' : 'the scan was not uploaded';
  return {
    ...failure,
    title: 'Scan upload cancelled',
    reason: 'cancelled',
    headline: `Cancelled: ${outcome}.`,
    details: [failure.headline, ...failure.details],
  };
}

/** The stack of an unexpected error, for bug reports. */
function describeStack(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  return error.stack
    .split('\n')
    .slice(1, 5)
    .map((line) => line.trim());
}
