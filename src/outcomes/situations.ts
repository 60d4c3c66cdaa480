// What can become of a step, a scan or an attempt to upload one: one row says all that follows. `judge` says when.

import { CANCELLED_FIX, REPORT_FIX } from '../errors.ts';
import type { StepSituation } from '../errors.ts';
import type { Attempt } from '../service/attempt.ts';
import {
  CREDENTIALS,
  LATER,
  adviseBroken,
  adviseByError,
  adviseCertificate,
  adviseClientCertificate,
  adviseConnect,
  adviseForbidden,
  adviseInvalid,
  adviseLater,
  adviseNotFound,
  advisePage,
  adviseProtocol,
  adviseProxy,
  adviseRedirect,
  adviseRefused,
} from './advice.ts';
import type { Fix } from './advice.ts';
import type { Reason } from './reasons.ts';

/** `not-sent`: the service cannot have the whole body. `unconfirmed`: it may have it, but did not confirm it. */
export type UploadResult = 'accepted' | 'rejected' | 'not-sent' | 'unconfirmed';

/** All that follows from a situation. */
interface Row {
  readonly result: UploadResult;
  /** The result if everything was sent, where it is another one. */
  readonly sentResult?: UploadResult;
  /** The most retries of an upload after an attempt that ended so; `retries` is the most after any. */
  readonly retries: number;
  /** `stated`: `problem` if the response has one, else `refused`. */
  readonly reason: Reason | 'stated';
  /** What to do, naming the input or who has to act. The likeliest cause first, where there may be several. */
  readonly fix: Fix;
  /** What else to do if all retries were made. */
  readonly finalFix?: string;
  /** Why no other scan of the step would be accepted either. */
  readonly stopsOthers?: string;
  /** Whether it comes from other scans of the step, or from the wait that one of them was asked for. */
  readonly isFromOthers?: true;
  /** The title of its failure, if that is not its result and reason. */
  readonly title?: string;
  /** Whether the workflow or a file is the cause, which a re-run does not change. */
  readonly needsPush?: true;
  /** Whether what became of the scan comes before what happened. */
  readonly namesResult?: true;
}

const ALWAYS = Number.POSITIVE_INFINITY;
/** How often a connection is tried again that did not come about. */
const CONNECTS = 5;

const UNSENT = { result: 'not-sent', retries: 0 } as const;
const BROKEN = { ...UNSENT, sentResult: 'unconfirmed' } as const;
const UNCONFIRMED = { result: 'unconfirmed', retries: 0 } as const;
const REJECTED = { result: 'rejected', retries: 0 } as const;
/** What the author of the workflow has to change. */
const WRONG = { ...UNSENT, needsPush: true } as const;
const UNWANTED = { ...REJECTED, needsPush: true } as const;
/** A gateway may have passed the upload on. */
const GATEWAY = { ...REJECTED, sentResult: 'unconfirmed', reason: 'unavailable' } as const;

/** What the action itself finds: an error names it, and brings its fix. */
const STEP = {
  inputs: { ...WRONG, reason: 'inputs', fix: adviseByError },
  files: { ...WRONG, reason: 'files', fix: adviseByError },
  contents: { ...WRONG, reason: 'contents', fix: adviseByError },
  runner: { ...UNSENT, reason: 'runner', fix: adviseByError },
  'oidc-permission': {
    ...WRONG,
    reason: 'credentials',
    fix: adviseByError,
    stopsOthers: 'the job may not request the OIDC token',
  },
  'oidc-failed': { ...UNSENT, retries: ALWAYS, reason: 'credentials', fix: adviseByError },
  'other-scans': { ...WRONG, reason: 'other-scans', fix: adviseByError, isFromOthers: true },
  'wait-too-long': { ...UNSENT, reason: 'time-limit', fix: adviseByError, isFromOthers: true },
  'time-limit': { ...BROKEN, reason: 'time-limit', fix: adviseByError },
  cancelled: {
    ...BROKEN,
    reason: 'cancelled',
    fix: CANCELLED_FIX,
    title: 'cancelled',
    namesResult: true,
  },
  unexpected: { ...BROKEN, reason: 'internal', fix: REPORT_FIX, title: 'failed unexpectedly' },
} as const satisfies Readonly<Record<StepSituation, Row>>;

