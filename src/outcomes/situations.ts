// What can become of a step, a scan or an attempt to upload one, and all that follows from it. `judge` says when,
// `headline` what happened, `fixes` what to do.

import { CANCELLED_FIX, REPORT_FIX } from '../errors.ts';
import type { StepSituation } from '../errors.ts';
import type { Attempt } from '../service/attempt.ts';
import * as connectionFixes from './connection-fixes.ts';
import * as credentialFixes from './credential-fixes.ts';
import * as fixes from './fixes.ts';
import type { Fix } from './fixes.ts';
import * as headline from './headline.ts';
import type { Headline } from './headline.ts';
import type { UploadResult } from './results.ts';
import type { FailedAttempt } from './task.ts';

/**
 * A row has these fields:
 *
 * - results: that of the attempt, and that of an attempt which had sent everything.
 * - retries: how many retries there are at most after an attempt that ended so.
 * - reason: the output. With `stated` it is `problem` if the response has one, else `refused`.
 * - headline: what happened.
 * - fix: what to do.
 * - stopsOthers: why no other scan of the step would be accepted either. It is left out if one may be.
 */
type Row = readonly [
  results: readonly [UploadResult, UploadResult],
  retries: number,
  reason: string,
  headline: Headline,
  fix: Fix,
  stopsOthers?: string,
];

const NOT_SENT = ['not-sent', 'not-sent'] as const;
/** Without a response, the service may have what was sent. */
const LOST = ['not-sent', 'unconfirmed'] as const;
const UNCONFIRMED = ['unconfirmed', 'unconfirmed'] as const;
const REJECTED = ['rejected', 'rejected'] as const;
/** A gateway responded, and the service behind it may have what was sent. */
const FORWARDED = ['rejected', 'unconfirmed'] as const;
const ALWAYS = Number.POSITIVE_INFINITY;
const NO_OIDC = 'the job may not request the OIDC token';
const REFUSED = 'the service rejected the credential';

