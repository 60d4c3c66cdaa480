import { expect, test } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
import type { UploadFacts } from '../../src/outcomes/facts.ts';
import { SETTINGS, explainEnd, makeBroken } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import {
  CONNECTING,
  CUT,
  LIMIT,
  NO_CLIENT,
  PROXIED,
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

const PLAIN = { isSecure: false };
const OWN_CA = { hasOwnCa: true };
const CLIENT = { hasClientCertificate: true };
/** Neither a path nor a host is a scan. */
const ROUTES = [
  'Cannot POST /x',
  'POST /scan/v1/scanner/upload-file is unknown',
  'at scan.example',
];
const UNKNOWN_KEYS = ['No such scan.', 'ScanKey: Not known', 'no scan has this key', 'Unknown key'];
const MOVED = 'https://new.example/a;id=1/v1/scanner/upload-file';
const LONG = `/${'a'.repeat(300)}/v1/scanner/upload-file`;

/** Where a fix depends on more than its situation. */
test.each<[RegExp, readonly AttemptSpec[], Partial<UploadFacts>?]>([
  [/^Do this\.\nAnd that\.$/, [stop(new StepError('files', 'x', ['Do this.', 'And that.']))]],
  [/the upload may also be too large\.$/, [{ ...respond(400), isSent: false }]],
  [/^Check `scan-key`, the files, and which file is in which part\./, [respond(422)]],
  [/^`base-url` must begin with https:/, say(400, ['Sent to HTTPS port', 'Use SSL']), PLAIN],
  [/^Check `scan-key`/, say(400, ['See https://docs.example']), PLAIN],
  [/^Check `scan-key`/, say(400, ['The link must use HTTPS'], 'json'), PLAIN],
  [/^A file may cause it \(scan\.json \(1\.2 KiB\)\)/, [respond(500, 'problem')]],
  [/localhost is the container/, fail({}, 'ECONNREFUSED'), { hostname: 'localhost' }],
  [/^A firewall may drop /, [{ ...LIMIT, ...CONNECTING }, ...fail({}, 'ETIMEDOUT')]],
  [/a firewall may block the runner/, fail({}, 'ECONNREFUSED')],
  [/^Ask .* list the host in `no_proxy`, with commas/, refuseConnect(403), PROXIED],
  [/^Check the credentials in the proxy's URL/, refuseConnect(401, 407), PROXIED],
  [/^Check the proxy variables/, [...refuseConnect(502), failInProxy('ECONNRESET')], PROXIED],
  [/^Check the scheme, host and port of the p/, [failInProxy('ECONNREFUSED')], PROXIED],
  [/^Check `oidc-audience` \(by default the origin/, [respond(401)], { credentialKind: 'oidc' }],
  [/set `token` without `auth: none`, or `auth: o/, [respond(401)], { credentialKind: 'none' }],
  [/upload-file\. If it is right, check `scan-key`\.$/, [respond(404), ...say(404, ROUTES)]],
  [/^Check `scan-key`\. If it is right, check `base-url`: .*file\.$/, say(404, UNKNOWN_KEYS)],
  [/^Check `base-url`: .*upload-file\. If it is right, ask/, [respond(405), respond(501)]],
  [/ It ends in \/v1, which the action adds/, [respond(404)], { basePath: '/api/v1/' }],
  [/upload-file\. If it is right, check/, [respond(404)], { basePath: '/api/v11' }],
  [/^It may be .* with what the page says\.$/, [respond(200, 'web-page')]],
  [/^Ask the operators .* let https:.*file pass without/, [challenge(200), challenge(403)]],
  [/^It may be .* and the credential\.$/, [redirect('/login')]],
  [/^If this is your service, .* to https:\/\/new\.example\/a\.$/, [redirect(MOVED)]],
  [/ `base-url` to https:\/\/scan\.example\/a{170,180} …\.$/, [redirect(LONG)]],
  [/^The service wants a slash at the end of the path/, [redirect(`${SETTINGS.address}/`)]],
  [/a TLS port needs https:\/\/\.$/, fail(WAITING, 'HPE_INVALID_CONSTANT'), PLAIN],
  [/Check the port .* not respond with HTTP\.$/, fail(WAITING, 'HPE_INVALID_CONSTANT')],
  [/^The port .* needs http:/, [makeBroken({ code: 'EPROTO', isPlainHttp: true })]],
  [/^The server does not know this host: check the host/, failByAlert({}, 112)],
  [/^The server, or a proxy that .* to update it/, [...fail({}, 'EPROTO'), ...failByAlert({}, 70)]],
  [/^Something responds without reading/, [{ response: {}, isSent: false }]],
  [/^Check that `client-cert` and/, [...say(400, NO_CLIENT), ...failByAlert({}, 42)], CLIENT],
  [/The proxy proxy\.example:3128 may also/, fail(SENDING, 'ECONNRESET'), PROXIED],
  [/check the network\.$/, fail(WAITING, 'ECONNRESET')],
  [/If the port expects TLS, .* https:\/\/\.$/, fail(SENDING, 'ECONNRESET'), PLAIN],
  [/Check the network, and gateways|check the network, and gateways/, [CUT], PLAIN],
  [/^Ask the operators of the service, with the trace id\.$/, [respond(418), respond(599)]],
  [/^The service may have, or be processing, another upload/, [respond(409)]],
  [/^Renew the certificate, or cor/, fail({}, 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID')],
  [/^A gateway or firewall .* to http.*: check that/, [respond(403, 'web-page')]],
  [/^The certificate is for other names: .* `base-url`\.$/, fail({}, 'HOSTNAME_MISMATCH')],
  [/^The certificate is for other names: .* proxy/, [failInProxy('HOSTNAME_MISMATCH')], PROXIED],
  [/^If you know this certificate/, fail({}, 'DEPTH_ZERO_SELF_SIGNED_CERT'), OWN_CA],
  [/^`ca-cert` is empty: for a private CA, or a proxy/, fail({}, 'SELF_SIGNED_CERT_IN_CHAIN')],
  [/^No certificate in `ca-cert`/, fail({}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'), OWN_CA],
  [/^Ask the operators of the service for a valid/, fail({}, 'CERT_SIGNATURE_FAILURE'), OWN_CA],
  [/^Ask the operators of the proxy for a valid/, [failInProxy('INVALID_PURPOSE')], PROXIED],
])('the fix is like %s (row %#)', (words, specs, settings = {}) => {
  for (const spec of specs) {
    expect(explainEnd(spec, settings, { result: 'rejected' }).fixes.join('\n')).toMatch(words);
  }
});
