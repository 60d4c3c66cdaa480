// What can become of a step, a scan or an attempt to upload one, and all that follows from it. `judge` says when,
// `headline` what happened, `causes` what to do.

import type { StepSituation } from '../errors.ts';
import type { Attempt } from '../service/attempt.ts';
import type { Cause } from './causes.ts';
import * as headline from './headline.ts';
import type { Headline } from './headline.ts';
import type { UploadResult } from './results.ts';
import * as listeners from './listeners.ts';
import type { Listener } from './listeners.ts';

/** What follows from a situation. */
interface Row {
  /** Of the attempt, and of one that had sent everything. */
  readonly results: readonly [UploadResult, UploadResult];
  /** How many retries there are at most after an attempt that ended so. */
  readonly retries: number;
  /** The output. With `stated` it is `problem` if the response has one, else `refused`. */
  readonly reason: string;
  /** What happened. */
  readonly headline: Headline;
  /** What the response is heard for: the first that hears a cause ends the guess. */
  readonly hears?: readonly Listener[];
  /** The likely causes if the response has words, but of none that is heard. Without it, `causes` stand. */
  readonly stated?: readonly Cause[];
  /** The likely causes in their order. */
  readonly causes: readonly Cause[];
  /** Why no other scan of the step would be accepted either. It is left out if one may be. */
  readonly stopsOthers?: string;
}

const NEVER = { results: ['not-sent', 'not-sent'], retries: 0 } as const;
/** Without a response, the service may have what was sent. */
const LOST = { results: ['not-sent', 'unconfirmed'], retries: 0 } as const;
const UNCONFIRMED = { results: ['unconfirmed', 'unconfirmed'], retries: 0 } as const;
const REJECTED = { results: ['rejected', 'rejected'], retries: 0 } as const;
/** A gateway responded, and the service behind it may have what was sent. */
const FORWARDED = { results: ['rejected', 'unconfirmed'] } as const;
const ALWAYS = Number.POSITIVE_INFINITY;
const END = { ...NEVER, headline: headline.ofEnd, causes: ['error'] } as const;
const REFUSED = { ...REJECTED, reason: 'stated', headline: headline.ofRefusal } as const;
/** What may refuse any request before the service reads it. */
const BEFORE = [listeners.asksForForgeryToken, listeners.refusesHost];
const INPUTS = [...BEFORE, listeners.wantsOtherForm, listeners.namesInputs];

