// What became of a record, what follows from that, and what to do: the judge, the table of situations, the fixes.
import { adviseAttempt } from '../../src/results/failure.ts';
import { describe, expect, test } from '@jest/globals';
import { StepError, TimeLimitError } from '../../src/errors.ts';
import type { ResponseKind } from '../../src/service/response-kind.ts';
import type { UploadFacts } from '../../src/service/settings.ts';
import { conclude, getRow } from '../../src/outcomes/situations.ts';
import type { Situation } from '../../src/outcomes/situations.ts';
import { SETTINGS, makeAttempt, makeResponse, makeUpload } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { PROXIED, connect, describeEnd, end } from '../support/endings.ts';

/**
 * Result (and that after everything was sent), retries, reason (and that with a problem); how the fix begins, empty if an
 * error brings it.
 */
const ROWS: Readonly<Record<Situation, readonly [string, string]>> = {
  inputs: ['not-sent 0 inputs', ''],
  files: ['not-sent 0 files', ''],
  contents: ['not-sent 0 contents', ''],
  runner: ['not-sent 0 runner', ''],
  'oidc-permission': ['not-sent 0 credentials', ''],
  'oidc-failed': ['not-sent all credentials', ''],
  'other-scans': ['not-sent 0 other-scans', ''],
  'wait-too-long': ['not-sent 0 time-limit', ''],
  'time-limit': ['not-sent/unconfirmed 0 time-limit', ''],
  cancelled: ['not-sent/unconfirmed 0 cancelled', 'Run the step again to upload the scan.'],
  unexpected: ['not-sent/unconfirmed 0 internal', 'Report this message to the maintainers of'],
  'name-unknown': ['not-sent 5 name', 'Check `base-url`. A name of a private network needs'],
  'connect-failed': ['not-sent 5 connection', 'Check that the service is running, and the'],
  certificate: ['not-sent 0 certificate', 'Ask the operators of the service for a valid'],
  'client-certificate': ['not-sent 0 certificate', 'If the service asks for a client certificate'],
  'proxy-credentials': ['not-sent 0 proxy', "Check the credentials in the proxy's URL"],
  'proxy-refused': ['not-sent 0 proxy', 'Ask the operators of the proxy to allow'],
  'proxy-failed': ['not-sent 5 proxy', 'Check the proxy variables (https_proxy, http_proxy,'],
  'other-protocol': [
    'not-sent/unconfirmed 0 connection',
    'The port may not speak TLS: check the port',
  ],
  'connection-broken': ['not-sent/unconfirmed all connection', 'The service may have refused the'],
  stalled: ['not-sent/unconfirmed all stalled', 'Check the network. If the service needs longer'],
  'response-silent': ['unconfirmed 0 stalled', ''],
  'response-unreadable': ['unconfirmed 0 connection', 'Check that `base-url` is that of the'],
  'early-success': ['not-sent/unconfirmed 0 connection', 'Something responds without reading'],
  redirect: ['rejected 0 redirect', 'It may be a login page, a portal or a firewall: check'],
  'web-page': ['rejected 0 web-page', 'It may be a login page, a portal or a firewall: check'],
  'success-refused': ['rejected 0 refused/problem', 'The status is one of success, but the body'],
  invalid: [
    'rejected 0 refused/problem',
    'Check `scan-key`, the files, and which file is in which',
  ],
  'https-required': ['rejected 0 refused/problem', '`base-url` must begin with https:// for this'],
  'client-certificate-asked': ['rejected 0 certificate', 'If the service asks for a client'],
  'credential-rejected': ['rejected 0 credentials', 'Check `token`. If the service asks fo'],
  forbidden: ['rejected 0 credentials', 'Check that the credential may upload for this'],
  'not-found': [
    'rejected 0 refused/problem',
    `Check \`base-url\`: the upload went to ${SETTINGS.address}.`,
  ],
  'request-timeout': ['rejected all refused/problem', 'The upload arrived too slowly: check the'],
  'too-large': ['rejected 0 too-large', 'The upload (1500 bytes) is probably too large for the'],
  'rate-limited': ['rejected all rate-limited', 'The service limits the rate of uploads. Re-run'],
  'service-failed': ['rejected 3 unavailable', 'The service failed. Re-run the failed jobs later.'],
  'service-problem': ['rejected 0 problem', 'A file may cause it (scan.json (1.2 KiB)): give the'],
  unavailable: ['rejected all unavailable', 'The service is not available, or a gateway cannot'],
  'gateway-failed': ['rejected/unconfirmed all unavailable', 'A gateway got no valid response'],
  'gateway-timeout': ['rejected/unconfirmed 2 unavailable', 'A gateway stopped waiting for the'],
  'gateway-interrupted': ['rejected/unconfirmed 1 unavailable', 'A gateway sent the upload to the'],
  refused: ['rejected 0 refused/problem', 'Ask the operators of the service, with the trace id.'],
};

