import type { UploadFacts } from './advice.ts';
import type { Situation } from './situations.ts';
import type { Attempt, ConnectionError, ServiceResponse, State } from '../service/attempt.ts';
import { isChallenge, isSuccess } from '../service/response.ts';

/** What an attempt's settings decide about its situation. */
type JudgeSettings = Pick<UploadFacts, 'bodyBytes' | 'isSecure' | 'proxyHost'>;

/** What frameworks say of a body over their limit with a status that does not. */
const TOO_LARGE =
  /\b(?:body|files?|entity|payload|upload|message|data|content|request|field) (?:is |was |are )?too (?:large|big)\b|\b(?:size|length) limit\b.{0,40}\bexceeded\b|\bmaximum\b.{0,60}\b(?:size|length)\b.{0,60}\bexceeded\b|\bexceed(?:s|ed)\b.{0,60}\b(?:size|length|maximum|DATA_UPLOAD_MAX)|\breached size limit\b|\brequest was larger than\b/i;
/** Larger bodies are over IIS's default limit, which it reports as a 404. */
const IIS_BODY_BYTES = 30_000_000;
const IIS = /\bMicrosoft-(?:IIS|HTTPAPI)\b/i;
const CLIENT_CERTIFICATE = /\b(?:client|SSL) certificate\b|\bPost-Handshake Authentication\b/i;
const TLS = /\b(?:HTTPS(?!:)|TLS|SSL)\b/i;
/** A gateway sent the request to the service, but got no whole response. */
const HAD_REQUEST =
  /\bconnection termination\b|\bBackend fetch failed\b|\bserver closed connection\b|\bError reading from remote server\b/i;

/** Refusals by their statuses; all others are `refused`. */
const REFUSALS: readonly (readonly [Situation, ...number[]])[] = [
  ['invalid', 400, 409, 422],
  ['credential-rejected', 401],
  ['forbidden', 403],
  ['not-found', 404],
  ['request-timeout', 408],
  ['too-large', 413],
  ['rate-limited', 429],
  ['service-failed', 500],
  ['unavailable', 425, 503],
  // Of gateways only; the service behind them may have the whole body.
  ['gateway-failed', 502, 520, 521, 522, 523],
  ['gateway-timeout', 504, 524],
];

/** States in which nothing of the request is sent yet. */
export const BEFORE_REQUEST: readonly State[] = ['credential', 'connecting'];

/** What is wrong with a certificate: codes of OpenSSL, and one of Node. */
const CERTIFICATE =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** Finds what became of an attempt; undefined if the service accepted the upload. */
export function findSituation(attempt: Attempt, settings: JudgeSettings): Situation | undefined {
  const { response, failure, state } = attempt;
  if (response !== undefined && isChallenge(response)) return 'web-page';
  if (isAccepted(attempt)) return undefined;
  if (response !== undefined && isSuccess(response.status)) return judgeSuccess(response, attempt);
  if (response !== undefined) return judgeRefusal(response, attempt, settings);
  if (failure?.kind === 'connection') return judgeConnection(failure.error, attempt, settings);
  if (failure?.kind === 'limit') return judgeLimit(state, settings);
  return failure?.kind === 'step' ? failure.error.situation : 'unexpected';
}

/** Why a 2xx response does not count. */
function judgeSuccess(
  { kind, complete }: ServiceResponse,
  { digests, failure }: Attempt,
): Situation {
  if (kind === 'problem' || kind === 'refusal') return 'success-refused';
  if (kind === 'web-page') return 'web-page';
  if (failure?.kind === 'step') return failure.error.situation;
  // Over TLS, the last piece may have been handed over, but its write failed or did not end.
  if (digests === undefined) return 'early-success';
  if (failure?.kind === 'limit') return 'stalled';
  return complete || failure?.kind === 'too-long' ? 'response-unreadable' : 'connection-broken';
}

/** What a response is that is no success. */
function judgeRefusal(
  { status, kind, text, headers, problem }: ServiceResponse,
  { isSent }: Attempt,
  { bodyBytes, isSecure }: JudgeSettings,
): Situation {
  if (status >= 300 && status < 400) return 'redirect';
  const isGateways = status >= 502 && status <= 504;
  if (isSent && isGateways && HAD_REQUEST.test(text)) return 'gateway-interrupted';
  const isIis = status === 404 && bodyBytes > IIS_BODY_BYTES && IIS.test(String(headers.server));
  if (isIis || ([400, 404, 500].includes(status) && TOO_LARGE.test(text))) return 'too-large';
  // A server or a gateway in front of the service.
  const isForeign = kind !== 'problem' && kind !== 'json';
  if (status === 400 && isForeign && !isSecure && TLS.test(text)) return 'https-required';
  const isAsked = isForeign && CLIENT_CERTIFICATE.test(text);
  if (isAsked && (status === 400 || status === 403)) return 'client-certificate-asked';
  // A 500 with a problem is the service's own decision; without one it may be a temporary crash.
  if (status === 500 && problem !== undefined) return 'service-problem';
  return REFUSALS.find(([, ...statuses]) => statuses.includes(status))?.[0] ?? 'refused';
}

/** What a limit means without a response. */
function judgeLimit(state: State, { proxyHost }: JudgeSettings): Situation {
  if (state === 'connecting') return proxyHost === undefined ? 'connect-failed' : 'proxy-failed';
  return state === 'waiting' ? 'response-silent' : 'stalled';
}

/** What an error means without a response. */
function judgeConnection(
  { code = '', alert = 0, isOfProxy, proxyStatus }: ConnectionError,
  { state }: Attempt,
  { proxyHost }: JudgeSettings,
): Situation {
  if (proxyStatus !== undefined) return judgeProxy(proxyStatus);
  if (CERTIFICATE.test(code)) return 'certificate';
  if (isOfProxy) return 'proxy-failed';
  // Alerts with which a service rejects a client certificate, or asks for one (RFC 8446, section 6.2; TLS 1.2: 40).
  if ((alert >= 40 && alert <= 49) || alert === 116) return 'client-certificate';
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'name-unknown';
  const isTls = state === 'connecting' && /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code);
  // Response headers that end too early are a broken connection, not another protocol.
  if (isTls || /^HPE_(?!INVALID_EOF_STATE)/.test(code)) return 'other-protocol';
  if (!BEFORE_REQUEST.includes(state)) return 'connection-broken';
  // A proxy ends its tunnel if it cannot connect. Windows has a code of its own.
  const isClosed = /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/.test(code);
  return proxyHost !== undefined && isClosed ? 'proxy-failed' : 'connect-failed';
}

function judgeProxy(status: number): Situation {
  // tinyproxy refuses wrong credentials with 401.
  if (status === 401 || status === 407) return 'proxy-credentials';
  // With these, proxies report that they could not connect to the service.
  return [500, 502, 503, 504].includes(status) ? 'proxy-failed' : 'proxy-refused';
}

/** Whether a response confirms the upload: the connection took all of it, and it is a whole, confirming 2xx. */
function isAccepted({ digests, response }: Pick<Attempt, 'digests' | 'response'>): boolean {
  if (digests === undefined || response === undefined) return false;
  return isSuccess(response.status) && response.complete && response.kind === 'success';
}