const ROWS = {
  // What the action itself finds: an error names it, and brings its fix.
  inputs: { ...END, reason: 'inputs' },
  files: { ...END, reason: 'files' },
  contents: { ...END, reason: 'contents' },
  runner: { ...END, reason: 'runner' },
  'oidc-permission': {
    ...END,
    reason: 'credentials',
    stopsOthers: 'the job may not request the OIDC token',
  },
  'oidc-failed': { ...END, retries: ALWAYS, reason: 'credentials' },
  'other-scans': { ...END, reason: 'other-scans' },
  'time-limit': { ...END, ...LOST, reason: 'time-limit' },
  cancelled: { ...END, ...LOST, reason: 'cancelled', causes: ['end'] },
  unexpected: { ...END, ...LOST, reason: 'internal', causes: ['bug'] },
  // What happens to the connection of an attempt.
  'name-unknown': {
    ...NEVER,
    retries: 5,
    reason: 'name',
    headline: headline.ofName,
    causes: ['name'],
  },
  'connect-failed': { ...END, retries: 5, reason: 'connection', causes: ['network'] },
  certificate: {
    ...NEVER,
    reason: 'certificate',
    headline: headline.ofCertificate,
    causes: ['certificate'],
  },
  // With TLS 1.3 its alert may arrive after everything was sent, but the service has read nothing.
  'client-certificate': { ...END, reason: 'certificate', causes: ['client-certificate'] },
  'proxy-refused': {
    ...NEVER,
    reason: 'proxy',
    headline: headline.ofProxyRefusal,
    causes: ['proxy-refusal'],
  },
  'proxy-credential': {
    ...NEVER,
    reason: 'proxy',
    headline: headline.ofProxyRefusal,
    causes: ['proxy-credential'],
  },
  'proxy-failed': {
    ...NEVER,
    retries: 5,
    reason: 'proxy',
    headline: headline.ofProxy,
    causes: ['proxy'],
  },
  // Something speaks no HTTP, or responds without reading. Another attempt would get the same.
  'other-protocol': { ...END, ...LOST, reason: 'connection', causes: ['protocol'] },
  'response-early': {
    ...LOST,
    reason: 'connection',
    headline: headline.ofEarly,
    causes: ['early'],
  },
  'connection-broken': {
    ...END,
    ...LOST,
    retries: ALWAYS,
    reason: 'connection',
    causes: ['break'],
  },
  stalled: { ...END, ...LOST, retries: ALWAYS, reason: 'stalled', causes: ['stall'] },
  // A service that is still working on the scan must not get it again.
  'response-silent': {
    ...UNCONFIRMED,
    reason: 'stalled',
    headline: headline.ofSilence,
    causes: [],
  },
  'response-unreadable': {
    ...UNCONFIRMED,
    reason: 'connection',
    headline: headline.ofUnreadable,
    causes: ['unreadable'],
  },
  // What the service, or something in its place, responds.
  redirect: {
    ...REJECTED,
    reason: 'redirect',
    headline: headline.ofRedirect,
    hears: [listeners.leadsToSignIn],
    causes: ['redirect'],
  },
  challenge: {
    ...REJECTED,
    reason: 'web-page',
    headline: headline.ofChallenge,
    causes: ['challenge'],
  },
  'web-page': {
    ...REJECTED,
    reason: 'web-page',
    headline: headline.ofPage,
    hears: [listeners.asksForForgeryToken],
    causes: ['front'],
  },
  'success-refused': {
    ...REFUSED,
    hears: [listeners.namesInputs],
    stated: ['words'],
    causes: ['operators'],
  },
  'certificate-asked': { ...REFUSED, reason: 'certificate', causes: ['client-certificate'] },
  'tls-asked': { ...REFUSED, causes: ['tls'] },
  'input-refused': {
    ...REFUSED,
    hears: INPUTS,
    stated: ['words', 'key', 'files'],
    causes: ['key', 'files', 'operators'],
  },
  unauthorized: {
    ...REFUSED,
    reason: 'credentials',
    headline: headline.ofCredential,
    hears: [
      listeners.asksForForgeryToken,
      listeners.asksElsewhere,
      listeners.refusesCredential,
      listeners.asksForSignIn,
    ],
    causes: ['credential', 'accepted-credential'],
    stopsOthers: 'the service rejected the credential',
  },
  forbidden: {
    ...REFUSED,
    reason: 'credentials',
    hears: [
      ...BEFORE,
      listeners.asksElsewhere,
      listeners.missesStage,
      listeners.refusesRight,
      listeners.namesInputs,
    ],
    stated: ['words'],
    causes: ['address', 'right', 'accepted-credential'],
  },
  // Its words may be those of a firewall.
  'page-forbidden': {
    ...REFUSED,
    reason: 'credentials',
    hears: [...BEFORE, listeners.asksElsewhere],
    causes: ['front'],
  },
  'not-found': {
    ...REFUSED,
    hears: [
      listeners.hidesLimit,
      listeners.namesPath,
      listeners.namesKey,
      listeners.doublesVersion,
      listeners.isFoundByService,
    ],
    causes: ['address', 'key', 'accepted-address'],
  },
  'address-refused': {
    ...REFUSED,
    hears: BEFORE,
    causes: ['address', 'accepted-address', 'operators'],
  },
  gone: { ...REFUSED, stated: ['words'], causes: ['address', 'accepted-address', 'operators'] },
  'request-timeout': { ...REFUSED, retries: ALWAYS, causes: ['slow'] },
  conflict: { ...REFUSED, causes: ['conflict'] },
  'headers-too-large': { ...REFUSED, causes: ['headers'] },
  'too-large': { ...REFUSED, reason: 'too-large', causes: ['size'] },
  'rate-limited': { ...REFUSED, retries: ALWAYS, reason: 'rate-limited', causes: ['rate'] },
  // A crash may be temporary, but an error that the service describes is its decision.
  'service-failed': {
    ...REFUSED,
    retries: 3,
    reason: 'unavailable',
    hears: [listeners.wantsOtherForm],
    causes: ['crash'],
  },
  'service-error': {
    ...REFUSED,
    hears: INPUTS,
    stated: ['words', 'files'],
    causes: ['operators', 'files'],
  },
  unavailable: { ...REFUSED, retries: ALWAYS, reason: 'unavailable', causes: ['outage'] },
  'gateway-failed': {
    ...REFUSED,
    ...FORWARDED,
    retries: ALWAYS,
    reason: 'unavailable',
    causes: ['gateway'],
  },
  // It passed the upload on, and each attempt may be another scan for the service.
  'gateway-timeout': {
    ...REFUSED,
    ...FORWARDED,
    retries: 2,
    reason: 'unavailable',
    causes: ['gateway-timeout'],
  },
  refused: { ...REFUSED, hears: BEFORE, stated: ['words'], causes: ['operators'] },
} as const satisfies Readonly<Record<StepSituation, Row> & Record<string, Row>>;

/** What became of a step, a scan or an attempt that was not accepted. */
export type Situation = keyof typeof ROWS;

/** Why a scan or a step failed, for workflows that check it: docs/troubleshooting.md explains each. */
export type Reason = Exclude<(typeof ROWS)[Situation]['reason'], 'stated'> | 'problem' | 'refused';

/** What follows from a situation. */
export function findRow(situation: Situation): Row {
  return ROWS[situation];
}

/** The result of an attempt, or of a scan without one. */
export function findResult(situation: Situation, isSent = false): UploadResult {
  return ROWS[situation].results[isSent ? 1 : 0];
}

/** The reason, which may depend on the response. */
export function findReason(situation: Situation, response?: Attempt['response']): Reason {
  const { reason } = ROWS[situation];
  if (reason !== 'stated') return reason;
  return response?.problem === undefined ? 'refused' : 'problem';
}
