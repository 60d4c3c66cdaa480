import type { Agent } from 'node:http';
import { StepError, toStepError } from '../errors.ts';
import { readEvidence } from '../outcomes/evidence.ts';
import { spellError, spellUpload } from '../outcomes/failure.ts';
import type { FailedUpload, Failure } from '../outcomes/failure.ts';
import { judge } from '../outcomes/judge.ts';
import type { UploadResult } from '../outcomes/results.ts';
import type { ScanResult } from '../outcomes/scan-result.ts';
import { findResult, findRow } from '../outcomes/situations.ts';
import type { Situation } from '../outcomes/situations.ts';
import type { UploadTask } from '../outcomes/task.ts';
import { isExpectationRefused, recordNoCredential } from '../service/attempt.ts';
import type { Attempt, State } from '../service/attempt.ts';
import type { Authenticate } from '../service/auth.ts';
import { LIMITS, exchange } from '../service/exchange.ts';
import { makeCommonHeaders } from '../service/request.ts';
import { chooseWait, limitRetries } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import type { Standing } from './standing.ts';

/** What the uploads of a step have in common. */
export interface SharedState {
  readonly agent: Agent;
  readonly schedule: Schedule;
  readonly authenticate: Authenticate;
  readonly standing: Standing;
}

/** What happens during an upload, for the log. */
export interface UploadEvents {
  readonly onAttempt: (attempt: number) => void;
  /** Called with the bytes of the body that the connection has taken so far. */
  readonly onSent: (bytes: number) => void;
  /** Called with each state of an attempt after `credential`, also again. */
  readonly onState: (state: State) => void;
  /**
   * Called after an attempt that is to be repeated, before the wait: with what happened, how long the service asked to
   * wait (0 if it did not), and the wait, in milliseconds.
   */
  readonly onRetry: (headline: string, askedMs: number, waitMs: number) => void;
}

/** What became of an upload. */
type UploadEnd = Omit<ScanResult, 'entry' | 'plan'>;

/** Makes attempts to upload a scan, and waits between them, until there is a result. */
export async function uploadScan(
  task: UploadTask,
  shared: SharedState,
  events: UploadEvents,
): Promise<UploadEnd> {
  const { standing } = shared;
  const sent = { service: task.url.origin, requestTraceId: task.requestTraceId };
  let digests: readonly string[] | undefined;
  let result: UploadResult = 'not-sent';
  for (let attempts = 1; ; attempts += 1) {
    events.onAttempt(attempts);
    const last = await attempt(task, shared, events);
    const { status, problem, object, says, warnings } = last.response ?? {};
    digests = last.digests ?? digests;
    const ended = { ...sent, attempts, digests, status };
    const evidence = readEvidence(last, task, standing.accepted);
    const judged = judge(evidence);
    if (judged === undefined) {
      standing.accept(task.label);
      return { ...ended, response: object, says, warnings, result: 'accepted' };
    }
    const { situation } = judged;
    // Once the service may have the scan, only a success can change that.
    if (result !== 'unconfirmed') result = findResult(situation, last.isSent);
    const failure = await waitForRetry(
      { ...evidence, ...judged, result, attempts },
      shared,
      events,
    );
    if (failure === undefined) continue;
    stopOthers(situation, task.label, shared);
    return { ...ended, result, failure, problem: problem?.json };
  }
}

/** Starts no other scan after a failure that all of them would have. */
function stopOthers(
  situation: Situation,
  label: string,
  { standing, schedule }: SharedState,
): void {
  const { stopsOthers: why } = findRow(situation);
  if (why === undefined || !standing.reject()) return;
  schedule.stop(new StepError('other-scans', `Not tried, because ${why} of ${label}.`, []));
}

/** Makes one attempt: gets the credential, and sends the request. */
async function attempt(
  { url, body, requestTraceId, inputs: { headers, stallMs } }: UploadTask,
  { agent, authenticate, schedule: { signal } }: SharedState,
  events: UploadEvents,
): Promise<Attempt> {
  const held = await authenticate().catch(toStepError);
  if (held instanceof StepError) return recordNoCredential(held);
  const extra = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const send = async (expectContinue: boolean): Promise<Attempt> => {
    const all = { ...makeCommonHeaders(requestTraceId), ...extra, ...held };
    const spec = { url, agent, headers: all, body, expectContinue };
    return exchange({ spec, limits: { stallMs, ...LIMITS }, signal, ...events });
  };
  // Each attempt asks first, even with a small body, because a server that does not read it must not seem to accept it.
  const asked = await send(true);
  return isExpectationRefused(asked) ? send(false) : asked;
}

/** Waits before the next attempt. Resolves with undefined, or with the failure of the upload if there is none. */
async function waitForRetry(
  failed: Omit<FailedUpload, 'whyLast' | 'askedMs'>,
  { schedule }: SharedState,
  { onRetry }: UploadEvents,
): Promise<Failure | undefined> {
  const { situation, task, attempts, last } = failed;
  const { retryAfterMs: askedMs = 0 } = last.response ?? {};
  const waitMs = chooseWait(last.response, attempts, Math.random());
  try {
    let whyLast = limitRetries(situation, attempts, task.inputs.retries);
    if (whyLast !== 'final') schedule.delayAll(askedMs, waitMs);
    // The step may have been cancelled while a refusal was being read.
    whyLast ??= schedule.findWhyLast(waitMs);
    if (whyLast === undefined) {
      // What happened does not depend on why an attempt is the last one.
      const { headline } = spellUpload({ ...failed, whyLast: 'final', askedMs });
      onRetry(headline, askedMs, waitMs);
      whyLast = await schedule.wait(waitMs);
    }
    return whyLast && spellUpload({ ...failed, whyLast, askedMs: schedule.askedMs });
  } catch (error) {
    // After an error that nobody expected, the result of the attempts still counts.
    return spellError(error);
  }
}
