// What to do about a connection that failed, a sentence for each cause. The likeliest comes first, where there may be
// several.

import { listSchemes } from '../service/headers.ts';
import { nameHost } from '../service/host.ts';
import { listSome } from '../text.ts';
import { findClientEnd } from './connection-listeners.ts';
import type { Evidence } from './evidence.ts';
import type { Sentence } from './sentence.ts';
import type { UploadTask } from './task.ts';

/** OpenSSL says so of a certificate that came without others. */
const ALONE = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
/** A service that refuses early closes the connection, and its response may be lost. */
const BREAK =
  'Check the host in `base-url`, a firewall, the size limit of the service, and the credential: it may have refused the upload. If it did not, check the network.';

export const CONNECTION = {
  name: "Check the host in `base-url`, and the runner's name server. A private network needs a runner inside it, or a proxy: https:// needs `https_proxy`.",
  // It did not come about.
  'no-ipv6':
    'Use a runner or a proxy that has IPv6: the host has only an IPv6 address, and this runner, as those of GitHub, has none.',
  dropped:
    "Let the runner pass a firewall that may drop its packets, or use a runner inside the network. Otherwise check the host and port in `base-url`, and the runner's name server.",
  'local-port':
    'Check that the service is running, and the port in `base-url`. In the container of a job use the name of the service: localhost is the container itself.',
  port: 'Check that the service is running, and the scheme, host and port in `base-url`. A firewall may also block the runner: use one inside the network.',
  // Certificates.
  'other-name': (evidence) =>
    `Check the host in ${evidence.error.isOfProxy === true ? 'the proxy variable' : '`base-url`'}, or ask ${nameOperators(evidence)}: the certificate is for other names.`,
  clock: ({ error: { certificate } }) =>
    `Correct the clock of this runner, which says ${new Date().toUTCString()}: the certificate is valid from ${certificate?.validFrom}.`,
  expiry: ({ error: { certificate: { validTo = 'an unknown date' } = {} } }) =>
    `Renew the certificate, which is valid until ${validTo}, or that of its CA, or correct the clock of the runner.`,
  'self-signed':
    'Set `ca-cert` to this certificate, if you know it: a self-signed one is its own CA.',
  'no-ca': ({ error, task }) => {
    const extra =
      task.inputs.tls.isExtraCaMissing === true ? ' NODE_EXTRA_CA_CERTS names no file.' : '';
    const alone =
      error.code === ALONE
        ? ' If the CA is public, the operators of the server have to send the intermediate certificate too.'
        : '';
    return `Set \`ca-cert\` to the certificate of the CA, if it is private or of a proxy that inspects TLS: it is empty.${extra}${alone}`;
  },
  'other-ca':
    "Set `ca-cert` to the CA of the server's certificate, up to the root, with the intermediate certificates that the server does not send: what it has does not suffice.",
  certificate: (evidence) => `Ask ${nameOperators(evidence)} for a valid certificate.`,
  'client-expiry': ({ task }) => `Renew \`client-cert\`, which expired on ${findClientEnd(task)}.`,
  client:
    'Check that `client-cert` and `client-key` are valid, and that the service trusts their CA.',
  'no-client': 'Set `client-cert` and `client-key`: the service asked for a client certificate.',
  'client-maybe':
    'Set `client-cert` and `client-key`, if the service asks for a client certificate.',
  // Proxies.
  'proxy-refusal': ({ task }) =>
    `Ask the operators of the proxy to allow ${nameHost(task.url)}. ${exceptHost(task)}, if no proxy is needed.`,
  'proxy-credential':
    "Correct, or add, the credentials in the proxy's URL (https_proxy, http_proxy): http://USER:PASSWORD@HOST:PORT, for Basic authentication.",
  'proxy-scheme': ({ error }) =>
    `Ask the operators of the proxy to accept Basic, or the runner without credentials: it asks for ${listSome(listSchemes(error.proxyChallenge), 3)}, and the action supports only Basic.`,
  proxy:
    'Check the scheme, host and port of the proxy (https_proxy, http_proxy): most begin with http://, also for https addresses.',
  'proxy-way': ({ task }) =>
    `${exceptHost(task)}, if it is internal. Otherwise check its name and port in \`base-url\`, that the service is up, and that the proxy allows ${nameHost(task.url)}.`,
  // Protocols. Plain HTTP is proposed only if the peer speaks it: it would send token and files unencrypted.
  'tls-port': 'Check the scheme and the port in `base-url`: a TLS port needs https://.',
  'plain-port':
    'Check the port in `base-url`, which does not speak TLS. A service without TLS needs http:// and `allow-http: true`.',
  'other-port': 'Check the port in `base-url`: the server does not respond with HTTP.',
  'unknown-host': 'Check the host in `base-url`: the server does not know it.',
  'old-tls':
    'Ask the operators of the server, or of a proxy that inspects TLS, to update it: it cannot agree on TLS with this runner.',
  early:
    'Check the path in `base-url`, and the credential: something responds without reading the upload, as a login page does.',
  // It broke, or was silent.
  break: BREAK,
  'plain-break': `Begin \`base-url\` with https://, if the port expects TLS. ${BREAK}`,
  'gateway-network': 'Check the network, and gateways in between.',
  stall: 'Check the network, or increase `stall-timeout-seconds` if the service needs longer.',
} satisfies Readonly<Record<string, Sentence>>;

function nameOperators({ error }: Evidence): string {
  return `the operators of the ${error.isOfProxy === true ? 'proxy' : 'service'}`;
}

function exceptHost({ url, inputs: { proxy } }: UploadTask): string {
  return proxy?.isMisspelledException === true
    ? `Write only ${url.hostname} in \`no_proxy\`, without scheme and path`
    : 'List the host in `no_proxy` (with commas between hosts)';
}
