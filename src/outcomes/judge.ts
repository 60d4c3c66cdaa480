import { isChallenge, isForeign, isSuccess } from '../service/attempt.ts';
import type { Attempt, ConnectionError, ServiceResponse, State } from '../service/attempt.ts';
import type { Situation } from './situations.ts';

/** What frameworks say, here in lower case, of a body over their limit if the status does not say it. */
const TOO_LARGE = [
  /\b(?:body|content|data|entity|files?|message|payload|request|upload) (?:is |was )?(?:too (?:large|big)|larger than)\b/,
  /\b(?:size|length) (?:limit|.{0,40}\bexceeded)\b|\bexceed(?:s|ed)\b.{0,60}\b(?:size|length|maximum|data_upload_max)/,
];
/** What servers say, in lower case, if they want a client certificate. */
const CLIENT_CERTIFICATE = ['client certificate', 'ssl certificate', 'post-handshake auth'];
/** A gateway sent the request to the service, but got no whole response. */
const HAD_REQUEST = [
  'connection termination',
  'backend fetch failed',
  'server closed connection',
  'error reading from remote server',
];
/** What is wrong with a certificate: how codes of OpenSSL begin, and one of Node. */
const CERTIFICATE =
  'CERT_ CRL_ DEPTH_ZERO_ SELF_SIGNED UNABLE_TO_ INVALID_CA INVALID_PURPOSE PATH_LENGTH_ HOSTNAME_MISMATCH ERR_TLS_CERT_'.split(
    ' ',
  );

/** Refusals by their statuses; all others are `refused`. */
const REFUSALS: readonly (readonly [Situation, ...number[]])[] = [
  ['credential-rejected', 401],
  ['forbidden', 403],
  ['request-timeout', 408],
  ['too-large', 413],
  ['rate-limited', 429],
  ['unavailable', 425, 503],
  // Of gateways only; the service behind them may have the whole body.
  ['gateway-failed', 502, 520, 521, 522, 523],
  ['gateway-timeout', 504, 524],
];

/** Statuses with which a proxy says that it could not reach the service; with others it refuses to connect. */
const UNREACHED = [500, 502, 503, 504];

/** States in which nothing of the request is sent yet. */
export const BEFORE_REQUEST: readonly State[] = ['credential', 'connecting'];

/** Finds what became of an attempt; undefined if the service accepted the upload. */
export function judge(attempt: Attempt, isProxied: boolean): Situation | undefined {
  const { response, failure, state, isSent } = attempt;
  if (response !== undefined && isChallenge(response)) return 'web-page';
  if (response !== undefined && isSuccess(response.status)) return judgeSuccess(response, attempt);
  if (response !== undefined) return judgeRefusal(response, isSent);
  if (failure?.kind === 'connection') return judgeConnection(failure.error, state, isProxied);
  if (failure?.kind === 'step') return failure.error.situation;
  if (failure?.kind !== 'limit') return 'unexpected';
  if (state === 'connecting') return isProxied ? 'proxy-failed' : 'connect-failed';
  return state === 'waiting' ? 'response-silent' : 'stalled';
}

/** Why a 2xx response does not count; undefined if it does: it is whole and confirms, and the connection took the body. */
function judgeSuccess(
  { kind, statedFailure, complete }: ServiceResponse,
  { digests, failure }: Attempt,
): Situation | undefined {
  if (digests !== undefined && complete && kind === 'success') return undefined;
  // A text that was cut may only begin like an error.
  if (complete && statedFailure !== undefined) return 'success-refused';
  if (kind === 'web-page') return 'web-page';
  if (failure?.kind === 'step') return failure.error.situation;
  // Over TLS, the last piece may have been handed over, but its write failed or did not end.
  if (digests === undefined) return 'other-protocol';
  if (failure?.kind === 'limit') return 'stalled';
  return complete || failure?.kind === 'too-long' ? 'response-unreadable' : 'connection-broken';
}

/** What a response is that is no success. */
function judgeRefusal(response: ServiceResponse, isSent: boolean): Situation {
  const { status, problem } = response;
  const text = response.text.toLowerCase();
  const says = (phrases: readonly string[]): boolean => phrases.some((each) => text.includes(each));
  if (status >= 300 && status < 400) return 'redirect';
  const isOfGateway = status >= 502 && problem === undefined;
  if (isSent && isOfGateway && says(HAD_REQUEST)) return 'gateway-timeout';
  const isTooLarge = [400, 404, 500].includes(status) && TOO_LARGE.some((said) => said.test(text));
  if (isTooLarge) return 'too-large';
  const isAsked = isForeign(response) && says(CLIENT_CERTIFICATE);
  if (isAsked && (status === 400 || status === 403)) return 'certificate-asked';
  // A 500 with a problem is the service's own decision; without one it may be a temporary crash.
  if (status === 500 && problem === undefined) return 'service-failed';
  return REFUSALS.find(([, ...statuses]) => statuses.includes(status))?.[0] ?? 'refused';
}

/** What an error of the connection means without a response. */
function judgeConnection(
  { code = '', alert, isOfProxy, proxyStatus }: ConnectionError,
  state: State,
  isProxied: boolean,
): Situation {
  const begins = (starts: readonly string[]): boolean =>
    starts.some((each) => code.startsWith(each));
  if (proxyStatus !== undefined) {
    return UNREACHED.includes(proxyStatus) ? 'proxy-failed' : 'proxy-refused';
  }
  if (begins(CERTIFICATE)) return 'certificate';
  if (isOfProxy) return 'proxy-failed';
  if (isClientAlert(alert)) return 'certificate';
  if (begins(['ENOTFOUND', 'EAI_'])) return 'name-unknown';
  const isTls = state === 'connecting' && begins(['EPROTO', 'ERR_SSL_', 'ERR_TLS_']);
  // Response headers that end too early are a broken connection, not another protocol.
  const isHttp = !code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE';
  if (isTls || !isHttp) return 'other-protocol';
  if (!BEFORE_REQUEST.includes(state)) return 'connection-broken';
  // A proxy ends its tunnel if it cannot connect. Windows has a code of its own.
  const isClosed = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(code);
  return isProxied && isClosed ? 'proxy-failed' : 'connect-failed';
}

/** Alerts with which a service rejects a client certificate, or asks for one (RFC 8446, section 6.2; TLS 1.2: 40). */
function isClientAlert(alert = 0): boolean {
  return (alert >= 40 && alert <= 49) || alert === 116;
}
