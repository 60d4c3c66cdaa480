import { types } from 'node:util';

/** What an error names that ends a step, or a scan before or during an attempt: a row of `outcomes/situations`. */
export type StepSituation =
  | 'inputs'
  | 'files'
  | 'contents'
  | 'runner'
  | 'oidc-permission'
  | 'oidc-failed'
  | 'other-scans'
  | 'time-limit'
  | 'cancelled'
  | 'unexpected';

export const CANCELLED_FIX = 'Run the step again to upload the scan.';
export const REPORT_FIX = 'Report this message to the maintainers of the action.';

type Texts = string | readonly string[];

/**
 * Ends a step, or a scan before its first attempt. `problems` are complete sentences, the most important first;
 * `fixes` is what to do, unless the problems say it.
 */
export class StepError extends Error {
  readonly situation: StepSituation;
  readonly problems: readonly string[];
  readonly fixes: readonly string[];

  constructor(situation: StepSituation, problems: Texts, fixes: Texts) {
    super([problems].flat().join(' '));
    this.name = 'StepError';
    this.situation = situation;
    this.problems = [problems].flat();
    this.fixes = [fixes].flat();
  }
}

/** Invalid inputs; `problems` has one entry for each of them, `fixes` what to do about those that are empty. */
export class InputError extends StepError {
  constructor(problems: string | readonly string[], fixes: readonly string[] = []) {
    super('inputs', problems, fixes);
    this.name = 'InputError';
  }
}

/** The time limit of the step ended it. */
export class TimeLimitError extends StepError {
  constructor(seconds: number) {
    const text = `The time limit of ${seconds} s (\`timeout-seconds\`) ended the step.`;
    super('time-limit', text, 'Increase `timeout-seconds`.');
    this.name = 'TimeLimitError';
  }
}

/** The runner, or a person at a terminal, asked the step to stop. */
export class CancelledError extends StepError {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super('cancelled', `The step was cancelled or the job timed out (${signal}).`, CANCELLED_FIX);
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

/** Anything that was thrown, as a StepError; an error of our own has the first lines of its stack, for bug reports. */
export function toStepError(thrown: unknown): StepError {
  if (thrown instanceof StepError) return thrown;
  const { stack = '' } = toError(thrown);
  const places = stack.split('\n').filter((line) => /^\s*at /.test(line));
  const lines = places.slice(0, 4).map((line) => line.trim());
  return new StepError('unexpected', [errorMessage(thrown), ...lines], REPORT_FIX);
}

/** Anything that was thrown, as an Error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
