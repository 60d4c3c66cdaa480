// What became of a record, and what follows from that: the judge, and the table of situations.
import { describe, expect, test } from '@jest/globals';
import { TimeLimitError } from '../../src/errors.ts';
import { findReason, findResult, findRow } from '../../src/outcomes/situations.ts';
import type { Situation } from '../../src/outcomes/situations.ts';
import {
  judgeSpec,
  makeAttempt,
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
  refuseConnect,
  respond,
  say,
  stop,
  stopFor,
} from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { readAt, readText } from '../support/repository.ts';
import { PROXIED } from '../support/scans.ts';
import type { TaskSpec } from '../support/scans.ts';

const PLAIN: TaskSpec = { isSecure: false };
const TIME = stop(new TimeLimitError(1));
const EARLY = { isSent: false, response: {} };
/** Over TLS, the last piece may have been handed over, but its write failed. */
const HANDED = { isSent: true, digests: undefined, response: {} } as const;

function respondEach(...statuses: number[]): readonly AttemptSpec[] {
  return statuses.map((status) => respond(status));
}

/** A page of Cloudflare's firewall without its header, or that of another server. */
function challengeBy(server: string): AttemptSpec {
  return { response: { status: 503, headers: { server }, says: ['Just a moment...'] } };
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
  'Maximum upload size of 9 bytes exceeded',
  'Content is too large',
];
const HEADERS_TOO_LARGE = [
  '400 Request Header Or Cookie Too Large',
  'Size of a request header field exceeds server limit.',
  'The size of the request headers is too long.',
];
const HAD_REQUEST = [
  'upstream connect error. reset reason: connection termination',
  'Backend fetch failed',
  'Server closed connection',
  'Error reading from remote server',
];
const CERTIFICATE_CODES =
  'CERT_HAS_EXPIRED CRL_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED'.split(
    ' ',
  );

