// What to do after a response that is none of success, or an error of the step: the input, or who has to act. The
// likeliest cause first, where there may be several.

import { describeFiles } from '../plan/plan.ts';
import { isChallenge } from '../service/attempt.ts';
import { readTarget } from '../service/headers.ts';
import { OPERATIONS_PATH, SCAN_KEY_PART } from '../service/operations.ts';
import { cutText, formatBytes } from '../text.ts';
import type { FailedAttempt, UploadTask } from './task.ts';

/** What to do, one sentence or more; several texts are a line each. Empty if nothing helps. */
export type Fix =
  string | readonly string[] | ((failed: FailedAttempt) => string | readonly string[]);

/** How much of an address that a response names is shown. */
export const MAX_ADDRESS_CHARACTERS = 200;
const OPERATORS = 'the operators of the service, with the trace id';
const LOGIN =
  'It may be a login page, a portal or a firewall: check `base-url` and the credential.';
const LATER =
  'this workflow is not the cause. Re-run the failed jobs later, or give the operators the trace id.';

export const UNREADABLE =
  'Check that `base-url` is that of the service. It, or a gateway in front of it, must respond with JSON, text or XML of at most 1 MiB, not compressed, or with gzip or deflate.';
export const SUCCESS_REFUSED =
  'The status is one of success, but the body reports a failure: ask the operators of the service why.';
export const TLS_ASKED = '`base-url` must begin with https:// for this port.';
export const CONFLICT =
  'The service may have, or be processing, another upload for this `scan-key`: check it there. If it has not this one, re-run the failed jobs later.';
export const OTHER = `Ask ${OPERATORS}.`;
export const SLOW =
  'The upload arrived too slowly: check the network between the runner and the service, and the time limit of the server for requests.';
export const RATE = 'The service limits the rate of uploads. Re-run the failed jobs later.';
export const SERVICE_FAILED =
  'The service failed. Re-run the failed jobs later. If it fails again, a file may cause it: give the operators the trace id.';
export const UNAVAILABLE = `The service is not available, or a gateway cannot reach it; ${LATER}`;
export const GATEWAY = `A gateway got no valid response from the service; ${LATER}`;
export const GATEWAY_TIMEOUT = `A gateway sent the upload to the service, but got no response in time; ${LATER}`;

/** The fix that the error which ended the attempt brings. */
export function ofError({ last: { failure } }: FailedAttempt): readonly string[] {
  return failure?.kind === 'step' ? failure.error.fixes : [];
}

/** Plain HTTP is never proposed: it would send token and files unencrypted. */
export function ofRedirect({ task, last: { response } }: FailedAttempt): string {
  const target = response && readTarget(response.headers, task.url);
  const [path = '', operation] = target?.pathname.split(OPERATIONS_PATH) ?? [];
  const isWorse = task.url.protocol === 'https:' && target?.protocol === 'http:';
  if (target === undefined || !operation || isWorse) return LOGIN;
  const base = cutText(`${target.origin}${path}`, MAX_ADDRESS_CHARACTERS);
  return `If this is your service, set \`base-url\` to ${base}.`;
}

export function ofPage({ task, last: { response } }: FailedAttempt): string {
  return response !== undefined && isChallenge(response)
    ? `Ask the operators of the service to let ${task.url.href} pass without a challenge.`
    : `${LOGIN} If they are right, ask the operators of the service, with what the page says.`;
}

/** Only the headers that the author sets can be too long. */
export function ofHeaders({ task: { inputs } }: FailedAttempt): string {
  const { credential, headers } = inputs;
  const token = credential.kind === 'token' ? [{ name: '`token`', value: credential.value }] : [];
  const sizes = [...token, ...headers].map(
    ({ name, value }) => `${name}: ${formatBytes(value.length)}`,
  );
  const which = sizes.length > 0 ? ` (${sizes.join(', ')})` : '';
  return `The headers of the request${which} are too large for the service or a gateway in front of it: use a shorter credential, or raise that limit.`;
}

export function ofSize({ task: { plan, body } }: FailedAttempt): string {
  return `The upload (${formatBytes(body.length)}) is probably too large for the service or a gateway in front of it: reduce the size of the files (${describeFiles(plan)}), or raise that limit.`;
}

/** The operation may need another key or file: the service knows which of them it refused, and may name its part. */
export function ofInput({ task: { plan }, last: { response } }: FailedAttempt): string {
  const text = (response?.text ?? '').toLowerCase();
  const isOfKey = text.includes(SCAN_KEY_PART.toLowerCase());
  const named = plan.parts.filter(
    ({ part: { name } }) => !isOfKey && text.includes(name.toLowerCase()),
  );
  const what =
    named.length > 0
      ? named.map(({ file }) => file.displayPath).join(' and ')
      : '`scan-key` and the files';
  return `Check ${what}. If that does not help, ask ${OPERATORS}.`;
}

export function ofServiceError({ task: { plan } }: FailedAttempt): string {
  return `Give the operators of the service the trace id. Unless the service says why, a file may cause it (${describeFiles(plan)}).`;
}

export function ofAddress({ task }: FailedAttempt): string {
  return `Check ${describeAddress(task)} If it is right, ask ${OPERATORS}.`;
}

/** Without a problem, it is probably the response of another server, or of a path that the service does not have. */
export function ofNotFound({ task }: FailedAttempt): string {
  return `Check ${describeAddress(task)} If it is right, check \`scan-key\`.`;
}

export function ofKey({ task }: FailedAttempt): string {
  return `Check \`scan-key\`. If it is right, check ${describeAddress(task)}`;
}

/** The action adds /v1 itself, but it may also be part of a gateway's path. */
export function describeAddress({ url }: UploadTask): string {
  const version = url.pathname.includes(`/v1${OPERATIONS_PATH}`)
    ? ' It ends in /v1, which the action adds itself: remove it, unless a gateway needs it.'
    : '';
  return `\`base-url\`: the upload went to ${url.href}.${version}`;
}
