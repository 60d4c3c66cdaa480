import { StepError } from '../../src/errors.ts';
import { readEvidence } from '../../src/outcomes/evidence.ts';
import { spellUpload } from '../../src/outcomes/failure.ts';
import type { FailedUpload, Failure } from '../../src/outcomes/failure.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { findResult } from '../../src/outcomes/situations.ts';
import type { Situation } from '../../src/outcomes/situations.ts';
import type {
  Attempt,
  ConnectionError,
  ServiceResponse,
  ResponseKind,
} from '../../src/service/attempt.ts';
import { readResponse } from '../../src/service/response.ts';
import { BODY_BYTES, makeTask } from './scans.ts';
import type { TaskSpec } from './scans.ts';

/** What a test says of a response. */
interface ResponseSpec extends Partial<Omit<ServiceResponse, 'headers'>> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a test says of an attempt: it sent everything and got no response, unless it says otherwise. */
export interface AttemptSpec extends Partial<Omit<Attempt, 'response'>> {
  readonly response?: ResponseSpec | undefined;
}

/** A response as it is read, with what the test says of it instead. */
export function makeResponse(spec: ResponseSpec = {}): ServiceResponse {
  const { headers: given = {}, body = '', ...stated } = spec;
  const { status = 200, complete = true } = stated;
  const headers = { 'content-length': String(Buffer.byteLength(body)), ...given };
  const read = readResponse({ status, headers, text: body, complete });
  const text = stated.says?.join('\n') ?? read.text;
  return { ...read, text, ...stated };
}

/** An error of a connection about which nothing else is known. */
export function makeConnectionError(facts: Partial<ConnectionError> = {}): ConnectionError {
  return {
    text: 'it ended',
    code: undefined,
    alert: undefined,
    isPlainHttp: false,
    isOfProxy: false,
    proxyStatus: undefined,
    proxyChallenge: undefined,
    certificate: {},
    isWithoutIpv6: false,
    ...facts,
  };
}

export function makeAttempt(given: AttemptSpec = {}): Attempt {
  const { response, ...facts } = given;
  return {
    state: response === undefined ? 'waiting' : 'reading',
    sentBytes: facts.isSent === false ? 0 : BODY_BYTES,
    isSent: true,
    isCertificateRequested: false,
    digests: facts.isSent === false ? undefined : [],
    failure: undefined,
    ...facts,
    response: response && makeResponse(response),
  };
}

/** What became of an attempt. */
export function judgeSpec(spec: AttemptSpec, given: TaskSpec = {}): Situation | 'accepted' {
  return judge(readEvidence(makeAttempt(spec), makeTask(given)))?.situation ?? 'accepted';
}

/** What is said of an upload that made this attempt as its last. */
export function explainEnd(
  spec: AttemptSpec,
  given: TaskSpec = {},
  more: Partial<FailedUpload> = {},
): Failure {
  const last = makeAttempt(spec);
  const task = makeTask(given);
  const { accepted } = more;
  const evidence = readEvidence(last, task, accepted);
  const judged = judge(evidence);
  if (judged === undefined) throw new Error('There is no failure.');
  return spellUpload({
    ...evidence,
    ...judged,
    result: findResult(judged.situation, last.isSent),
    attempts: 1,
    whyLast: 'final',
    askedMs: last.response?.retryAfterMs ?? 0,
    ...more,
  });
}

/** A response with a 400, unless the test says otherwise. */
export function makeRefusal(response: ResponseSpec = {}): AttemptSpec {
  return { response: { status: 400, ...response } };
}

/** An attempt that failed while connecting, unless `more` says otherwise. */
export function makeBroken(
  error: Partial<ConnectionError> = {},
  more: AttemptSpec = {},
): AttemptSpec {
  const failure = { kind: 'connection', error: makeConnectionError(error) } as const;
  return { failure, state: 'connecting', isSent: false, ...more };
}

/** An attempt that ended because no data arrived for 20 s. */
export function makeStalled(state: NonNullable<AttemptSpec['state']>, isSent = false): AttemptSpec {
  return { failure: { kind: 'limit', limitMs: 20_000 }, state, isSent };
}

export const LIMIT = { failure: { kind: 'limit', limitMs: 20_000 } } as const;
export const CUT = { response: { complete: false } };
export const ASKING = { state: 'asking', isSent: false } as const;
export const SENDING = { state: 'sending', isSent: false, sentBytes: 9 } as const;
export const WAITING = { state: 'waiting', isSent: true, sentBytes: 1500 } as const;
export const CONNECTING = { state: 'connecting', isSent: false } as const;
export const NO_CLIENT = [
  'No client certificate',
  'No required SSL certificate was sent',
  'Cannot perform Post-Handshake Authentication.',
];

/** An attempt that an error of the step ended. */
export function stop(error: StepError, more: AttemptSpec = {}): AttemptSpec {
  return { failure: { kind: 'step', error }, isSent: false, ...more };
}

export function stopFor(situation: StepError['situation']): AttemptSpec {
  return stop(new StepError(situation, 'It ended.', 'Do this.'));
}

/** A response of some kind that says some texts. */
export function respond(
  status: number,
  kind: ResponseKind = 'other',
  ...says: string[]
): AttemptSpec {
  const headers = { 'content-type': 'application/problem+json' };
  const problem = kind === 'problem' && { headers, body: '{"detail":"x"}' };
  return { response: { status, kind, says, ...problem } };
}

/** Responses with one text each. */
export function say(
  status: number,
  texts: readonly string[],
  kind?: ResponseKind,
): readonly AttemptSpec[] {
  return texts.map((text) => respond(status, kind, text));
}

/** Cloudflare's firewall in place of the service. */
export function challenge(status: number): AttemptSpec {
  const headers = { 'cf-mitigated': 'challenge' };
  return { response: { status, headers, body: '<p>Just a moment...' } };
}

export function redirect(location: string): AttemptSpec {
  return { response: { status: 307, headers: { location } } };
}

/** Errors of a connection. */
export function fail(more: AttemptSpec, ...codes: string[]): readonly AttemptSpec[] {
  return codes.map((code) => makeBroken({ code }, more));
}

export function failByAlert(more: AttemptSpec, ...alerts: number[]): readonly AttemptSpec[] {
  return alerts.map((alert) => makeBroken({ code: 'EPROTO', alert }, more));
}

export function failInProxy(code: string, alert?: number): AttemptSpec {
  return makeBroken({ code, alert, isOfProxy: true });
}

export function refuseConnect(...statuses: number[]): readonly AttemptSpec[] {
  return statuses.map((proxyStatus) => makeBroken({ isOfProxy: true, proxyStatus }));
}
