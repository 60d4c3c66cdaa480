import type { Content, Facts } from '../scan/content/content.ts';
import type { OperationName, PartName } from '../service/operations.ts';
import type { UploadResult } from '../service/outcome.ts';
import type { ProblemDetails } from '../service/problem.ts';

/** What became of the step; the last two only where an input asked for it. */
export type StepOutcome = UploadResult | 'dry-run' | 'skipped';

/** A file of the upload and what is known of its content, as the `manifest` output shows it. */
export interface ManifestEntry extends Facts, Pick<Content, 'format' | 'inspected'> {
  readonly part: PartName;
  /** Relative to the workspace where it lies there. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal; absent while the file has not been read whole. */
  readonly sha256?: string;
}

/** Why a step failed, in sentences. */
export interface Failure {
  /** The annotation's title. */
  readonly title: string;
  /** What happened; the service's own `detail` where there is one. */
  readonly headline: string;
  /** What else is known, a line each. */
  readonly details: readonly string[];
  /** What to do about it, a line each. */
  readonly advice: readonly string[];
}

/** All that is reported of a step. */
export interface StepResult {
  readonly result: StepOutcome;
  readonly operation: OperationName | undefined;
  /** Of the last answer, if one came. */
  readonly statusCode: number | undefined;
  readonly attempts: number;
  /** Origin of the service, once it is known. */
  readonly origin: string | undefined;
  /** From the step's start to its result, in milliseconds. */
  readonly durationMs: number;
  readonly manifest: readonly ManifestEntry[];
  readonly problem: ProblemDetails | undefined;
  readonly failure: Failure | undefined;
}

/** Whether a step with this result succeeds. */
export function isSuccessful(result: StepOutcome): boolean {
  switch (result) {
    case 'accepted':
    case 'dry-run':
    case 'skipped':
      return true;
    case 'rejected':
    case 'not-sent':
    case 'unconfirmed':
      return false;
  }
}
