// What to do about a connection: each sentence as a whole.
import { X509Certificate } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import {
  explainEnd,
  makeBroken,
  ASKING,
  CONNECTING,
  CUT,
  LIMIT,
  SENDING,
  WAITING,
  fail,
  failByAlert,
  failInProxy,
  refuseConnect,
} from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { makeCertificate } from '../support/network.ts';
import { PROXIED } from '../support/scans.ts';
import type { TaskSpec } from '../support/scans.ts';
import { cleanUp } from '../support/workspace.ts';

const PLAIN = { isSecure: false };
const OWN_CA = { ca: 'PEM' };
const LATER = 'Jan  2 03:04:05 2096 GMT';
const REFUSED =
  'Check the host in `base-url`, a firewall, the size limit of the service, and the credential: it may have refused the upload. If it did not, check the network.';
const EMPTY =
  'Set `ca-cert` to the certificate of the CA, if it is private or of a proxy that inspects TLS: it is empty.';
const ALONE =
  ' If the CA is public, the operators of the server have to send the intermediate certificate too.';
const REQUESTED = { isCertificateRequested: true };

const { cert } = await makeCertificate();
const own = new X509Certificate(cert);
const MALFORMED = { ...own.toLegacyObject(), subjectaltname: 'DNS:"a' };
const CLIENT: TaskSpec = { clientCertificate: cert };
const DAY_MS = 86_400_000;

function expire(validTo: string): AttemptSpec {
  return makeBroken({ code: 'CERT_HAS_EXPIRED', certificate: { validTo } });
}

/** A certificate that is not trusted. */
function distrust(code: string, isOfProxy = false): AttemptSpec {
  const { fingerprint256 } = own;
  return makeBroken({
    code,
    isOfProxy,
    certificate: { fingerprint256, whole: own.toLegacyObject() },
  });
}

function askInProxy(proxyChallenge: string): AttemptSpec {
  return makeBroken({ isOfProxy: true, proxyStatus: 407, proxyChallenge });
}

