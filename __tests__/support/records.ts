import { StepError } from '../../src/errors.ts';
import type { ResponseKind } from '../../src/service/attempt.ts';
import { makeBroken } from './attempts.ts';
import type { AttemptSpec } from './attempts.ts';

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