function isSituation(name: string): name is Situation {
  return Object.hasOwn(ROWS, name);
}

const SITUATIONS = Object.keys(ROWS).filter(isSituation);

function joinOnce(one: string, other: string): string {
  return one === other ? one : `${one}/${other}`;
}

describe('a situation', () => {
  test.each(SITUATIONS)('%s has its result, retries and reason', (situation) => {
    const plain = conclude(situation);
    const sent = conclude(situation, makeAttempt());
    const stated = conclude(situation, makeAttempt({ ...refuse(400, 'problem'), isSent: false }));
    expect(stated.result).toBe(plain.result);
    expect(sent).toEqual({ ...plain, result: sent.result });
    const results = joinOnce(plain.result, sent.result);
    const reasons = joinOnce(plain.reason, stated.reason);
    const most = getRow(situation).retries;
    const retries = most === Number.POSITIVE_INFINITY ? 'all' : most;
    expect(`${results} ${retries} ${reasons}`).toBe(ROWS[situation][0]);
  });

  test.each(SITUATIONS)(
    '%s has a fix without gaps, after a check if it may have the scan',
    (situation) => {
      const begin = ROWS[situation][1];
      const fix = adviseAttempt(situation, { ...end({ isSent: false }), result: 'not-sent' }).join(
        '\n',
      );
      expect(fix.slice(0, begin.length)).toBe(begin);
      expect(begin === '' ? '.' : fix).toMatch(/^(?:\S.*)?\.$/s);
      expect(fix).not.toMatch(/undefined|NaN|null/);
      const [first = ''] = adviseAttempt(situation, { ...end({}), result: 'unconfirmed' });
      expect(first).toMatch(
        /^Check the service before a re-run, because it may have the scan(?: from an earlier attempt)?\.(?: If it does not: \S|$)/,
      );
    },
  );

  test.each([
    ['isFromOthers', ['other-scans', 'wait-too-long']],
    ['stopsOthers', ['oidc-permission', 'credential-rejected']],
    ['isPassedOn', ['gateway-timeout', 'gateway-interrupted']],
    ['finalFix', ['rate-limited']],
    ['title', ['cancelled', 'unexpected']],
    ['namesResult', ['cancelled']],
  ] as const)('has %s only if it is one of %j', (member, situations) => {
    expect(SITUATIONS.filter((name) => getRow(name)[member] !== undefined)).toEqual(situations);
  });
});

test.each([
  [true, / may have the scan\. If/],
  [false, / may have the scan from an earlier attempt\. If/],
])(
  'a fix says whether the last attempt or an earlier one may have arrived: %s',
  (isSent, words) => {
    const last = makeAttempt({ state: 'sending', isSent });
    const upload = makeUpload(last, { result: 'unconfirmed' });
    expect(adviseAttempt('stalled', upload).join('')).toMatch(words);
  },
);

const PLAIN = { isSecure: false };
const LARGE = { bodyBytes: 30_000_001 };
const OWN_CA = { hasOwnCa: true };
const CLIENT = { hasClientCertificate: true };
const LIMIT = { failure: { kind: 'limit', limitMs: 1000 } } as const;
const TOO_LONG = { failure: { kind: 'too-long' } } as const;
const BUG = { failure: { kind: 'unexpected', text: 'no' } } as const;
const TIME = stop(new TimeLimitError(1));
const OWN = stop(new StepError('files', 'x', ['Do this.', 'And that.']));
const CUT = { response: { complete: false } };
const EARLY = { isSent: false, response: {} };
/** Over TLS, the last piece may have been handed over, but its write failed. */
const HANDED = { isSent: true, digests: undefined, response: {} } as const;
const IIS = { response: { status: 404, headers: { server: 'Microsoft-IIS/10.0' } } };
const ASKING = { state: 'asking', isSent: false } as const;
const SENDING = { state: 'sending', isSent: false, sentBytes: 9 } as const;
const FLUSHING = { state: 'flushing' } as const;
const WAITING = { state: 'waiting', isSent: true, sentBytes: 1500 } as const;
const RESOLVING = { state: 'resolving', isSent: false } as const;
const CONNECTING = { state: 'connecting', isSent: false } as const;
const TUNNELLING = { state: 'tunnelling', isSent: false } as const;

