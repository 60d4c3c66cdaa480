import type { Agent } from 'node:http';
import { CancelledError, toError } from '../errors.ts';
import type { UploadFacts } from '../outcomes/advice.ts';
import { conclude } from '../outcomes/situations.ts';
import type { Situation, UploadResult } from '../outcomes/situations.ts';
import { recordNoCredential } from '../service/attempt.ts';
import type { Attempt, State } from '../service/attempt.ts';
import type { Authenticate } from '../service/auth.ts';
import type { Body } from '../service/body.ts';
import { LIMITS, exchange } from '../service/exchange.ts';
import { findSituation } from '../outcomes/judge.ts';
import { makeCommonHeaders } from '../service/request.ts';
import { decideRetry } from './retry.ts';
import type { RetryState, StopReason } from './retry.ts';
import type { Schedule } from './schedule.ts';
import type { Header } from '../service/settings.ts';

/** An upload: URL, body and headers, and the limits of its attempts. */
export interface UploadTask {
  readonly url: URL;
  readonly body: Body;
  readonly headers: readonly Header[];
  /** How long an attempt may make no progress, in milliseconds. */
  readonly stallMs: number;
  readonly settings: UploadFacts;
}

/** What the uploads of a step share. */
export interface SharedState {
  readonly agent: Agent;
  readonly schedule: Schedule;
  readonly authenticate: Authenticate;
  /** Fires at the time limit of the step, or if it is cancelled. */
  readonly signal: AbortSignal;
}

/** What happens during an upload, for the log. */
export interface UploadEvents {
  readonly onAttempt: (attempt: number) => void;
  /** Called with the bytes of the body that the connection has taken so far. */
  readonly onSent: (bytes: number) => void;
  /** Called with each state of an attempt after `credential`, also again; with `ended` once. */
  readonly onState: (state: State) => void;
  /** Called after an attempt that is to be repeated, before the wait. */
  readonly onRetry: (retry: Retry) => void;
}

/** An attempt that is to be repeated. */
export interface Retry {
  readonly attempt: Attempt;
  readonly situation: Situation;
  /** How many attempts there will be at most, if all of them end like this one. */
  readonly maxAttempts: number;
  readonly waitMs: number;
  /** Until the time limit of the step, in milliseconds. */
  readonly remainingMs: number;
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
  /** Why there was no further attempt, and how long the step's time limit still was, in milliseconds. */
  readonly stop: { readonly reason: StopReason; readonly remainingMs: number };
  /** SHA-256 of each file, in order, if the whole body was sent in some attempt. */
  readonly digests: readonly string[] | undefined;
  readonly settings: UploadFacts;
}

const EXPECTATION_FAILED = 417;

/** Uploads, with retries, until there is a result. */
export async function upload(
  task: UploadTask,
  shared: SharedState,
  events: UploadEvents,
): Promise<Upload> {
  const { settings } = task;
  let wasUnconfirmed = false;
  let digests: readonly string[] | undefined;
  for (let attempts = 1; ; attempts += 1) {
    events.onAttempt(attempts);
    const last = await attemptUpload(task, shared, events);
    events.onState('ended');
    const { remainingMs } = shared.schedule;
    digests = last.digests ?? digests;
    const situation = findSituation(last, settings);
    const own = situation === undefined ? 'accepted' : conclude(situation, last).result;
    const result: UploadResult = own !== 'accepted' && wasUnconfirmed ? 'unconfirmed' : own;
    wasUnconfirmed = result === 'unconfirmed';
    const limits = { attempts, retries: settings.retries, remainingMs, random: Math.random };
    const reason = situation && (await waitForRetry(last, situation, limits, shared, events));
    if (situation === undefined || reason !== undefined) {
      const stop = { reason: reason ?? 'final', remainingMs };
      return { result, situation, last, attempts, stop, digests, settings };
    }
  }
}

async function attemptUpload(
  { url, body, headers, stallMs, settings }: UploadTask,
  { agent, authenticate, signal }: SharedState,
  events: UploadEvents,
): Promise<Attempt> {
  const held = await authenticate().catch(toError);
  if (held instanceof Error) return recordNoCredential(held);
  const extra = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const send = async (expectContinue: boolean): Promise<Attempt> => {
    const all = { ...makeCommonHeaders(settings.traceId), ...extra, ...held };
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
  attempt: Attempt,
  situation: Situation,
  limits: RetryState,
  { schedule, signal }: SharedState,
  { onRetry }: UploadEvents,
): Promise<StopReason | undefined> {
  const decision = decideRetry(situation, attempt.response, limits);
  schedule.delayAll(attempt.response, decision);
  const findEnd = (): StopReason | undefined => {
    if (signal.aborted) return signal.reason instanceof CancelledError ? 'cancelled' : 'time';
    return schedule.isStopped ? 'stopped' : undefined;
  };
  // It may have been cancelled while a refusal was being read.
  const stop = decision.stop ?? findEnd();
  if (stop !== undefined) return stop;
  const { waitMs, maxRetries } = decision;
  const { remainingMs } = limits;
  onRetry({ attempt, situation, maxAttempts: maxRetries + 1, waitMs, remainingMs });
  try {
    await schedule.wait(waitMs, signal);
    return undefined;
  } catch {
    return findEnd() ?? 'time';
  }
}
