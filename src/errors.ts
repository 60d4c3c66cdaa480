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

type Sentences = string | readonly string[];

/** Ends a step, or a scan before its first attempt. */
export class StepError extends Error {
  readonly situation: StepSituation;
  /** Complete sentences, the most important first. */
  readonly faults: readonly string[];
  /** What to do, unless the faults say it. */
  readonly fixes: readonly string[];

  constructor(situation: StepSituation, faults: Sentences, fixes: Sentences) {
    super([faults].flat().join(' '));
    this.situation = situation;
    this.faults = [faults].flat();
    this.fixes = [fixes].flat();
  }
}

/** Invalid inputs; `faults` has one entry for each of them, `fixes` what to do about those that are empty. */
export class InputError extends StepError {
  constructor(faults: Sentences, fixes: Sentences = []) {
    super('inputs', faults, fixes);
  }
}

/** The time limit of the step ended it. */
export class TimeLimitError extends StepError {
  constructor(seconds: number) {
    const text = `The time limit of ${seconds} s (\`timeout-seconds\`) ended the step.`;
    super('time-limit', text, 'Increase `timeout-seconds`.');
  }
}

/** The runner, or a person at a terminal, asked the step to stop. */
export class CancelledError extends StepError {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super('cancelled', `The step was cancelled or the job timed out (${signal}).`, CANCELLED_FIX);
    this.signal = signal;
  }
}

/** The system's code of an error (`ENOENT`, `ECONNRESET`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The message of anything that was thrown. */
export function errorMessage(thrown: unknown): string {
  return toError(thrown).message;
}

/** The system's code of an error, or else its message: why something could not be done. */
export function errorReason(error: unknown): string {
  return errorCode(error) ?? errorMessage(error);
}

/** Anything that was thrown, as an Error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Anything that was thrown, as a StepError; an unexpected error has the first lines of its stack, for bug reports. */
export function toStepError(thrown: unknown): StepError {
  if (thrown instanceof StepError) return thrown;
  const { message, stack = '' } = toError(thrown);
  const lines = stack.split('\n').map((line) => line.trim());
  const calls = lines.filter((line) => line.startsWith('at ')).slice(0, 4);
  return new StepError('unexpected', [message, ...calls], REPORT_FIX);
}