function stop(error: StepError): Pick<AttemptSpec, 'failure'> {
  return { failure: { kind: 'step', error, text: error.message } };
}

/** A refusal of some kind that says some texts. */
function refuse(status: number, kind: ResponseKind = 'other', ...says: string[]): AttemptSpec {
  const problem = kind === 'problem' ? { json: '{}', traceId: undefined } : undefined;
  return { response: { status, kind, says, problem } };
}

function refuseAll(...statuses: number[]): readonly AttemptSpec[] {
  return statuses.map((status) => refuse(status));
}

/** Refusals with one text each. */
function say(
  status: number,
  texts: readonly string[],
  kind?: ResponseKind,
): readonly AttemptSpec[] {
  return texts.map((text) => refuse(status, kind, text));
}

/** Cloudflare's firewall in place of the service. */
function challenge(status: number): AttemptSpec {
  return { response: { status, headers: { 'cf-mitigated': 'challenge' } } };
}

/** Its page without the header, or that of another server. */
function challengeBy(server: string): AttemptSpec {
  return { response: { status: 503, headers: { server }, says: ['Just a moment...'] } };
}

function redirect(location: string): AttemptSpec {
  return { response: { status: 307, headers: { location } } };
}

/** Errors of a connection. */
function fail(more: AttemptSpec, ...codes: string[]): readonly AttemptSpec[] {
  return codes.map((code) => connect({ code }, more));
}

function failByAlert(more: AttemptSpec, ...alerts: number[]): readonly AttemptSpec[] {
  return alerts.map((alert) => connect({ code: 'EPROTO', alert }, more));
}

function failInProxy(code: string, alert?: number): AttemptSpec {
  return connect({ code, alert, isOfProxy: true }, TUNNELLING);
}

function refuseConnect(...statuses: number[]): readonly AttemptSpec[] {
  return statuses.map((status) =>
    connect({ isOfProxy: true, proxyResponse: makeResponse({ status }) }, TUNNELLING),
  );
}

const TOO_LARGE = [
  'http: request body too large',
  'Multipart body length limit 9 exceeded.',
  'MulterError: File too large',
  'The payload is too big.',
  'Maximum upload size exceeded',
  'A payload reached size limit.',
  'The request was rejected because its size (2) exceeds the configured maximum (1)',
  'It is configured to deny a request that exceeds the request content length.',
  'Request body exceeded settings.DATA_UPLOAD_MAX_MEMORY_SIZE.',
  'The request was larger than 9 bytes.',
];
const HAD_REQUEST = [
  'upstream connect error. reset reason: connection termination',
  'Backend fetch failed',
  'server closed connection',
  'Server closed connection',
  'Error reading from remote server',
];
const ROUTES = [
  'Cannot POST /x',
  '404 page not found',
  'The page you were looking for doesn’t exist',
  'No static resource x.',
  'no Route matched with those values',
  'No route matches [POST] "/x"',
  'Route POST:/x not found',
  'The route x could not be found.',
  'The requested URL was not found on this server.',
  'The requested resource could not be found.',
  'The server did not find a current representation for the target resource',
  'POST /scan/v1/scanner/upload-multiple-files is unknown',
  'default backend - 404',
  'Resource not found',
  'Apache/2.4.52 Server at scan.example Port 443',
];
const UNKNOWN_KEYS = ['No such scan.', 'ScanKey: Not known', 'no scan has this key', 'Unknown key'];

const NO_CLIENT = [
  'No client certificate',
  'No required SSL certificate was sent',
  'Cannot perform Post-Handshake Authentication.',
];
const CERTIFICATE_CODES = [
  'CERT_HAS_EXPIRED',
  'CRL_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
];
const MOVED = 'https://new.example/a;id=1/v1/scanner/upload-file';
const LONG = `/${'a'.repeat(300)}/v1/scanner/upload-file`;

/** A situation, a record that it is found in, and other settings. */
type Found = readonly [Situation | undefined, AttemptSpec, Partial<UploadFacts>?];

