import type { Agent } from 'node:http';
import { CancelledError, toError } from '../errors.ts';
import type { Situation } from '../situations.ts';
import { recordNoCredential } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { makeCredentialHeaders } from './auth.ts';
import type { FetchIdToken } from './auth.ts';
import type { Body } from './body.ts';
import { exchange } from './exchange.ts';
import { findSituation, followAttempt } from './judge.ts';
import { decideResult } from './upload-result.ts';
import type { Stop, Upload } from './upload-result.ts';
import { makeCommonHeaders } from './request.ts';
import type { RequestHeaders } from './request.ts';
import { decideRetry, limitRetries } from './retry.ts';
import type { StopReason } from './retry.ts';
import type { Schedule } from './schedule.ts';
import type { Credential, Header, UploadSettings } from './settings.ts';

/** An upload: URL, body and headers, and the limits of its attempts. */
export interface UploadTask {
  readonly url: URL;
  readonly body: Body;
  readonly credential: Credential;
  readonly headers: readonly Header[];
  /** How long an attempt may make no progress, in milliseconds. */
  readonly stallMs: number;
  readonly settings: UploadSettings;
}

/** What the uploads of a step share. */
export interface SharedState {
  readonly agent: Agent;
  readonly schedule: Schedule;
}

/** An attempt that failed, and what follows. */
export interface FailedAttempt {
  readonly attempt: Attempt;
  readonly situation: Situation;
  /** How many attempts there will be at most, if all of them end like this one. */
  readonly maxAttempts: number;
  readonly waitMs: number;
  /** Until the time limit of the step, in milliseconds. */
  readonly remainingMs: number;
}

/** What an upload needs from outside, and its callbacks. */
export interface UploadTools {
  readonly fetchIdToken: FetchIdToken;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onAttempt: (attempt: number) => void;
  /** Called with the names of the headers of each request, and with its record once it has ended. */
  readonly onRequest: (headerNames: readonly string[]) => void;
  readonly onEnd: (attempt: Attempt) => void;
  /** Called with the bytes of each piece that the connection has taken. */
  readonly onSent: (bytes: number) => void;
  /** Called once everything was sent. */
  readonly onWaiting: () => void;
  /** Called after an attempt that is to be repeated, before the wait. */
  readonly onRetry: (failed: FailedAttempt) => void;
}

const LIMITS = {
  connectMs: 20_000,
  continueMs: 1000,
  // A service may check a scan before it responds; one that takes longer does not get the scan again.
  headMs: 300_000,
};
const EXPECTATION_FAILED = 417;

/** Uploads, with retries, until there is a result. */
export async function upload(
  task: UploadTask,
  shared: SharedState,
  tools: UploadTools,
  signal: AbortSignal,
): Promise<Upload> {
  return new Uploader(task, shared, tools, signal).run();
}

class Uploader {
  readonly #task: UploadTask;
  readonly #shared: SharedState;
  readonly #tools: UploadTools;
  readonly #signal: AbortSignal;
  /** In what the attempts ended so far. */
  readonly #situations: Situation[] = [];

  constructor(task: UploadTask, shared: SharedState, tools: UploadTools, signal: AbortSignal) {
    this.#task = task;
    this.#shared = shared;
    this.#tools = tools;
    this.#signal = signal;
  }

  async run(): Promise<Upload> {
    const { settings } = this.#task;
    let wasUnconfirmed = false;
    let digests: readonly string[] | undefined;
    for (let attempts = 1; ; attempts += 1) {
      this.#tools.onAttempt(attempts);
      const last = await this.#attempt();
      digests = last.digests ?? digests;
      const situation = findSituation(last, settings);
      const stop = await this.#waitForRetry(last, situation);
      const { result } = followAttempt(situation, last);
      if (stop !== undefined) {
        const ended = { situation, last, attempts, wasUnconfirmed, stop, digests, settings };
        return { result: decideResult(result, wasUnconfirmed), ...ended };
      }
      wasUnconfirmed ||= result === 'unconfirmed';
    }
  }

  async #attempt(): Promise<Attempt> {
    const { credential, stallMs } = this.#task;
    const { fetchIdToken, onEnd } = this.#tools;
    const fetching = makeCredentialHeaders(credential, fetchIdToken, stallMs, this.#signal);
    const held = await fetching.catch(toError);
    const attempt = held instanceof Error ? recordNoCredential(held) : await this.#request(held);
    onEnd(attempt);
    return attempt;
  }

  async #request(credentialHeaders: RequestHeaders): Promise<Attempt> {
    // Each attempt asks, also before a small body: what does not read must not seem to accept it.
    const attempt = await this.#exchange(credentialHeaders, true);
    const isRefused = attempt.response?.status === EXPECTATION_FAILED && attempt.sentBytes === 0;
    // RFC 9110, section 10.1.1: a 417 asks for the same request without the expectation. After a part of
    // the body it is a refusal: the service must not get the scan twice in one attempt.
    return isRefused ? this.#exchange(credentialHeaders, false) : attempt;
  }

  async #exchange(credentialHeaders: RequestHeaders, expectContinue: boolean): Promise<Attempt> {
    const { url, body, headers, stallMs, settings } = this.#task;
    const { onRequest, onSent, onWaiting } = this.#tools;
    const all = {
      ...makeCommonHeaders(settings.traceId),
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      ...credentialHeaders,
    };
    onRequest(Object.keys(all));
    const isProxied = settings.proxyHost !== undefined;
    const { agent } = this.#shared;
    const request = { url, agent, headers: all, body, isProxied };
    const spec = { ...request, expectContinue, waits: !expectContinue };
    const limits = { stallMs, ...LIMITS };
    return exchange(spec, limits, this.#signal, onSent, (state) => {
      if (state === 'waiting') onWaiting();
    });
  }

  /** Waits before the next attempt. Resolves with undefined, or with the reason if there is no next attempt. */
  async #waitForRetry(
    attempt: Attempt,
    situation: Situation | undefined,
  ): Promise<Stop | undefined> {
    const { schedule } = this.#shared;
    const { random, onRetry } = this.#tools;
    const { response } = attempt;
    const remainingMs = schedule.getRemainingMs(performance.now());
    const end = (reason: StopReason): Stop => {
      return { reason, remainingMs, isCancelled: this.#signal.reason instanceof CancelledError };
    };
    if (situation === undefined) return end('final');
    const { retries } = this.#task.settings;
    const maxRetries = limitRetries(situation, this.#situations, retries);
    const retry = this.#situations.push(situation);
    const failed = {
      retries: followAttempt(situation, attempt).retries,
      isConnectionLevel: response === undefined,
      retryAfterMs: response?.retryAfterMs,
    };
    const decision = decideRetry(failed, { retry, maxRetries, remainingMs, random });
    schedule.delayAll(failed, decision, random);
    if (decision.kind === 'stop') return end(decision.reason);
    // It was cancelled while a refusal was being read.
    if (this.#signal.aborted) return end('aborted');
    if (schedule.isStopped) return end('stopped');
    const { waitMs } = decision;
    onRetry({ attempt, situation, maxAttempts: maxRetries + 1, waitMs, remainingMs });
    try {
      await schedule.wait(waitMs, this.#signal);
      return undefined;
    } catch {
      if (this.#signal.aborted) return end('aborted');
      return end(schedule.isStopped ? 'stopped' : 'time');
    }
  }
}
