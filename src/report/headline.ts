import { STATUS_CODES } from 'node:http';
import type { ConnectionError, ServiceResponse, State } from '../service/attempt.ts';
import { isClosed } from '../service/judge.ts';
import { isSuccess } from '../service/response.ts';
import type { Upload } from '../service/upload.ts';
import type { Situation } from '../situations.ts';
import { cutText } from '../text.ts';
import { formatShare } from './units.ts';

/** What is known of an attempt, from which its words are made. All texts are clean. */
export type Context = Pick<Upload, 'last' | 'settings' | 'result'>;

/** How much of a redirect's target is shown. */
const MAX_PATH_CHARACTERS = 100;

/** Where an attempt was when it ended. */
const STATE_WORDS: Readonly<Record<State, string>> = {
  credential: 'while the OIDC token was being fetched',
  resolving: 'while the host name was being looked up',
  tunnelling: 'while the proxy was opening a tunnel',
  connecting: 'while connecting',
  asking: 'before the files were sent',
  sending: 'while the files were being sent',
  flushing: 'while the files were being sent',
  waiting: 'after everything was sent, before a response arrived',
  reading: 'while the response was being read',
  ended: 'after the response arrived',
};

/** What happened in an attempt, and more about it, in texts of one line or more: read from its record. */
export function describeAttempt(
  situation: Situation,
  context: Context,
): readonly [string, ...string[]] {
  const { last, settings, result } = context;
  const { response, failure, state } = last;
  if (situation === 'cancelled') {
    const outcome = result === 'unconfirmed' ? 'upload is unconfirmed' : 'scan was not uploaded';
    const isCause = failure?.kind === 'step' && failure.error.situation === 'cancelled';
    const why = isCause ? [endAt(failure.text, state)] : [];
    return [`Cancelled: the ${outcome}.`, ...why];
  }
  if (response !== undefined) return describeResponse(situation, response, context);
  switch (failure?.kind) {
    case 'step':
    case 'unexpected':
      return [situation.startsWith('oidc') ? failure.text : endAt(failure.text, state)];
    case 'limit':
      return [describeLimit(failure.limitMs / 1000, context)];
    case 'connection':
      return describeError(situation, failure.error, context);
    case 'too-long':
    case undefined:
      return [`The upload to ${settings.origin} ended without a response.`];
  }
}

/** What an error says, and where the attempt was; the message of an unexpected one may have no full stop. */
function endAt(text: string, state: State): string {
  return `${text.replace(/(?<![.!?])$/, '.')} This happened ${STATE_WORDS[state]}.`;
}

function describeLimit(seconds: number, { last: { state }, settings }: Context): string {
  return ['resolving', 'tunnelling', 'connecting'].includes(state)
    ? `No connection to ${settings.host}${nameWay(settings)} within ${seconds} s ${STATE_WORDS[state]}.`
    : `No data was sent to or received from ${settings.origin}${nameWay(settings)} for ${seconds} s ${STATE_WORDS[state]}.`;
}

function describeError(
  situation: Situation,
  error: ConnectionError,
  { last, settings }: Context,
): readonly [string, ...string[]] {
  const { text, code, isProxys, proxyResponse, isTlsRecord } = error;
  const { origin, host, hostname, proxyHost } = settings;
  if (proxyResponse !== undefined) {
    const { status, says } = proxyResponse;
    const did = situation === 'proxy-failed' ? 'could not reach' : 'refused the connection to';
    return [
      `The proxy ${proxyHost} ${did} ${host}: ${nameStatus(status)}.`,
      ...says.map((line) => `The proxy says: ${line}`),
    ];
  }
  if (situation.startsWith('certificate')) {
    const owner = isProxys ? `the proxy ${proxyHost}` : origin;
    return [`The certificate of ${owner} is not trusted: ${text}`];
  }
  // With TLS 1.3 the alert of a service may arrive in any state.
  if (situation === 'tls-failed' || situation === 'client-certificate') {
    return [`TLS with ${origin} failed: ${text}`];
  }
  if (isProxys) return [`The proxy ${proxyHost} opened no connection to ${host}: ${text}`];
  if (situation === 'name-unknown') return [`The name ${hostname} does not resolve: ${text}`];
  if (isTlsRecord) return [`${host} speaks TLS, not plain HTTP.`];
  if (situation === 'not-http') return [`The server at ${origin} does not speak HTTP: ${text}`];
  if (last.sentBytes > 0 && !last.isSent && isClosed(code)) {
    const share = formatShare(last.sentBytes, settings.bodyBytes);
    return [`${host}${nameWay(settings)} closed the connection after ${share}.`];
  }
  return [
    `The connection to ${origin}${nameWay(settings)} failed ${STATE_WORDS[last.state]}: ${text}`,
  ];
}