/** The rows of records with the same situation. */
function each(
  situation: Situation | undefined,
  specs: readonly AttemptSpec[],
  settings: Partial<UploadFacts> = {},
): readonly Found[] {
  return specs.map((spec) => [situation, spec, settings]);
}

const RECORDS: readonly Found[] = [
  ...each(undefined, [{ response: {} }, { response: { status: 299 } }]),
  ...each('success-refused', [refuse(200, 'problem'), refuse(200, 'refusal')]),
  ...each('web-page', [refuse(200, 'web-page'), { ...refuse(200, 'web-page'), isSent: false }]),
  ...each('web-page', [200, 403, 503].map(challenge)),
  ...each('web-page', [challengeBy('cloudflare')]),
  ...each('unavailable', [challengeBy('nginx')]),
  ...each('response-unreadable', [
    refuse(200, 'other'),
    refuse(200, 'endless'),
    { ...TOO_LONG, ...CUT },
  ]),
  ...each('connection-broken', [CUT]),
  ...each('stalled', [{ ...LIMIT, ...CUT }]),
  ...each('time-limit', [{ ...TIME, ...CUT }, { ...TIME, ...EARLY }, TIME]),
  ...each('early-success', [EARLY, { ...LIMIT, ...HANDED }, ...fail(HANDED, 'EPIPE')]),
  ...each('redirect', refuseAll(300, 308, 399)),
  ...each('invalid', [...refuseAll(400, 409, 422), refuse(400, 'problem')]),
  ...each('credential-rejected', [refuse(401), refuse(401, 'problem')]),
  ...each('forbidden', [refuse(403), refuse(403, 'problem'), refuse(403, 'web-page', 'No.')]),
  ...each('not-found', [refuse(404), refuse(404, 'problem')]),
  ...each('request-timeout', [refuse(408)]),
  ...each('rate-limited', [refuse(429)]),
  ...each('service-failed', [refuse(500), refuse(500, 'json')]),
  ...each('service-problem', [refuse(500, 'problem')]),
  ...each('unavailable', [...refuseAll(425, 503), refuse(503, 'problem')]),
  ...each('gateway-failed', refuseAll(502, 520, 521, 522, 523)),
  ...each('gateway-timeout', refuseAll(504, 524)),
  ...each('refused', refuseAll(101, 402, 405, 415, 417, 418, 501, 505, 519, 525, 599)),
  // A gateway had the request.
  ...each(
    'gateway-interrupted',
    [502, 503, 504].flatMap((status) => say(status, HAD_REQUEST)),
  ),
  ...each('service-failed', say(500, HAD_REQUEST)),
  ...each('unavailable', [{ ...refuse(503, 'other', 'Backend fetch failed'), isSent: false }]),
  // The body was too large.
  ...each('too-large', [refuse(413), ...say(400, TOO_LARGE), ...say(404, TOO_LARGE)]),
  ...each('too-large', say(500, TOO_LARGE, 'problem')),
  ...each('invalid', say(422, TOO_LARGE)),
  ...each('too-large', [IIS], LARGE),
  ...each('not-found', [IIS], { bodyBytes: 30_000_000 }),
  ...each('not-found', [refuse(404)], LARGE),
  // A server in front of the service expects TLS, or a client certificate.
  ...each(
    'https-required',
    say(400, ['A plain request was sent to HTTPS port', 'Use SSL', 'Use tls']),
    PLAIN,
  ),
  ...each('invalid', say(400, ['See https://docs.example', 'The name is too long']), PLAIN),
  ...each('invalid', say(400, ['Use SSL'])),
  ...each('unavailable', say(503, ['SSL failed']), PLAIN),
  ...each('invalid', say(400, ['The link must use HTTPS'], 'json'), PLAIN),
  ...each('client-certificate-asked', [...say(400, NO_CLIENT), ...say(403, NO_CLIENT, 'web-page')]),
  ...each('forbidden', [...say(403, NO_CLIENT, 'json'), ...say(403, NO_CLIENT, 'problem')]),
  // Limits.
  ...each('name-unknown', [{ ...LIMIT, ...RESOLVING }]),
  ...each('connect-failed', [{ ...LIMIT, ...CONNECTING }], PROXIED),
  ...each('proxy-failed', [{ ...LIMIT, ...TUNNELLING }], PROXIED),
  ...each(
    'stalled',
    [ASKING, SENDING, FLUSHING].map((state) => ({ ...LIMIT, ...state })),
  ),
  ...each('response-silent', [{ ...LIMIT, ...WAITING }]),
  // Errors.
  ...each('unexpected', [{}, BUG]),
  ...each('files', [OWN]),
  ...each('name-unknown', fail(RESOLVING, 'ENOTFOUND', 'EAI_AGAIN')),
  ...each('connect-failed', fail({}, 'ECONNREFUSED', 'ECONNRESET', 'HPE_INVALID_EOF_STATE')),
  ...each('connect-failed', fail({}, 'ETIMEDOUT'), PROXIED),
  ...each('proxy-failed', fail({}, 'ECONNRESET', 'EPIPE', 'ECONNABORTED'), PROXIED),
  ...each('proxy-failed', [failInProxy('ENOTFOUND'), failInProxy('EPROTO', 42)], PROXIED),
  ...each('proxy-failed', refuseConnect(500, 502, 503, 504), PROXIED),
  ...each('proxy-credentials', refuseConnect(401, 407), PROXIED),
  ...each('proxy-refused', refuseConnect(302, 403, 404, 501), PROXIED),
  ...each('other-protocol', fail({}, 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_X')),
  ...each('other-protocol', fail(WAITING, 'HPE_INVALID_CONSTANT')),
  ...each('connection-broken', fail(SENDING, 'ERR_SSL_BAD_RECORD_TYPE', 'ECONNRESET'), PROXIED),
  ...each('connection-broken', fail(WAITING, 'ECONNRESET', 'HPE_INVALID_EOF_STATE')),
  ...each('client-certificate', failByAlert({}, 40, 41, 46, 49, 116)),
  ...each('client-certificate', failByAlert(WAITING, 40, 49, 116)),
  ...each('connection-broken', failByAlert(WAITING, 39, 50, 115, 117)),
  ...each('certificate', [...fail({}, ...CERTIFICATE_CODES), failInProxy('INVALID_CA')]),
];

describe('a record', () => {
  test.each(RECORDS)('is %s: %j with %j', (expected, spec, settings) => {
    const { situation, last, result } = end(spec, settings);
    expect(situation).toBe(expected);
    expect(result === 'accepted').toBe(situation === undefined);
    // The status of a refusal decides, even if its body is incomplete.
    const isRefused = (last.response?.status ?? 0) >= 300;
    const cut = { ...spec, ...LIMIT, response: { ...spec.response, complete: false } };
    expect(end(isRefused ? cut : spec, settings).situation).toBe(expected);
  });
});

/** What only an error names; a record has `files` and `time-limit` too. */
const NAMED_BY_ERRORS =
  'inputs contents runner oidc-permission oidc-failed other-scans wait-too-long cancelled'.split(
    ' ',
  );

test('each row is found in a record, or named by an error', () => {
  const found = new Set<string | undefined>(RECORDS.map(([situation]) => situation));
  expect(SITUATIONS.filter((name) => !found.has(name))).toEqual(NAMED_BY_ERRORS);
});

/** Where a fix depends on more than its situation. */
describe('the fix', () => {
  test.each<[RegExp, readonly AttemptSpec[], Partial<UploadFacts>?]>([
    [/^Do this\.\nAnd that\.$/, [{ ...OWN, isSent: false }]],
    [/the upload may also be too large\.$/, [{ ...refuse(400), isSent: false }]],
    [/the trace id\.$/, [refuse(400), { ...refuse(400, 'other', 'No.'), isSent: false }]],
    [/localhost is the container/, fail({}, 'ECONNREFUSED'), { hostname: 'localhost' }],
    [
      /^A firewall may drop the packets: .* `base-url`\.$/,
      [{ ...LIMIT, ...CONNECTING }, ...fail({}, 'ETIMEDOUT')],
    ],
    [/a firewall may block the runner/, fail({}, 'ECONNREFUSED'), { hostname: 'a.example' }],
    [/^Ask .* list the host in `no_proxy`, with commas/, refuseConnect(403), PROXIED],
    [/^Check `oidc-audience` \(by default the origin/, [refuse(401)], { credentialKind: 'oidc' }],
    [
      /set `token` without `auth: none`, or `auth: oidc`/,
      [refuse(401)],
      { credentialKind: 'none' },
    ],
    [/upload-file\. If it is right, check `scan-key`\.$/, [refuse(404), ...say(404, ROUTES)]],
    [/upload-file\. If it is right, check `scan-key`\.$/, say(404, ROUTES, 'problem')],
    [/^Check `scan-key`\. If it is right, check `base-url`: .*file\.$/, say(404, UNKNOWN_KEYS)],
    [/^Check `base-url`: .*\/tenant\/v1\/scanner\/upload-file\. If/, refuseAll(405, 415, 501)],
    [/ It ends in \/v1, which the action adds/, refuseAll(404, 405), { basePath: '/api/v1/' }],
    [/upload-file\. If it is right, check/, [refuse(404)], { basePath: '/api/v11' }],
    [/^It may be .* with what the page says\.$/, [refuse(200, 'web-page')]],
    [/^Ask the operators .* let https:.*file pass without/, [challenge(200), challenge(403)]],
    [/^It may be .* and the credential\.$/, [redirect('/login')]],
    [/^If this is your service, .* to https:\/\/new\.example\/a\.$/, [redirect(MOVED)]],
    [/ `base-url` to https:\/\/scan\.example\/a{170,180} …\.$/, [redirect(LONG)]],
    [/^The service wants a slash at the end of the path/, [redirect(`${SETTINGS.address}/`)]],
    [/a TLS port needs https:\/\/\.$/, fail(WAITING, 'HPE_INVALID_CONSTANT'), PLAIN],
    [/^Check that `client-cert` and `client-key`/, say(400, NO_CLIENT), CLIENT],
    [/^Check that `client-cert` and `client-key`/, failByAlert({}, 42), CLIENT],
    [/The proxy proxy\.example:3128 may also/, fail(SENDING, 'ECONNRESET'), PROXIED],
    [/The proxy proxy\.example:3128 may also/, fail(WAITING, 'ECONNRESET'), PROXIED],
    [/check the network\.$/, [...fail(SENDING, 'ECONNRESET'), ...fail(WAITING, 'ECONNRESET')]],
    [/If the port expects TLS, .* https:\/\/\.$/, fail(ASKING, 'ECONNRESET'), PLAIN],
    [/Check the network, and gateways in between\.$/, [CUT], PLAIN],
    [/^Ask the operators of the service, with the trace id\.$/, refuseAll(402, 451, 505, 507, 599)],
    [
      /^The service may have, or be processing, another upload for this `scan-key`:/,
      refuseAll(409),
    ],
    [/^A gateway or firewall .* to http/, [{ response: { status: 403, kind: 'web-page' } }]],
    [/^Check the scheme, host and port of the proxy/, [failInProxy('ECONNREFUSED')], PROXIED],
    [/^Check the scheme, host and port of the proxy/, [failInProxy('EPROTO')], PROXIED],
    [/ask the operators of the proxy whether it allows/i, [failInProxy('ECONNRESET')], PROXIED],
    [/^Renew the certificate, or correct the clock/, fail({}, 'CERT_HAS_EXPIRED')],
    [/^Renew the certificate, or correct the clock/, fail({}, 'CERT_NOT_YET_VALID')],
    [/^The certificate is for other names: .* `base-url`\.$/, fail({}, 'HOSTNAME_MISMATCH')],
    [/^The certificate is for other names: .* proxy/, [failInProxy('HOSTNAME_MISMATCH')], PROXIED],
    [/^If you know this certificate/, fail({}, 'DEPTH_ZERO_SELF_SIGNED_CERT'), OWN_CA],
    [/^`ca-cert` is empty: for a private CA, or a proxy/, fail({}, 'SELF_SIGNED_CERT_IN_CHAIN')],
    [/^No certificate in `ca-cert`/, fail({}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'), OWN_CA],
    [/^Ask the operators of the service for a valid/, fail({}, 'CERT_SIGNATURE_FAILURE'), OWN_CA],
    [/^Ask the operators of the proxy for a valid/, [failInProxy('INVALID_PURPOSE')], PROXIED],
  ])('is like %s for %j with %j', (words, specs, settings = {}) => {
    for (const spec of specs) expect(describeEnd(spec, settings).fixes.join('\n')).toMatch(words);
  });
});

test.each<[Situation, AttemptSpec, ReturnType<typeof conclude>]>([
  ['invalid', refuse(400, 'problem'), { result: 'rejected', reason: 'problem' }],
  ['invalid', refuse(400), { result: 'rejected', reason: 'refused' }],
  ['gateway-timeout', refuse(504), { result: 'unconfirmed', reason: 'unavailable' }],
])('what follows from %s depends on the record %j', (situation, spec, outcome) => {
  expect(conclude(situation, makeAttempt(spec))).toEqual(outcome);
});
