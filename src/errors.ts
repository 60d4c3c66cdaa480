import { types } from 'node:util';

/** What is wrong where something cannot be sent; decides the annotation's title. */
type FailureKind = 'inputs' | 'files' | 'contents' | 'runtime';

/**
 * A failure the author of the workflow can act on: `problems` are complete sentences, most important
 * first, without secrets and without formatting.
 */
export class StepError extends Error {
  readonly kind: FailureKind;
  readonly problems: readonly string[];

  constructor(kind: FailureKind, problems: readonly string[]) {
    super(problems.join(' '));
    this.name = 'StepError';
    this.kind = kind;
    this.problems = problems;
  }
}

/** Inputs that cannot be used; `problems` has one entry for each of them. */
export class InputError extends StepError {
  constructor(...problems: readonly string[]) {
    super('inputs', problems);
    this.name = 'InputError';
  }
}

/** Scan files that are missing, unreadable, out of bounds or not what their input calls for. */
export class FileError extends StepError {
  constructor(...problems: readonly string[]) {
    super('files', problems);
    this.name = 'FileError';
  }
}

/** Scan files with plainly wrong contents. */
export class ContentError extends StepError {
  constructor(...problems: readonly string[]) {
    super('contents', problems);
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

/** Something else kept an upload from starting. */
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

/** The system's error while a file was read, as a FileError; any other error as it is. */
export function explainReadError(error: unknown, displayPath: string): unknown {
  const code = errorCode(error);
  return code === undefined ? error : new FileError(`'${displayPath}' cannot be read (${code}).`);
}
