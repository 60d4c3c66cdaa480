// What became of a record, what follows from that, and what to do: the judge, the table of situations, the fixes.
import { describe, expect, test } from '@jest/globals';
import { StepError, TimeLimitError } from '../../src/errors.ts';
import type { StepSituation } from '../../src/errors.ts';
import { conclude, getRow } from '../../src/outcomes/situations.ts';
import type { Situation } from '../../src/outcomes/situations.ts';
import { adviseAttempt } from '../../src/results/failure.ts';
import type { ResponseKind } from '../../src/service/response-kind.ts';
import type { UploadFacts } from '../../src/outcomes/advice.ts';
import {
  PROXIED,
  SETTINGS,
  endUpload,
  explainEnd,
  makeAttempt,
  makeBroken,
} from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';

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
const CONNECTING = { state: 'connecting', isSent: false } as const;

function stop(error: StepError): AttemptSpec {
  return { failure: { kind: 'step', error, text: error.message }, isSent: false };
}

/** A response of some kind that says some texts. */
function respond(status: number, kind: ResponseKind = 'other', ...says: string[]): AttemptSpec {
  const problem = kind === 'problem' ? { json: '{}', traceId: undefined } : undefined;
  return { response: { status, kind, says, problem } };
}

function respondEach(...statuses: number[]): readonly AttemptSpec[] {
  return statuses.map((status) => respond(status));
}

/** Responses with one text each. */
function say(status: number, texts: readonly string[], kind?: ResponseKind) {
  return texts.map((text) => respond(status, kind, text));
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
  return codes.map((code) => makeBroken({ code }, more));
}

function failByAlert(more: AttemptSpec, ...alerts: number[]): readonly AttemptSpec[] {
  return alerts.map((alert) => makeBroken({ code: 'EPROTO', alert }, more));
}

function failInProxy(code: string, alert?: number): AttemptSpec {
  return makeBroken({ code, alert, isOfProxy: true }, CONNECTING);
}

