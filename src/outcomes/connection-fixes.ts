// What to do after an attempt whose connection failed: the input, or who has to act. The likeliest cause first, where
// there may be several.

import { checkServerIdentity } from 'node:tls';
import { listCertificates } from '../inputs/tls.ts';
import { findConnectionError } from '../service/attempt.ts';
import type { ConnectionError } from '../service/attempt.ts';
import { listSchemes } from '../service/headers.ts';
import { isLoopback, nameHost } from '../service/host.ts';
import { listSome } from '../text.ts';
import type { FailedAttempt, UploadTask } from './task.ts';

/** The alert of a server that has no such host (RFC 8446, section 6.2). */
const UNRECOGNIZED_NAME = 112;
/** OpenSSL says so of a certificate that came without others. */
const ALONE =
  ' If the CA is public, the operators of the server have to send the intermediate certificate too.';

export const UNRESOLVED =
  "Check the host in `base-url`, and the runner's name server. A private network needs a runner inside it, or a proxy: https:// needs `https_proxy`.";
export const STALLED =
  'Check the network, or increase `stall-timeout-seconds` if the service needs longer.';
export const EARLY =
  'Check the path in `base-url`, and the credential: something responds without reading the upload, as a login page does.';

export function fixNetwork({ task, last }: FailedAttempt): string {
  const { code = '', isWithoutIpv6 } = findConnectionError(last);
  if (isWithoutIpv6) {
    return 'Use a runner or a proxy that has IPv6: the host has only an IPv6 address, and this runner, as those of GitHub, has none.';
  }
  if (last.failure?.kind === 'limit' || code === 'ETIMEDOUT') {
    return "Let the runner pass a firewall that may drop its packets, or use a runner inside the network. Otherwise check the host and port in `base-url`, and the runner's name server.";
  }
  return isLoopback(task.url.hostname)
    ? 'Check that the service is running, and the port in `base-url`. In the container of a job use the name of the service: localhost is the container itself.'
    : 'Check that the service is running, and the scheme, host and port in `base-url`. A firewall may also block the runner: use one inside the network.';
}

/** A code of a certificate, or a part of it, and what to do. */
type CertificateRow = readonly [
  codes: readonly string[],
  fix: (certificate: ConnectionError['certificate'], failed: FailedAttempt, code: string) => string,
];
/** The first row with a part of the code holds. */
const CERTIFICATES: readonly CertificateRow[] = [
  [
    ['CERT_NOT_YET_VALID'],
    ({ validFrom }) =>
      `Correct the clock of this runner, which says ${new Date().toUTCString()}: the certificate is valid from ${validFrom}.`,
  ],
  [
    ['EXPIRED'],
    ({ validTo }) =>
      `Renew the certificate${describeExpiry(validTo)}, or correct the clock of the runner.`,
  ],
  [
    ['DEPTH_ZERO_SELF_SIGNED'],
    () => 'Set `ca-cert` to this certificate, if you know it: a self-signed one is its own CA.',
  ],
  [['SELF_SIGNED', 'UNABLE_TO_'], fixIssuer],
  [[''], (_, failed) => `Ask ${nameOperators(failed)} for a valid certificate.`],
];

/** The certificate of the service or a proxy. None helps if it is for another host. */
export function fixCertificate(failed: FailedAttempt): string {
  const { code = '', isOfProxy, certificate = {} } = findConnectionError(failed.last);
  const isForOther = code.includes('ALTNAME') || code.includes('HOSTNAME');
  if (isForOther || !fitsHost(certificate, failed)) {
    const where = isOfProxy ? 'the proxy variable' : '`base-url`';
    return `Check the host in ${where}, or ask ${nameOperators(failed)}: the certificate is for other names.`;
  }
  const row = CERTIFICATES.find(([codes]) => codes.some((part) => code.includes(part)));
  return row?.[1](certificate, failed, code) ?? '';
}

/** Gateways without a certificate for a host have a default one, which nobody should trust. */
function fitsHost(
  { whole }: ConnectionError['certificate'],
  { task: { url, inputs }, last }: FailedAttempt,
): boolean {
  const { isOfProxy } = findConnectionError(last);
  const { hostname } = (isOfProxy ? inputs.proxy?.url : undefined) ?? url;
  return whole === undefined || checkServerIdentity(hostname, whole) === undefined;
}

function nameOperators({ last }: FailedAttempt): string {
  return `the operators of the ${findConnectionError(last).isOfProxy ? 'proxy' : 'service'}`;
}

/** When a certificate expired, if that is why it is refused: its issuer may have expired, too. */
function describeExpiry(validTo = ''): string {
  return Date.parse(validTo) < Date.now() ? `, which expired on ${validTo}` : '';
}

