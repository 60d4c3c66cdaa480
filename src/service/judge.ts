import { followFrom } from '../situations.ts';
import type { ConnectionSituation, Consequences, Situation } from '../situations.ts';
import type { Attempt, AttemptFailure, ConnectionError, ServiceResponse } from './attempt.ts';
import { judgeRefusal } from './judge-refusal.ts';
import { isAccepted, isSuccess } from './response.ts';
import { isHtmlType } from './response-kind.ts';
import type { UploadSettings } from './settings.ts';

/** What an attempt's settings decide about its situation. */
export type JudgeSettings = Pick<
  UploadSettings,
  'bodyBytes' | 'hasClientCertificate' | 'isSecure' | 'proxyHost'
>;

export { IIS_BODY_BYTES } from './judge-refusal.ts';

/** Finds what became of an attempt; undefined if the service accepted the upload. */
export function findSituation(attempt: Attempt, settings: JudgeSettings): Situation | undefined {
  if (isAccepted(attempt)) return undefined;
  const { response, failure } = attempt;
  if (response !== undefined && isSuccess(response.status)) return judgeSuccess(response, attempt);
  if (response !== undefined) return judgeRefusal(response, attempt, settings);
  return failure === undefined ? 'unexpected' : judgeFailure(failure, attempt, settings);
}

/** What follows for an attempt in a situation. */
export function followAttempt(
  situation: Situation | undefined,
  { isSent, response }: Attempt,
): Consequences {
  if (situation === undefined) {
    return { result: 'accepted', retries: 0, reason: 'internal', rerun: undefined };
  }
  return followFrom(situation, { isSent, hasProblem: response?.problem !== undefined });
}

/** Why a 2xx response does not count. */
function judgeSuccess(response: ServiceResponse, { digests, failure }: Attempt): Situation {
  const { kind, headers, marks } = response;
  if (kind === 'problem' || kind === 'json') return 'success-problem';
  // Over TLS, the last piece may have been handed over, but its write failed or did not end.
  const isEarly = digests === undefined;
  // The body of an early response is not read, so its type decides.
  const isPage = kind === 'web-page' || (isEarly && isHtmlType(headers['content-type']));
  if (isPage) return marks.has('sign-in') ? 'sign-in-page' : 'web-page';
  if (failure?.kind === 'step') return failure.error.situation;
  if (isEarly) return 'early-success';
  if (failure?.kind === 'limit') return 'response-stalled';
  if (failure?.kind === 'too-long') return 'response-too-long';
  return response.complete ? 'response-unreadable' : 'response-truncated';
}

function judgeFailure(
  failure: AttemptFailure,
  attempt: Attempt,
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
      return judgeLimit(attempt);
    case 'connection':
      return failure.error.isProxys
        ? judgeProxy(failure.error)
        : judgeConnection(failure.error, attempt, settings);
  }
}

function judgeLimit({ state }: Attempt): Situation {
  if (state === 'resolving') return 'name-unanswered';
  if (state === 'tunnelling') return 'proxy-timeout';
  // Once its tunnel is open, a proxy only passes on what the service sends.
  if (state === 'connecting') return 'connect-timeout';
  return state === 'waiting' ? 'response-silent' : 'stalled';
}

/** With these, proxies report that they could not connect to the service. */
const UNREACHED_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

function judgeProxy({ code, syscall, proxyResponse }: ConnectionError): ConnectionSituation {
  const proxyStatus = proxyResponse?.status;
  // tinyproxy refuses wrong credentials with 401.
  if (proxyStatus === 401 || proxyStatus === 407) return 'proxy-credentials';
  if (proxyStatus !== undefined) {
    return UNREACHED_STATUSES.has(proxyStatus) ? 'proxy-failed' : 'proxy-refused';
  }
  if (isUnknownName(code)) return 'proxy-name-unknown';
  if (judgeCertificate(code) !== undefined) return 'proxy-certificate';
  return isClosed(code) && syscall !== 'connect' ? 'proxy-closed' : 'proxy-unreachable';
}

/** In TLS 1.2 a missing client certificate is only a handshake failure (alert 40), without its own alert. */
const HANDSHAKE_FAILURE = 40;

/**
 * The alerts with which a service rejects a client certificate, or asks for one (RFC 8446, section 6.2):
 * 41 to 49, 116 and, after the handshake, 40. Node has no own error codes for them.
 */
function isClientCertificateAlert(isConnecting: boolean, alert = 0): boolean {
  if (alert === HANDSHAKE_FAILURE) return !isConnecting;
  return (alert >= 41 && alert <= 49) || alert === 116;
}

function judgeConnection(
  { code = '', alert, syscall, isTlsRecord }: ConnectionError,
  { state, isSent }: Attempt,
  { hasClientCertificate, proxyHost }: JudgeSettings,
): ConnectionSituation {
  const isConnecting = ['resolving', 'tunnelling', 'connecting'].includes(state);
  if (isClientCertificateAlert(isConnecting, alert)) {
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
  if (!isConnecting) return 'connection-broken';
  return proxyHost !== undefined && isClosed(code) ? 'proxy-closed' : 'connection-failed';
}

/** Whether the other side closed the connection; Windows has a code of its own. */
export function isClosed(code = ''): boolean {
  return /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/.test(code);
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
