// What to do where that depends on more than the situation, and texts that several rows of `situations` share.

import { isLoopback } from '../inputs/base-url.ts';
import type { Attempt, ServiceResponse } from '../service/attempt.ts';
import { findBaseUrl } from '../service/operations.ts';
import { isChallenge } from '../service/response.ts';
import type { Credential } from '../service/settings.ts';
import { cutText } from '../text.ts';

/** What is known of an upload before its first attempt. */
export interface UploadFacts {
  /** The origin of the service. */
  readonly origin: string;
  readonly hostname: string;
  /** Host name and port. */
  readonly host: string;
  /** The URL of the operation. */
  readonly address: string;
  /** The path of the base URL. */
  readonly basePath: string;
  readonly isSecure: boolean;
  /** Of the whole body, in bytes. */
  readonly bodyBytes: number;
  /** The files and their sizes. */
  readonly files: string;
  /** What was noticed of them before they were sent. */
  readonly warnings: readonly string[];
  /** The trace id of the upload's requests. */
  readonly traceId: string;
  readonly credentialKind: Credential['kind'];
  /** Whether `ca-cert` is set. */
  readonly hasOwnCa: boolean;
  /** Whether `client-cert` is set. */
  readonly hasClientCertificate: boolean;
  /** Host and port of the proxy; undefined if none is used. */
  readonly proxyHost: string | undefined;
  /** Further attempts after the first that the author allows. */
  readonly retries: number;
}

/** An attempt that was not accepted, and what is known of its upload. */
export interface FailedAttempt {
  readonly last: Attempt;
  readonly settings: UploadFacts;
}

/** What to do, one sentence or more; several are a line each. */
export type Fix = string | ((failed: FailedAttempt) => string | readonly string[]);

/** How much of an address that a response names is shown. */
export const MAX_ADDRESS_CHARACTERS = 200;

/** The alert of a server that has no such host (RFC 8446, section 6.2). */
const UNRECOGNIZED_NAME = 112;
export const LATER = 'Re-run the failed jobs later';
const PAGE = 'It may be a login page, a portal or a firewall: check `base-url` and the credential.';
/** What the system says of a proxy that is not there, or does not speak TLS. */
const NOT_REACHED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SSL_)/;
/** What a 404 says of a scan or its key, but not in a host's name or a path: any other one is about the address. */
const SCAN = /(?<![\w./-])(?:scans?|(?:scan[ _-]?)?keys?)(?![\w/-]|\.\w)/i;

/** The fix that the error which ended the attempt brings. */
export function adviseByError({ last: { failure } }: FailedAttempt): readonly string[] {
  return failure?.kind === 'step' ? failure.error.fixes : [];
}

export const CREDENTIALS: Readonly<Record<UploadFacts['credentialKind'], string>> = {
  token:
    'Check `token`. If the service asks for another scheme than the one that was sent, set `token-prefix` (with `Basic`, `token` is user:password in Base64) or `token-header`.',
  oidc: 'Check `oidc-audience` (by default the origin of `base-url`), and whether the service trusts OIDC tokens of this repository.',
  none: 'The service asks for a credential: set `token` without `auth: none`, or `auth: oidc`.',
};

/** Plain HTTP is proposed only if the peer speaks it: it would send token and files unencrypted. */
export function adviseProtocol({
  settings: { isSecure },
  last: { failure },
}: FailedAttempt): string {
  if (!isSecure) return 'Check the scheme and the port in `base-url`: a TLS port needs https://.';
  const {
    alert,
    code = '',
    isPlainHttp = false,
  } = failure?.kind === 'connection' ? failure.error : {};
  if (isPlainHttp) {
    return 'The port does not speak TLS: check the port in `base-url`. A service without TLS needs http:// and `allow-http: true`.';
  }
  if (code.startsWith('HPE_'))
    return 'Check the port in `base-url`: the server does not respond with HTTP.';
  return alert === UNRECOGNIZED_NAME
    ? 'The server does not know this host: check the host in `base-url`.'
    : 'The server, or a proxy that inspects TLS, cannot agree on TLS with this runner: its operators have to update it.';
}

/** What to do after a failure of which the workflow is not the cause. */
export function adviseLater(cause: string): string {
  return `${cause}; this workflow is not the cause. ${LATER}, or give the operators the trace id.`;
}

/** A service that refuses early closes the connection, and its response may be lost. */
export function adviseBroken({ settings: { isSecure, proxyHost }, last }: FailedAttempt): string {
  const proxy = proxyHost === undefined ? '' : ` The proxy ${proxyHost} may also have closed it.`;
  // A TLS port may reset a plain request at once, or after it has taken all of it.
  const tls = isSecure ? '' : ' If the port expects TLS, `base-url` must begin with https://.';
  if (last.response !== undefined) return `Check the network, and gateways in between.${proxy}`;
  return `The service may have refused the upload: check its size limit and the credential. If it did not, check the network.${proxy}${tls}`;
}

export function adviseConnect({ settings, last: { failure } }: FailedAttempt): string {
  const { code = '' } = failure?.kind === 'connection' ? failure.error : {};
  if (failure?.kind === 'limit' || code === 'ETIMEDOUT') {
    return 'A firewall may drop the packets: let the runner pass it, or use a runner inside the network. Otherwise check the host and port in `base-url`, and the name server of the runner.';
  }
  return isLoopback(settings.hostname)
    ? 'Check that the service is running, and the port in `base-url`. In the container of a job, localhost is the container itself: use the name of the service.'
    : 'Check that the service is running, and the scheme, host and port in `base-url`. If it is, a firewall may block the runner: use one inside the network.';
}

