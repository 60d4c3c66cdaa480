// What to do: each sentence as a whole.
import { expect, test } from '@jest/globals';
import { CancelledError, StepError, TimeLimitError } from '../../src/errors.ts';
import {
  explainEnd,
  NO_CLIENT,
  challenge,
  redirect,
  respond,
  say,
  stop,
} from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import type { TaskSpec } from '../support/scans.ts';
import { SCAN_KEY } from '../support/workspace.ts';

const URL = 'https://scan.example/tenant/v1/scanner/upload-file';
const OPERATORS = 'Ask the operators of the service, with the trace id.';
const WORDS = 'Ask the operators of the service, with what it says and the trace id.';
const ADDRESS = `Check \`base-url\`: the upload went to ${URL}.`;
const RIGHT = 'Check that the credential may upload for this `scan-key`.';
const BARE = (how: string): string =>
  `Check \`token\`, or renew it: it was sent ${how}. A secret of the environment wins over those of the repository and the organization.`;
const CHECK = 'Check `token`, or renew it.';
const FORM =
  'Save only the token as the secret, for Basic user:password in Base64: `token` has another character than letters, digits and -._~+/=, as JSON around it or a masked value (***) has.';
const OTHER = 'Set `token` to one that was issued for this service.';
const TRUST =
  'Check `oidc-audience` (sent: x), and whether the service trusts OIDC tokens of this repository, branch and `environment`.';
const SCHEMES = (asked: string, how: string): string =>
  `Set \`token-prefix\` (for Basic, \`token\` is user:password in Base64), or \`token-header\` for an API key: the service asks for ${asked}, and \`token\` was sent ${how}.`;
const PORTAL =
  'Check `base-url` and the credential: this may lead to a login page, a portal or a firewall.';
const LATER = 'Re-run the failed jobs later, or give the operators the trace id';
const MOVED = 'https://new.example/a;id=1/v1/scanner/upload-file';
const LONG = `/${'a'.repeat(300)}/v1/scanner/upload-file`;

const PAIR: TaskSpec = { hasParts: true };
const OIDC: TaskSpec = { credentialKind: 'oidc' };
const NONE: TaskSpec = { credentialKind: 'none' };
const BASIC: TaskSpec = { token: 'Basic dTpw' };
const OWN_HEADER: TaskSpec = { tokenHeader: 'X-Key' };
const PLAIN: TaskSpec = { isSecure: false };
const V1: TaskSpec = { basePath: '/api/v1/' };

function reply(status: number, headers: Readonly<Record<string, string>>, body = ''): AttemptSpec {
  return { response: { status, headers, body } };
}

/** A 401 with a challenge. */
function ask(scheme: string, text?: string): AttemptSpec {
  return reply(401, { 'www-authenticate': scheme }, text);
}

/** A JWT with these claims. */
function makeToken(claims: string): TaskSpec {
  return { token: `Bearer e30.${Buffer.from(claims).toString('base64url')}.signature` };
}