test.each<[string, readonly AttemptSpec[], TaskSpec?]>([
  [
    "Check the host in `base-url`, and the runner's name server. A private network needs a runner inside it, or a proxy: https:// needs `https_proxy`.",
    fail({}, 'ENOTFOUND', 'EAI_AGAIN'),
  ],
  [
    'Use a runner or a proxy that has IPv6: the host has only an IPv6 address, and this runner, as those of GitHub, has none.',
    [makeBroken({ code: 'ENETUNREACH', isWithoutIpv6: true })],
  ],
  [
    "Let the runner pass a firewall that may drop its packets, or use a runner inside the network. Otherwise check the host and port in `base-url`, and the runner's name server.",
    [{ ...LIMIT, ...CONNECTING }, ...fail({}, 'ETIMEDOUT')],
  ],
  [
    'Check that the service is running, and the port in `base-url`. In the container of a job use the name of the service: localhost is the container itself.',
    fail({}, 'ECONNREFUSED'),
    { hostname: 'localhost' },
  ],
  [
    'Check that the service is running, and the scheme, host and port in `base-url`. A firewall may also block the runner: use one inside the network.',
    fail({}, 'ECONNREFUSED'),
  ],
  // Certificates.
  [
    'Renew the certificate, which is valid until Jan  2 03:04:05 2096 GMT, or that of its CA, or correct the clock of the runner.',
    [expire(LATER)],
  ],
  [
    'Check the host in `base-url`, or ask the operators of the service: the certificate is for other names.',
    fail({}, 'HOSTNAME_MISMATCH', 'ERR_TLS_CERT_ALTNAME_INVALID'),
  ],
  // Nobody should trust the default certificate of a gateway, which is for no host.
  [
    'Check the host in `base-url`, or ask the operators of the service: the certificate is for other names.',
    [
      distrust('DEPTH_ZERO_SELF_SIGNED_CERT'),
      distrust('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
      // Node throws at names that it cannot read.
      makeBroken({ code: 'SELF_SIGNED_CERT_IN_CHAIN', certificate: { whole: MALFORMED } }),
    ],
  ],
  [
    'Check the host in the proxy variable, or ask the operators of the proxy: the certificate is for other names.',
    [failInProxy('HOSTNAME_MISMATCH'), distrust('DEPTH_ZERO_SELF_SIGNED_CERT', true)],
    { ...PROXIED, hostname: 'localhost' },
  ],
  [
    'Set `ca-cert` to this certificate, if you know it: a self-signed one is its own CA.',
    [distrust('DEPTH_ZERO_SELF_SIGNED_CERT'), ...fail({}, 'DEPTH_ZERO_SELF_SIGNED_CERT')],
    { hostname: 'localhost' },
  ],
  [EMPTY, fail({}, 'SELF_SIGNED_CERT_IN_CHAIN')],
  [`${EMPTY}${ALONE}`, fail({}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
  [
    `${EMPTY} NODE_EXTRA_CA_CERTS names no file.`,
    fail({}, 'SELF_SIGNED_CERT_IN_CHAIN'),
    { isExtraCaMissing: true },
  ],
  [
    "Set `ca-cert` to the CA of the server's certificate, up to the root, with the intermediate certificates that the server does not send: what it has does not suffice.",
    fail({}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT'),
    OWN_CA,
  ],
  [
    'Ask the operators of the service for a valid certificate.',
    fail({}, 'CERT_SIGNATURE_FAILURE'),
    OWN_CA,
  ],
  [
    'Ask the operators of the proxy for a valid certificate.',
    [failInProxy('INVALID_PURPOSE')],
    PROXIED,
  ],
  // Client certificates.
  [
    'Set `client-cert` and `client-key`, if the service asks for a client certificate.',
    failByAlert({}, 42),
  ],
  [
    'Set `client-cert` and `client-key`: the service asked for a client certificate.',
    [
      ...failByAlert(REQUESTED, 42),
      ...fail({ ...ASKING, ...REQUESTED }, 'ECONNRESET'),
      ...fail({ ...WAITING, ...REQUESTED }, 'ECONNRESET'),
    ],
  ],
  [
    'Check that `client-cert` and `client-key` are valid, and that the service trusts their CA.',
    failByAlert({}, 42),
    CLIENT,
  ],
  [REFUSED, fail({ ...ASKING, ...REQUESTED }, 'ECONNRESET'), CLIENT],
  // Proxies.
  [
    'Ask the operators of the proxy to allow scan.example:443. List the host in `no_proxy` (with commas between hosts), if no proxy is needed.',
    refuseConnect(403),
    PROXIED,
  ],
  [
    'Ask the operators of the proxy to allow scan.example:443. Write only scan.example in `no_proxy`, without scheme and path, if no proxy is needed.',
    refuseConnect(403),
    { ...PROXIED, isMisspelledException: true },
  ],
  [
    "Correct, or add, the credentials in the proxy's URL (https_proxy, http_proxy): http://USER:PASSWORD@HOST:PORT, for Basic authentication.",
    [...refuseConnect(401, 407), askInProxy('NTLM, Basic')],
    PROXIED,
  ],
  [
    'Ask the operators of the proxy to accept Basic, or the runner without credentials: it asks for Negotiate, NTLM, and the action supports only Basic.',
    [askInProxy('Negotiate, NTLM')],
    PROXIED,
  ],
  [
    'List the host in `no_proxy` (with commas between hosts), if it is internal. Otherwise check its name and port in `base-url`, that the service is up, and that the proxy allows scan.example:443.',
    refuseConnect(502),
    PROXIED,
  ],
  [
    'Check the scheme, host and port of the proxy (https_proxy, http_proxy): most begin with http://, also for https addresses.',
    [failInProxy('ECONNRESET')],
    PROXIED,
  ],
  // Protocols.
  [
    'Check the scheme and the port in `base-url`: a TLS port needs https://.',
    fail(WAITING, 'HPE_INVALID_CONSTANT'),
    PLAIN,
  ],
  [
    'Check the port in `base-url`: the server does not respond with HTTP.',
    fail(WAITING, 'HPE_INVALID_CONSTANT'),
  ],
  [
    'Check the port in `base-url`, which does not speak TLS. A service without TLS needs http:// and `allow-http: true`.',
    [makeBroken({ code: 'EPROTO', isPlainHttp: true })],
  ],
  ['Check the host in `base-url`: the server does not know it.', failByAlert({}, 112)],
  [
    'Ask the operators of the server, or of a proxy that inspects TLS, to update it: it cannot agree on TLS with this runner.',
    failByAlert({}, 70, 80),
  ],
  [
    'Check the path in `base-url`, and the credential: something responds without reading the upload, as a login page does.',
    [{ response: {}, isSent: false }],
  ],
  // Connections that break, or are silent.
  [REFUSED, [WAITING, SENDING, ASKING].flatMap((at) => fail(at, 'EPIPE', 'ECONNRESET'))],
  [REFUSED, [WAITING, SENDING].flatMap((at) => fail(at, 'ECONNRESET')), PLAIN],
  [
    `Begin \`base-url\` with https://, if the port expects TLS. ${REFUSED}`,
    fail(ASKING, 'ECONNRESET'),
    PLAIN,
  ],
  ['Check the network, and gateways in between.', [CUT], PLAIN],
  [
    'Check the network, or increase `stall-timeout-seconds` if the service needs longer.',
    [{ ...LIMIT, ...SENDING }],
  ],
])('the fix is: %s', (text, specs, settings = {}) => {
  for (const spec of specs) {
    expect(explainEnd(spec, settings, { result: 'rejected' }).fixes).toEqual([text]);
  }
});

test('the fix of a certificate that is not valid yet has the time of the runner', () => {
  const early = makeBroken({ code: 'CERT_NOT_YET_VALID', certificate: { validFrom: LATER } });
  expect(explainEnd(early).fixes.join('')).toMatch(
    /^Correct the clock of this runner, which says \w{3}, \d\d .* GMT: the certificate is valid from Jan {2}2 .* 2096 GMT\.$/,
  );
});

test('the fix of a client certificate that expired has the date', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * DAY_MS);
  cleanUp(() => now.mockRestore());
  const [spec = {}] = failByAlert({}, 45);
  const text = `Renew \`client-cert\`, which expired on ${own.validTo}.`;
  expect(explainEnd(spec, CLIENT).fixes).toEqual([text]);
});
