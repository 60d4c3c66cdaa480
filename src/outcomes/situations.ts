// What can become of a step, a scan or an attempt to upload one, and all that follows from it. `judge` says when,
// `headline` what happened, `causes` what to do.

import type { StepSituation } from '../errors.ts';
import type { Attempt } from '../service/attempt.ts';
import type { Cause } from './causes.ts';
import * as headline from './headline.ts';
import type { Headline } from './headline.ts';
import type { UploadResult } from './results.ts';
import * as shown from './connection-listeners.ts';
import * as credential from './credential-listeners.ts';
import * as said from './listeners.ts';
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

const NO_OIDC = 'the job may not request the OIDC token';
const NO_CREDENTIAL = 'the service rejected the credential';
const ALWAYS = Number.POSITIVE_INFINITY;
const NOT_SENT = ['not-sent', 'not-sent'] as const;
/** Without a response, the service may have what was sent. */
const LOST = ['not-sent', 'unconfirmed'] as const;
const REJECTED = ['rejected', 'rejected'] as const;
/** A gateway responded, and the service behind it may have what was sent. */
const FORWARDED = ['rejected', 'unconfirmed'] as const;

/** What the action itself finds: an error names it, and brings what to do. */
const END = { results: NOT_SENT, retries: 0, headline: headline.ofEnd, causes: [] } as const;
const NAME = { ...END, reason: 'name', retries: 5, headline: headline.ofName } as const;
const CONNECTION = { ...END, reason: 'connection' } as const;
const CERTIFICATE = { ...END, reason: 'certificate' } as const;
const PROXY = { ...END, reason: 'proxy', headline: headline.ofProxyRefusal } as const;
const SILENT = { results: ['unconfirmed', 'unconfirmed'], retries: 0 } as const;
const UNREADABLE = { ...SILENT, reason: 'connection', headline: headline.ofUnreadable } as const;
/** What a response refuses. */
const REFUSED = {
  results: REJECTED,
  retries: 0,
  reason: 'stated',
  headline: headline.ofRefusal,
} as const;
const CREDENTIALS = { ...REFUSED, reason: 'credentials' } as const;
const ADDRESS = { ...REFUSED, causes: ['address', 'accepted-address', 'operators'] } as const;
const REDIRECT = { ...REFUSED, reason: 'redirect', headline: headline.ofRedirect } as const;
const PAGE = { ...REFUSED, reason: 'web-page', headline: headline.ofPage } as const;
const FRONT_CAUSES = ['front', 'accepted-front'] as const;
const OUTAGE = { ...REFUSED, reason: 'unavailable', retries: ALWAYS } as const;

/** What may refuse any request before the service reads it. */
const BEFORE = [said.asksForForgeryToken, said.refusesHost];
const FORM = [said.refusesField, said.wantsOtherForm, said.wantsOtherField];
const INPUTS = [...BEFORE, ...FORM, said.namesInputs, said.isBarePage];
const MOVED = [said.leadsToSignIn, said.movesOperation, said.leadsElsewhere];
const ELSEWHERE = [said.asksForForgeryToken, said.asksElsewhere];
const UNAUTHORIZED = [...ELSEWHERE, ...credential.REFUSED, said.asksForSignIn, ...credential.SENT];
const FRONT = [...BEFORE, said.asksElsewhere];
const FORBIDDEN = [...FRONT, said.missesStage, ...credential.FORBIDDEN, said.namesInputs];
const NOT_FOUND = [
  said.hidesLimit,
  said.namesPath,
  said.namesKey,
  said.doublesVersion,
  said.isFoundByService,
];

