import { STATUS_CODES } from 'node:http';
import type { ServiceResponse, State } from '../service/attempt.ts';
import { findDescription } from '../service/headers.ts';
import { nameHost } from '../service/host.ts';
import { cutText, formatShare } from '../text.ts';
import { MAX_ADDRESS_CHARACTERS } from './causes.ts';
import type { Evidence } from './evidence.ts';
import type { UploadTask } from './task.ts';
import { readIssuer } from './token.ts';

/** What happened in an attempt, and more about it: texts of one line or more, the most important first. */
export type Headline = (evidence: Evidence) => readonly string[];

/** A text that is longer follows what else a response says. */
const MAX_TEXT_CHARACTERS = 300;

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

/** Of a host whose name does not resolve. */
export function ofName({ error, task: { url } }: Evidence): readonly string[] {
  return [`The name ${url.hostname} does not resolve: ${error.text}`];
}

/** Of a certificate that is not trusted. */
export function ofCertificate({ error, task }: Evidence): readonly string[] {
  const whose = error.isOfProxy === true ? `the ${nameProxy(task)}` : task.url.origin;
  return [`The certificate of ${whose} is not trusted: ${error.text}`];
}

/** Of a proxy that refused to connect. */
export function ofProxyRefusal(evidence: Evidence): readonly string[] {
  return [describeProxy(evidence, 'refused the connection to')];
}

/** Of a proxy that did not connect; it may also end its tunnel without a word. */
export function ofProxy(evidence: Evidence): readonly string[] {
  const { isOfProxy, proxyStatus } = evidence.error;
  if (isOfProxy !== true) return ofEnd(evidence);
  const did = proxyStatus === undefined ? 'opened no connection to' : 'could not reach';
  return [describeProxy(evidence, did)];
}

export const ofEarly = needResponse(({ status }, { last, task: { url } }) => {
  const when = last.isSent ? 'the connection had taken everything' : 'everything was sent';
  return [`${url.origin} responded with ${nameStatus(status)} before ${when}.`];
});
export const ofUnreadable = needResponse((response, { last, task }) => {
  const whose = nameResponse(response, task);
  return last.failure?.kind === 'too-long'
    ? [`${whose} is too long: more than 1 MiB.`]
    : [`${whose} cannot be read: it is neither text nor XML, nor JSON that is whole.`];
});
/** A redirect is not followed, because it would send the token and the files to another address. */
export const ofRedirect = needResponse(({ status }, { lead, task: { url } }) => {
  const name = nameStatus(status);
  if (lead === undefined) return [`${url.origin} responded with ${name} without a usable target.`];
  const path = lead.pathname === '/' ? '' : lead.pathname;
  const address = cutText(`${lead.origin}${path}`, MAX_ADDRESS_CHARACTERS);
  return [`${url.origin} redirects to ${address} (${name}); redirects are not followed.`];
});
export const ofChallenge = needResponse(({ status, says }, { task: { url } }) => [
  `The firewall of Cloudflare in front of ${url.origin} responded with a challenge (${nameStatus(status)}), which only a browser can pass: nothing was accepted.`,
  ...says,
]);
export const ofPage = needResponse(({ status, says: [first, ...others] }) => {
  const said = first === undefined ? ', not a response of the service.' : `: ${first}`;
  return [`Nothing was accepted: ${nameStatus(status)}, but a web page${said}`, ...others];
});
export const ofRefusal = needResponse(describeRefusal);
export const ofCredential = needResponse((response, { challenge, task }) => {
  const isSaid = challenge === '' || findDescription(challenge) !== '';
  const issuer = readIssuer(task);
  return [
    ...describeRefusal(response),
    ...(isSaid ? [] : [`The service asks for: \`${challenge}\``]),
    ...(issuer === undefined ? [] : [`\`token\` is a JWT of ${issuer}.`]),
  ];
});

/** Of an error, a limit or the connection, also while a success was being read. */
export function ofEnd(evidence: Evidence): readonly string[] {
  const { last, task } = evidence;
  const { response, failure } = last;
  const end = describeEnd(evidence);
  if (response !== undefined) return [`${nameResponse(response, task)} is not complete. ${end}`];
  return failure?.kind === 'step' ? [end, ...failure.error.faults.slice(1)] : [end];
}

/** Of a service that did not respond after everything was sent. */
export function ofSilence({ last: { failure }, task }: Evidence): readonly string[] {
  const limit = failure?.kind === 'limit' ? ` within ${failure.limitMs / 1000} s` : '';
  return [`Everything was sent to ${nameService(task)}, but there was no response${limit}.`];
}

/** Makes a headline that needs the response. Without one, it is that of the end. */
function needResponse(
  describe: (response: ServiceResponse, evidence: Evidence) => readonly string[],
): Headline {
  return (evidence) => {
    const { response } = evidence.last;
    return response === undefined ? ofEnd(evidence) : describe(response, evidence);
  };
}

function describeEnd({ last, task }: Evidence): string {
  const { failure, state } = last;
  const share = formatShare(last.sentBytes, task.body.length);
  const sent = last.sentBytes > 0 && !last.isSent ? `, after ${share}` : '';
  if (failure?.kind === 'step') {
    const { situation, faults } = failure.error;
    const [text = ''] = faults;
    return ANYWHERE.includes(situation)
      ? `${text.slice(0, -1)} ${STATE_WORDS[state]}${sent}.`
      : text;
  }
  if (failure?.kind === 'connection') {
    return `The connection to ${nameService(task)} failed ${STATE_WORDS[state]}${sent}: ${failure.error.text}`;
  }
  return failure?.kind === 'limit'
    ? `No data was sent to or received from ${nameService(task)} for ${failure.limitMs / 1000} s ${STATE_WORDS[state]}.`
    : `The upload to ${task.url.origin} ended without a response.`;
}

/** What a refusal says: a problem speaks for itself, other texts follow their status, and what a 2xx is refused for. */
function describeRefusal(response: ServiceResponse): readonly string[] {
  const { status, says, problem, statedFailure } = response;
  const [text = '', ...fields] = says;
  // Errors of fields say more.
  const isLong = text.length > MAX_TEXT_CHARACTERS && fields.length > 0;
  const [first, ...others] = isLong ? [...fields, text] : says;
  const reported = statedFailure === undefined ? '' : `, but the body ${statedFailure}`;
  const name = `${nameStatus(status)}${reported}`;
  if (first === undefined || reported.includes(first)) return [name, ...others];
  const isWhole = problem !== undefined && reported === '';
  return [isWhole ? first : `${name}: ${first}`, ...others];
}

function nameService(task: UploadTask): string {
  const { url, inputs } = task;
  return inputs.proxy === undefined ? url.origin : `${url.origin} (through the ${nameProxy(task)})`;
}

function nameProxy({ inputs: { proxy } }: UploadTask): string {
  return `proxy ${proxy?.url.host}`;
}

function describeProxy({ error, task }: Evidence, did: string): string {
  const { text, proxyStatus } = error;
  const why = proxyStatus === undefined ? text : `${nameStatus(proxyStatus)}.`;
  return `The ${nameProxy(task)} ${did} ${nameHost(task.url)}: ${why}`;
}

function nameResponse({ status }: ServiceResponse, { url }: UploadTask): string {
  return `The response of ${url.origin} (${nameStatus(status)})`;
}

/** A status with its name: `HTTP 502 Bad Gateway`. */
function nameStatus(status: number): string {
  const name = STATUS_CODES[status];
  return name === undefined ? `HTTP ${status}` : `HTTP ${status} ${name}`;
}
