import type { Link } from './link.ts';
import { describeFailedAttempt } from './verdict.ts';
import type { UploadResult, Verdict } from './verdict.ts';
import type { Pace } from './pace.ts';
import { decideRetry } from './retry.ts';
import type { StopReason } from './retry.ts';
import { Sender } from './sender.ts';
import type { SendTask, SendTools } from './sender.ts';

/** An upload: what goes where, and how patiently. */
export interface UploadTask extends SendTask {
  /** Further attempts after the first. */
  readonly retries: number;
  /** When the step's time limit ends it, in milliseconds on the clock of `Date.now()`. */
  readonly deadline: number;
}

/** What the client needs from outside, and whom it tells what happens. */
export interface UploadTools extends SendTools {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onAttempt: (attempt: number) => void;
  /** Called after an attempt that is to be repeated, before the wait for the next, in milliseconds. */
  readonly onRetry: (verdict: Verdict, waitMs: number) => void;
}

/** What an upload has in common with the others of its step. */
interface UploadShared {
  readonly link: Link;
  readonly pace: Pace;
}

/** What became of an upload. */
export interface UploadReport {
  /** Over all attempts: accepted if the last was, else unconfirmed if any was, else the last one's. */
  readonly result: UploadResult;
  readonly attempts: number;
  /** The last attempt's. */
  readonly verdict: Verdict;
  /** Why there was no further attempt. */
  readonly stop: StopReason;
  /** SHA-256 of each file, in order, if the whole body had left in some attempt. */
  readonly digests: readonly string[] | undefined;
}

/** Uploads, repeating what may be repeated, until there is a result. */
export async function upload(
  task: UploadTask,
  shared: UploadShared,
  tools: UploadTools,
  signal: AbortSignal,
): Promise<UploadReport> {
  const sender = new Sender(task, shared.link, tools, signal);
  let isUnconfirmed = false;
  for (let attempts = 1; ; attempts += 1) {
    tools.onAttempt(attempts);
    const verdict = await sender.send();
    isUnconfirmed ||= verdict.result === 'unconfirmed';
    const stop = await waitForRetry({ attempts, verdict, task, pace: shared.pace, tools }, signal);
    if (stop !== undefined) {
      const isFinal = verdict.result === 'accepted' || !isUnconfirmed;
      const result = isFinal ? verdict.result : 'unconfirmed';
      return { result, attempts, verdict, stop, digests: sender.digests };
    }
  }
}

/** An attempt that has ended, and what the next one depends on. */
interface EndedAttempt {
  readonly attempts: number;
  readonly verdict: Verdict;
  readonly task: UploadTask;
  readonly pace: Pace;
  readonly tools: UploadTools;
}

/** Waits before the next attempt; resolves at once with the reason if there is to be none. */
async function waitForRetry(
  { attempts, verdict, task, pace, tools }: EndedAttempt,
  signal: AbortSignal,
): Promise<StopReason | undefined> {
  const nowMs = Date.now();
  const failed = describeFailedAttempt(verdict, nowMs);
  const { random } = tools;
  const remainingMs = task.deadline - nowMs;
  const state = { retry: attempts, maxRetries: task.retries, remainingMs, random };
  const decision = decideRetry(signal.aborted ? { ...failed, retry: 'never' } : failed, state);
  pace.hold(failed, decision, random);
  if (decision.kind === 'stop') return decision.reason;
  if (pace.isHalted) return 'halted';
  tools.onRetry(verdict, decision.waitMs);
  try {
    await pace.wait(decision.waitMs, signal);
    return undefined;
  } catch {
    if (signal.aborted) return 'aborted';
    return pace.isHalted ? 'halted' : 'time';
  }
}