export function adviseProxy({ settings: { host }, last: { failure } }: FailedAttempt): string {
  const { code = '', isOfProxy = false } = failure?.kind === 'connection' ? failure.error : {};
  return isOfProxy && NOT_REACHED.test(code)
    ? 'Check the scheme, host and port of the proxy (https_proxy, http_proxy): most begin with http://, also for https addresses.'
    : `Check the proxy variables (https_proxy, http_proxy, no_proxy) of the job, the host and port in \`base-url\`, and that the service is up. Ask the operators of the proxy whether it allows ${host}.`;
}

export function adviseCertificate({ settings, last: { failure } }: FailedAttempt): string {
  const { code = '', isOfProxy = false } = failure?.kind === 'connection' ? failure.error : {};
  if (/EXPIRED|NOT_YET_VALID/.test(code)) {
    return 'Renew the certificate, or correct the clock of the runner.';
  }
  if (/ALTNAME|HOSTNAME/.test(code)) {
    return `The certificate is for other names: check the host in ${isOfProxy ? 'the proxy variable' : '`base-url`'}.`;
  }
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') {
    return 'If you know this certificate, set `ca-cert` to it: a self-signed one is its own CA.';
  }
  if (!/^(?:SELF_SIGNED|UNABLE_TO)_/.test(code)) {
    return `Ask the operators of the ${isOfProxy ? 'proxy' : 'service'} for a valid certificate.`;
  }
  return settings.hasOwnCa
    ? 'No certificate in `ca-cert` issued it: add that of its CA. If it is there, the server does not send its intermediate certificate: add that too.'
    : '`ca-cert` is empty: for a private CA, or a proxy that inspects TLS, set it to the certificate of the CA.';
}

export function adviseClientCertificate({ settings }: FailedAttempt): string {
  return settings.hasClientCertificate
    ? 'Check that `client-cert` and `client-key` are valid, and that the service trusts their CA.'
    : 'If the service asks for a client certificate, set `client-cert` and `client-key`.';
}

export function advisePage({ settings, last: { response } }: FailedAttempt): string {
  return response !== undefined && isChallenge(response)
    ? `Ask the operators of the service to let ${settings.address} pass without a challenge.`
    : `${PAGE} If they are right, ask the operators of the service, with what the page says.`;
}

export function adviseForbidden({ settings, last: { response } }: FailedAttempt): string {
  const check = 'Check that the credential may upload for this `scan-key`';
  return response?.kind === 'web-page'
    ? `A gateway or firewall in front of the service may have refused the upload: ask its operators, with what the page says, to let it pass to ${settings.address}. If it did not: ${check}, and that \`base-url\` is the address of the API.`
    : `${check}. If it may, ask the operators of the service, and of a gateway in front of it, about their rules, and whether ${settings.address} is its address (\`base-url\`).`;
}

export function adviseRedirect({ settings, last: { response } }: FailedAttempt): string {
  const target = response && readTarget(response);
  if (target?.href === `${settings.address}/`) {
    return 'The service wants a slash at the end of the path, which its interface does not have: ask its operators.';
  }
  const base = target && findBaseUrl(target);
  if (base === undefined) return PAGE;
  return `If this is your service, set \`base-url\` to ${cutText(base, MAX_ADDRESS_CHARACTERS)}.`;
}

export function adviseInvalid({ last: { response, isSent } }: FailedAttempt): string {
  if (response?.status === 409) {
    return 'The service may have, or be processing, another upload for this `scan-key`: check it there. If it has not this one, re-run the failed jobs later.';
  }
  // A server that closes early may have no other words for a body that is too large.
  const isBare = !isSent && response?.says.length === 0;
  const size = isBare ? ' Not everything was sent: the upload may also be too large.' : '';
  return `Check \`scan-key\`, the files, and which file is in which part. If that does not help, ask the operators of the service, with the trace id.${size}`;
}

/** A 404 that names neither a scan nor a key is probably that of another path. */
export function adviseNotFound({ settings, last }: FailedAttempt): string {
  const asked = `the upload went to ${settings.address}.${hintVersion(settings)}`;
  return last.response?.says.some((text) => SCAN.test(text)) === true
    ? `Check \`scan-key\`. If it is right, check \`base-url\`: ${asked}`
    : `Check \`base-url\`: ${asked} If it is right, check \`scan-key\`.`;
}

/** The action adds /v1 itself, but it may also be part of a gateway's path. */
function hintVersion({ basePath }: UploadFacts): string {
  return /\/v1\/*$/.test(basePath)
    ? ' It ends in /v1, which the action adds itself: remove it, unless a gateway needs it.'
    : '';
}

export function adviseRefused({ settings, last: { response } }: FailedAttempt): string {
  // RFC 9110, section 15: statuses that are about the address or the method, or that servers of files have for any POST.
  if (![405, 410, 415, 421, 501].includes(response?.status ?? 0)) {
    return 'Ask the operators of the service, with the trace id.';
  }
  return `Check \`base-url\`: the upload went to ${settings.address}.${hintVersion(settings)} If it is right, ask the operators of the service, with the trace id.`;
}

/** The target of a redirect without parameters, which may be of a session; undefined if it is no web address. */
export function readTarget({ target }: ServiceResponse): URL | undefined {
  const url = URL.parse(target ?? '');
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.pathname = url.pathname.replaceAll(/;[^/]*/g, '');
  return url;
}