function refuseConnect(...statuses: number[]): readonly AttemptSpec[] {
  return statuses.map((proxyStatus) => makeBroken({ isOfProxy: true, proxyStatus }, CONNECTING));
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
/** Neither a path nor a host is a scan. */
const ROUTES = [
  'Cannot POST /x',
  'POST /scan/v1/scanner/upload-multiple-files is unknown',
  'Apache/2.4.52 Server at scan.example Port 443',
];
const UNKNOWN_KEYS = ['No such scan.', 'ScanKey: Not known', 'no scan has this key', 'Unknown key'];

const NO_CLIENT = [
  'No client certificate',
  'No required SSL certificate was sent',
  'Cannot perform Post-Handshake Authentication.',
];
const CERTIFICATE_CODES =
  'CERT_HAS_EXPIRED CRL_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED'.split(
    ' ',
  );
const RESETS = [...fail(SENDING, 'ECONNRESET'), ...fail(WAITING, 'ECONNRESET')];
const MOVED = 'https://new.example/a;id=1/v1/scanner/upload-file';
const LONG = `/${'a'.repeat(300)}/v1/scanner/upload-file`;

/** A record, and settings if it needs them. */
type Found = AttemptSpec | readonly [AttemptSpec, Partial<UploadFacts>];

/** Records that need these settings. */
function under(settings: Partial<UploadFacts>, ...specs: AttemptSpec[]): readonly Found[] {
  return specs.map((spec) => [spec, settings]);
}

function stopFor(situation: StepSituation): readonly Found[] {
  return [stop(new StepError(situation, 'x', 'Do this.'))];
}

const RECORDS: Readonly<Record<Situation | 'accepted', readonly Found[]>> = {
  accepted: [{ response: {} }, { response: { status: 299 } }],
  // Situations that an error names.
  inputs: stopFor('inputs'),
  files: [OWN],
  contents: stopFor('contents'),
  runner: stopFor('runner'),
  'oidc-permission': stopFor('oidc-permission'),
  'oidc-failed': stopFor('oidc-failed'),
  'other-scans': stopFor('other-scans'),
  'wait-too-long': stopFor('wait-too-long'),
  'time-limit': [TIME, { ...TIME, ...CUT }, { ...TIME, ...EARLY }],
  cancelled: stopFor('cancelled'),
  unexpected: [{}, BUG],
  // What happens to the connection of an attempt.
  'name-unknown': fail({}, 'ENOTFOUND', 'EAI_AGAIN'),
  'connect-failed': [
    ...fail({}, 'ECONNREFUSED', 'ECONNRESET', 'HPE_INVALID_EOF_STATE'),
    { ...LIMIT, ...CONNECTING },
    ...under(PROXIED, ...fail({}, 'ETIMEDOUT')),
  ],
  certificate: [...fail({}, ...CERTIFICATE_CODES), failInProxy('INVALID_CA')],
  'client-certificate': [
    ...failByAlert({}, 40, 41, 46, 49, 116),
    ...failByAlert(WAITING, 40, 49, 116),
  ],
  'proxy-credentials': refuseConnect(401, 407),
  'proxy-refused': refuseConnect(302, 403, 404, 501),
  'proxy-failed': [
    ...under(PROXIED, { ...LIMIT, ...CONNECTING }),
    ...under(PROXIED, ...fail({}, 'ECONNRESET', 'EPIPE', 'ECONNABORTED')),
    failInProxy('ENOTFOUND'),
    failInProxy('EPROTO', 42),
    ...refuseConnect(500, 502, 503, 504),
  ],
  'other-protocol': [
    ...fail({}, 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_X'),
    ...fail(WAITING, 'HPE_INVALID_CONSTANT'),
  ],
  'connection-broken': [
    CUT,
    ...under(PROXIED, ...fail(SENDING, 'ERR_SSL_BAD_RECORD_TYPE', 'ECONNRESET')),
    ...fail(WAITING, 'ECONNRESET', 'HPE_INVALID_EOF_STATE'),
    ...failByAlert(WAITING, 39, 50, 115, 117),
  ],
  stalled: [
    { ...LIMIT, ...CUT },
    ...[ASKING, SENDING, FLUSHING].map((state) => ({ ...LIMIT, ...state })),
  ],
  'response-silent': [{ ...LIMIT, ...WAITING }],
  'response-unreadable': [respond(200), { ...TOO_LONG, ...CUT }],
  'early-success': [EARLY, { ...LIMIT, ...HANDED }, ...fail(HANDED, 'EPIPE')],
  // What the service, or something in its place, responds.
  redirect: respondEach(300, 308, 399),
  'web-page': [
    respond(200, 'web-page'),
    { ...respond(200, 'web-page'), isSent: false },
    ...[200, 403, 503].map(challenge),
    challengeBy('cloudflare'),
  ],
  'success-refused': [respond(200, 'problem'), respond(200, 'refusal')],
  invalid: [
    ...respondEach(400, 409, 422),
    respond(400, 'problem'),
    ...say(422, TOO_LARGE),
    ...say(400, ['Use SSL']),
    ...under(PLAIN, ...say(400, ['See https://docs.example', 'The name is too long'])),
    ...under(PLAIN, ...say(400, ['The link must use HTTPS'], 'json')),
  ],
  'https-required': under(
    PLAIN,
    ...say(400, ['A plain request was sent to HTTPS port', 'Use SSL', 'Use tls']),
  ),
  'client-certificate-asked': [...say(400, NO_CLIENT), ...say(403, NO_CLIENT, 'web-page')],
  'credential-rejected': [respond(401), respond(401, 'problem')],
  forbidden: [
    respond(403),
    respond(403, 'problem'),
    respond(403, 'web-page', 'No.'),
    ...say(403, NO_CLIENT, 'json'),
    ...say(403, NO_CLIENT, 'problem'),
  ],
  'not-found': [
    respond(404),
    respond(404, 'problem'),
    ...under({ bodyBytes: 30_000_000 }, IIS),
    ...under(LARGE, respond(404)),
  ],
  'request-timeout': [respond(408)],
  'too-large': [
    respond(413),
    ...say(400, TOO_LARGE),
    ...say(404, TOO_LARGE),
    ...say(500, TOO_LARGE, 'problem'),
    ...under(LARGE, IIS),
  ],
  'rate-limited': [respond(429)],
  'service-failed': [respond(500), respond(500, 'json'), ...say(500, HAD_REQUEST)],
  'service-problem': [respond(500, 'problem')],
  unavailable: [
    ...respondEach(425, 503),
    respond(503, 'problem'),
    challengeBy('nginx'),
    { ...respond(503, 'other', 'Backend fetch failed'), isSent: false },
    ...under(PLAIN, ...say(503, ['SSL failed'])),
  ],
  'gateway-failed': respondEach(502, 520, 521, 522, 523),
  'gateway-timeout': respondEach(504, 524),
  'gateway-interrupted': [502, 503, 504].flatMap((status) => say(status, HAD_REQUEST)),
  refused: respondEach(101, 405, 415, 417, 418, 501, 519, 525, 599),
};

const isSituation = (key: string): key is Situation => key !== 'accepted' && key in RECORDS;
const SITUATIONS = Object.keys(RECORDS).filter(isSituation);

const ROWS = Object.entries(RECORDS).flatMap(([expected, all]) =>
  all.map((found) => {
    const [spec, settings = {}]: readonly [AttemptSpec, Partial<UploadFacts>?] =
      'length' in found ? found : [found];
    return [expected, spec, settings] as const;
  }),
);

describe('a record', () => {
  test('is too-large by any line of a refusal, shown or not', () => {
    const lines = ['one', 'two', 'three', 'four', 'five', 'six'];
    const body = `${lines.join('\n')}\nThe file is too large`;
    const { last, situation } = endUpload({ response: { status: 400, body } });
    expect(last.response?.says.join()).not.toContain('too large');
    expect(situation).toBe('too-large');
  });

  test.each(ROWS)('is %s: row %#', (expected, spec, settings) => {
    const { situation = 'accepted', last, result } = endUpload(spec, settings);
    expect(situation).toBe(expected);
    expect(result === 'accepted').toBe(situation === 'accepted');
    // The status of a refusal decides, even if its body is incomplete.
    if ((last.response?.status ?? 0) < 300) return;
    const cut = { ...spec, ...LIMIT, response: { ...spec.response, complete: false } };
    expect(endUpload(cut, settings).situation).toBe(expected);
  });
});

/** Results (and that after everything was sent) with the retries at most, and the situations that have them. */
const RETRIES = {
  'not-sent, 0':
    'inputs files contents runner oidc-permission other-scans wait-too-long certificate client-certificate proxy-credentials proxy-refused',
  'not-sent, Infinity': 'oidc-failed',
  'not-sent/unconfirmed, 0': 'time-limit cancelled unexpected other-protocol early-success',
  'not-sent, 5': 'name-unknown connect-failed proxy-failed',
  'not-sent/unconfirmed, Infinity': 'connection-broken stalled',
  'unconfirmed, 0': 'response-silent response-unreadable',
  'rejected, 0':
    'redirect web-page success-refused invalid https-required client-certificate-asked credential-rejected forbidden not-found too-large service-problem refused',
  'rejected, Infinity': 'request-timeout rate-limited unavailable',
  'rejected, 3': 'service-failed',
  'rejected/unconfirmed, Infinity': 'gateway-failed',
  'rejected/unconfirmed, 2': 'gateway-timeout gateway-interrupted',
};

describe('a situation', () => {
  test('has a result and a number of retries', () => {
    const groups = Object.groupBy(SITUATIONS, (situation) => {
      const results = [conclude(situation), conclude(situation, makeAttempt())];
      const names = new Set(results.map(({ result }) => result));
      return `${[...names].join('/')}, ${getRow(situation).retries}`;
    });
    const lines = Object.entries(groups).map(([key, names]) => [key, names?.join(' ')]);
    expect(Object.fromEntries(lines)).toEqual(RETRIES);
  });

  test.each(ROWS.slice(2))(
    '%s has a fix, after a check if it may have the scan: row %#',
    (...row) => {
      const [, spec, settings] = row;
      const upload = endUpload(spec, settings);
      const { situation = 'refused' } = upload;
      const fix = adviseAttempt(situation, { ...upload, result: 'not-sent' }).join('\n');
      expect(fix).toMatch(/^(?:[A-Z`].*\.)?$/s);
      expect(fix).not.toMatch(/undefined|NaN|null/);
      const [first = ''] = adviseAttempt(situation, { ...upload, result: 'unconfirmed' });
      expect(first).toMatch(
        /^Check the service before a re-run, because it may have the scan(?: from an earlier attempt)?\.(?: If it does not: \S|$)/,
      );
    },
  );

  test.each([
    ['isFromOthers', ['other-scans', 'wait-too-long']],
    ['stopsOthers', ['oidc-permission', 'credential-rejected']],
    ['finalFix', ['rate-limited']],
    ['title', ['cancelled', 'unexpected']],
    ['namesResult', ['cancelled']],
  ] as const)('has %s only if it is one of %j', (member, situations) => {
    expect(SITUATIONS.filter((each) => getRow(each)[member] !== undefined)).toEqual(situations);
  });
});

/** Where a fix depends on more than its situation. */
describe('the fix', () => {
  test.each<[RegExp, readonly AttemptSpec[], Partial<UploadFacts>?]>([
    [/^Do this\.\nAnd that\.$/, [OWN]],
    [/the upload may also be too large\.$/, [{ ...respond(400), isSent: false }]],
    [/the trace id\.$/, [respond(400), { ...respond(400, 'other', 'No.'), isSent: false }]],
    [/localhost is the container/, fail({}, 'ECONNREFUSED'), { hostname: 'localhost' }],
    [
      /^A firewall may drop the packets: .* the name server of the runner\.$/,
      [{ ...LIMIT, ...CONNECTING }, ...fail({}, 'ETIMEDOUT')],
    ],
    [/a firewall may block the runner/, fail({}, 'ECONNREFUSED'), { hostname: 'a.example' }],
    [/^Ask .* list the host in `no_proxy`, with commas/, refuseConnect(403), PROXIED],
    [/^Check `oidc-audience` \(by default the origin/, [respond(401)], { credentialKind: 'oidc' }],
    [
      /set `token` without `auth: none`, or `auth: oidc`/,
      [respond(401)],
      { credentialKind: 'none' },
    ],
    [/upload-file\. If it is right, check `scan-key`\.$/, [respond(404), ...say(404, ROUTES)]],
    [/upload-file\. If it is right, check `scan-key`\.$/, say(404, ROUTES, 'problem')],
    [/^Check `scan-key`\. If it is right, check `base-url`: .*file\.$/, say(404, UNKNOWN_KEYS)],
    [/^Check `base-url`: .*\/tenant\/v1\/scanner\/upload-file\. If/, respondEach(405, 415, 501)],
    [/ It ends in \/v1, which the action adds/, respondEach(404, 405), { basePath: '/api/v1/' }],
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
    [/^The server does not know this host: check the host in `base-url`\.$/, failByAlert({}, 112)],
    [
      /^The server, or a proxy that inspects TLS, .* its operators have to update it/,
      [...fail({}, 'EPROTO', 'ERR_SSL_UNSUPPORTED_PROTOCOL'), ...failByAlert({}, 70, 80)],
    ],
    [/^Check that `client-cert` and/, [...say(400, NO_CLIENT), ...failByAlert({}, 42)], CLIENT],
    [/The proxy proxy\.example:3128 may also/, RESETS, PROXIED],
    [/check the network\.$/, RESETS],
    [/If the port expects TLS, .* https:\/\/\.$/, fail(ASKING, 'ECONNRESET'), PLAIN],
    [/Check the network, and gateways in between\.$/, [CUT], PLAIN],
    [/^Ask the operators of the service, with the trace id\.$/, respondEach(418, 599)],
    [
      /^The service may have, or be processing, another upload for this `scan-key`:/,
      respondEach(409),
    ],
    [/^A gateway or firewall .* to http/, [{ response: { status: 403, kind: 'web-page' } }]],
    [
      /^Check the scheme, host and port of the p/,
      ['ECONNREFUSED', 'EPROTO'].map((code) => failInProxy(code)),
      PROXIED,
    ],
    [/ask the operators of the proxy whether it allows/i, [failInProxy('ECONNRESET')], PROXIED],
    [/^Renew the certificate, or cor/, fail({}, 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID')],
    [/^The certificate is for other names: .* `base-url`\.$/, fail({}, 'HOSTNAME_MISMATCH')],
    [/^The certificate is for other names: .* proxy/, [failInProxy('HOSTNAME_MISMATCH')], PROXIED],
    [/^If you know this certificate/, fail({}, 'DEPTH_ZERO_SELF_SIGNED_CERT'), OWN_CA],
    [/^`ca-cert` is empty: for a private CA, or a proxy/, fail({}, 'SELF_SIGNED_CERT_IN_CHAIN')],
    [/^No certificate in `ca-cert`/, fail({}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'), OWN_CA],
    [/^Ask the operators of the service for a valid/, fail({}, 'CERT_SIGNATURE_FAILURE'), OWN_CA],
    [/^Ask the operators of the proxy for a valid/, [failInProxy('INVALID_PURPOSE')], PROXIED],
  ])('is like %s (row %#)', (words, specs, settings = {}) => {
    for (const spec of specs) expect(explainEnd(spec, settings).fixes.join('\n')).toMatch(words);
  });
});

test.each<[Situation, AttemptSpec, ReturnType<typeof conclude>]>([
  ['invalid', respond(400, 'problem'), { result: 'rejected', reason: 'problem' }],
  ['invalid', respond(400), { result: 'rejected', reason: 'refused' }],
  ['gateway-timeout', respond(504), { result: 'unconfirmed', reason: 'unavailable' }],
])('what follows from %s depends on the record: row %#', (situation, spec, outcome) => {
  expect(conclude(situation, makeAttempt(spec))).toEqual(outcome);
});