function nameWay({ proxyHost }: Context['settings']): string {
  return proxyHost === undefined ? '' : ` (through the proxy ${proxyHost})`;
}

function describeResponse(
  situation: Situation,
  response: ServiceResponse,
  context: Context,
): readonly [string, ...string[]] {
  const { last, settings } = context;
  const { origin } = settings;
  const { status, says, headers } = response;
  const name = nameStatus(status);
  if (situation === 'redirect') return [describeRedirect(response, origin)];
  if (situation === 'web-page') {
    const page = says.slice(0, 1).map((line) => `The page says: ${line}`);
    return [
      `The response (${name}) is a web page, not a response of the service: nothing was accepted.`,
      ...page,
    ];
  }
  if (!isSuccess(status) || situation === 'success-refused') {
    const size = `Files: ${settings.files}; the whole upload: ${settings.bodyBytes} bytes`;
    const [first, ...others] = describeRefusal(response);
    return [first, ...(situation === 'too-large' ? [size] : []), ...others];
  }
  if (situation === 'early-success') {
    const when = last.isSent
      ? 'the connection had taken everything.'
      : 'everything was sent: it cannot have the whole upload.';
    return [`${origin} responded with ${name} before ${when}`];
  }
  const coding = headers['content-encoding'];
  const whose = `The response of ${origin} (${name}${coding === undefined ? '' : `, ${coding}`})`;
  return [`${whose} ${describeEnd(context)}`];
}

/** Why a 2xx response cannot be read. */
function describeEnd({ last: { failure, state } }: Context): string {
  switch (failure?.kind) {
    case 'too-long':
      return 'is too long: more than 1 MiB.';
    case 'limit':
      return `stopped: no data arrived for ${failure.limitMs / 1000} s.`;
    case 'connection':
      return `was truncated: ${failure.error.text}`;
    case 'step':
    case 'unexpected':
      return `was not read to its end. ${endAt(failure.text, state)}`;
    case undefined:
      return 'cannot be read.';
  }
}

/** What a refusal says, at least one text: without a problem, and for a 401, its status stands before the first. */
function describeRefusal({
  status,
  says,
  problem,
  headers,
}: ServiceResponse): readonly [string, ...string[]] {
  const challenge = status === 401 ? headers['www-authenticate'] : undefined;
  const isAsked = challenge !== undefined && !challenge.includes('error_description=');
  const asked = isAsked ? [`The service asks for: ${challenge}`] : [];
  const [first, ...others] = says;
  if (first === undefined) {
    const bare = status === 401 ? 'The service rejected the credential (HTTP 401).' : undefined;
    return [bare ?? nameStatus(status), ...asked];
  }
  if (problem !== undefined && status !== 401) return [first, ...others];
  const name = STATUS_CODES[status]?.toLowerCase() ?? '';
  const isRepeated = name !== '' && first.toLowerCase().startsWith(name);
  const prefix = isRepeated ? `HTTP ${status}` : nameStatus(status);
  return [`${prefix}: ${first}`, ...others, ...asked];
}

/** A redirect is not followed, because it would send the token and the files to another address. */
function describeRedirect(response: ServiceResponse, origin: string): string {
  const target = readTarget(response);
  const name = nameStatus(response.status);
  return target === undefined
    ? `${origin} responded with ${name} without a usable target.`
    : `${origin} redirects to ${target.origin}${showPath(target)} (${name}); redirects are not followed.`;
}

/** The target of the redirect in an attempt, if it is a web address. */
export function findTarget({ last: { response } }: Context): URL | undefined {
  return response && readTarget(response);
}

/** Without its secrets, a target may be no URL at all. */
function readTarget({ target }: ServiceResponse): URL | undefined {
  const url = URL.parse(target ?? '');
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The path of a URL without its parameters, which may be of a session. */
function showPath({ pathname }: URL): string {
  const path = pathname.replaceAll(/;[^/]*/g, '');
  return path === '/' ? '' : cutText(path, MAX_PATH_CHARACTERS);
}

/** A status with its name: `HTTP 502 Bad Gateway`. */
function nameStatus(status: number): string {
  const reason = STATUS_CODES[status];
  return reason === undefined ? `HTTP ${status}` : `HTTP ${status} ${reason}`;
}
