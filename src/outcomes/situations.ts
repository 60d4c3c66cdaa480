// What can become of a step, a scan or an attempt to upload one, and all that follows from it. `judge` says when,
// `headline` what happened, `fixes` what to do.

import { CANCELLED_FIX, REPORT_FIX } from '../errors.ts';
import type { StepSituation } from '../errors.ts';
import type { Attempt } from '../service/attempt.ts';
import * as network from './connection-fixes.ts';
import * as fixes from './fixes.ts';
import type { Fix } from './fixes.ts';
import type { Reason } from './reasons.ts';

/** `not-sent`: the service cannot have the whole body. `unconfirmed`: it may have it, but did not confirm it. */
export type UploadResult = 'accepted' | 'rejected' | 'not-sent' | 'unconfirmed';

/**
 * The result, and the result if everything was sent. The most retries of an upload after an attempt that ended so;
 * `retries` is the most after any. The reason; `stated` is `problem` if the response has one, else `refused`. Who has to
 * act: the author, with a change of the workflow or a file, or somebody else; or other scans are the cause. What to do.
 */
type Row = readonly [
  result: UploadResult,
  sentResult: UploadResult,
  retries: number,
  reason: Reason | 'stated',
  cause: 'author' | 'else' | 'scans',
  fix: Fix,
];

const ALWAYS = Number.POSITIVE_INFINITY;

/** What the action itself finds: an error names it, and brings its fix. */
const STEP = {
  inputs: ['not-sent', 'not-sent', 0, 'inputs', 'author', fixes.ofError],
  files: ['not-sent', 'not-sent', 0, 'files', 'author', fixes.ofError],
  contents: ['not-sent', 'not-sent', 0, 'contents', 'author', fixes.ofError],
  runner: ['not-sent', 'not-sent', 0, 'runner', 'else', fixes.ofError],
  'oidc-permission': ['not-sent', 'not-sent', 0, 'credentials', 'author', fixes.ofError],
  'oidc-failed': ['not-sent', 'not-sent', ALWAYS, 'credentials', 'else', fixes.ofError],
  'other-scans': ['not-sent', 'not-sent', 0, 'other-scans', 'scans', fixes.ofError],
  'time-limit': ['not-sent', 'unconfirmed', 0, 'time-limit', 'else', fixes.ofError],
  cancelled: ['not-sent', 'unconfirmed', 0, 'cancelled', 'else', CANCELLED_FIX],
  unexpected: ['not-sent', 'unconfirmed', 0, 'internal', 'else', REPORT_FIX],
} as const satisfies Readonly<Record<StepSituation, Row>>;

const ROWS = {
  ...STEP,
  // What happens to the connection of an attempt.
  'name-unknown': ['not-sent', 'not-sent', 5, 'name', 'else', network.NAME],
  'connect-failed': ['not-sent', 'not-sent', 5, 'connection', 'else', network.ofConnection],
  // With TLS 1.3 an alert may arrive after everything was sent, but the service has read nothing.
  certificate: ['not-sent', 'not-sent', 0, 'certificate', 'else', network.ofCertificate],
  'proxy-refused': ['not-sent', 'not-sent', 0, 'proxy', 'else', network.ofProxy],
  'proxy-failed': ['not-sent', 'not-sent', 5, 'proxy', 'else', network.ofProxy],
  // Something speaks no HTTP, or responds without reading. Another attempt would get the same.
  'other-protocol': ['not-sent', 'unconfirmed', 0, 'connection', 'else', network.ofProtocol],
  'connection-broken': ['not-sent', 'unconfirmed', ALWAYS, 'connection', 'else', network.ofBroken],
  stalled: ['not-sent', 'unconfirmed', ALWAYS, 'stalled', 'else', network.STALLED],
  // A service that is still working on the scan must not get it again.
  'response-silent': ['unconfirmed', 'unconfirmed', 0, 'stalled', 'else', fixes.NONE],
  'response-unreadable': ['unconfirmed', 'unconfirmed', 0, 'connection', 'else', fixes.UNREADABLE],
  // What the service, or something in its place, responds.
  redirect: ['rejected', 'rejected', 0, 'redirect', 'author', fixes.ofRedirect],
  'web-page': ['rejected', 'rejected', 0, 'web-page', 'else', fixes.ofPage],
  'success-refused': ['rejected', 'rejected', 0, 'stated', 'else', fixes.SUCCESS_REFUSED],
  'certificate-asked': ['rejected', 'rejected', 0, 'certificate', 'else', network.ofClient],
  'credential-rejected': ['rejected', 'rejected', 0, 'credentials', 'else', fixes.ofCredential],
  forbidden: ['rejected', 'rejected', 0, 'credentials', 'else', fixes.ofForbidden],
  'request-timeout': ['rejected', 'rejected', ALWAYS, 'stated', 'else', fixes.SLOW],
  'too-large': ['rejected', 'rejected', 0, 'too-large', 'author', fixes.ofSize],
  'rate-limited': ['rejected', 'rejected', ALWAYS, 'rate-limited', 'else', fixes.RATE],
  'service-failed': ['rejected', 'rejected', 3, 'unavailable', 'else', fixes.SERVICE_FAILED],
  unavailable: ['rejected', 'rejected', ALWAYS, 'unavailable', 'else', fixes.UNAVAILABLE],
  'gateway-failed': ['rejected', 'unconfirmed', ALWAYS, 'unavailable', 'else', fixes.GATEWAY],
  // It passed the upload on, and each attempt may be another scan for the service.
  'gateway-timeout': ['rejected', 'unconfirmed', 2, 'unavailable', 'else', fixes.GATEWAY_TIMEOUT],
  refused: ['rejected', 'rejected', 0, 'stated', 'author', fixes.ofRefusal],
} as const satisfies Readonly<Record<string, Row>>;

/** What became of a step, a scan or an attempt that was not accepted. */
export type Situation = keyof typeof ROWS;

/** The title of a failure, if that is not its result and reason. */
export const TITLES: Readonly<Partial<Record<Situation, string>>> = {
  cancelled: 'cancelled',
  unexpected: 'failed unexpectedly',
};

/** Why no other scan of the step would be accepted either. */
export const STOPS_OTHERS: Readonly<Partial<Record<Situation, string>>> = {
  'oidc-permission': 'the job may not request the OIDC token',
  'credential-rejected': 'the service rejected the credential',
};

/** What follows from a situation for any attempt. */
export function getRow(
  situation: Situation,
): Readonly<{ retries: number; cause: Row[4]; fix: Fix }> {
  const [, , retries, , cause, fix] = ROWS[situation];
  return { retries, cause, fix };
}

/** The result of an attempt, or of a scan without one. */
export function findResult(situation: Situation, isSent = false): UploadResult {
  return ROWS[situation][isSent ? 1 : 0];
}

/** The reason, which may depend on the response. */
export function findReason(situation: Situation, response?: Attempt['response']): Reason {
  const [, , , reason] = ROWS[situation];
  if (reason !== 'stated') return reason;
  return response?.problem === undefined ? 'refused' : 'problem';
}
