// What can become of a step, a scan or an attempt to upload one, and what follows from it. This table is
// the only place that decides; `report/fixes` has the fix of each.

/** `not-sent`: the service cannot have the whole body. `unconfirmed`: it may have it, but did not confirm it. */
export type UploadResult = 'accepted' | 'rejected' | 'not-sent' | 'unconfirmed';

/** Why a scan or a step failed, for workflows that check it, and what each value means. */
export const REASONS = {
  inputs: 'An input is missing or invalid.',
  files: 'A file is missing, ambiguous, unreadable, outside the workspace, or changed.',
  contents: 'A file is empty, truncated, malformed or in the wrong part (`content-check`).',
  credentials: 'The service rejected the credential (401, 403), or there was no OIDC token.',
  problem: 'The service refused with a problem (RFC 9457).',
  refused: 'The service, or a gateway, refused without a problem.',
  unavailable: 'The service or a gateway failed: 502-504, 520-524, 425, 500 without a problem.',
  redirect: 'The response was a redirect; none is followed.',
  'web-page': 'The response was a web page, such as a login.',
  'too-large': 'The upload is too large for the service.',
  'rate-limited': 'The service responded 429.',
  name: 'The host name does not resolve.',
  certificate: "The service's certificate is not trusted, or it asks for a client certificate.",
  proxy: 'The proxy refused the connection, could not be reached, or could not reach the service.',
  connection: 'The connection failed or broke, or the response was incomplete or cannot be read.',
  stalled: 'No data for `stall-timeout-seconds`, or no response for 300 s.',
  'time-limit': '`timeout-seconds` ended the step, or a wait would have exceeded it.',
  cancelled: 'The job was cancelled, or timed out.',
  'other-scans': 'The scan was not sent because of other scans of the step.',
  runner: 'The runner or the job is not set up for the action: its Node, or its workspace.',
  internal: 'The action failed unexpectedly.',
} as const satisfies Readonly<Record<string, string>>;
export type Reason = keyof typeof REASONS;

/**
 * Result, how many times an attempt is repeated at most, reason; and the result if everything was sent, where it is
 * another one. `stated`: `problem` if the response has one, else `refused`.
 */
type Row = readonly [UploadResult, number, Reason | 'stated', UploadResult?];

const ALWAYS = Number.POSITIVE_INFINITY;
/** How often a connection is tried again that did not come about. */
const CONNECTS = 5;

/** What the action itself finds: an error names its situation. */
const STEP = {
  inputs: ['not-sent', 0, 'inputs'],
  files: ['not-sent', 0, 'files'],
  contents: ['not-sent', 0, 'contents'],
  runner: ['not-sent', 0, 'runner'],
  'oidc-permission': ['not-sent', 0, 'credentials'],
  'oidc-failed': ['not-sent', ALWAYS, 'credentials'],
  'other-scans': ['not-sent', 0, 'other-scans'],
  'wait-too-long': ['not-sent', 0, 'time-limit'],
  'time-limit': ['not-sent', 0, 'time-limit', 'unconfirmed'],
  cancelled: ['not-sent', 0, 'cancelled', 'unconfirmed'],
  unexpected: ['not-sent', 0, 'internal', 'unconfirmed'],
} as const satisfies Readonly<Record<string, Row>>;

const ALL = {
  ...STEP,
  // What happens to the connection of an attempt.
  'name-unknown': ['not-sent', CONNECTS, 'name'],
  'connect-failed': ['not-sent', CONNECTS, 'connection'],
  certificate: ['not-sent', 0, 'certificate'],
  // With TLS 1.3 the alert may arrive after everything was sent, but the service has read nothing.
  'client-certificate': ['not-sent', 0, 'certificate'],
  'proxy-credentials': ['not-sent', 0, 'proxy'],
  'proxy-refused': ['not-sent', 0, 'proxy'],
  'proxy-failed': ['not-sent', CONNECTS, 'proxy'],
  'other-protocol': ['not-sent', 0, 'connection', 'unconfirmed'],
  'connection-broken': ['not-sent', ALWAYS, 'connection', 'unconfirmed'],
  stalled: ['not-sent', ALWAYS, 'stalled', 'unconfirmed'],
  // A service that is still working on the scan must not get it again.
  'response-silent': ['unconfirmed', 0, 'stalled'],
  'response-unreadable': ['unconfirmed', 0, 'connection'],
  // Over TLS, everything may have been handed over; another attempt would get the same response.
  'early-success': ['not-sent', 0, 'connection', 'unconfirmed'],
  // What the service, or something in its place, responds.
  redirect: ['rejected', 0, 'redirect'],
  'web-page': ['rejected', 0, 'web-page'],
  'success-refused': ['rejected', 0, 'stated'],
  invalid: ['rejected', 0, 'stated'],
  'https-required': ['rejected', 0, 'stated'],
  'client-certificate-asked': ['rejected', 0, 'certificate'],
  'credential-rejected': ['rejected', 0, 'credentials'],
  forbidden: ['rejected', 0, 'credentials'],
  'not-found': ['rejected', 0, 'stated'],
  'request-timeout': ['rejected', ALWAYS, 'stated'],
  'too-large': ['rejected', 0, 'too-large'],
  'rate-limited': ['rejected', ALWAYS, 'rate-limited'],
  'service-failed': ['rejected', 3, 'unavailable'],
  'service-problem': ['rejected', 0, 'problem'],
  unavailable: ['rejected', ALWAYS, 'unavailable'],
  'gateway-failed': ['rejected', ALWAYS, 'unavailable', 'unconfirmed'],
  // Each attempt of these may be another scan for the service.
  'gateway-timeout': ['rejected', 2, 'unavailable', 'unconfirmed'],
  'gateway-interrupted': ['rejected', 1, 'unavailable', 'unconfirmed'],
  refused: ['rejected', 0, 'stated'],
} as const satisfies Readonly<Record<string, Row>>;

/** What an error names that ends a step, or a scan before or during an attempt. */
export type StepSituation = keyof typeof STEP;
/** What became of a scan or an attempt that was not accepted. */
export type Situation = keyof typeof ALL;

/** What follows from a situation. */
export interface Consequences {
  readonly result: UploadResult;
  /** How many times an attempt is repeated at most, if the author allows as many. */
  readonly retries: number;
  readonly reason: Reason;
}

/** What follows from a situation. Without an attempt nothing was sent, and there is no problem. */
export function followFrom(
  situation: Situation,
  { isSent, hasProblem } = { isSent: false, hasProblem: false },
): Consequences {
  const [unsent, retries, reason, sent = unsent]: Row = ALL[situation];
  const stated = hasProblem ? 'problem' : 'refused';
  return {
    result: isSent ? sent : unsent,
    retries,
    reason: reason === 'stated' ? stated : reason,
  };
}

/** Whether other scans of the step, or the wait that one of them was asked for, kept a scan from being sent. */
export function isFollowing(situation: Situation): boolean {
  return situation === 'other-scans' || situation === 'wait-too-long';
}
