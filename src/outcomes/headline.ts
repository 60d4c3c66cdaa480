import { STATUS_CODES } from 'node:http';
import { isChallenge, isSuccess } from '../service/attempt.ts';
import type { ConnectionError, ServiceResponse, State } from '../service/attempt.ts';
import { nameHost } from '../service/tunnel.ts';
import { cutText, formatShare } from '../text.ts';
import { MAX_ADDRESS_CHARACTERS, readTarget } from './fixes.ts';
import type { Situation } from './situations.ts';
import type { FailedAttempt, UploadTask } from './task.ts';

/** Where an attempt was when it ended. */
const STATE_WORDS: Readonly<Record<State, string>> = {
  credential: 'while the OIDC token was being fetched',
  connecting: 'while connecting',
  asking: 'before the files were sent',
  sending: 'while the files were being sent',
  flushing: 'while the files were being sent',
  waiting: 'after everything was sent, before a response arrived',
  reading: 'while the response was being read',
};
/** Errors that may end an attempt anywhere. */
const ANYWHERE = ['time-limit', 'cancelled'];

/** What happened in an attempt, and more about it: texts of one line or more, the most important first. */
export function describeAttempt(situation: Situation, failed: FailedAttempt): readonly string[] {
  const { response, failure } = failed.last;
  if (response !== undefined) return describeResponse(situation, response, failed);
  const more = failure?.kind === 'step' ? failure.error.problems.slice(1) : [];
  return [describeEnd(situation, failed), ...more];
}

/** What ended an attempt, if no response did. */
function describeEnd(situation: Situation, failed: FailedAttempt): string {
  const { last, task } = failed;
  const { failure, state } = last;
  if (failure?.kind === 'step') {
    const [text = ''] = failure.error.problems;
    return ANYWHERE.includes(situation) ? `${text} This happened ${STATE_WORDS[state]}.` : text;
  }
  if (failure?.kind === 'connection') return describeError(situation, failure.error, failed);
  if (failure?.kind !== 'limit') {
    return `The upload to ${task.url.origin} ended without a response.`;
  }
  const [service, seconds] = [nameService(task), failure.limitMs / 1000];
  return situation === 'response-silent'
    ? `Everything was sent to ${service}, but there was no response within ${seconds} s.`
    : `No data was sent to or received from ${service} for ${seconds} s ${STATE_WORDS[state]}.`;
}

function describeError(
  situation: Situation,
  { text, isOfProxy, proxyStatus, alert }: ConnectionError,
  { last, task }: FailedAttempt,
): string {
  const { origin, hostname } = task.url;
  const proxy = `proxy ${task.inputs.proxy?.url.host}`;
  const host = nameHost(task.url);
  if (situation === 'certificate' && alert === undefined) {
    return `The certificate of ${isOfProxy ? `the ${proxy}` : origin} is not trusted: ${text}`;
  }
  if (proxyStatus !== undefined) {
    const did = situation === 'proxy-failed' ? 'could not reach' : 'refused the connection to';
    return `The ${proxy} ${did} ${host}: ${nameStatus(proxyStatus)}.`;
  }
  if (isOfProxy) return `The ${proxy} opened no connection to ${host}: ${text}`;
  if (situation === 'name-unknown') return `The name ${hostname} does not resolve: ${text}`;
  const share = formatShare(last.sentBytes, task.body.length);
  const sent = last.sentBytes > 0 && !last.isSent ? `, after ${share}` : '';
  return `The connection to ${nameService(task)} failed ${STATE_WORDS[last.state]}${sent}: ${text}`;
}

function nameService({ url, inputs: { proxy } }: UploadTask): string {
  return proxy === undefined ? url.origin : `${url.origin} (through the proxy ${proxy.url.host})`;
}

function describeResponse(
  situation: Situation,
  response: ServiceResponse,
  failed: FailedAttempt,
): readonly string[] {
  const { last, task } = failed;
  const { origin } = task.url;
  const name = nameStatus(response.status);
  if (situation === 'redirect') return [describeRedirect(response, task.url)];
  if (situation === 'web-page') return describePage(response, origin);
  if (!isSuccess(response.status) || situation === 'success-refused') {
    return describeRefusal(response);
  }
  if (situation === 'other-protocol') {
    const when = last.isSent ? 'the connection had taken everything' : 'everything was sent';
    return [`${origin} responded with ${name} before ${when}.`];
  }
  const whose = `The response of ${origin} (${name})`;
  if (last.failure?.kind === 'too-long') return [`${whose} is too long: more than 1 MiB.`];
  return last.failure === undefined
    ? [`${whose} cannot be read: it is neither text nor XML, nor JSON that is whole.`]
    : [`${whose} is not complete. ${describeEnd(situation, failed)}`];
}

function describePage(response: ServiceResponse, origin: string): readonly string[] {
  const name = nameStatus(response.status);
  const what = isChallenge(response)
    ? `The firewall of Cloudflare in front of ${origin} responded with a challenge (${name}), which only a browser can pass: nothing was accepted.`
    : `The response (${name}) is a web page, not a response of the service: nothing was accepted.`;
  return [what, ...response.says.slice(0, 1).map((line) => `The page says: ${line}`)];
}

/** What a refusal says: a problem speaks for itself, other texts follow their status, and what a 2xx is refused for. */
function describeRefusal(response: ServiceResponse): readonly string[] {
  const { status, kind, says, problem, headers, statedFailure } = response;
  const [first, ...others] = kind === 'web-page' ? says.slice(0, 1) : says;
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
function describeRedirect(response: ServiceResponse, url: URL): string {
  const target = readTarget(response, url);
  const name = nameStatus(response.status);
  if (target === undefined) return `${url.origin} responded with ${name} without a usable target.`;
  const path = target.pathname === '/' ? '' : target.pathname;
  const address = cutText(`${target.origin}${path}`, MAX_ADDRESS_CHARACTERS);
  return `${url.origin} redirects to ${address} (${name}); redirects are not followed.`;
}

/** A status with its name: `HTTP 502 Bad Gateway`. */
function nameStatus(status: number): string {
  const name = STATUS_CODES[status];
  return name === undefined ? `HTTP ${status}` : `HTTP ${status} ${name}`;
}
