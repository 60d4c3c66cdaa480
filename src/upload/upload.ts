import type { Agent } from 'node:http';
import { StepError, toStepError } from '../errors.ts';
import { spellUpload } from '../outcomes/failure.ts';
import type { FailedUpload, Failure, Stop } from '../outcomes/failure.ts';
import { judge } from '../outcomes/judge.ts';
import type { UploadResult } from '../outcomes/results.ts';
import { findResult } from '../outcomes/situations.ts';
import type { UploadTask } from '../outcomes/task.ts';
import { showId, showText, toLine } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import { recordNoCredential } from '../service/attempt.ts';
import type { Attempt, State } from '../service/attempt.ts';
import type { Authenticate } from '../service/auth.ts';
import { LIMITS, exchange } from '../service/exchange.ts';
import { makeCommonHeaders } from '../service/request.ts';
import { decideRetry } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import type { Standing } from './standing.ts';

/** What the uploads of a step share. */
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
  readonly onRetry: (headline: SafeText, askedMs: number, waitMs: number) => void;
}

/** What is left of an upload for the report, as safe texts. */
export interface Upload {
  /** Over all attempts: accepted if the last was, else unconfirmed if any was, else the last one's. */
  readonly result: UploadResult;
  /** Undefined if it was accepted. */
  readonly failure?: Failure | undefined;
  readonly attempts: number;
  /** SHA-256 of each file, in order, if the whole body was sent in some attempt. */
  readonly digests: readonly string[] | undefined;
  /** The status of the last response. */
  readonly status: number | undefined;
  /** Its problem, as JSON. */
  readonly problem?: SafeText | undefined;
  /** What a success says, and warns of. */
  readonly says?: readonly SafeText[];
  readonly warnings?: readonly SafeText[];
  /** The origin of the service. */
  readonly service: SafeText;
  readonly traceId: SafeText;
}

const EXPECTATION_FAILED = 417;

/** Uploads, with retries, until there is a result. */
export async function upload(
  task: UploadTask,
  shared: SharedState,
  events: UploadEvents,
): Promise<Upload> {
  let result: UploadResult = 'not-sent';
  let digests: readonly string[] | undefined;
  const sent = { service: showText(task.url.origin), traceId: showId(task.traceId) };
  for (let attempts = 1; ; attempts += 1) {
    events.onAttempt(attempts);
    const last = await attemptUpload(task, shared, events);
    digests = last.digests ?? digests;
    const { status, problem } = last.response ?? {};
    const ended = { ...sent, attempts, digests, status };
    const situation = judge(last, task);
    if (situation === undefined) return { ...ended, ...spellSuccess(last), result: 'accepted' };
    // Once the service may have the scan, only a success says more.
    if (result !== 'unconfirmed') result = findResult(situation, last.isSent);
    const { accepted } = shared.standing;
    const failed = { last, task, accepted, situation, result, attempts };
    const stop = await waitForRetry(failed, shared, events);
    if (stop !== undefined) {
      const failure = spellUpload({ ...failed, stop, askedMs: shared.schedule.askedMs });
      return { ...ended, result, failure, problem: problem?.json };
    }
  }
}

/** What a success says. An error in our words does not change that an upload was accepted. */
function spellSuccess({ response }: Attempt): Pick<Upload, 'says' | 'warnings'> {
  const { says = [], warnings = [] } = response ?? {};
  try {
    return {
      says: says.map((text) => toLine(showText(text))),
      warnings: warnings.map((text) => toLine(showText(text))),
    };
  } catch {
    return {};
  }
}

async function attemptUpload(
  { url, body, traceId, inputs: { headers, stallMs } }: UploadTask,
  { agent, authenticate, schedule: { signal } }: SharedState,
  events: UploadEvents,
): Promise<Attempt> {
  const held = await authenticate().catch(toStepError);
  if (held instanceof StepError) return recordNoCredential(held);
  const extra = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const send = async (expectContinue: boolean): Promise<Attempt> => {
    const all = { ...makeCommonHeaders(traceId), ...extra, ...held };
    const spec = { url, agent, headers: all, body, expectContinue };
    return exchange({ spec, limits: { stallMs, ...LIMITS }, signal, ...events });
  };
  // Each attempt asks, also before a small body: what does not read must not seem to accept it.
  const attempt = await send(true);
  const isRefused = attempt.response?.status === EXPECTATION_FAILED && attempt.sentBytes === 0;
  // RFC 9110, section 10.1.1: a 417 asks for the same request without the expectation. After a part of
  // the body it is a refusal: the service must not get the scan twice in one attempt.
  return isRefused ? send(false) : attempt;
}

/** Waits before the next attempt. Resolves with undefined, or with the reason if there is no next attempt. */
async function waitForRetry(
  failed: Omit<FailedUpload, 'stop' | 'askedMs'>,
  { schedule }: SharedState,
  { onRetry }: UploadEvents,
): Promise<Stop | undefined> {
  const { situation, task, attempts, last } = failed;
  const { retryAfterMs: askedMs = 0 } = last.response ?? {};
  const { stop, waitMs } = decideRetry(situation, last.response, {
    attempts,
    retries: task.inputs.retries,
    remainingMs: schedule.remainingMs,
    chance: Math.random(),
  });
  if (stop !== 'final') schedule.delayAll(askedMs, waitMs);
  // The step may have been cancelled while a refusal was being read.
  const end = stop ?? schedule.end;
  if (end !== undefined) return end;
  const { headline } = spellUpload({ ...failed, stop: 'final', askedMs });
  onRetry(toLine(headline), askedMs, waitMs);
  return schedule.wait(waitMs).then(
    () => undefined,
    // Without an end, all uploads are delayed beyond the time limit.
    () => schedule.end ?? 'time',
  );
}