/** Records, and what each of them is. */
const RECORDS: Readonly<Record<Situation | 'accepted', readonly AttemptSpec[]>> = {
  accepted: [{ response: {} }, { response: { status: 299 } }],
  // Situations that an error names.
  inputs: [stopFor('inputs')],
  files: [stopFor('files')],
  contents: [stopFor('contents')],
  runner: [stopFor('runner')],
  'oidc-permission': [stopFor('oidc-permission')],
  'oidc-failed': [stopFor('oidc-failed')],
  'other-scans': [stopFor('other-scans')],
  'time-limit': [TIME, { ...TIME, ...CUT }, { ...TIME, ...EARLY }],
  cancelled: [stopFor('cancelled')],
  unexpected: [{}, stopFor('unexpected')],
  // What happens to the connection of an attempt.
  'name-unknown': fail({}, 'ENOTFOUND', 'EAI_AGAIN'),
  'connect-failed': [
    { ...LIMIT, ...CONNECTING },
    ...fail({}, 'ECONNREFUSED', 'ECONNRESET', 'HPE_INVALID_EOF_STATE'),
  ],
  certificate: [...fail({}, ...CERTIFICATE_CODES), failInProxy('INVALID_CA')],
  'client-certificate': [
    ...failByAlert({}, 40, 41, 46, 49, 116),
    ...failByAlert(WAITING, 40, 49, 116),
  ],
  'proxy-refused': refuseConnect(302, 403, 404, 501),
  'proxy-credential': refuseConnect(401, 407),
  'proxy-failed': [
    failInProxy('ENOTFOUND'),
    failInProxy('EPROTO', 42),
    ...refuseConnect(500, 502, 503, 504),
  ],
  'other-protocol': [
    ...fail({}, 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_X'),
    ...fail(WAITING, 'HPE_INVALID_CONSTANT'),
  ],
  'response-early': [EARLY, { ...LIMIT, ...HANDED }, ...fail(HANDED, 'EPIPE')],
  'connection-broken': [
    CUT,
    // `Failed` of `Failed checks: 12. Stored.`
    { response: { ...CUT.response, statedFailure: 'x' } },
    ...fail(SENDING, 'ERR_SSL_BAD_RECORD_TYPE', 'ECONNRESET'),
    ...fail(WAITING, 'ECONNRESET', 'HPE_INVALID_EOF_STATE'),
    ...failByAlert(WAITING, 39, 50, 115, 117),
  ],
  stalled: [
    { ...LIMIT, ...CUT },
    { ...LIMIT, ...SENDING },
    { ...LIMIT, state: 'asking', isSent: false },
    { ...LIMIT, state: 'flushing' },
  ],
  'response-silent': [{ ...LIMIT, ...WAITING }],
  'response-unreadable': [respond(200), { failure: { kind: 'too-long' }, ...CUT }],
  // What the service, or something in its place, responds.
  redirect: respondEach(300, 308, 399),
  'web-page': [respond(200, 'web-page'), { ...respond(200, 'web-page'), isSent: false }],
  challenge: [...[200, 403, 503].map(challenge), challengeBy('cloudflare')],
  'success-refused': [respond(200, 'problem'), { response: { body: 'false' } }],
  'certificate-asked': [...say(400, NO_CLIENT), ...say(403, NO_CLIENT, 'web-page')],
  unauthorized: [respond(401), respond(401, 'problem')],
  forbidden: [
    respond(403),
    respond(403, 'problem'),
    ...say(403, NO_CLIENT, 'json'),
    ...say(403, NO_CLIENT, 'problem'),
  ],
  'page-forbidden': [respond(403, 'web-page', 'No.')],
  'request-timeout': [respond(408)],
  'too-large': [
    respond(413),
    ...say(400, TOO_LARGE),
    ...say(404, TOO_LARGE),
    ...say(500, TOO_LARGE, 'problem'),
    // What decides is not what is shown.
    { response: { status: 400, says: ['Bad upload.'], text: 'Bad upload.\nFile too large' } },
  ],
  'rate-limited': [respond(429)],
  'service-failed': [respond(500), respond(500, 'json'), ...say(500, HAD_REQUEST)],
  unavailable: [
    ...respondEach(425, 503),
    // The service's own words, not a gateway's.
    ...say(503, HAD_REQUEST, 'problem'),
    challengeBy('nginx'),
    { ...respond(503, 'other', 'Backend fetch failed'), isSent: false },
  ],
  'gateway-failed': respondEach(502, 520, 521, 522, 523),
  'gateway-timeout': [
    ...respondEach(504, 524),
    ...[502, 503, 520].flatMap((status) => say(status, HAD_REQUEST)),
    // Azure App Service, after 230 s.
    respond(500, 'web-page', '500 - The request timed out.'),
  ],
  'input-refused': [
    ...respondEach(400, 422),
    respond(400, 'problem'),
    ...say(422, TOO_LARGE),
    ...say(400, ['Sent to HTTPS port', 'The name is too long', 'No name exceeds 9 characters']),
  ],
  'tls-asked': [],
  'headers-too-large': [respond(431), ...say(400, HEADERS_TOO_LARGE)],
  'not-found': [respond(404), respond(404, 'json'), respond(404, 'problem')],
  gone: [respond(410), respond(410, 'problem')],
  'address-refused': respondEach(405, 415, 421, 501),
  conflict: [respond(409), respond(409, 'problem')],
  'service-error': [respond(500, 'problem')],
  refused: respondEach(101, 417, 418, 519, 525, 599),
};

/** Those that are something else, or the same, through a proxy or over plain HTTP. */
const OTHER_RECORDS: readonly (readonly [Situation, readonly AttemptSpec[], TaskSpec])[] = [
  ['connect-failed', fail({}, 'ETIMEDOUT'), PROXIED],
  ['connection-broken', fail(SENDING, 'ECONNRESET'), PROXIED],
  [
    'proxy-failed',
    [{ ...LIMIT, ...CONNECTING }, ...fail({}, 'ECONNRESET', 'EPIPE', 'ECONNABORTED')],
    PROXIED,
  ],
  ['tls-asked', say(400, ['Sent to HTTPS port', 'Use SSL']), PLAIN],
  [
    'input-refused',
    [...say(400, ['See https://docs.example']), ...say(400, ['The link must use HTTPS'], 'json')],
    PLAIN,
  ],
];

const isSituation = (key: string): key is Situation => key !== 'accepted' && key in RECORDS;
const SITUATIONS = Object.keys(RECORDS).filter(isSituation);

const ROWS: readonly (readonly [string, AttemptSpec, TaskSpec])[] = [
  ...Object.entries(RECORDS).flatMap(([name, specs]) =>
    specs.map((spec) => [name, spec, {}] as const),
  ),
  ...OTHER_RECORDS.flatMap(([name, specs, settings]) =>
    specs.map((spec) => [name, spec, settings] as const),
  ),
];

test.each(ROWS)('a record is %s: %j', (expected, spec, settings) => {
  expect(judgeSpec(spec, settings)).toBe(expected);
  // The status of a refusal decides, even if its body is incomplete.
  if ((makeAttempt(spec).response?.status ?? 0) < 300) return;
  const cut = { ...spec, ...LIMIT, response: { ...spec.response, complete: false } };
  expect(judgeSpec(cut, settings)).toBe(expected);
});

/** Results (and that after everything was sent) with the retries at most, and the situations that have them. */
const RETRIES = {
  'not-sent, 0':
    'inputs files contents runner oidc-permission other-scans certificate client-certificate proxy-refused proxy-credential',
  'not-sent, Infinity': 'oidc-failed',
  'not-sent/unconfirmed, 0': 'time-limit cancelled unexpected other-protocol response-early',
  'not-sent, 5': 'name-unknown connect-failed proxy-failed',
  'not-sent/unconfirmed, Infinity': 'connection-broken stalled',
  'unconfirmed, 0': 'response-silent response-unreadable',
  'rejected, 0':
    'redirect web-page challenge success-refused certificate-asked unauthorized forbidden page-forbidden too-large input-refused tls-asked headers-too-large not-found gone address-refused conflict service-error refused',
  'rejected, Infinity': 'request-timeout rate-limited unavailable',
  'rejected, 3': 'service-failed',
  'rejected/unconfirmed, Infinity': 'gateway-failed',
  'rejected/unconfirmed, 2': 'gateway-timeout',
};

describe('a situation', () => {
  test('has a result and a number of retries, and may stop other scans', () => {
    const groups = Object.groupBy(SITUATIONS, (situation) => {
      const names = new Set([false, true].map((isSent) => findResult(situation, isSent)));
      return `${[...names].join('/')}, ${findRow(situation).retries}`;
    });
    const lines = Object.entries(groups).map(([key, names]) => [key, names?.join(' ')]);
    expect(Object.fromEntries(lines)).toEqual(RETRIES);
    const stopping = SITUATIONS.filter((name) => findRow(name).stopsOthers !== undefined);
    expect(stopping).toEqual(['oidc-permission', 'unauthorized']);
  });

  test('has a reason of the schema and the page, which may depend on the response', () => {
    const ofProblem = makeAttempt(respond(400, 'problem')).response;
    const found = [undefined, ofProblem].flatMap((response) =>
      SITUATIONS.map((situation) => findReason(situation, response)),
    );
    const rows = readText('docs', 'troubleshooting.md').matchAll(/^- `([a-z-]+)`: /gm);
    const page = Array.from(rows, ([, name]) => name);
    expect(new Set(found)).toEqual(new Set(page));
    expect([...page, null]).toEqual(readAt('results', ['items', 'properties', 'reason', 'enum']));
    expect(findReason('refused', ofProblem)).toBe('problem');
  });
});
