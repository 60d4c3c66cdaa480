import { followFrom } from '../situations.ts';
import type { Consequences, Situation } from '../situations.ts';
import type {
  Attempt,
  AttemptFailure,
  ConnectionError,
  ServiceResponse,
  State,
} from './attempt.ts';
import { isAccepted, isSuccess } from './response.ts';
import { isHtmlType } from './response-kind.ts';
import type { UploadSettings } from './settings.ts';

/** What an attempt's settings decide about its situation. */
export type JudgeSettings = Pick<UploadSettings, 'bodyBytes' | 'isSecure' | 'proxyHost'>;

/** Larger bodies are over IIS's default limit, 30,000,000 bytes, which it reports as a 404. */
export const IIS_BODY_BYTES = 30_000_000;
const IIS = /\bMicrosoft-(?:IIS|HTTPAPI)\b/i;
/** What frameworks say of a body over their limit with a status that does not. */
const TOO_LARGE =
  /\b(?:body|files?|entity|payload|upload|message|data|content|request|field) (?:is |was |are )?too (?:large|big)\b|\b(?:size|length) limit\b.{0,40}\bexceeded\b|\bmaximum\b.{0,60}\b(?:size|length)\b.{0,60}\bexceeded\b|\bexceed(?:s|ed)\b.{0,60}\b(?:size|length|maximum|DATA_UPLOAD_MAX)|\breached size limit\b|\brequest was larger than\b/i;
const CLIENT_CERTIFICATE = /\b(?:client|SSL) certificate\b|\bPost-Handshake Authentication\b/i;
const TLS = /\b(?:HTTPS(?!:)|TLS|SSL)\b/i;
/** A gateway sent the request to the service, but got no whole response. */
const HAD_REQUEST =
  /\bconnection termination\b|\bBackend fetch failed\b|\bserver closed connection\b|\bError reading from remote server\b/i;

const REFUSALS: ReadonlyMap<number, Situation> = new Map([
  ...[400, 409, 422].map((status) => [status, 'invalid'] as const),
  [401, 'credential-rejected'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [408, 'request-timeout'],
  [413, 'too-large'],
  [425, 'unavailable'],
  [429, 'rate-limited'],
  [500, 'service-failed'],
  [503, 'unavailable'],
  // Of gateways only; the service behind them may have the whole body.
  ...[502, 520, 521, 522, 523].map((status) => [status, 'gateway-failed'] as const),
  ...[504, 524].map((status) => [status, 'gateway-timeout'] as const),
]);

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
  if (situation === undefined) return { result: 'accepted', retries: 0, reason: 'internal' };
  return followFrom(situation, { isSent, hasProblem: response?.problem !== undefined });
}

/** Why a 2xx response does not count. */
function judgeSuccess(
  { kind, headers, complete }: ServiceResponse,
  { digests, failure }: Attempt,
): Situation {
  if (kind === 'problem' || kind === 'json') return 'success-refused';
  // Over TLS, the last piece may have been handed over, but its write failed or did not end.
  const isEarly = digests === undefined;
  // The body of an early response is not read, so its type decides.
  if (kind === 'web-page' || (isEarly && isHtmlType(headers['content-type']))) return 'web-page';
  if (failure?.kind === 'step') return failure.error.situation;
  if (isEarly) return 'early-success';
  if (failure?.kind === 'limit') return 'stalled';
  return complete || failure?.kind === 'too-long' ? 'response-unreadable' : 'response-lost';
}

