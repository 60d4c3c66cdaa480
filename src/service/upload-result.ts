import type { Situation, UploadResult } from '../situations.ts';
import type { Attempt } from './attempt.ts';
import type { StopReason } from './retry.ts';
import type { UploadSettings } from './settings.ts';

/** Why there was no further attempt. */
export interface Stop {
  readonly reason: StopReason;
  /** Until the time limit of the step when the last attempt had ended, in milliseconds. */
  readonly remainingMs: number;
  /** Whether the step was cancelled by then. */
  readonly isCancelled: boolean;
}

/** How an upload ended. */
export interface Upload {
  /** Over all attempts: accepted if the last was, else unconfirmed if any was, else the last one's. */
  readonly result: UploadResult;
  /** What became of the last attempt; undefined if it was accepted. */
  readonly situation: Situation | undefined;
  readonly last: Attempt;
  /** How many attempts were made. */
  readonly attempts: number;
  /** Whether an earlier attempt than the last was unconfirmed. */
  readonly wasUnconfirmed: boolean;
  readonly stop: Stop;
  /** SHA-256 of each file, in order, if the whole body was sent in some attempt. */
  readonly digests: readonly string[] | undefined;
  readonly settings: UploadSettings;
}

/** Over all attempts: accepted if the last was, else unconfirmed if any was, else the last one's. */
export function decideResult(last: UploadResult, wasUnconfirmed: boolean): UploadResult {
  return last !== 'accepted' && wasUnconfirmed ? 'unconfirmed' : last;
}
