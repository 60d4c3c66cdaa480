import { expect, test } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { StepError } from '../../src/errors.ts';
import { makeCertificate } from '../support/certificates.ts';
import { explainEnd, makeBroken } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import {
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
  stop,
} from '../support/records.ts';
import { PROXIED } from '../support/tasks.ts';
import type { TaskSpec } from '../support/tasks.ts';

const PLAIN = { isSecure: false };
const OWN_CA = { ca: 'PEM' };
const CLIENT = { hasClientCertificate: true };
const AGO = 'Jan  2 03:04:05 2026 GMT';
const LATER = 'Jan  2 03:04:05 2096 GMT';
function expire(validTo: string, alert?: number): AttemptSpec {
  return makeBroken({ code: 'CERT_HAS_EXPIRED', certificate: { validTo }, alert });
}

function askInProxy(proxyChallenge: string): AttemptSpec {
  return makeBroken({ isOfProxy: true, proxyStatus: 407, proxyChallenge });
}

const { cert } = await makeCertificate();
const OWN = makeBroken({
  code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  certificate: { fingerprint256: new X509Certificate(cert).fingerprint256 },
});
const ISSUING = makeBroken({
  code: 'UNABLE_TO_GET_ISSUER_CERT',
  certificate: { issuer: 'Corp Issuing CA' },
});

test.each<[RegExp, readonly AttemptSpec[], TaskSpec?]>([
  [
    /^The certificate is valid from Jan {2}2 .* 2096 GMT; the clock of this runner says \w{3}, \d\d .* GMT: correct it\.$/,
    [makeBroken({ code: 'CERT_NOT_YET_VALID', certificate: { validFrom: LATER } })],
  ],
  [
    /^The certificate expired on Jan {2}2 03:04:05 2026 GMT: renew it, or correct the clock/,
    [expire(AGO)],
  ],
  [/^Renew the certificate, or correct the clock/, [expire(LATER)]],
  [/^If the service asks for a client certificate/, [expire(AGO, 45)]],
  [
    /^The host has only an IPv6 address, and this runner has no IPv6/,
    [makeBroken({ code: 'ENETUNREACH', isWithoutIpv6: true })],
  ],
  [/^`ca-cert` has 'Corp Issuing CA', but not the root .*: add the root too\.$/, [ISSUING], OWN_CA],
  [/^`ca-cert` has the CA that issued it, but not/, fail({}, 'UNABLE_TO_GET_ISSUER_CERT'), OWN_CA],
  [/^Check `base-url`\. A name of .* https:\/\/ needs `https_proxy`\.$/, fail({}, 'ENOTFOUND')],
  [/^Check the network\. If .* increase `stall-timeout-seconds`\.$/, [{ ...LIMIT, ...SENDING }]],
  [/^Do this\.\nAnd that\.$/, [stop(new StepError('files', 'x', ['Do this.', 'And that.']))]],
  [/localhost is the container/, fail({}, 'ECONNREFUSED'), { hostname: 'localhost' }],
  [/^A firewall may drop /, [{ ...LIMIT, ...CONNECTING }, ...fail({}, 'ETIMEDOUT')]],
  [/a firewall may block the runner/, fail({}, 'ECONNREFUSED')],
  [/^Ask .* list the host in `no_proxy`, with commas/, refuseConnect(403), PROXIED],
  [/^Add the credentials to the proxy's URL/, refuseConnect(401, 407), PROXIED],
  [
    /^Check the credentials in the proxy's URL/,
    refuseConnect(407),
    { isProxied: true, proxyAuthorization: 'Basic YTpi' },
  ],
  [/^If the host is internal, list it in `no_proxy`, with commas/, refuseConnect(502), PROXIED],
  [/^Add the credentials to the proxy's URL/, [askInProxy('Negotiate, Basic realm="a"')], PROXIED],
  [
    /^The proxy asks for Negotiate, NTLM, and the action supports only Basic: /,
    [askInProxy('Negotiate, NTLM')],
    PROXIED,
  ],
  [/^Check the scheme, host and port of the p/, [failInProxy('ECONNRESET')], PROXIED],
  [/a TLS port needs https:\/\/\.$/, fail(WAITING, 'HPE_INVALID_CONSTANT'), PLAIN],
  [/Check the port .* not respond with HTTP\.$/, fail(WAITING, 'HPE_INVALID_CONSTANT')],
  [/^The port .* needs http:/, [makeBroken({ code: 'EPROTO', isPlainHttp: true })]],
  [
    /^Something responds without reading.* path in `base-url`, and the credential/,
    [{ response: {}, isSent: false }],
  ],
  [/^Check that `client-cert` and/, [...failByAlert({}, 42)], CLIENT],
  [/^The service may have .* network\.$/, [WAITING, SENDING].flatMap((at) => fail(at, 'EPIPE'))],
  [/^The service may have .* network\.$/, fail(WAITING, 'ECONNRESET'), PLAIN],
  [/^The service may have .* network\.$/, fail(SENDING, 'ECONNRESET'), PLAIN],
  [/^If the port expects TLS, .* https:\/\/\. The service/, fail(ASKING, 'ECONNRESET'), PLAIN],
  [/^The server does not know this host: check the host in `base-url`\.$/, failByAlert({}, 112)],
  [
    / cannot agree on TLS with this runner: its operators have to update it\.$/,
    failByAlert({}, 70, 80),
  ],
  [/the network, and gateways in between\.$/, [CUT], PLAIN],
  [/^The certificate is for other names: .* `base-url`\.$/, fail({}, 'HOSTNAME_MISMATCH')],
  [/^The certificate is for other names: .* proxy/, [failInProxy('HOSTNAME_MISMATCH')], PROXIED],
  [/^If you know this .* its own CA\.$/, fail({}, 'DEPTH_ZERO_SELF_SIGNED_CERT'), OWN_CA],
  [
    /^`ca-cert` is empty: for a private CA, or a proxy .* of the CA\.$/,
    fail({}, 'SELF_SIGNED_CERT_IN_CHAIN'),
  ],
  [
    /^`ca-cert` is empty: .* if its CA is public, its operators have to send the intermediate too\.$/,
    fail({}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  ],
  [/^`ca-cert` is the certificate of the server itself: /, [OWN], { ca: cert }],
  [/^No certificate in `ca-cert`/, [OWN], OWN_CA],
  [/^No certificate in `ca-cert`/, fail({}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'), OWN_CA],
  [/^Ask the operators of the service for a valid/, fail({}, 'CERT_SIGNATURE_FAILURE'), OWN_CA],
  [/^Ask the operators of the proxy for a valid/, [failInProxy('INVALID_PURPOSE')], PROXIED],
])('the fix is like %s', (words, specs, settings = {}) => {
  for (const spec of specs) {
    expect(explainEnd(spec, settings, { result: 'rejected' }).fixes.join('\n')).toMatch(words);
  }
});