test.each<[string, readonly AttemptSpec[], TaskSpec?]>([
  // What the action itself finds.
  ['Do this. And that.', [stop(new StepError('files', 'x', ['Do this.', 'And that.']))]],
  ['Run the step again to upload the scan.', [stop(new CancelledError('SIGINT'))]],
  ['Report this message to the maintainers of the action.', [{}]],
  // The key and the files.
  [
    `Check \`scan-key\` and the files. If that is right, ask the operators of the service, with the trace id.`,
    [respond(400), respond(422)],
  ],
  // A file and a pair that fail alike have one message.
  [
    `Check \`scan-key\` and the files. If that is right, ask the operators of the service, with the trace id.`,
    [respond(400)],
    PAIR,
  ],
  [`${WORDS} Or check \`scan-key\` and the files.`, say(400, ['The tenant is suspended'])],
  ['Check `scan-key`.', [...say(404, ['Unknown scan key']), ...say(400, [`No ${SCAN_KEY}`])]],
  ['Check scan.json.', say(422, ['scanJsonFile: unknown format'])],
  ['Check `scan-key` and scan.json.', say(422, ['ScanKey: no ScanJsonFile of it'])],
  ['Check the files.', say(400, ['Use CycloneDX'])],
  [`${OPERATORS} Or check the files.`, [respond(500, 'problem')]],
  [`${WORDS} Or check the files.`, say(500, ['The database is read-only'], 'problem')],
  // The address.
  [`${ADDRESS} If that is right, check \`scan-key\`.`, [respond(404), respond(404, 'json')]],
  [
    `Check \`scan-key\`. If that is right, check \`base-url\`: the upload went to ${URL}.`,
    [respond(404, 'problem')],
  ],
  [
    `${ADDRESS} If that is right, ask the operators of the service, with the trace id.`,
    [respond(405), respond(501), respond(410)],
  ],
  [
    'Remove /v1 from the end of `base-url`, unless a gateway needs it: the action adds it itself. The upload went to https://scan.example/api/v1/v1/scanner/upload-file.',
    [respond(404)],
    V1,
  ],
  [
    `Check \`base-url\`, or ask the operators of the service: it expects another form at ${URL}.`,
    say(400, ['Report: This field is required.']),
  ],
  [
    'Check the scheme, host and port in `base-url`: the server refuses requests to scan.example:443.',
    say(400, ['Invalid SNI']),
  ],
  [
    `Check \`base-url\`, with its stage (https://host/prod): AWS API Gateway has no path ${URL}.`,
    say(403, ['Missing Authentication Token']),
  ],
  [
    'Check that `base-url` is that of the API: the service wants a token against forged requests here. If it is, its operators must exempt this operation.',
    say(403, ['CSRF verification failed']),
  ],
  ['Begin `base-url` with https://: this port needs it.', say(400, ['Use SSL']), PLAIN],
  [PORTAL, [redirect('/portal'), redirect('http://scan.example/a/v1/scanner/upload-file')]],
  [
    `Ask the operators of the network, or of the service, to let ${URL} pass: gateway.example responds in its place. Or correct \`base-url\`.`,
    [redirect('https://gateway.example/auD')],
  ],
  ['Set `base-url` to https://new.example/a, if this is your service.', [redirect(MOVED)]],
  [
    `Set \`base-url\` to https://scan.example/${'a'.repeat(177)} …, if this is your service.`,
    [redirect(LONG)],
  ],
  // The credential.
  [BARE('in Authorization'), [respond(401)]],
  [BARE('as Authorization: Bearer'), [respond(401)], makeToken('{"exp":3976300800}')],
  [BARE('as Authorization: Bearer'), [respond(401)], makeToken('{"exp":"1"}')],
  [BARE('as Authorization: Bearer'), [respond(401)], { token: 'Bearer 12|abc' }],
  [BARE('as Authorization: Basic'), [respond(401)], BASIC],
  [BARE('in X-Key'), [respond(401), ask('ApiKey')], OWN_HEADER],
  [CHECK, say(401, ['Token is not active', 'Unknown subject'])],
  [CHECK, [ask('Bearer', 'Invalid API key')], { token: 'Bearer a' }],
  [CHECK, say(401, ['Invalid API key']), OWN_HEADER],
  [CHECK, [...say(401, ['The token was revoked']), ask('Basic', 'It was revoked')]],
  [CHECK, [ask('Key, bAsic realm="a, Key b"', 'Wrong')], BASIC],
  [
    'Renew `token`: it is a JWT that expired on Fri, 02 Jan 2026 03:04:00 GMT.',
    [respond(401), ask('Basic')],
    makeToken('{"exp":1767323040}'),
  ],
  [FORM, [respond(401), ask('Bearer error="invalid_token"')], { token: 'Bearer {"a":"b"}' }],
  [FORM, [respond(401), ask('BASIC realm="a"')], { token: 'Basic u:p' }],
  [
    SCHEMES('Negotiate, NTLM, Bearer', 'as Authorization: Basic'),
    [ask('Negotiate, NTLM, Bearer r="B "')],
    BASIC,
  ],
  [SCHEMES('Bearer', 'in X-Key'), [ask('Bearer')], OWN_HEADER],
  [SCHEMES('Key', 'in Authorization'), [ask('Key realm="a, Basic b"', 'Wrong')]],
  [
    'Ask the operators of the service for a token: it asks for NTLM, Negotiate, which the action does not support.',
    [ask('NTLM, Negotiate')],
  ],
  [
    'Set `token-header` to the header of the API key, or check `token`: it was sent in Authorization.',
    [
      ...say(401, ['No API key', 'Access denied due to missing subscription key.']),
      ask('Key realm="a"', 'No API key found'),
      ask('ManagementKey realm="a", name="X-Subscription-Key"'),
    ],
  ],
  [
    'Set `token` without `auth: none`, or `auth: oidc`, or correct the credential in `headers`: the service asks for one.',
    [respond(401), ...say(403, ['Not authenticated'])],
    NONE,
  ],
  [TRUST, [respond(401), ask('Basic'), ...say(401, ['The token expired'])], OIDC],
  [OTHER, say(401, ['Bad audience', 'Bad issuer'])],
  ['Check `oidc-audience`: the service does not accept x.', say(401, ['Bad audience']), OIDC],
  [
    "Ask the operators of the service to trust OIDC tokens of https://token.actions.githubusercontent.com, GitHub's issuer.",
    say(401, ['Bad issuer', 'The iss claim is not valid']),
    OIDC,
  ],
  [
    'Ask the operators of the service to trust OIDC tokens of this repository, branch and `environment`.',
    say(401, ['subject']),
    OIDC,
  ],
  [RIGHT, say(403, ['Scope missing', 'No Role', 'The API key may not access this project'])],
  [TRUST, say(403, ['Scope missing']), OIDC],
  [
    `${ADDRESS} If that is right, check that the credential may upload for this \`scan-key\`.`,
    [respond(403)],
  ],
  [
    'Check how `token` is sent, or ask the operators of the service: it asks for a sign-in at /Account/Login, and did not take `token` as a credential of its API.',
    [reply(401, { location: '/Account/Login?x=y' })],
  ],
  [
    `scan.example asks for a sign-in at auth.example: ask the operators of scan.example to let ${URL} pass without it.`,
    [reply(401, { location: 'https://auth.example/?rd=x' })],
  ],
  // Size, rate and time.
  [
    'Reduce the size of the files (scan.json (1.2 KiB)), or raise the limit of the service or a gateway: the upload has 1.5 KiB.',
    [respond(413)],
  ],
  [
    'Shorten the header Authorization, the longest that is set, or raise the limit of the service or a gateway.',
    [respond(431)],
  ],
  [
    'Shorten the header X-Build-Meta, the longest that is set, or raise the limit of the service or a gateway.',
    [respond(431)],
    { headers: [{ name: 'X-Build-Meta', value: 'long'.repeat(9) }], token: 'short' },
  ],
  ['Re-run the failed jobs later.', [respond(429)]],
  [
    'Check the network between the runner and the service, and the time limit of the server for requests: the upload arrived too slowly.',
    [respond(408)],
  ],
  // Who has to act.
  [
    `This page is not the service's: ask the operators of what is in front of it to let ${URL} pass, or correct \`base-url\`.`,
    [respond(403, 'web-page'), respond(200, 'web-page')],
  ],
  [
    `Ask the operators of the service to let ${URL} pass without a challenge.`,
    [challenge(200), challenge(403)],
  ],
  [OPERATORS, [respond(418), respond(599), { response: { body: 'false' } }]],
  [WORDS, [...say(403, ['The quota is used up']), ...say(410, ['The API was removed'])]],
  [
    'Check the scan of this `scan-key` in the service; if it was only busy, re-run the failed jobs later.',
    [
      respond(409),
      ...say(409, ['The scan is archived']),
      { ...respond(409), ...stop(new TimeLimitError(1)) },
    ],
  ],
  [
    'Re-run the failed jobs later. If it fails again, give the operators the trace id: a file may cause it.',
    [respond(500)],
  ],
  [`${LATER}: the service is not available, or a gateway cannot reach it.`, [respond(503)]],
  [`${LATER}: a gateway got no valid response from the service.`, [respond(502)]],
  [`${LATER}: a gateway got no response from the service in time.`, [respond(504)]],
  [
    'Set `client-cert` and `client-key`: the service asked for a client certificate.',
    say(400, NO_CLIENT),
  ],
  [
    'Check that `client-cert` and `client-key` are valid, and that the service trusts their CA.',
    say(400, NO_CLIENT),
    { clientCertificate: 'PEM' },
  ],
  [
    'Check that `base-url` is that of the service. It, or a gateway in front of it, must respond with JSON, text or XML of at most 1 MiB, not compressed, or with gzip or deflate.',
    [respond(200)],
  ],
])('the fix is: %s', (text, specs, settings = {}) => {
  for (const spec of specs) {
    expect(explainEnd(spec, settings, { result: 'rejected' }).fixes.join(' ')).toBe(text);
  }
});

test.each<[string, AttemptSpec]>([
  [
    'Check `scan-key`, or ask the operators of the service to allow it: they accepted the credential for `svc-00`.',
    respond(401),
  ],
  [
    'Check `scan-key`. If that is right, re-run the failed jobs later, or ask the operators of the service: the address accepted `svc-00`.',
    respond(404),
  ],
  [
    'Re-run the failed jobs later, or ask the operators of the service: the address accepted `svc-00`.',
    respond(405),
  ],
  [
    `This page is not the service's, which accepted \`svc-00\`: ask the operators of what is in front of it to let ${URL} pass.`,
    respond(403, 'web-page'),
  ],
])('after an acceptance, the fix is: %s', (text, spec) => {
  const { fixes } = explainEnd(spec, {}, { accepted: 'svc-00' });
  expect(fixes.join(' ')).toBe(text);
});