const ROWS = {
  ...STEP,
  // What happens to the connection of an attempt.
  'name-unknown': {
    ...UNSENT,
    retries: CONNECTS,
    reason: 'name',
    fix: "Check `base-url`. A name of a private network needs a runner inside it, or the runner's name server does not respond.",
  },
  'connect-failed': { ...UNSENT, retries: CONNECTS, reason: 'connection', fix: adviseConnect },
  certificate: { ...UNSENT, reason: 'certificate', fix: adviseCertificate },
  // With TLS 1.3 the alert may arrive after everything was sent, but the service has read nothing.
  'client-certificate': { ...UNSENT, reason: 'certificate', fix: adviseClientCertificate },
  'proxy-credentials': {
    ...UNSENT,
    reason: 'proxy',
    fix: "Check the credentials in the proxy's URL (https_proxy, http_proxy): http://USER:PASSWORD@HOST:PORT, for Basic authentication.",
  },
  'proxy-refused': {
    ...UNSENT,
    reason: 'proxy',
    fix: ({ settings }) =>
      `Ask the operators of the proxy to allow ${settings.host}. If no proxy is needed, list the host in \`no_proxy\`, with commas between hosts.`,
  },
  'proxy-failed': { ...UNSENT, retries: CONNECTS, reason: 'proxy', fix: adviseProxy },
  'other-protocol': { ...BROKEN, reason: 'connection', fix: adviseProtocol },
  'connection-broken': { ...BROKEN, retries: ALWAYS, reason: 'connection', fix: adviseBroken },
  stalled: {
    ...BROKEN,
    retries: ALWAYS,
    reason: 'stalled',
    fix: 'Check the network. If the service needs longer, increase `stall-timeout-seconds`.',
  },
  // A service that is still working on the scan must not get it again. It is checked first.
  'response-silent': { ...UNCONFIRMED, reason: 'stalled', fix: '' },
  'response-unreadable': {
    ...UNCONFIRMED,
    reason: 'connection',
    fix: 'Check that `base-url` is that of the service. It, or a gateway in front of it, must respond with JSON, text or XML of at most 1 MiB, not compressed, or with gzip or deflate, and over https with a length or in chunks.',
  },
  // Over TLS, everything may have been handed over; another attempt would get the same response.
  'early-success': {
    ...BROKEN,
    reason: 'connection',
    fix: 'Something responds without reading the upload: check the path in `base-url`.',
  },
  // What the service, or something in its place, responds.
  redirect: { ...UNWANTED, reason: 'redirect', fix: adviseRedirect },
  'web-page': { ...REJECTED, reason: 'web-page', fix: advisePage },
  'success-refused': {
    ...REJECTED,
    reason: 'stated',
    fix: 'The status is one of success, but the body reports a failure: ask the operators of the service why.',
  },
  invalid: { ...UNWANTED, reason: 'stated', fix: adviseInvalid },
  'https-required': {
    ...UNWANTED,
    reason: 'stated',
    fix: '`base-url` must begin with https:// for this port.',
  },
  'client-certificate-asked': { ...REJECTED, reason: 'certificate', fix: adviseClientCertificate },
  'credential-rejected': {
    ...REJECTED,
    reason: 'credentials',
    fix: ({ settings }) => CREDENTIALS[settings.credentialKind],
    stopsOthers: 'the service rejected the credential',
  },
  forbidden: { ...REJECTED, reason: 'credentials', fix: adviseForbidden },
  'not-found': { ...UNWANTED, reason: 'stated', fix: adviseNotFound },
  'request-timeout': {
    ...REJECTED,
    retries: ALWAYS,
    reason: 'stated',
    fix: 'The upload arrived too slowly: check the network between the runner and the service, and the time limit of the server for requests.',
  },
  'too-large': {
    ...UNWANTED,
    reason: 'too-large',
    fix: ({ settings }) =>
      `The upload (${settings.bodyBytes} bytes) is probably too large for the service or a gateway in front of it: reduce the size of the files (${settings.files}), or raise that limit.`,
  },
  'rate-limited': {
    ...REJECTED,
    retries: ALWAYS,
    reason: 'rate-limited',
    fix: `The service limits the rate of uploads. ${LATER}.`,
    finalFix: 'Or increase `retries`.',
  },
  'service-failed': {
    ...REJECTED,
    retries: 3,
    reason: 'unavailable',
    fix: `The service failed. ${LATER}. If it fails again, a file may cause it: give the operators the trace id.`,
  },
  'service-problem': {
    ...UNWANTED,
    reason: 'problem',
    fix: ({ settings }) =>
      `A file may cause it (${settings.files}): give the operators of the service the trace id.`,
  },
  unavailable: {
    ...REJECTED,
    retries: ALWAYS,
    reason: 'unavailable',
    fix: adviseLater('The service is not available, or a gateway cannot reach it'),
  },
  'gateway-failed': {
    ...GATEWAY,
    retries: ALWAYS,
    fix: adviseLater('A gateway got no valid response from the service'),
  },
  'gateway-timeout': {
    ...GATEWAY,
    retries: 2,
    fix: adviseLater('A gateway stopped waiting for the service'),
  },
  'gateway-interrupted': {
    ...GATEWAY,
    retries: 2,
    fix: adviseLater('A gateway sent the upload to the service, then lost it'),
  },
  refused: { ...UNWANTED, reason: 'stated', fix: adviseRefused },
} as const satisfies Readonly<Record<string, Row>>;

/** What became of a scan or an attempt that was not accepted. */
export type Situation = keyof typeof ROWS;

/** All that follows from a situation. */
export function getRow(situation: Situation): Row {
  return ROWS[situation];
}

/** What follows for a scan. */
export interface Outcome {
  readonly result: UploadResult;
  readonly reason: Reason;
}

/** What follows from a situation. Without an attempt nothing was sent, and there is no problem. */
export function conclude(
  situation: Situation,
  { isSent, response }: Pick<Attempt, 'isSent' | 'response'> = NO_ATTEMPT,
): Outcome {
  const { result, sentResult = result, reason } = getRow(situation);
  const stated = response?.problem === undefined ? 'refused' : 'problem';
  return { result: isSent ? sentResult : result, reason: reason === 'stated' ? stated : reason };
}

const NO_ATTEMPT = { isSent: false, response: undefined };