/** A certificate whose issuer is not known. */
function fixIssuer(
  { issuer, fingerprint256 }: ConnectionError['certificate'],
  { task }: FailedAttempt,
  code: string,
): string {
  const { ca, isExtraCaMissing } = task.inputs.tls;
  if (ca === undefined) {
    const alone = code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' ? ALONE : '';
    const extra = isExtraCaMissing === true ? ' NODE_EXTRA_CA_CERTS names no file.' : '';
    return `Set \`ca-cert\` to the certificate of the CA, if it is private or of a proxy that inspects TLS: it is empty.${extra}${alone}`;
  }
  if (code === 'UNABLE_TO_GET_ISSUER_CERT') {
    const known = issuer === undefined ? 'the CA that issued it' : `'${issuer}'`;
    return `Add the root to \`ca-cert\`: it has ${known}, but not the root that issued that one.`;
  }
  return listCertificates(ca).some((each) => each.fingerprint256 === fingerprint256)
    ? 'Set `ca-cert` to the certificate of the CA: it is that of the server itself.'
    : 'Add the certificate of the CA to `ca-cert`, where no one issued that of the server. If it is there, add the intermediate certificate too, which the server does not send.';
}

/** A client certificate that the service refuses, or misses. */
export function fixClient({ task: { inputs }, last }: FailedAttempt): string {
  const { cert } = inputs.tls;
  if (cert !== undefined) return checkClient(cert);
  return last.isCertificateRequested
    ? 'Set `client-cert` and `client-key`: the service asked for a client certificate.'
    : 'Set `client-cert` and `client-key`, if the service asks for a client certificate.';
}

function checkClient(pem: string): string {
  const [own] = listCertificates(pem);
  const expired = describeExpiry(own?.validTo);
  return expired === ''
    ? 'Check that `client-cert` and `client-key` are valid, and that the service trusts their CA.'
    : `Renew \`client-cert\`${expired}.`;
}

/** A proxy that refused to connect. */
export function fixProxyRefusal({ task }: FailedAttempt): string {
  return `Ask the operators of the proxy to allow ${nameHost(task.url)}. ${exceptHost(task)}, if no proxy is needed.`;
}

/** A proxy that refused the credentials, or got none. */
export function fixProxyCredential({ task, last }: FailedAttempt): string {
  const isSet = task.inputs.proxy?.authorization !== undefined;
  const what = isSet ? 'Check the credentials in' : 'Add the credentials to';
  const asked = listSchemes(findConnectionError(last).proxyChallenge);
  return asked.length === 0 || asked.some((scheme) => scheme.toLowerCase() === 'basic')
    ? `${what} the proxy's URL (https_proxy, http_proxy): http://USER:PASSWORD@HOST:PORT, for Basic authentication.`
    : `Ask the operators of the proxy to accept Basic, or the runner without credentials: it asks for ${listSome(asked, 3)}, and the action supports only Basic.`;
}

/** A proxy that was not reached, or did not reach the service. */
export function fixProxy({ task, last }: FailedAttempt): string {
  const { isOfProxy, proxyStatus } = findConnectionError(last);
  return isOfProxy && proxyStatus === undefined
    ? 'Check the scheme, host and port of the proxy (https_proxy, http_proxy): most begin with http://, also for https addresses.'
    : `${exceptHost(task)}, if it is internal. Otherwise check its name and port in \`base-url\`, that the service is up, and that the proxy allows ${nameHost(task.url)}.`;
}

function exceptHost({ url, inputs: { proxy } }: UploadTask): string {
  return proxy?.isMisspelledException === true
    ? `Write only ${url.hostname} in \`no_proxy\`, without scheme and path`
    : 'List the host in `no_proxy` (with commas between hosts)';
}

/** Plain HTTP is proposed only if the peer speaks it: it would send token and files unencrypted. */
export function fixProtocol({ task, last }: FailedAttempt): string {
  const { code = '', alert, isPlainHttp } = findConnectionError(last);
  if (task.url.protocol === 'http:') {
    return 'Check the scheme and the port in `base-url`: a TLS port needs https://.';
  }
  if (isPlainHttp) {
    return 'Check the port in `base-url`, which does not speak TLS. A service without TLS needs http:// and `allow-http: true`.';
  }
  if (code.startsWith('HPE_')) {
    return 'Check the port in `base-url`: the server does not respond with HTTP.';
  }
  return alert === UNRECOGNIZED_NAME
    ? 'Check the host in `base-url`: the server does not know it.'
    : 'Ask the operators of the server, or of a proxy that inspects TLS, to update it: it cannot agree on TLS with this runner.';
}

/** A service that refuses early closes the connection, and its response may be lost. */
export function fixBreak(failed: FailedAttempt): string {
  const { task, last } = failed;
  if (last.response !== undefined) return 'Check the network, and gateways in between.';
  if (last.isCertificateRequested && task.inputs.tls.cert === undefined) return fixClient(failed);
  // A TLS port resets a plain request at its first bytes, before the files follow.
  const isPlain = task.url.protocol === 'http:' && last.state === 'asking';
  const tls = isPlain ? 'Begin `base-url` with https://, if the port expects TLS. ' : '';
  return `${tls}Check the host in \`base-url\`, a firewall, the size limit of the service, and the credential: it may have refused the upload. If it did not, check the network.`;
}
