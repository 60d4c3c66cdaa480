import { types } from 'node:util';

/** Why something cannot be sent; decides the annotation's title. */
type FailureKind = 'inputs' | 'files' | 'contents' | 'runtime';

/**
 * A failure that the author of the workflow can fix. `problems` are complete sentences, the most
 * important first, without secrets and without formatting; `advice` is what to do if they do not say it.
 */
export class StepError extends Error {
  readonly kind: FailureKind;
  readonly problems: readonly string[];
  readonly advice: readonly string[];

  constructor(
    kind: FailureKind,
    problems: string | readonly string[],
    advice: readonly string[] = [],
  ) {
    const list = typeof problems === 'string' ? [problems] : problems;
    super(list.join(' '));
    this.name = 'StepError';
    this.kind = kind;
    this.problems = list;
    this.advice = advice;
  }
}

/** Invalid inputs; `problems` has one entry for each of them. */
export class InputError extends StepError {
  constructor(problems: string | readonly string[]) {
    super('inputs', problems);
    this.name = 'InputError';
  }
}

/** Scan files that are missing, unreadable, outside the allowed directories or too many for their input. */
export class FileError extends StepError {
  constructor(problems: string | readonly string[]) {
    super('files', problems);
    this.name = 'FileError';
  }
}

/** Scan files with wrong contents. */
export class ContentError extends StepError {
  constructor(problems: string | readonly string[], advice: readonly string[] = []) {
    super('contents', problems, advice);
    this.name = 'ContentError';
  }
}

/** The time limit of the step ended it. */
export class TimeLimitError extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super(`The time limit of ${seconds} s (\`timeout-seconds\`) ended the step.`);
    this.name = 'TimeLimitError';
    this.seconds = seconds;
  }
}

/** The runner, or a person at a terminal, asked the step to stop. */
export class CancelledError extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`The step was cancelled or the job timed out (${signal}).`);
    this.name = 'CancelledError';
    this.signal = signal;
  }
}

/** An upload was not started because of another scan, or because it would start too late. */
export class NotStartedError extends Error {
  readonly reason: 'other-scans' | 'time-limit';

  constructor(message: string, reason: NotStartedError['reason'] = 'other-scans') {
    super(message);
    this.name = 'NotStartedError';
    this.reason = reason;
  }
}

/** The system's code of an error (`ENOENT`, `ECONNRESET`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!types.isNativeError(error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Anything that was thrown, as an Error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Turns a system error while reading a file into a FileError; returns any other error unchanged. */
export function explainReadError(error: unknown, displayPath: string): unknown {
  const code = errorCode(error);
  return code === undefined ? error : new FileError(`'${displayPath}' cannot be read (${code}).`);
}
