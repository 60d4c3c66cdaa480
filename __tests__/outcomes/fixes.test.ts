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
  NO_CLIENT,
  SENDING,
  WAITING,
  challenge,
  fail,
  failByAlert,
  failInProxy,
  redirect,
  refuseConnect,
  respond,
  say,
  stop,
} from '../support/records.ts';
import { PROXIED } from '../support/tasks.ts';
import type { TaskSpec } from '../support/tasks.ts';

const PLAIN = { isSecure: false };
const OWN_CA = { ca: 'PEM' };
const CLIENT = { hasClientCertificate: true };
const PAIR = { hasParts: true };
const EXPIRED = makeToken('{"exp":1767323040}');
const AGO = 'Jan  2 03:04:05 2026 GMT';
const LATER = 'Jan  2 03:04:05 2096 GMT';
const MOVED = 'https://new.example/a;id=1/v1/scanner/upload-file';
const LONG = `/${'a'.repeat(300)}/v1/scanner/upload-file`;
const AWS = '{"message":"Missing Authentication Token"}';
const OIDC: TaskSpec = { credentialKind: 'oidc' };
const BASIC = { token: 'Basic dTpw' };
const OWN_HEADER = { tokenHeader: 'X-Key' };
const OVERRIDDEN =
  /^(?:`token` was sent .*\. )?Check `token`, or renew it\. A secret of the environment wins over one of the repository, .* organization\.$/;
const QUOTA = 'Monthly quota of 500 scans exceeded, see your plan.';

function reply(status: number, headers: Readonly<Record<string, string>>, body = ''): AttemptSpec {
  return { response: { status, headers, body } };
}

/** A response with a challenge. */
function ask(status: number, scheme: string, text?: string): AttemptSpec {
  return reply(status, { 'www-authenticate': scheme }, text);
}

