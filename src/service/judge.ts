import { followFrom } from '../situations.ts';
import type {
  ConnectionSituation,
  Consequences,
  ResponseSituation,
  Situation,
  UploadResult,
} from '../situations.ts';
import type { AttemptFacts, AttemptFailure, ConnectionError, ResponseFacts } from './attempt.ts';
import type { Mark } from './marks.ts';
import { isAccepted, isSuccess } from './response.ts';
import type { UploadSettings } from './settings.ts';

/** What an attempt's settings decide about its situation. */
export type JudgeSettings = Pick<
  UploadSettings,
  'bodyBytes' | 'hasClientCertificate' | 'proxyHost'
>;

/** Larger bodies are over IIS's default limit, 30,000,000 bytes, which it reports as a 404 or a reset. */
export const IIS_BODY_BYTES = 30_000_000;

/** Statuses of gateways; the service behind them may have the whole body. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524]);

const REFUSALS: ReadonlyMap<number, ResponseSituation> = new Map([
  [400, 'bad-request'],
  [401, 'credential-rejected'],
  [405, 'method-refused'],
  [408, 'request-timeout'],
  [409, 'conflict'],
  [413, 'too-large'],
  [415, 'type-refused'],
  [422, 'unprocessable'],
  [425, 'service-unavailable'],
  [429, 'rate-limited'],
  [503, 'service-unavailable'],
]);

/** Finds what became of an attempt; undefined if the service accepted the upload. */
export function findSituation(
  attempt: AttemptFacts,
  settings: JudgeSettings,
): Situation | undefined {
  if (isAccepted(attempt)) return undefined;
  const { response, failure } = attempt;
  if (response !== undefined && isSuccess(response.status)) return judgeSuccess(response, attempt);
  if (response !== undefined) return judgeRefusal(response, settings);
  return failure === undefined ? 'unexpected' : judgeFailure(failure, attempt, settings);
}

/** What follows for an attempt in a situation. */
export function followAttempt(
  situation: Situation | undefined,
  { isSent, response }: AttemptFacts,
): Consequences {
  if (situation === undefined) {
    return { result: 'accepted', retries: 0, reason: 'internal', rerun: undefined };
  }
  return followFrom(situation, { isSent, hasProblem: response?.marks.has('problem') === true });
}

/** Why a 2xx response does not count. */
function judgeSuccess(response: ResponseFacts, { isSent, failure }: AttemptFacts): Situation {
  if (response.confirmation === 'problem') return 'success-problem';
  // The body of an early response is not read, so its type decides.
  const isPage = response.confirmation === 'web-page' || (!isSent && response.marks.has('html'));
  if (isPage) return 'web-page';
  if (!isSent) return 'early-success';
  if (failure?.kind === 'step') return failure.error.situation;
  if (failure?.kind === 'limit') return 'response-stalled';
  if (failure?.kind === 'too-long') return 'response-too-long';
  return response.complete ? 'response-unreadable' : 'response-truncated';
}

function judgeRefusal({ status, marks }: ResponseFacts, { bodyBytes }: JudgeSettings): Situation {
  if (status < 400) return 'redirect';
  if (GATEWAY_STATUSES.has(status)) return 'gateway-failed';
  if (status === 400) return judgeBadRequest(marks);
  // A 403 with a web page comes from a firewall, which inspects the contents of the files.
  if (status === 403) return marks.has('html') ? 'firewall' : 'forbidden';
  if (status === 404) {
    if (bodyBytes > IIS_BODY_BYTES) return 'too-large';
    return marks.has('own-problem') ? 'scan-unknown' : 'route-unknown';
  }
  // A 500 with a problem is the service's own decision; without one it may be a temporary crash.
  if (status === 500) return marks.has('problem') ? 'service-problem' : 'service-failed';
  return REFUSALS.get(status) ?? 'refused';
}

function judgeBadRequest(marks: ReadonlySet<Mark>): ResponseSituation {
  if (marks.has('too-large')) return 'too-large';
  if (marks.has('client-certificate')) return 'client-certificate-asked';
  return marks.has('tls-port') ? 'https-required' : 'bad-request';
}

