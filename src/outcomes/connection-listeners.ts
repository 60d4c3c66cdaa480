// What an attempt shows of its connection: the first that is heard is the cause, else the likely one.

import { checkServerIdentity } from 'node:tls';
import { listCertificates } from '../inputs/tls.ts';
import { listSchemes } from '../service/headers.ts';
import { isLoopback } from '../service/host.ts';
import type { Evidence } from './evidence.ts';
import { hear } from './listeners.ts';
import type { UploadTask } from './task.ts';

/** The alert of a server that has no such host (RFC 8446, section 6.2). */
const UNRECOGNIZED_NAME = 112;

export const NETWORK = {
  hears: [
    hear(['no-ipv6'], ({ error }) => error.isWithoutIpv6 === true),
    hear(
      ['dropped'],
      ({ last, error }) => last.failure?.kind === 'limit' || error.code === 'ETIMEDOUT',
    ),
    hear(['local-port'], ({ task }) => isLoopback(task.url.hostname)),
  ],
  causes: ['port'],
} as const;

export const CERTIFICATE = {
  hears: [
    hear(['other-name'], isForOtherName),
    hear(['clock'], hasCode('CERT_NOT_YET_VALID')),
    hear(['expiry'], hasCode('EXPIRED')),
    hear(['self-signed'], hasCode('DEPTH_ZERO_SELF_SIGNED')),
    hear(
      ['no-ca'],
      (evidence) => hasNoIssuer(evidence) && evidence.task.inputs.tls.ca === undefined,
    ),
    hear(['other-ca'], hasNoIssuer),
  ],
  causes: ['certificate'],
} as const;

/** What is known of `client-cert`. */
const CLIENT = [
  hear(['client-expiry'], ({ task }) => Date.parse(findClientEnd(task)) < Date.now()),
  hear(['client'], ({ task }) => task.inputs.tls.cert !== undefined),
];
/** A server that requires one may close the connection with an alert, or without a word. */
const asksForClient = hear(
  ['no-client'],
  ({ task, last }) => last.isCertificateRequested && task.inputs.tls.cert === undefined,
);
/** With an alert that may be about one, and with words that are. */
export const CLIENT_ALERT = {
  hears: [...CLIENT, asksForClient],
  causes: ['client-maybe'],
} as const;
export const CLIENT_ASKED = { hears: CLIENT, causes: ['no-client'] } as const;

export const PROXY_CREDENTIAL = {
  hears: [hear(['proxy-scheme'], asksForOtherScheme)],
  causes: ['proxy-credential'],
} as const;
export const PROXY = {
  hears: [
    hear(['proxy'], ({ error }) => error.isOfProxy === true && error.proxyStatus === undefined),
  ],
  causes: ['proxy-way'],
} as const;

export const PROTOCOL = {
  hears: [
    hear(['tls-port'], isPlain),
    hear(['plain-port'], ({ error }) => error.isPlainHttp === true),
    hear(['other-port'], hasCode('HPE_')),
    hear(['unknown-host'], ({ error }) => error.alert === UNRECOGNIZED_NAME),
  ],
  causes: ['old-tls'],
} as const;

export const BREAK = {
  hears: [
    hear(['gateway-network'], ({ last }) => last.response !== undefined),
    asksForClient,
    // A TLS port resets a plain request at its first bytes, before the files follow.
    hear(['plain-break'], (evidence) => isPlain(evidence) && evidence.last.state === 'asking'),
  ],
  causes: ['break'],
} as const;

function hasNoIssuer(evidence: Evidence): boolean {
  return hasCode('SELF_SIGNED', 'UNABLE_TO_')(evidence);
}

function hasCode(...parts: readonly string[]): (evidence: Evidence) => boolean {
  return ({ error: { code = '' } }) => parts.some((part) => code.includes(part));
}

function isPlain({ task }: Evidence): boolean {
  return task.url.protocol === 'http:';
}

/** No trust helps a certificate for other names. Gateways without one for a host have a default, which nobody should trust. */
function isForOtherName(evidence: Evidence): boolean {
  const { error, task } = evidence;
  if (hasCode('ALTNAME', 'HOSTNAME')(evidence)) return true;
  const asked = error.isOfProxy === true ? task.inputs.proxy?.url : task.url;
  const whole = error.certificate?.whole;
  try {
    return whole !== undefined && checkServerIdentity(String(asked?.hostname), whole) !== undefined;
  } catch {
    // Names that cannot be read are those of no host.
    return true;
  }
}

function asksForOtherScheme({ error }: Evidence): boolean {
  const asked = listSchemes(error.proxyChallenge).map((scheme) => scheme.toLowerCase());
  return asked.length > 0 && !asked.includes('basic');
}

/** Until when `client-cert` is valid; no date without it. */
export function findClientEnd({ inputs }: UploadTask): string {
  const { cert = '' } = inputs.tls;
  const [own] = listCertificates(cert);
  return String(own?.validTo);
}