const ROWS = {
  inputs: { ...END, reason: 'inputs' },
  files: { ...END, reason: 'files' },
  contents: { ...END, reason: 'contents' },
  runner: { ...END, reason: 'runner' },
  'oidc-permission': { ...END, reason: 'credentials', stopsOthers: NO_OIDC },
  'oidc-failed': { ...END, reason: 'credentials', retries: ALWAYS },
  'other-scans': { ...END, reason: 'other-scans' },
  'time-limit': { ...END, results: LOST, reason: 'time-limit' },
  cancelled: { ...END, results: LOST, reason: 'cancelled' },
  unexpected: { ...END, results: LOST, reason: 'internal', causes: ['bug'] },
  // What happens to the connection of an attempt.
  'name-unknown': { ...NAME, causes: ['name'] },
  'connect-failed': { ...CONNECTION, ...shown.NETWORK, retries: 5 },
  certificate: { ...CERTIFICATE, ...shown.CERTIFICATE, headline: headline.ofCertificate },
  // With TLS 1.3 its alert may arrive after everything was sent, but the service has read nothing.
  'client-certificate': { ...CERTIFICATE, ...shown.CLIENT_ALERT },
  'proxy-refused': { ...PROXY, causes: ['proxy-refusal'] },
  'proxy-credential': { ...PROXY, ...shown.PROXY_CREDENTIAL },
  'proxy-failed': { ...PROXY, ...shown.PROXY, retries: 5, headline: headline.ofProxy },
  // Something speaks no HTTP, or responds without reading. Another attempt would get the same.
  'other-protocol': { ...CONNECTION, ...shown.PROTOCOL, results: LOST },
  'response-early': { ...CONNECTION, results: LOST, headline: headline.ofEarly, causes: ['early'] },
  'connection-broken': { ...CONNECTION, ...shown.BREAK, results: LOST, retries: ALWAYS },
  stalled: { ...END, results: LOST, retries: ALWAYS, reason: 'stalled', causes: ['stall'] },
  // A service that is still working on the scan must not get it again.
  'response-silent': { ...SILENT, reason: 'stalled', headline: headline.ofSilence, causes: [] },
  'response-unreadable': { ...UNREADABLE, causes: ['unreadable'] },
  // What the service, or something in its place, responds.
  redirect: { ...REDIRECT, hears: MOVED, causes: ['redirect'] },
  challenge: { ...PAGE, headline: headline.ofChallenge, causes: ['challenge'] },
  'web-page': { ...PAGE, hears: BEFORE, causes: FRONT_CAUSES },
  'success-refused': {
    ...REFUSED,
    hears: [said.namesInputs],
    stated: ['words'],
    causes: ['operators'],
  },
  'certificate-asked': { ...REFUSED, ...shown.CLIENT_ASKED, reason: 'certificate' },
  'tls-asked': { ...REFUSED, causes: ['tls'] },
  'input-refused': {
    ...REFUSED,
    hears: INPUTS,
    stated: ['words', 'key', 'files'],
    causes: ['key', 'files', 'operators'],
  },
  unauthorized: {
    ...CREDENTIALS,
    headline: headline.ofCredential,
    hears: UNAUTHORIZED,
    causes: ['bare-credential', 'accepted-credential'],
    stopsOthers: NO_CREDENTIAL,
  },
  forbidden: {
    ...CREDENTIALS,
    hears: FORBIDDEN,
    stated: ['words'],
    causes: ['address', 'right', 'accepted-credential'],
  },
  // Its words may be those of a firewall.
  'page-forbidden': { ...CREDENTIALS, hears: [...FRONT, said.isStopped], causes: FRONT_CAUSES },
  'not-found': { ...REFUSED, hears: NOT_FOUND, causes: ['address', 'key', 'accepted-address'] },
  'address-refused': { ...ADDRESS, hears: BEFORE },
  gone: { ...ADDRESS, stated: ['words'] },
  'request-timeout': { ...REFUSED, retries: ALWAYS, causes: ['slow'] },
  conflict: { ...REFUSED, causes: ['conflict'] },
  'headers-too-large': { ...REFUSED, causes: ['headers'] },
  'too-large': { ...REFUSED, reason: 'too-large', causes: ['size'] },
  'rate-limited': { ...REFUSED, reason: 'rate-limited', retries: ALWAYS, causes: ['rate'] },
  // A crash may be temporary, but an error that the service describes is its decision.
  'service-failed': { ...OUTAGE, retries: 3, hears: [said.wantsOtherForm], causes: ['crash'] },
  'service-error': {
    ...REFUSED,
    hears: INPUTS,
    stated: ['words', 'files'],
    causes: ['operators', 'files'],
  },
  unavailable: { ...OUTAGE, causes: ['outage'] },
  'gateway-failed': { ...OUTAGE, results: FORWARDED, causes: ['gateway'] },
  // It passed the upload on, and each attempt may be another scan for the service.
  'gateway-timeout': { ...OUTAGE, results: FORWARDED, retries: 2, causes: ['gateway-timeout'] },
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
