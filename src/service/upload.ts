import type { Agent } from 'node:http';
import { toError } from '../errors.ts';
import type { Credential, Header } from './settings.ts';
import type { Clean } from '../text.ts';
import { makeCredentialHeaders } from './auth.ts';
import type { FetchIdToken } from './auth.ts';
import type { Body } from './body.ts';
import { cleanVerdict, resolveRedirect } from './clean-verdict.ts';
import { exchange } from './exchange.ts';
import type { ExchangeEnd } from './exchange.ts';
import type { PhaseStart } from './phase-timer.ts';
import { makeCommonHeaders } from './request.ts';
import type { RequestHeaders } from './request.ts';
import { decideRetry } from './retry.ts';
import type { StopReason } from './retry.ts';
import type { Schedule } from './schedule.ts';
import { describeFailedAttempt, judgeCredentialError, judgeExchange } from './verdict.ts';
import type { UploadResult, Verdict } from './verdict.ts';

/** An upload: URL, body and headers, and the limits of its attempts. */
export interface UploadTask {
  readonly url: URL;
  readonly body: Body;
  readonly credential: Credential;
  readonly headers: readonly Header[];
  readonly traceId: string;
  /** How long an attempt may make no progress, in milliseconds. */
  readonly stallMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
}

/** What the uploads of a step share. */
export interface SharedState {
  readonly agent: Agent;
  readonly schedule: Schedule;
  /** Whether to ask with `Expect: 100-continue`; false once the service did not respond to it. */
  mayExpect: boolean;
}

/** What an upload needs from outside, and its callbacks. */
export interface UploadTools {
  readonly fetchIdToken: FetchIdToken;
  readonly clean: Clean;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onAttempt: (attempt: number) => void;
  /** Called with the names of the headers of each request, and with its phases once it has ended. */
  readonly onRequest: (headerNames: readonly string[]) => void;
  readonly onPhases: (phases: readonly PhaseStart[]) => void;
  /** Called with the bytes of each piece that the connection has taken. */
  readonly onSent: (bytes: number) => void;
  /** Called after an attempt that is to be repeated, before the wait; both times in milliseconds. */
  readonly onRetry: (verdict: Verdict, waitMs: number, remainingMs: number) => void;
}

/** How an upload ended. */
export interface UploadReport {
  /** Over all attempts: accepted if the last was, else unconfirmed if any was, else the last one's. */
  readonly result: UploadResult;
  readonly attempts: number;
  /** The last attempt's. */
  readonly verdict: Verdict;
  /** Why there was no further attempt. */
  readonly stop: StopReason;
  /** SHA-256 of each file, in order, if the whole body was sent in some attempt. */
  readonly digests: readonly string[] | undefined;
}

/** Larger bodies are sent with `Expect: 100-continue`, so that a refusal arrives before they are sent. */
const MIN_EXPECT_BYTES = 1024 * 1024;
const CONTINUE_MS = 1000;
/** A service may check a scan before it responds; one that takes longer does not get the scan again. */
const HEAD_MS = 300_000;
const EXPECTATION_FAILED = 417;

/** Uploads, with retries, until there is a result. */
export async function upload(
  task: UploadTask,
  shared: SharedState,
  tools: UploadTools,
  signal: AbortSignal,
): Promise<UploadReport> {
  return new Upload(task, shared, tools, signal).run();
}

class Upload {
  readonly #task: UploadTask;
  readonly #shared: SharedState;
  readonly #tools: UploadTools;
  readonly #signal: AbortSignal;
  #digests: readonly string[] | undefined;

  constructor(task: UploadTask, shared: SharedState, tools: UploadTools, signal: AbortSignal) {
    this.#task = task;
    this.#shared = shared;
    this.#tools = tools;
    this.#signal = signal;
  }

  async run(): Promise<UploadReport> {
    let isUnconfirmed = false;
    for (let attempts = 1; ; attempts += 1) {
      this.#tools.onAttempt(attempts);
      const verdict = await this.#attempt();
      isUnconfirmed ||= verdict.result === 'unconfirmed';
      const stop = await this.#waitForRetry(attempts, verdict);
      if (stop !== undefined) {
        const isFinal = verdict.result === 'accepted' || !isUnconfirmed;
        const result = isFinal ? verdict.result : 'unconfirmed';
        return { result, attempts, verdict, stop, digests: this.#digests };
      }
    }
  }

  async #attempt(): Promise<Verdict> {
    const { url, credential, stallMs } = this.#task;
    const { clean, fetchIdToken } = this.#tools;
    let credentialHeaders: RequestHeaders;
    try {
      credentialHeaders = await makeCredentialHeaders(
        credential,
        fetchIdToken,
        stallMs,
        this.#signal,
      );
    } catch (error) {
      return cleanVerdict(judgeCredentialError(toError(error)), clean);
    }
    const end = await this.#request(credentialHeaders);
    this.#digests = end.digests ?? this.#digests;
    const verdict = judgeExchange(end, this.#signal);
    return resolveRedirect(cleanVerdict(verdict, clean), url, clean);
  }

  async #request(credentialHeaders: RequestHeaders): Promise<ExchangeEnd> {
    const expects = this.#shared.mayExpect && this.#task.body.length > MIN_EXPECT_BYTES;
    const end = await this.#exchange(credentialHeaders, expects);
    if (!expects || end.outcome.kind === 'failure') return end;
    const isRefused = end.outcome.response.status === EXPECTATION_FAILED;
    // A service that ignores the expectation would delay every upload.
    if (isRefused || end.isExpectIgnored) this.#shared.mayExpect = false;
    // RFC 9110, section 10.1.1: a 417 asks for the same request without the expectation.
    return isRefused ? this.#exchange(credentialHeaders, false) : end;
  }

  async #exchange(
    credentialHeaders: RequestHeaders,
    expectContinue: boolean,
  ): Promise<ExchangeEnd> {
    const { url, body, headers, traceId, stallMs } = this.#task;
    const all = {
      ...makeCommonHeaders(traceId),
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      ...credentialHeaders,
    };
    this.#tools.onRequest(Object.keys(all));
    const spec = { url, agent: this.#shared.agent, headers: all, body, expectContinue };
    const limits = { stallMs, headMs: HEAD_MS, continueMs: CONTINUE_MS };
    const end = await exchange(spec, limits, this.#signal, this.#tools.onSent);
    this.#tools.onPhases(end.phases);
    return end;
  }

  /** Waits before the next attempt. Resolves with undefined, or with the reason if there is no next attempt. */
  async #waitForRetry(attempts: number, verdict: Verdict): Promise<StopReason | undefined> {
    const { schedule } = this.#shared;
    const { random, onRetry } = this.#tools;
    const nowMs = Date.now();
    const failed = describeFailedAttempt(verdict, nowMs);
    const remainingMs = schedule.getRemainingMs(nowMs);
    const state = { retry: attempts, maxRetries: this.#task.retries, remainingMs, random };
    const isAborted = this.#signal.aborted;
    const decision = decideRetry(isAborted ? { ...failed, retry: 'never' } : failed, state);
    schedule.delayAll(failed, decision, random);
    if (decision.kind === 'stop') return decision.reason;
    if (schedule.isStopped) return 'stopped';
    onRetry(verdict, decision.waitMs, remainingMs);
    try {
      await schedule.wait(decision.waitMs, this.#signal);
      return undefined;
    } catch {
      if (this.#signal.aborted) return 'aborted';
      return schedule.isStopped ? 'stopped' : 'time';
    }
  }
}
