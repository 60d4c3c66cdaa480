import {
  CancelledError,
  NotStartedError,
  StepError,
  TimeLimitError,
  errorMessage,
} from '../errors.ts';
import type { UploadResult } from '../service/verdict.ts';
import type { Clean } from '../text.ts';
import type { Failure } from './result.ts';

/** How many problems are listed; a key that is pasted into headers has one in every line. */
const MAX_PROBLEMS = 30;

/** Puts into sentences why a step failed, or one of its scans without an attempt. */
export function explainError(error: unknown, clean: Clean): Failure {
  if (error instanceof StepError) {
    const [headline = error.message, ...others] = error.problems.map(clean);
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
    headline: clean(errorMessage(error)),
    details: [],
    advice: [],
  };
  if (error instanceof CancelledError) return cancel(failure, 'not-sent');
  if (error instanceof TimeLimitError) return failure;
  if (error instanceof NotStartedError) return { ...failure, isFollowing: true };
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

/** A failure that a cancellation led to. */
export function cancel(failure: Failure, result: UploadResult): Failure {
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