/** A JWT with these claims. */
function makeToken(claims: string): TaskSpec {
  return { token: `Bearer e30.${Buffer.from(claims).toString('base64url')}.signature` };
}

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
  // What is right for real software and public reports.
  [/^AWS .* `base-url`, with its stage/, [reply(403, {}, AWS)]],
  [/^Check `base-url`: .* If it is right, check that the credential/, [respond(403)]],
  [/^Check `base-url`: /, [respond(403, 'other', 'Access Denied')]],
  [
    /^Check that the credential may .* If that is right, check `b/,
    [respond(403, 'json', 'No Role')],
  ],
  [/^Check that the credential may .* check `b/, [ask(403, 'Basic', 'No way in here')]],
  [/^The service says why: (?!.*credential).* `base-url`: /, say(403, [QUOTA, 'Out of space'])],
  [/ of the files \(scan\.json \(1\.2 KiB\), scan\.json/, [respond(413)], PAIR],
  [/^Check that the credential may upload for this `scan-key`\.$/, say(403, ['Scope missing'])],
  [/^Check that .* `scan-key`\.$/, [ask(403, 'Bearer error="insufficient_scope"')]],
  [/^Check `token`, /, say(403, ['The token was revoked'])],
  [
    /^Check `oidc-audience` \(sent: x\), .* and `environment`\.$/,
    say(403, ['Audiences in Jwt']),
    OIDC,
  ],
  [/^Set `token` to one that was issued for this service\. A/, say(401, ['Bad audience'])],
  [/^Check `base-url`: .* check `oidc-audience` \(sent: x\)/, [respond(403)], OIDC],
  [
    /^`token` is a JWT that expired on Fri, 02 Jan 2026 03:04:00 GMT: renew it\. A secret /,
    [respond(401), ask(401, 'Basic')],
    EXPIRED,
  ],
  [OVERRIDDEN, [respond(401)], makeToken('{"exp":3976300800}')],
  [OVERRIDDEN, [respond(401)], makeToken('{"exp":"1"}')],
  [/^`token` was sent as Authorization: Basic\. Check `token`, /, [respond(401)], BASIC],
  [/^`token` was sent in X-Key\. Check `token`, /, [respond(401)], OWN_HEADER],
  // The scheme that was sent, or none, is asked for; or the service says why.
  [OVERRIDDEN, [respond(401), ask(401, 'Basic'), ask(401, 'Key, bAsic realm="a, Key b"')], BASIC],
  [OVERRIDDEN, [ask(401, 'Bearer', 'Verification failed: expired')], BASIC],
  [OVERRIDDEN, [ask(401, 'ApiKey'), ...say(401, ['Invalid API key'])], OWN_HEADER],
  // The secret is more than the credential, or not in its form.
  [OVERRIDDEN, [respond(401)], { token: 'Bearer 12|abc' }],
  [
    /Check `token`: it has another character than .* JSON around it, .* wins over /,
    [respond(401), ask(401, 'Bearer error="invalid_token"')],
    { token: 'Bearer {"access_token":"a"}' },
  ],
  [/Check `token`: it has another .* \(\*\*\*\)\. /, [ask(401, 'Bearer')], { token: 'Bearer ***' }],
  [OVERRIDDEN, [ask(401, 'Bearer')], { token: 'Bearer aZ09-._~+/==' }],
  [
    /^`token` is not user:password in Base64: encode it\. /,
    [ask(401, 'BASIC realm="a"')],
    { token: 'Basic u:p' },
  ],
  // Another scheme is asked for.
  [
    /^`token` was sent as Authorization: Basic\. For Bearer, set `token-prefix: Bearer` without .* check `token`\.$/,
    [ask(401, 'Negotiate, NTLM, Bearer realm="Basic "')],
    BASIC,
  ],
  [/^`token` was sent in X-Key\. For Bearer, /, [ask(401, 'Bearer')], OWN_HEADER],
  [/ in Authorization\. For Basic, .* in Base64\. /, [ask(401, 'Basic realm="x"')]],
  [/^`token` was sent in Authorization\. /, [ask(401, 'Basic')], { token: 'of words' }],
  [/ The action does not support NTLM: ask/, [ask(401, 'NTLM, Negotiate')]],
  [
    / For Key, set `token-header` .* \(if it is Authorization, `token-prefix: Key`\)\./,
    [
      ask(401, 'Key realm="a, Basic b"', 'Access denied due to missing subscription key'),
      ask(401, 'Key', 'No API key found'),
    ],
    BASIC,
  ],
  [
    / For Token, set `token-prefix: Token` without `token-header`, or set `token-header` to /,
    [ask(401, 'Token'), ask(401, 'Token realm="a, Basic b"', 'Not provided')],
  ],
  [/^Check `token`, .* If the service wants an API key, /, say(401, ['No API key'])],
  [
    /^The certificate is valid from Jan {2}2 .* 2096 GMT; the clock of this runner says \w{3}, \d\d .* GMT: correct it\.$/,
    [makeBroken({ code: 'CERT_NOT_YET_VALID', certificate: { validFrom: LATER } })],
  ],
  [
    /^The certificate expired on Jan {2}2 03:04:05 2026 GMT: renew it, or correct the clock/,
    [expire(AGO)],
  ],
  // Its issuer expired.
  [/^Renew the certificate, or correct the clock/, [expire(LATER)]],
  [/^If the service asks for a client certificate/, [expire(AGO, 45)]],
  [
    /^The host has only an IPv6 address, and this runner has no IPv6/,
    [makeBroken({ code: 'ENETUNREACH', isWithoutIpv6: true })],
  ],
  [/^`ca-cert` has 'Corp Issuing CA', but not the root .*: add the root too\.$/, [ISSUING], OWN_CA],
  [/^`ca-cert` has the CA that issued it, but not/, fail({}, 'UNABLE_TO_GET_ISSUER_CERT'), OWN_CA],
  // Where it depends on the situation alone.
  [/^Check `base-url`\. A name of .* https:\/\/ needs `https_proxy`\.$/, fail({}, 'ENOTFOUND')],
  [/^Check the network\. If .* increase `stall-timeout-seconds`\.$/, [{ ...LIMIT, ...SENDING }]],
  [/^Check that `base-url` is that of the service\. .* gzip or deflate\.$/, [respond(200)]],
  [/^The status is one of success, .* operators of the service why\.$/, [respond(200, 'problem')]],
  [/^The upload arrived too slowly: .* for requests\.$/, [respond(408)]],
  [/^The service limits .* jobs later\.$/, [respond(429)]],
  [/^The service failed\. .* trace id\.$/, [respond(500)]],
  [/^The service is not available, .* trace id\.$/, [respond(503)]],
  [/^A gateway got no valid response .* trace id\.$/, [respond(502)]],
  [/^A gateway sent the upload .* trace id\.$/, [respond(504)]],
  // Where it depends on more.
  [/^Do this\.\nAnd that\.$/, [stop(new StepError('files', 'x', ['Do this.', 'And that.']))]],
  [/^Check `scan-key` and the files\. .* the trace id\.$/, [respond(400)]],
  // A file and a pair that fail alike have one message.
  [/^Check `scan-key` and the files\./, [respond(422)], PAIR],
  [/^Check `scan-key` and the files\./, say(422, ['ScanKey: no ScanJsonFile of it'])],
  [/^Check scan\.json\. If/, say(422, ['scanJsonFile: unknown format'])],
  [/^`base-url` must begin with https:/, say(400, ['Use SSL']), PLAIN],
  [
    /^Give the operators .* a file may cause it \(scan\.json \(1\.2 KiB\)\)\.$/,
    [respond(500, 'problem')],
  ],
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
  [/^Check `oidc-audience` \(sent: x\), and whether/, [respond(401), ask(401, 'Basic')], OIDC],
  [
    /^The headers of the request \(`token`: 9\.4 KiB\) are too large/,
    [respond(431)],
    { token: 'x'.repeat(9600) },
  ],
  [/^The headers of the request are too large/, [respond(431)], OIDC],
  [/: set `token` without .* or `auth: oidc`\.$/, [respond(401)], { credentialKind: 'none' }],
  [
    /: check the one in `headers`, or set `token` /,
    [respond(401)],
    { credentialKind: 'none', hasHeaders: true },
  ],
  [/upload-file\. If it is right, check `scan-key`\.$/, [respond(404), respond(404, 'json')]],
  [/^Check `scan-key`\. If it is right, check `base-url`: .*file\.$/, [respond(404, 'problem')]],
  [/^Check `base-url`: .*upload-file\. If it is right, ask/, [respond(405), respond(501)]],
  [/ It ends in \/v1, which the action adds/, [respond(404)], { basePath: '/api/v1/' }],
  [/upload-file\. If it is right, check/, [respond(404)], { basePath: '/api/v11' }],
  [/^It may be .* with what the page says\.$/, [respond(200, 'web-page')]],
  [/^Ask the operators .* let https:.*file pass without/, [challenge(200), challenge(403)]],
  [
    /^It may be .* and the credential\.$/,
    [redirect('/login'), redirect(MOVED.replace('https', 'http'))],
  ],
  [/^If this is your service, .* to https:\/\/new\.example\/a\.$/, [redirect(MOVED)]],
  [/ `base-url` to https:\/\/scan\.example\/a{170,180} …\.$/, [redirect(LONG)]],
  [/a TLS port needs https:\/\/\.$/, fail(WAITING, 'HPE_INVALID_CONSTANT'), PLAIN],
  [/Check the port .* not respond with HTTP\.$/, fail(WAITING, 'HPE_INVALID_CONSTANT')],
  [/^The port .* needs http:/, [makeBroken({ code: 'EPROTO', isPlainHttp: true })]],
  [
    /^Something responds without reading.* path in `base-url`, and the credential/,
    [{ response: {}, isSent: false }],
  ],
  [/^Check that `client-cert` and/, [...say(400, NO_CLIENT), ...failByAlert({}, 42)], CLIENT],
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
  [/^Ask the operators of the service, with the trace id\.$/, [respond(418), respond(599)]],
  [/^The service may have, or be processing, another upload/, [respond(409)]],
  [/^A gateway or firewall .* to http.*: check that/, [respond(403, 'web-page')]],
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

test.each<[RegExp, AttemptSpec, TaskSpec?]>([
  [
    /^The service accepted the credential for svc-00: it may not .*`scan-key`, unless it was revoked /,
    respond(401),
  ],
  [/^The service accepted the credential for svc-00: /, ask(401, 'Basic', 'Not for you')],
  [/^The service accepted the credential for svc-00: /, respond(401), OIDC],
  [/^The service accepted the credential for svc-00: /, respond(403)],
  [/^The service accepted the credential for svc-00: /, respond(403, 'json', 'No scope')],
  // The service says why.
  [OVERRIDDEN, respond(401, 'json', 'The token was revoked')],
  [/^The service says why: its operators can change that\.$/, respond(403, 'json', QUOTA)],
  [/^A gateway or firewall in front/, respond(403, 'web-page')],
])('after an acceptance, the fix is like %s', (words, spec, settings = {}) => {
  const { fixes } = explainEnd(spec, settings, { accepted: 'svc-00' });
  expect(fixes.join('\n')).toMatch(words);
});