/** What a response is that is no success. */
function judgeRefusal(
  { status, kind, says, headers, problem }: ServiceResponse,
  { isSent }: Attempt,
  { bodyBytes, isSecure }: JudgeSettings,
): Situation {
  if (status < 400) return 'redirect';
  const text = says.join('\n');
  if (isSent && status >= 502 && status <= 504 && HAD_REQUEST.test(text)) {
    return 'gateway-interrupted';
  }
  const isIis = status === 404 && bodyBytes > IIS_BODY_BYTES && IIS.test(String(headers.server));
  if (isIis || ([400, 404, 500].includes(status) && TOO_LARGE.test(text))) return 'too-large';
  // A server or a gateway in front of the service.
  const isForeign = kind !== 'problem' && kind !== 'json';
  if (status === 400 && isForeign && TLS.test(text)) {
    return isSecure ? 'client-certificate-asked' : 'https-required';
  }
  // A page with a challenge asks for another credential.
  const isAsked = kind === 'web-page' && headers['www-authenticate'] === undefined;
  if (status === 403 && isAsked && CLIENT_CERTIFICATE.test(text)) return 'client-certificate-asked';
  // A 500 with a problem is the service's own decision; without one it may be a temporary crash.
  if (status === 500 && problem !== undefined) return 'service-problem';
  return REFUSALS.get(status) ?? 'refused';
}

/** States in which a limit has another meaning than that nothing moved. */
const LIMITS: Readonly<Partial<Record<State, Situation>>> = {
  resolving: 'name-unknown',
  tunnelling: 'proxy-failed',
  // Once its tunnel is open, a proxy only passes on what the service sends.
  connecting: 'connect-failed',
  waiting: 'response-silent',
};

function judgeFailure(
  failure: AttemptFailure,
  attempt: Attempt,
  settings: JudgeSettings,
): Situation {
  if (failure.kind === 'connection') return judgeConnection(failure.error, attempt, settings);
  if (failure.kind === 'limit') return LIMITS[attempt.state] ?? 'stalled';
  if (failure.kind === 'step') return failure.error.situation;
  return failure.kind === 'too-long' ? 'response-unreadable' : 'unexpected';
}

function judgeConnection(
  { code = '', alert = 0, isTlsRecord, isProxys, proxyResponse }: ConnectionError,
  { state, isSent }: Attempt,
  { proxyHost }: JudgeSettings,
): Situation {
  if (proxyResponse !== undefined) return judgeProxy(proxyResponse.status);
  // Alerts with which a service rejects a client certificate, or asks for one (RFC 8446, section 6.2; TLS 1.2: 40).
  if (!isProxys && ((alert >= 40 && alert <= 49) || alert === 116)) return 'client-certificate';
  const certificate = judgeCertificate(code);
  if (certificate !== undefined) return certificate;
  if (isProxys) return 'proxy-failed';
  if (state === 'connecting' && /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) return 'tls-failed';
  if (/^(?:ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/.test(code)) return 'name-unknown';
  // Response headers that end too early are a broken connection, not another protocol.
  if (isTlsRecord || /^HPE_(?!INVALID_EOF_STATE)/.test(code)) return 'not-http';
  if (isSent) return 'response-lost';
  if (!['resolving', 'tunnelling', 'connecting'].includes(state)) return 'connection-broken';
  // The tunnel ended.
  return proxyHost !== undefined && isClosed(code) ? 'proxy-failed' : 'connect-failed';
}

function judgeProxy(status: number): Situation {
  // tinyproxy refuses wrong credentials with 401.
  if (status === 401 || status === 407) return 'proxy-credentials';
  // With these, proxies report that they could not connect to the service.
  return [500, 502, 503, 504].includes(status) ? 'proxy-failed' : 'proxy-refused';
}

/** Whether the other side closed the connection; Windows has a code of its own. */
export function isClosed(code = ''): boolean {
  return /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/.test(code);
}

const CERTIFICATE_CODE =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** What is wrong with a certificate, by OpenSSL's code or Node's; undefined for other codes. */
function judgeCertificate(code: string): Situation | undefined {
  if (!CERTIFICATE_CODE.test(code)) return undefined;
  if (/EXPIRED|NOT_YET_VALID/.test(code)) return 'certificate-date';
  return /ALTNAME|HOSTNAME/.test(code) ? 'certificate-name' : 'certificate-untrusted';
}
