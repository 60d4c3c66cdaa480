// What can become of a step, a scan or an attempt to upload one, and what follows from it. This table is
// the only place that decides; `report/words` has the sentences.

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
 * What a re-run depends on: time, a secret or a setting, a file of the repository (the workflow included),
 * or the step that writes the scan file.
 */
export type Rerun = 'time' | 'setting' | 'repository' | 'scan-step';

/** What follows from a situation. */
export interface Consequences {
  readonly result: UploadResult;
  /** How many times an attempt is repeated at most, if the author allows as many. */
  readonly retries: number;
  readonly reason: Reason;
  /** Undefined if no re-run can be advised. */
  readonly rerun: Rerun | undefined;
}

/**
 * Result, retries, reason, re-run. `open`: `unconfirmed` if everything was sent, else `not-sent`. `gateway`:
 * `unconfirmed`, else `rejected`. `stated`: `problem` if the response has one, else `refused`.
 */
type Row = readonly [
  UploadResult | 'open' | 'gateway',
  number,
  Reason | 'stated',
  Rerun | undefined,
];
type Table = Readonly<Record<string, Row>>;

const ALWAYS = Number.POSITIVE_INFINITY;
/** How often a connection is tried again that did not come about. */
const CONNECTS = 5;

/** What the action itself finds. */
const STEP = {
  'input-invalid': ['not-sent', 0, 'inputs', 'setting'],
  'token-empty': ['not-sent', 0, 'inputs', 'setting'],
  'no-file': ['not-sent', 0, 'files', 'scan-step'],
  'several-files': ['not-sent', 0, 'files', 'repository'],
  'files-undecided': ['not-sent', 0, 'files', 'repository'],
  'pattern-invalid': ['not-sent', 0, 'files', 'repository'],
  'file-outside': ['not-sent', 0, 'files', 'repository'],
  'file-unreadable': ['not-sent', 0, 'files', 'repository'],
  'file-changed': ['not-sent', 0, 'files', 'repository'],
  'content-wrong': ['not-sent', 0, 'contents', 'repository'],
  'files-swapped': ['not-sent', 0, 'contents', 'repository'],
  'node-too-old': ['not-sent', 0, 'runner', undefined],
  'workspace-missing': ['not-sent', 0, 'runner', undefined],
  'oidc-permission': ['not-sent', 0, 'credentials', 'repository'],
  'oidc-failed': ['not-sent', ALWAYS, 'credentials', 'time'],
  'other-scans': ['not-sent', 0, 'other-scans', undefined],
  'wait-too-long': ['not-sent', 0, 'time-limit', 'time'],
  'time-limit': ['open', 0, 'time-limit', 'time'],
  cancelled: ['open', 0, 'cancelled', undefined],
  unexpected: ['open', 0, 'internal', undefined],
} as const satisfies Table;

/** What happens to a connection. */
const CONNECTION = {
  'name-unknown': ['not-sent', CONNECTS, 'name', 'time'],
  'name-unanswered': ['not-sent', CONNECTS, 'name', 'time'],
  'connect-timeout': ['not-sent', CONNECTS, 'connection', 'time'],
  'connection-refused': ['not-sent', CONNECTS, 'connection', 'time'],
  'connection-failed': ['not-sent', CONNECTS, 'connection', 'time'],
  'tls-failed': ['not-sent', 0, 'connection', 'setting'],
  'tls-handshake-refused': ['not-sent', 0, 'connection', 'setting'],
  'tls-to-http-port': ['not-sent', 0, 'connection', 'setting'],
  'http-to-tls-port': ['open', 0, 'connection', 'setting'],
  'certificate-expired': ['not-sent', 0, 'certificate', 'time'],
  'certificate-not-yet-valid': ['not-sent', 0, 'certificate', 'time'],
  'certificate-other-name': ['not-sent', 0, 'certificate', 'setting'],
  'certificate-self-signed': ['not-sent', 0, 'certificate', 'setting'],
  'certificate-unknown-issuer': ['not-sent', 0, 'certificate', 'setting'],
  'certificate-invalid': ['not-sent', 0, 'certificate', 'setting'],
  // With TLS 1.3 the alert may arrive after everything was sent, but the service has read nothing.
  'client-certificate-missing': ['not-sent', 0, 'certificate', 'setting'],
  'client-certificate-refused': ['not-sent', 0, 'certificate', 'setting'],
  'proxy-name-unknown': ['not-sent', CONNECTS, 'proxy', 'time'],
  'proxy-timeout': ['not-sent', CONNECTS, 'proxy', 'time'],
  'proxy-unreachable': ['not-sent', CONNECTS, 'proxy', 'time'],
  'proxy-certificate': ['not-sent', 0, 'certificate', 'setting'],
  'proxy-credentials': ['not-sent', 0, 'proxy', 'setting'],
  'proxy-closed': ['not-sent', CONNECTS, 'proxy', 'time'],
  'proxy-refused': ['not-sent', 0, 'proxy', 'setting'],
  'proxy-failed': ['not-sent', CONNECTS, 'proxy', 'time'],
  'not-http': ['open', 0, 'connection', 'setting'],
  'connection-broken': ['not-sent', ALWAYS, 'connection', 'time'],
  stalled: ['open', ALWAYS, 'stalled', 'time'],
  'response-lost': ['unconfirmed', ALWAYS, 'connection', 'time'],
  // A service that is still working on the scan must not get it again.
  'response-silent': ['unconfirmed', 0, 'stalled', 'time'],
  'response-stalled': ['unconfirmed', ALWAYS, 'stalled', 'time'],
  'response-truncated': ['unconfirmed', ALWAYS, 'connection', 'time'],
  'response-too-long': ['unconfirmed', 0, 'connection', 'setting'],
  'response-unreadable': ['unconfirmed', 0, 'connection', 'setting'],
  // Over TLS, everything may have been handed over; another attempt would get the same response.
  'early-success': ['open', 0, 'connection', 'setting'],
} as const satisfies Table;