function judgeFailure(
  failure: AttemptFailure,
  attempt: AttemptFacts,
  settings: JudgeSettings,
): Situation {
  switch (failure.kind) {
    case 'step':
      return failure.error.situation;
    case 'unexpected':
      return 'unexpected';
    case 'too-long':
      return 'response-too-long';
    case 'limit':
      return judgeLimit(attempt, settings);
    case 'connection':
      return failure.error.isProxys
        ? judgeProxy(failure.error)
        : judgeConnection(failure.error, attempt, settings);
  }
}

function judgeLimit({ state }: AttemptFacts, { proxyHost }: JudgeSettings): Situation {
  if (state === 'resolving') return 'name-unanswered';
  if (state === 'connecting') return proxyHost === undefined ? 'connect-timeout' : 'proxy-timeout';
  return state === 'waiting' ? 'response-silent' : 'stalled';
}

function judgeProxy(error: ConnectionError): ConnectionSituation {
  const { code, proxyStatus } = error;
  if (proxyStatus === 407) return 'proxy-credentials';
  if (proxyStatus !== undefined) {
    return proxyStatus >= 400 && proxyStatus < 500 ? 'proxy-refused' : 'proxy-failed';
  }
  if (isUnknownName(code)) return 'proxy-name-unknown';
  return judgeCertificate(code) === undefined ? 'proxy-unreachable' : 'proxy-certificate';
}

/**
 * The alerts with which a service rejects a client certificate, or asks for one (RFC 8446, section 6.2):
 * 41 to 49 and 116. Node has no own error codes for them.
 */
function isClientCertificateAlert(alert = 0): boolean {
  return (alert >= 41 && alert <= 49) || alert === 116;
}

/** In TLS 1.2 a missing client certificate is only a handshake failure (alert 40), without its own alert. */
const HANDSHAKE_FAILURE = 40;

function judgeConnection(
  { code = '', alert, syscall, isTlsRecord }: ConnectionError,
  { state, isSent }: AttemptFacts,
  { hasClientCertificate }: JudgeSettings,
): ConnectionSituation {
  if (isClientCertificateAlert(alert)) {
    return hasClientCertificate ? 'client-certificate-refused' : 'client-certificate-missing';
  }
  const certificate = judgeCertificate(code);
  if (certificate !== undefined) return certificate;
  if (isTlsRecord) return 'http-to-tls-port';
  if (state === 'connecting' && /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) {
    if (alert === HANDSHAKE_FAILURE) return 'tls-handshake-refused';
    return /WRONG_VERSION|_LENGTH_TOO_LONG$/.test(code) ? 'tls-to-http-port' : 'tls-failed';
  }
  if (isUnknownName(code)) return 'name-unknown';
  // Response headers that end too early are a broken connection, not another protocol.
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return 'not-http';
  if (isSent) return 'response-lost';
  if (syscall === 'connect' && code === 'ECONNREFUSED') return 'connection-refused';
  const isConnecting = state === 'resolving' || state === 'connecting';
  return isConnecting ? 'connection-failed' : 'connection-broken';
}

function isUnknownName(code = ''): boolean {
  return /^(?:ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/.test(code);
}

const CERTIFICATE_CODE =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** What is wrong with a certificate, by OpenSSL's code or Node's; undefined for other codes. */
export function judgeCertificate(code = ''): ConnectionSituation | undefined {
  if (!CERTIFICATE_CODE.test(code)) return undefined;
  if (code === 'CERT_HAS_EXPIRED') return 'certificate-expired';
  if (code === 'CERT_NOT_YET_VALID') return 'certificate-not-yet-valid';
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(code)) return 'certificate-other-name';
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return 'certificate-self-signed';
  return /^(?:SELF_SIGNED|UNABLE_TO_)/.test(code)
    ? 'certificate-unknown-issuer'
    : 'certificate-invalid';
}

/** Over all attempts: accepted if the last was, else unconfirmed if any was, else the last one's. */
export function decideResult(last: UploadResult, wasUnconfirmed: boolean): UploadResult {
  return last !== 'accepted' && wasUnconfirmed ? 'unconfirmed' : last;
}
