import { BEFORE_REQUEST, isChallenge } from '../service/attempt.ts';
import type { Attempt, ConnectionError, ServiceResponse, State } from '../service/attempt.ts';
import { isSuccess } from '../service/verdict.ts';
import type { Cause } from './causes.ts';
import type { Evidence } from './evidence.ts';
import type { FailedUpload } from './failure.ts';
import { hasWords } from './listeners.ts';
import { findRow } from './situations.ts';
import type { Situation } from './situations.ts';

/** What frameworks say, here in lower case, of a body over their limit if the status does not say it. */
const TOO_LARGE = [
  /\b(?:body|content|data|entity|files?|message|payload|request|upload) (?:is |was )?(?:too (?:large|big)|larger than)\b/,
  /\b(?:size|length) (?:limit|.{0,40}\bexceeded)\b|\bexceed(?:s|ed)\b.{0,60}\b(?:size|length|maximum|data_upload_max)/,
];
/** What servers say, in lower case, of headers over their limit. */
const HEADERS_TOO_LARGE = /\bheaders?\b.{0,40}\b(?:too (?:big|large|long)|exceeds)\b/;
/** What servers say, in lower case, if they want a client certificate. */
const CLIENT_CERTIFICATE = ['client certificate', 'ssl certificate', 'post-handshake auth'];
/** What servers say if they expect TLS; `https://` may only be a link. */
const TLS = /\b(?:https(?!:)|tls|ssl)\b/;
/** What Azure App Service says after 230 s, while the service goes on. */
const TIMED_OUT = '500 - the request timed out.';
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

/** A situation, the statuses of a refusal, and what decides beside them. */
type Rule = readonly [Situation, readonly number[], ((evidence: Evidence) => boolean)?];

/** Statuses of gateways only; the service behind them may have the whole body. */
const GATEWAY_FAILED = [502, 520, 521, 522, 523];

/** The first row that has the status, and whose condition holds, names the situation; without one it is `refused`. */
const REFUSALS: readonly Rule[] = [
  ['gateway-timeout', [504, 524]],
  ['gateway-timeout', [503, ...GATEWAY_FAILED], hadRequest],
  ['gateway-timeout', [500], ({ text }) => text.includes(TIMED_OUT)],
  ['gateway-failed', GATEWAY_FAILED],
  ['unavailable', [425, 503]],
  ['headers-too-large', [431]],
  ['headers-too-large', [400], ({ text }) => HEADERS_TOO_LARGE.test(text)],
  ['too-large', [413]],
  ['too-large', [400, 404, 500], saysTooLarge],
  ['service-error', [500], hasProblem],
  ['service-failed', [500]],
  ['certificate-asked', [400, 403], asksForCertificate],
  ['tls-asked', [400], asksForTls],
  ['input-refused', [400, 422]],
  ['unauthorized', [401]],
  ['page-forbidden', [403], isPage],
  ['forbidden', [403]],
  ['not-found', [404]],
  ['gone', [410]],
  // They are about the address or the method, or servers of files have them for any POST (RFC 9110, section 15).
  ['address-refused', [405, 415, 421, 501]],
  ['request-timeout', [408]],
  ['conflict', [409]],
  ['rate-limited', [429]],
];

/** Statuses with which a proxy says that it could not reach the service; with others it refuses to connect. */
const UNREACHED = [500, 502, 503, 504];
/** Statuses with which a proxy refuses a credential; tinyproxy has the first. */
const PROXY_CREDENTIAL = [401, 407];

/** What an accepted scan disproves, and what only follows from it. */
const DISPROVED: readonly Cause[] = [
  ...(['address', 'form', 'host', 'stage', 'front'] as const),
  ...(['credential', 'bare-credential', 'audience', 'issuer', 'subject', 'right'] as const),
  ...(['key-header', 'scheme', 'other-scheme', 'token-form', 'sign-in'] as const),
];
const PROVED: readonly Cause[] = ['accepted-address', 'accepted-credential', 'accepted-front'];

/** Finds what became of an attempt, and why; undefined if the service accepted the upload. */
export function judge(evidence: Evidence): Pick<FailedUpload, 'situation' | 'causes'> | undefined {
  const situation = findSituation(evidence);
  return situation && { situation, causes: findCauses(situation, evidence) };
}

/** What was said ends the guess, unless the step disproves it. */
function findCauses(situation: Situation, evidence: Evidence): readonly Cause[] {
  const { hears = [], causes, stated = causes } = findRow(situation);
  const out = evidence.accepted === undefined ? PROVED : DISPROVED;
  const strike = (likely: readonly Cause[]): readonly Cause[] =>
    likely.filter((cause) => !out.includes(cause));
  const heard = hears.map((listen) => strike(listen(evidence))).find((found) => found.length > 0);
  return heard ?? strike(hasWords(evidence) ? stated : causes);
}

/** Finds what became of an attempt; undefined if the service accepted the upload. */
function findSituation(evidence: Evidence): Situation | undefined {
  const { last, task, error } = evidence;
  const { response, failure, state } = last;
  const isProxied = task.inputs.proxy !== undefined;
  if (response !== undefined) return judgeResponse(response, evidence);
  if (failure?.kind === 'connection') return judgeConnection(error, state, isProxied);
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
  if (digests === undefined) return 'response-early';
  if (failure?.kind === 'limit') return 'stalled';
  return complete || failure?.kind === 'too-long' ? 'response-unreadable' : 'connection-broken';
}

function judgeResponse(response: ServiceResponse, evidence: Evidence): Situation | undefined {
  const { status } = response;
  if (isChallenge(response)) return 'challenge';
  if (isSuccess(status)) return judgeSuccess(response, evidence.last);
  if (status >= 300 && status < 400) return 'redirect';
  const found = REFUSALS.find(
    ([, statuses, holds = always]) => statuses.includes(status) && holds(evidence),
  );
  return found?.[0] ?? 'refused';
}

function always(): boolean {
  return true;
}

/** Words of a problem are the service's own. */
function hadRequest(evidence: Evidence): boolean {
  const { text, last } = evidence;
  return last.isSent && !hasProblem(evidence) && HAD_REQUEST.some((said) => text.includes(said));
}

function hasProblem({ last: { response } }: Evidence): boolean {
  return response?.problem !== undefined;
}

function isPage({ last: { response } }: Evidence): boolean {
  return response?.kind === 'web-page';
}

function saysTooLarge({ text }: Evidence): boolean {
  return TOO_LARGE.some((said) => said.test(text));
}

function asksForCertificate({ isForeign, text }: Evidence): boolean {
  return isForeign && CLIENT_CERTIFICATE.some((said) => text.includes(said));
}

function asksForTls({ isForeign, text, task: { url } }: Evidence): boolean {
  return url.protocol === 'http:' && isForeign && TLS.test(text);
}

/** What an error of the connection means without a response. */
function judgeConnection(
  { code = '', alert, isOfProxy, proxyStatus }: Partial<ConnectionError>,
  state: State,
  isProxied: boolean,
): Situation {
  const begins = (starts: readonly string[]): boolean =>
    starts.some((each) => code.startsWith(each));
  if (proxyStatus !== undefined) {
    if (PROXY_CREDENTIAL.includes(proxyStatus)) return 'proxy-credential';
    return UNREACHED.includes(proxyStatus) ? 'proxy-failed' : 'proxy-refused';
  }
  if (begins(CERTIFICATE)) return 'certificate';
  if (isOfProxy === true) return 'proxy-failed';
  if (isClientAlert(alert)) return 'client-certificate';
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