/** What the service, or something in its place, responds. */
const RESPONSE = {
  redirect: ['rejected', 0, 'redirect', 'setting'],
  'web-page': ['rejected', 0, 'web-page', 'setting'],
  'sign-in-page': ['rejected', 0, 'web-page', 'setting'],
  'success-problem': ['rejected', 0, 'stated', 'setting'],
  'bad-request': ['rejected', 0, 'stated', 'setting'],
  'https-required': ['rejected', 0, 'stated', 'setting'],
  'client-certificate-asked': ['rejected', 0, 'certificate', 'setting'],
  'credential-rejected': ['rejected', 0, 'credentials', 'setting'],
  forbidden: ['rejected', 0, 'credentials', 'setting'],
  'forbidden-unexplained': ['rejected', 0, 'credentials', 'setting'],
  'gateway-refused': ['rejected', 0, 'stated', 'setting'],
  'csrf-refused': ['rejected', 0, 'stated', 'setting'],
  'route-unknown': ['rejected', 0, 'stated', 'setting'],
  'scan-unknown': ['rejected', 0, 'stated', 'setting'],
  'not-found': ['rejected', 0, 'stated', 'setting'],
  'method-refused': ['rejected', 0, 'stated', 'setting'],
  'request-timeout': ['rejected', ALWAYS, 'stated', 'time'],
  conflict: ['rejected', 0, 'stated', 'setting'],
  'too-large': ['rejected', 0, 'too-large', 'setting'],
  'type-refused': ['rejected', 0, 'stated', 'setting'],
  unprocessable: ['rejected', 0, 'stated', 'setting'],
  'rate-limited': ['rejected', ALWAYS, 'rate-limited', 'time'],
  'service-failed': ['rejected', 3, 'unavailable', 'time'],
  'service-problem': ['rejected', 0, 'problem', 'time'],
  'service-unavailable': ['rejected', ALWAYS, 'unavailable', 'time'],
  'gateway-failed': ['gateway', ALWAYS, 'unavailable', 'time'],
  // Each attempt of these may be another scan for the service.
  'gateway-timeout': ['gateway', 2, 'unavailable', 'time'],
  'gateway-interrupted': ['gateway', 1, 'unavailable', 'time'],
  refused: ['rejected', 0, 'stated', 'setting'],
} as const satisfies Table;

const ALL = { ...STEP, ...CONNECTION, ...RESPONSE };

/** What an error names that ends a step, or a scan before or during an attempt. */
export type StepSituation = keyof typeof STEP;
export type ConnectionSituation = keyof typeof CONNECTION;
export type ResponseSituation = keyof typeof RESPONSE;
/** What became of a scan or an attempt that was not accepted. */
export type Situation = keyof typeof ALL;

/** All situations, in the order in which documents list them. */
export const SITUATIONS = Object.keys(ALL).filter(isSituation);

function isSituation(text: string): text is Situation {
  return Object.hasOwn(ALL, text);
}

/** What is known of an attempt, as far as the consequences of its situation depend on it. */
export interface Circumstances {
  readonly isSent: boolean;
  /** Whether the response has a problem. */
  readonly hasProblem: boolean;
}

/** What follows from a situation; without an attempt nothing was sent. */
export function followFrom(
  situation: Situation,
  { isSent, hasProblem }: Circumstances = { isSent: false, hasProblem: false },
): Consequences {
  const [result, retries, reason, rerun]: Row = ALL[situation];
  const results = isSent
    ? ({ open: 'unconfirmed', gateway: 'unconfirmed' } as const)
    : ({ open: 'not-sent', gateway: 'rejected' } as const);
  const stated = hasProblem ? 'problem' : 'refused';
  return {
    result: result === 'open' || result === 'gateway' ? results[result] : result,
    retries,
    reason: reason === 'stated' ? stated : reason,
    rerun,
  };
}

/** Whether other scans of the step, or the wait that one of them was asked for, kept a scan from being sent. */
export function isFollowing(situation: Situation): boolean {
  return situation === 'other-scans' || situation === 'wait-too-long';
}
