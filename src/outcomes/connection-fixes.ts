// What to do after an attempt whose connection failed: the input, or who has to act. The likeliest cause first, where
// there may be several.

import { listCertificates } from '../inputs/tls.ts';
import { findConnectionError } from '../service/attempt.ts';
import { listSchemes } from '../service/headers.ts';
import { isLoopback, nameHost } from '../service/host.ts';
import { listSome } from '../text.ts';
import type { FailedAttempt } from './task.ts';

/** The alert of a server that has no such host (RFC 8446, section 6.2). */
const UNRECOGNIZED_NAME = 112;

export const UNRESOLVED =
  "Check `base-url`. A name of a private network needs a runner inside it, or the runner's name server does not respond. If only a proxy reaches it: https:// needs `https_proxy`.";
/** OpenSSL says so of a certificate that came without others. */
const ALONE =
  ' The server sent only its own certificate: if its CA is public, its operators have to send the intermediate too.';
export const STALLED =
  'Check the network. If the service needs longer, increase `stall-timeout-seconds`.';

export function fixNetwork({ task, last }: FailedAttempt): string {
  const { code = '', isWithoutIpv6 } = findConnectionError(last);
  if (isWithoutIpv6) {
    return 'The host has only an IPv6 address, and this runner has no IPv6 (runners of GitHub have none): use a runner or a proxy that has.';
  }
  if (last.failure?.kind === 'limit' || code === 'ETIMEDOUT') {
    return 'A firewall may drop the packets: let the runner pass it, or use a runner inside the network. Otherwise check the host and port in `base-url`, and the name server of the runner.';
  }
  return isLoopback(task.url.hostname)
    ? 'Check that the service is running, and the port in `base-url`. In the container of a job, localhost is the container itself: use the name of the service.'
    : 'Check that the service is running, and the scheme, host and port in `base-url`. If it is, a firewall may block the runner: use one inside the network.';
}

/** Of the certificate of the service or a proxy; an alert is about that of the client. */
export function fixCertificate(failed: FailedAttempt): string {
  const { task, last } = failed;
  const { code = '', alert, isOfProxy, certificate = {} } = findConnectionError(last);
  if (alert !== undefined) return fixClient(failed);
  const whose = isOfProxy ? 'the proxy' : 'the service';
  const { validFrom, validTo = '', issuer, fingerprint256 } = certificate;
  if (code === 'CERT_NOT_YET_VALID' && validFrom !== undefined) {
    return `The certificate is valid from ${validFrom}; the clock of this runner says ${new Date().toUTCString()}: correct it.`;
  }
  if (code.includes('EXPIRED')) {
    const isOver = Date.parse(validTo) < Date.now();
    const renew = isOver
      ? `The certificate expired on ${validTo}: renew it`
      : 'Renew the certificate';
    return `${renew}, or correct the clock of the runner.`;
  }
  if (code.includes('ALTNAME') || code.includes('HOSTNAME')) {
    return `The certificate is for other names: check the host in ${isOfProxy ? 'the proxy variable' : '`base-url`'}.`;
  }
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') {
    return 'If you know this certificate, set `ca-cert` to it: a self-signed one is its own CA.';
  }
  if (!/^(?:SELF_SIGNED|UNABLE_TO)_/.test(code)) {
    return `Ask the operators of ${whose} for a valid certificate.`;
  }
  const { ca } = task.inputs.tls;
  if (ca === undefined) {
    const isAlone = code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
    return `\`ca-cert\` is empty: for a private CA, or a proxy that inspects TLS, set it to the certificate of the CA.${isAlone ? ALONE : ''}`;
  }
  if (code === 'UNABLE_TO_GET_ISSUER_CERT') {
    const known = issuer === undefined ? 'the CA that issued it' : `'${issuer}'`;
    return `\`ca-cert\` has ${known}, but not the root that issued that one: add the root too.`;
  }
  if (listCertificates(ca).some((each) => each.fingerprint256 === fingerprint256)) {
    return '`ca-cert` is the certificate of the server itself: set it to that of the CA that issued it.';
  }
  return 'No certificate in `ca-cert` issued it: add that of its CA. If it is there, the server does not send its intermediate certificate: add that too.';
}

/** Of a client certificate. */
export function fixClient({ task }: FailedAttempt): string {
  return task.inputs.tls.cert !== undefined
    ? 'Check that `client-cert` and `client-key` are valid, and that the service trusts their CA.'
    : 'If the service asks for a client certificate, set `client-cert` and `client-key`.';
}

/** Of a proxy that refused to connect. */
export function fixProxyRefusal({ task }: FailedAttempt): string {
  return `Ask the operators of the proxy to allow ${nameHost(task.url)}. If no proxy is needed, list the host in \`no_proxy\`, with commas between hosts.`;
}

/** Of a proxy that refused the credentials, or got none. */
export function fixProxyCredential({ task, last }: FailedAttempt): string {
  const isSet = task.inputs.proxy?.authorization !== undefined;
  const what = isSet ? 'Check the credentials in' : 'Add the credentials to';
  const asked = listSchemes(findConnectionError(last).proxyChallenge);
  return asked.length === 0 || asked.some((scheme) => scheme.toLowerCase() === 'basic')
    ? `${what} the proxy's URL (https_proxy, http_proxy): http://USER:PASSWORD@HOST:PORT, for Basic authentication.`
    : `The proxy asks for ${listSome(asked, 3)}, and the action supports only Basic: ask the operators of the proxy to accept Basic, or the runner without credentials.`;
}

/** Of a proxy that was not reached, or did not reach the service. */
export function fixProxy({ task, last }: FailedAttempt): string {
  const { isOfProxy, proxyStatus } = findConnectionError(last);
  return isOfProxy && proxyStatus === undefined
    ? 'Check the scheme, host and port of the proxy (https_proxy, http_proxy): most begin with http://, also for https addresses.'
    : `If the host is internal, list it in \`no_proxy\`, with commas between hosts. Otherwise check the host and port in \`base-url\`, and that the service is up, or ask the operators of the proxy whether it allows ${nameHost(task.url)}.`;
}

/** Plain HTTP is proposed only if the peer speaks it: it would send token and files unencrypted. */
export function fixProtocol({ task, last }: FailedAttempt): string {
  const { code = '', alert, isPlainHttp } = findConnectionError(last);
  if (last.response !== undefined) {
    return 'Something responds without reading the upload, for example with a login page: check the path in `base-url`, and the credential.';
  }
  if (task.url.protocol === 'http:') {
    return 'Check the scheme and the port in `base-url`: a TLS port needs https://.';
  }
  if (isPlainHttp) {
    return 'The port does not speak TLS: check the port in `base-url`. A service without TLS needs http:// and `allow-http: true`.';
  }
  if (code.startsWith('HPE_')) {
    return 'Check the port in `base-url`: the server does not respond with HTTP.';
  }
  return alert === UNRECOGNIZED_NAME
    ? 'The server does not know this host: check the host in `base-url`.'
    : 'The server, or a proxy that inspects TLS, cannot agree on TLS with this runner: its operators have to update it.';
}

/** A service that refuses early closes the connection, and its response may be lost. */
export function fixBreak({ task: { url }, last }: FailedAttempt): string {
  if (last.response !== undefined) return 'Check the network, and gateways in between.';
  // A TLS port resets a plain request at its first bytes, before the files follow.
  const isPlain = url.protocol === 'http:' && last.state === 'asking';
  const tls = isPlain ? 'If the port expects TLS, `base-url` must begin with https://. ' : '';
  return `${tls}The service may have refused the upload: check its size limit and the credential. If it did not, check the network.`;
}
