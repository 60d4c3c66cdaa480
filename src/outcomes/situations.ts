// What can become of a step, a scan or an attempt to upload one, and all that follows from it. `judge` says when,
// `headline` what happened, `fixes` what to do.

import { CANCELLED_FIX, REPORT_FIX } from '../errors.ts';
import type { StepSituation } from '../errors.ts';
import type { Attempt } from '../service/attempt.ts';
import * as connectionFixes from './connection-fixes.ts';
import * as fixes from './fixes.ts';
import type { Fix } from './fixes.ts';
import type { UploadResult } from './results.ts';

/**
 * The result, and the result if everything was sent. The most retries of an upload after an attempt that ended so;
 * `retries` is the most after any. The reason; `stated` is `problem` if the response has one, else `refused`. What to do.
 * Why no other scan of the step would be accepted either, if none would.
 */
type Row = readonly [
  result: UploadResult,
  sentResult: UploadResult,
  retries: number,
  reason: string,
  fix: Fix,
  stopsOthers?: string,
];

const ALWAYS = Number.POSITIVE_INFINITY;
const NO_OIDC = 'the job may not request the OIDC token';
const REFUSED = 'the service rejected the credential';

const ROWS = {
  // What the action itself finds: an error names it, and brings its fix.
  inputs: ['not-sent', 'not-sent', 0, 'inputs', fixes.ofError],
  files: ['not-sent', 'not-sent', 0, 'files', fixes.ofError],
  contents: ['not-sent', 'not-sent', 0, 'contents', fixes.ofError],
  runner: ['not-sent', 'not-sent', 0, 'runner', fixes.ofError],
  'oidc-permission': ['not-sent', 'not-sent', 0, 'credentials', fixes.ofError, NO_OIDC],
  'oidc-failed': ['not-sent', 'not-sent', ALWAYS, 'credentials', fixes.ofError],
  'other-scans': ['not-sent', 'not-sent', 0, 'other-scans', fixes.ofError],
  'time-limit': ['not-sent', 'unconfirmed', 0, 'time-limit', fixes.ofError],
  cancelled: ['not-sent', 'unconfirmed', 0, 'cancelled', CANCELLED_FIX],
  unexpected: ['not-sent', 'unconfirmed', 0, 'internal', REPORT_FIX],
  // What happens to the connection of an attempt.
  'name-unknown': ['not-sent', 'not-sent', 5, 'name', connectionFixes.UNRESOLVED],
  'connect-failed': ['not-sent', 'not-sent', 5, 'connection', connectionFixes.ofConnection],
  // With TLS 1.3 an alert may arrive after everything was sent, but the service has read nothing.
  certificate: ['not-sent', 'not-sent', 0, 'certificate', connectionFixes.ofCertificate],
  'proxy-refused': ['not-sent', 'not-sent', 0, 'proxy', connectionFixes.ofProxyRefusal],
  'proxy-failed': ['not-sent', 'not-sent', 5, 'proxy', connectionFixes.ofProxy],
  // Something speaks no HTTP, or responds without reading. Another attempt would get the same.
  'other-protocol': ['not-sent', 'unconfirmed', 0, 'connection', connectionFixes.ofProtocol],
  'connection-broken': ['not-sent', 'unconfirmed', ALWAYS, 'connection', connectionFixes.ofBroken],
  stalled: ['not-sent', 'unconfirmed', ALWAYS, 'stalled', connectionFixes.STALLED],
  // A service that is still working on the scan must not get it again.
  'response-silent': ['unconfirmed', 'unconfirmed', 0, 'stalled', []],
  'response-unreadable': ['unconfirmed', 'unconfirmed', 0, 'connection', fixes.UNREADABLE],
  // What the service, or something in its place, responds.
  redirect: ['rejected', 'rejected', 0, 'redirect', fixes.ofRedirect],
  'web-page': ['rejected', 'rejected', 0, 'web-page', fixes.ofPage],
  'success-refused': ['rejected', 'rejected', 0, 'stated', fixes.SUCCESS_REFUSED],
  'certificate-asked': ['rejected', 'rejected', 0, 'certificate', connectionFixes.ofClient],
  'credential-rejected': ['rejected', 'rejected', 0, 'credentials', fixes.ofCredential, REFUSED],
  forbidden: ['rejected', 'rejected', 0, 'credentials', fixes.ofForbidden],
  'request-timeout': ['rejected', 'rejected', ALWAYS, 'stated', fixes.SLOW],
  'too-large': ['rejected', 'rejected', 0, 'too-large', fixes.ofSize],
  'rate-limited': ['rejected', 'rejected', ALWAYS, 'rate-limited', fixes.RATE],
  'service-failed': ['rejected', 'rejected', 3, 'unavailable', fixes.SERVICE_FAILED],
  unavailable: ['rejected', 'rejected', ALWAYS, 'unavailable', fixes.UNAVAILABLE],
  'gateway-failed': ['rejected', 'unconfirmed', ALWAYS, 'unavailable', fixes.GATEWAY],
  // It passed the upload on, and each attempt may be another scan for the service.
  'gateway-timeout': ['rejected', 'unconfirmed', 2, 'unavailable', fixes.GATEWAY_TIMEOUT],
  refused: ['rejected', 'rejected', 0, 'stated', fixes.ofRefusal],
} as const satisfies Readonly<Record<StepSituation, Row> & Record<string, Row>>;

/** What became of a step, a scan or an attempt that was not accepted. */
export type Situation = keyof typeof ROWS;

/** Why a scan or a step failed, for workflows that check it: docs/troubleshooting.md explains each. */
export type Reason = Exclude<(typeof ROWS)[Situation][3], 'stated'> | 'problem' | 'refused';

/** What follows from a situation for any attempt. */
export function getRow(
  situation: Situation,
): Readonly<{ retries: number; fix: Fix; stopsOthers: string | undefined }> {
  const [, , retries, , fix, stopsOthers]: Row = ROWS[situation];
  return { retries, fix, stopsOthers };
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
