import { types } from 'node:util';
import type { StepSituation } from './situations.ts';

/** Situations whose fix depends on the case: each error brings its own. The table of fixes has the others'. */
export type OwnFix = 'contents' | 'runner' | 'wait-too-long';
/** Situations without a fix: the problem itself says what to do. */
export type NoFix = 'inputs' | 'other-scans';
type Texts = string | readonly string[];

/**
 * Ends a step, or a scan before its first attempt. `problems` are complete sentences, the most important
 * first, in which secrets are not removed yet; `fixes` is what to do.
 */
export class StepError extends Error {
  readonly situation: StepSituation;
  readonly problems: readonly string[];
  readonly fixes: readonly string[];

  constructor(situation: StepSituation, problems: Texts, fixes: Texts);
  constructor(situation: Exclude<StepSituation, OwnFix>, problems: Texts);
  constructor(situation: StepSituation, problems: Texts, fixes: Texts = []) {
    const list = typeof problems === 'string' ? [problems] : problems;
    super(list.join(' '));
    this.name = 'StepError';
    this.situation = situation;
    this.problems = list;
    this.fixes = typeof fixes === 'string' ? [fixes] : fixes;
  }
}

/** Invalid inputs; `problems` has one entry for each of them. */
export class InputError extends StepError {
  constructor(problems: string | readonly string[], fixes: readonly string[] = []) {
    super('inputs', problems, fixes);
    this.name = 'InputError';
  }
}

/** The time limit of the step ended it. */
export class TimeLimitError extends StepError {
  constructor(seconds: number) {
    super('time-limit', `The time limit of ${seconds} s (\`timeout-seconds\`) ended the step.`);
    this.name = 'TimeLimitError';
  }
}

/** The runner, or a person at a terminal, asked the step to stop. */
export class CancelledError extends StepError {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super('cancelled', `The step was cancelled or the job timed out (${signal}).`);
    this.name = 'CancelledError';
    this.signal = signal;
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

/** What to do about a file that the system does not let the action open or read. */
export const READ_FIX =
  "Give the runner's user permission to read it (`EPERM`, `EACCES`), or upload it after the program that locks it has ended (`EBUSY`).";

/** Turns a system error while reading a file into a StepError; returns any other error unchanged. */
export function explainReadError(error: unknown, displayPath: string): unknown {
  const code = errorCode(error);
  return code === undefined
    ? error
    : new StepError('files', `'${displayPath}' cannot be read (${code}).`, READ_FIX);
}