const ROWS = {
  // What the action itself finds: an error names it, and brings its fix.
  inputs: [NOT_SENT, 0, 'inputs', headline.ofEnd, fixes.ofError],
  files: [NOT_SENT, 0, 'files', headline.ofEnd, fixes.ofError],
  contents: [NOT_SENT, 0, 'contents', headline.ofEnd, fixes.ofError],
  runner: [NOT_SENT, 0, 'runner', headline.ofEnd, fixes.ofError],
  'oidc-permission': [NOT_SENT, 0, 'credentials', headline.ofEnd, fixes.ofError, NO_OIDC],
  'oidc-failed': [NOT_SENT, ALWAYS, 'credentials', headline.ofEnd, fixes.ofError],
  'other-scans': [NOT_SENT, 0, 'other-scans', headline.ofEnd, fixes.ofError],
  'time-limit': [LOST, 0, 'time-limit', headline.ofEnd, fixes.ofError],
  cancelled: [LOST, 0, 'cancelled', headline.ofEnd, CANCELLED_FIX],
  unexpected: [LOST, 0, 'internal', headline.ofEnd, REPORT_FIX],
  // What happens to the connection of an attempt.
  'name-unknown': [NOT_SENT, 5, 'name', headline.ofName, connectionFixes.UNRESOLVED],
  'connect-failed': [NOT_SENT, 5, 'connection', headline.ofEnd, connectionFixes.ofConnection],
  // With TLS 1.3 an alert may arrive after everything was sent, but the service has read nothing.
  certificate: [NOT_SENT, 0, 'certificate', headline.ofCertificate, connectionFixes.ofCertificate],
  'proxy-refused': [NOT_SENT, 0, 'proxy', headline.ofProxyRefusal, connectionFixes.ofProxyRefusal],
  'proxy-credential': [
    NOT_SENT,
    0,
    'proxy',
    headline.ofProxyRefusal,
    connectionFixes.ofProxyCredential,
  ],
  'proxy-failed': [NOT_SENT, 5, 'proxy', headline.ofProxy, connectionFixes.ofProxy],
  // Something speaks no HTTP, or responds without reading. Another attempt would get the same.
  'other-protocol': [LOST, 0, 'connection', headline.ofProtocol, connectionFixes.ofProtocol],
  'connection-broken': [LOST, ALWAYS, 'connection', headline.ofEnd, connectionFixes.ofBroken],
  stalled: [LOST, ALWAYS, 'stalled', headline.ofEnd, connectionFixes.STALLED],
  // A service that is still working on the scan must not get it again.
  'response-silent': [UNCONFIRMED, 0, 'stalled', headline.ofSilence, []],
  'response-unreadable': [UNCONFIRMED, 0, 'connection', headline.ofUnreadable, fixes.UNREADABLE],
  // What the service, or something in its place, responds.
  redirect: [REJECTED, 0, 'redirect', headline.ofRedirect, fixes.ofRedirect],
  'web-page': [REJECTED, 0, 'web-page', headline.ofPage, fixes.ofPage],
  'success-refused': [REJECTED, 0, 'stated', headline.ofRefusal, fixes.SUCCESS_REFUSED],
  'certificate-asked': [REJECTED, 0, 'certificate', headline.ofRefusal, connectionFixes.ofClient],
  'tls-asked': [REJECTED, 0, 'stated', headline.ofRefusal, fixes.TLS_ASKED],
  'input-refused': [REJECTED, 0, 'stated', headline.ofRefusal, fixes.ofInput],
  unauthorized: [
    REJECTED,
    0,
    'credentials',
    headline.ofCredential,
    credentialFixes.ofCredential,
    REFUSED,
  ],
  forbidden: [REJECTED, 0, 'credentials', headline.ofRefusal, credentialFixes.ofForbidden],
  'not-found': [REJECTED, 0, 'stated', headline.ofRefusal, fixes.ofNotFound],
  'key-unknown': [REJECTED, 0, 'stated', headline.ofRefusal, fixes.ofKey],
  'address-refused': [REJECTED, 0, 'stated', headline.ofRefusal, fixes.ofAddress],
  'request-timeout': [REJECTED, ALWAYS, 'stated', headline.ofRefusal, fixes.SLOW],
  conflict: [REJECTED, 0, 'stated', headline.ofRefusal, fixes.CONFLICT],
  'headers-too-large': [REJECTED, 0, 'stated', headline.ofRefusal, fixes.ofHeaders],
  'too-large': [REJECTED, 0, 'too-large', headline.ofRefusal, fixes.ofSize],
  'rate-limited': [REJECTED, ALWAYS, 'rate-limited', headline.ofRefusal, fixes.RATE],
  // A crash may be temporary, but an error that the service describes is its decision.
  'service-failed': [REJECTED, 3, 'unavailable', headline.ofRefusal, fixes.SERVICE_FAILED],
  'service-error': [REJECTED, 0, 'stated', headline.ofRefusal, fixes.ofServiceError],
  unavailable: [REJECTED, ALWAYS, 'unavailable', headline.ofRefusal, fixes.UNAVAILABLE],
  'gateway-failed': [FORWARDED, ALWAYS, 'unavailable', headline.ofRefusal, fixes.GATEWAY],
  // It passed the upload on, and each attempt may be another scan for the service.
  'gateway-timeout': [FORWARDED, 2, 'unavailable', headline.ofRefusal, fixes.GATEWAY_TIMEOUT],
  refused: [REJECTED, 0, 'stated', headline.ofRefusal, fixes.OTHER],
} as const satisfies Readonly<Record<StepSituation, Row> & Record<string, Row>>;

/** What became of a step, a scan or an attempt that was not accepted. */
export type Situation = keyof typeof ROWS;

/** Why a scan or a step failed, for workflows that check it: docs/troubleshooting.md explains each. */
export type Reason = Exclude<(typeof ROWS)[Situation][2], 'stated'> | 'problem' | 'refused';

/** The result of an attempt, or of a scan without one. */
export function findResult(situation: Situation, isSent = false): UploadResult {
  const [results] = ROWS[situation];
  return results[isSent ? 1 : 0];
}

/** How many retries there are at most after an attempt that ended so. */
export function findRetries(situation: Situation): number {
  const [, retries] = ROWS[situation];
  return retries;
}

/** The reason, which may depend on the response. */
export function findReason(situation: Situation, response?: Attempt['response']): Reason {
  const [, , reason] = ROWS[situation];
  if (reason !== 'stated') return reason;
  return response?.problem === undefined ? 'refused' : 'problem';
}

/** What happened: lines, the most important first. */
export function describe(situation: Situation, failed: FailedAttempt): readonly string[] {
  const [, , , headlineOf] = ROWS[situation];
  return headlineOf(failed);
}

/** What to do, a line each. */
export function findFixes(situation: Situation, failed: FailedAttempt): readonly string[] {
  const [, , , , fix]: Row = ROWS[situation];
  return [typeof fix === 'function' ? fix(failed) : fix].flat();
}

/** Why no other scan of the step would be accepted either; undefined if one may be. */
export function findStop(situation: Situation): string | undefined {
  const [, , , , , stopsOthers]: Row = ROWS[situation];
  return stopsOthers;
}
