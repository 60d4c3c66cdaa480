import { STATUS_CODES } from 'node:http';
import type { ConnectionError, ServiceResponse, State } from '../service/attempt.ts';
import { isChallenge, isSuccess } from '../service/response.ts';
import { MAX_ADDRESS_CHARACTERS, readTarget } from './advice.ts';
import type { FailedAttempt } from './advice.ts';
import type { Situation } from './situations.ts';
import { cutText } from '../text.ts';
import { formatShare } from '../units.ts';

/** Texts of one line or more, the most important first. */
type Texts = readonly [string, ...string[]];

/** Where an attempt was when it ended. */
const STATE_WORDS: Readonly<Record<State, string>> = {
  credential: 'while the OIDC token was being fetched',
  connecting: 'while connecting',
  asking: 'before the files were sent',
  sending: 'while the files were being sent',
  flushing: 'while the files were being sent',
  waiting: 'after everything was sent, before a response arrived',
  reading: 'while the response was being read',
  ended: 'after the response arrived',
};

/** What happened in an attempt, and more about it: read from its record. */
export function describeAttempt(situation: Situation, context: FailedAttempt): Texts {
  const { response } = context.last;
  return response === undefined
    ? describeFailure(situation, context)
    : describeResponse(situation, response, context);
}

/** What ended an attempt, if no response did. */
function describeFailure(situation: Situation, context: FailedAttempt): Texts {
  const { last, settings } = context;
  const { failure } = last;
  const when = STATE_WORDS[last.state];
  switch (failure?.kind) {
    case 'step':
    case 'unexpected':
      // The message of an unexpected error may have no full stop.
      return [`${failure.text.replace(/(?<![.!?])$/, '.')} This happened ${when}.`];
    case 'connection':
      return describeError(situation, failure.error, context);
    case 'limit': {
      const service = `${settings.origin}${nameWay(settings)}`;
      const seconds = failure.limitMs / 1000;
      if (situation === 'response-silent') {
        return [
          `Everything was sent to ${service}, but there was no response within ${seconds} s.`,
        ];
      }
      return [`No data was sent to or received from ${service} for ${seconds} s ${when}.`];
    }
    case 'too-long':
    case undefined:
      return [`The upload to ${settings.origin} ended without a response.`];
  }
}

function describeError(
  situation: Situation,
  { text, isOfProxy, proxyStatus, isTlsRecord }: ConnectionError,
  { last, settings }: FailedAttempt,
): Texts {
  const { origin, host, hostname, proxyHost } = settings;
  if (situation === 'certificate') {
    return [
      `The certificate of ${isOfProxy ? `the proxy ${proxyHost}` : origin} is not trusted: ${text}`,
    ];
  }
  if (proxyStatus !== undefined) {
    const did = situation === 'proxy-failed' ? 'could not reach' : 'refused the connection to';
    return [`The proxy ${proxyHost} ${did} ${host}: ${nameStatus(proxyStatus)}.`];
  }
  if (isOfProxy) return [`The proxy ${proxyHost} opened no connection to ${host}: ${text}`];
  if (situation === 'name-unknown') return [`The name ${hostname} does not resolve: ${text}`];
  if (isTlsRecord) return [`${host} speaks TLS, not plain HTTP.`];
  const share = formatShare(last.sentBytes, settings.bodyBytes);
  const sent = last.sentBytes > 0 && !last.isSent ? `, after ${share}` : '';
  const when = `${STATE_WORDS[last.state]}${sent}`;
  return [`The connection to ${origin}${nameWay(settings)} failed ${when}: ${text}`];
}

function nameWay({ proxyHost }: FailedAttempt['settings']): string {
  return proxyHost === undefined ? '' : ` (through the proxy ${proxyHost})`;
}

function describeResponse(
  situation: Situation,
  response: ServiceResponse,
  context: FailedAttempt,
): Texts {
  const { last, settings } = context;
  const { origin } = settings;
  const { status, says, headers } = response;
  const name = nameStatus(status);
  if (situation === 'redirect') return [describeRedirect(response, origin)];
  if (situation === 'web-page') {
    return [
      isChallenge(response)
        ? `The firewall of Cloudflare in front of ${origin} responded with a challenge (${name}), which only a browser can pass: nothing was accepted.`
        : `The response (${name}) is a web page, not a response of the service: nothing was accepted.`,
      ...says.map((line) => `The page says: ${line}`),
    ];
  }
  if (!isSuccess(status) || situation === 'success-refused') {
    return describeRefusal(response);
  }
  if (situation === 'early-success') {
    const when = last.isSent ? 'the connection had taken everything' : 'everything was sent';
    return [`${origin} responded with ${name} before ${when}.`];
  }
  const coding = headers['content-encoding'];
  const whose = `The response of ${origin} (${name}${coding === undefined ? '' : `, ${coding}`})`;
  if (last.failure === undefined) {
    return [`${whose} cannot be read: it is neither text nor XML, nor JSON that is whole.`];
  }
  if (last.failure.kind === 'too-long') return [`${whose} is too long: more than 1 MiB.`];
  const [why] = describeFailure(situation, context);
  return [`${whose} is not complete. ${why}`];
}

/** What a refusal says: a problem speaks for itself, other texts follow their status, and what a 2xx is refused for. */
function describeRefusal(response: ServiceResponse): Texts {
  const { status, says, problem, headers, statedFailure } = response;
  const [first, ...others] = says;
  const challenge = status === 401 ? (headers['www-authenticate'] ?? '') : '';
  const isSaid = challenge === '' || challenge.includes('error_description=');
  const asked = isSaid ? [] : [`The service asks for: ${challenge}`];
  const reported = statedFailure === undefined ? '' : `, but the body ${statedFailure}`;
  const name = `${nameStatus(status)}${reported}`;
  if (first === undefined || reported.includes(first)) return [name, ...others, ...asked];
  const isWhole = problem !== undefined && reported === '';
  return [isWhole ? first : `${name}: ${first}`, ...others, ...asked];
}

/** A redirect is not followed, because it would send the token and the files to another address. */
function describeRedirect(response: ServiceResponse, origin: string): string {
  const target = readTarget(response);
  const name = nameStatus(response.status);
  if (target === undefined) return `${origin} responded with ${name} without a usable target.`;
  const path = target.pathname === '/' ? '' : target.pathname;
  const address = cutText(`${target.origin}${path}`, MAX_ADDRESS_CHARACTERS);
  return `${origin} redirects to ${address} (${name}); redirects are not followed.`;
}

/** A status with its name: `HTTP 502 Bad Gateway`. */
function nameStatus(status: number): string {
  const reason = STATUS_CODES[status];
  return reason === undefined ? `HTTP ${status}` : `HTTP ${status} ${reason}`;
}
