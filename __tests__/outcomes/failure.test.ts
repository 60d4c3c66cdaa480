import { describe, expect, test } from '@jest/globals';
import { CancelledError, InputError, StepError, TimeLimitError } from '../../src/errors.ts';
import { spellError } from '../../src/outcomes/failure.ts';
import type { FailedUpload } from '../../src/outcomes/failure.ts';
import { hide } from '../../src/redaction/clean.ts';
import { explainEnd, makeBroken, makeRefusal, makeStalled } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { CUT, challenge, redirect, stop } from '../support/records.ts';
import { PROXIED, TRACE_ID, makeTask } from '../support/tasks.ts';
import type { TaskSpec } from '../support/tasks.ts';

const HIDDEN = 's3cret-of-tests';
const TRACE = `Trace id of the requests: ${TRACE_ID}`;
const LONG = 'x'.repeat(4096);
const REFUSED = makeRefusal({ body: '{"detail":"Unknown key.","errors":{"a":["x"]}}' });
const UNREACHED = makeBroken({ code: 'ECONNREFUSED' });
const LOST = makeBroken({ code: 'ECONNRESET' }, { state: 'waiting', isSent: true });
const EARLIER = { result: 'unconfirmed', attempts: 2 } as const;
const SERVICE = 'https://scan.example';
const WAY = '(through the proxy proxy.example:3128)';
const PROXY = 'The proxy proxy.example:3128';
const PAGE =
  'The response (HTTP 200 OK) is a web page, not a response of the service: nothing was accepted.';
const RESPONSE = `The response of ${SERVICE} (HTTP 200 OK)`;
const UNREADABLE = 'cannot be read: it is neither text nor XML, nor JSON that is whole.';
const READING = 'while the response was being read';
const SILENT = `No data was sent to or received from ${SERVICE}`;
const EARLY = `${SERVICE} responded with HTTP 200 OK before`;
const NO_SUCH = 'HTTP 307 Temporary Redirect without a usable target.';

hide(HIDDEN);

/** A 401 with a challenge. */
function ask(header: string, body = ''): AttemptSpec {
  return makeRefusal({ status: 401, headers: { 'www-authenticate': header }, body });
}

/** A problem with a trace id of the service. */
function trace(traceId: string): AttemptSpec {
  return makeRefusal({ body: JSON.stringify({ detail: 'No.', traceId }) });
}

function busy(status: number, askedSeconds = 0): AttemptSpec {
  return { response: { status, retryAfterMs: askedSeconds * 1000 } };
}

/** The headline and the details, a line each. */
function describeEnd(spec: AttemptSpec, settings: TaskSpec = {}): string {
  const { headline, details } = explainEnd(spec, settings);
  return [headline, ...details].join('\n');
}

describe('what happened', () => {
  test.each<[string, AttemptSpec]>([
    // A problem speaks for itself; other texts follow their status.
    ['D.\na: x\nT.', makeRefusal({ body: '{"title":"T.","detail":"D.","errors":{"a":["x"]}}' })],
    ['HTTP 400 Bad Request', makeRefusal({ body: '{"detail":""}' })],
    ['HTTP 524: x', makeRefusal({ status: 524, body: 'x' })],
    ['HTTP 502 Bad Gateway: a\nb', makeRefusal({ status: 502, says: ['a', 'b'] })],
    [PAGE, { response: { kind: 'web-page', says: [] } }],
    [`${PAGE}\nThe page says: a\nb`, { response: { kind: 'web-page', says: ['a', 'b'] } }],
    // A 401 shows its challenge, unless that has a description, or the text a reason.
    ['HTTP 401 Unauthorized: No.\nThe service asks for: ApiKey', ask('ApiKey', 'No.')],
    ['HTTP 401 Unauthorized: It was revoked', ask('Basic', 'It was revoked')],
    ['HTTP 401 Unauthorized: Too old', ask('Bearer error_description="Too old"')],
    // A success that does not count.
    ['HTTP 200 OK, but the body says `state: FAIL`', { response: { body: '{"state":"FAIL"}' } }],
    [
      `The firewall of Cloudflare in front of ${SERVICE} responded with a challenge (HTTP 403 Forbidden), which only a browser can pass: nothing was accepted.\nThe page says: Just a moment...`,
      challenge(403),
    ],
    [`${EARLY} everything was sent.`, { response: {}, isSent: false }],
    [`${EARLY} the connection had taken everything.`, { response: {}, digests: undefined }],
    [`${RESPONSE} ${UNREADABLE}`, { response: { kind: 'other' } }],
    [`${RESPONSE} is too long: more than 1 MiB.`, { failure: { kind: 'too-long' }, ...CUT }],
    [
      `${RESPONSE} is not complete. ${SILENT} for 20 s ${READING}.`,
      { ...makeStalled('reading', true), ...CUT },
    ],
    // No response.
    [`${SILENT} for 20 s while the files were being sent.`, makeStalled('flushing')],
    [`${SILENT} for 20 s before the files were sent.`, makeStalled('asking')],
    [
      `Everything was sent to ${SERVICE}, but there was no response within 20 s.`,
      makeStalled('waiting', true),
    ],
    ['The name scan.example does not resolve: x', makeBroken({ code: 'ENOTFOUND', text: 'x' })],
    [
      `The certificate of ${SERVICE} is not trusted: it ended`,
      makeBroken({ code: 'CERT_HAS_EXPIRED' }),
    ],
    [`The connection to ${SERVICE} failed while connecting: it ended`, makeBroken({ alert: 42 })],
    [`The upload to ${SERVICE} ended without a response.`, {}],
    // Where the attempt was, if the error does not say it.
    ['Changed.\nTwice.', stop(new StepError('files', ['Changed.', 'Twice.'], []))],
    [
      `The time limit of 9 s (\`timeout-seconds\`) ended the step. This happened ${READING}.`,
      stop(new TimeLimitError(9), { state: 'reading' }),
    ],
  ])('is described: row %#', (text, spec) => {
    expect(describeEnd(spec)).toBe(text);
  });

  test.each<[string, AttemptSpec]>([
    [`${SILENT} ${WAY} for 20 s while connecting.`, makeStalled('connecting')],
    [
      `The connection to ${SERVICE} ${WAY} failed while the files were being sent, after 9 of 30 MiB: it ended`,
      makeBroken({}, { state: 'sending', sentBytes: 9 * 2 ** 20 }),
    ],
    [
      `The certificate of the proxy proxy.example:3128 is not trusted: it ended`,
      makeBroken({ isOfProxy: true, code: 'CERT_HAS_EXPIRED' }),
    ],
    [
      `${PROXY} opened no connection to scan.example:443: it ended`,
      makeBroken({ isOfProxy: true }),
    ],
    [
      `${PROXY} refused the connection to scan.example:443: HTTP 407 Proxy Authentication Required.`,
      makeBroken({ isOfProxy: true, proxyStatus: 407 }),
    ],
    [
      `${PROXY} could not reach scan.example:443: HTTP 502 Bad Gateway.`,
      makeBroken({ isOfProxy: true, proxyStatus: 502 }),
    ],
  ])('is described, through a proxy: row %#', (text, spec) => {
    expect(describeEnd(spec, { ...PROXIED, bodyBytes: 30 * 2 ** 20 })).toBe(text);
  });

  test.each([
    ['/login?next=%2F#y', `${SERVICE}/login`],
    ['//new.example:8443/a;id=1/b;jsessionid=2', 'https://new.example:8443/a/b'],
    ['https://user:pass@login.example/', 'https://login.example'],
    [`/${'a'.repeat(200)}`, `${SERVICE}/${'a'.repeat(177)} …`],
    // Parameters divided it.
    ['/s3cret;id=1-of-tests', `${SERVICE}/s3cret`],
  ])('names only a part of the target of a redirect: row %#', (location, target) => {
    expect(describeEnd(redirect(location))).toBe(
      `${SERVICE} redirects to ${target} (HTTP 307 Temporary Redirect); redirects are not followed.`,
    );
  });

  test.each(['', 'http://[', 'mailto:a@b.example'])(
    'does not name the target %j of a redirect',
    (location) => {
      expect(describeEnd(redirect(location))).toBe(`${SERVICE} responded with ${NO_SUCH}`);
    },
  );
});

describe('spellError', () => {
  test.each<[unknown, string, string, string]>([
    [new InputError(['First.', 'Second.']), 'not sent (inputs)', 'First. Second.', ''],
    [
      new CancelledError('SIGINT'),
      'cancelled',
      'Cancelled: the scan was not uploaded. The step was cancelled or the job timed out (SIGINT).',
      'Run the step again',
    ],
    ['text', 'failed unexpectedly', 'text', 'Report this message'],
    [new StepError('files', 'None.', ['Do.', 'And.']), 'not sent (files)', 'None.', 'Do. And.'],
  ])('spells %p', (error, title, texts, fixes) => {
    const failure = spellError(error);
    expect(failure).toMatchObject({ title: `Scan upload ${title}`, traces: [], headers: [] });
    const lines = [failure.headline, ...failure.details].filter((line) => !line.startsWith('at '));
    expect(lines.join(' ')).toBe(texts);
    expect(failure.fixes.join(' ').slice(0, fixes.length || 1)).toBe(fixes);
  });

  test('lists as many problems as there is room for, and counts the others', () => {
    const problems = Array.from({ length: 5000 }, (_, index) => `Problem ${index + 1000}.`);
    const { details } = spellError(new InputError(problems));
    expect(details.slice(-2)).toEqual(['Problem 1107.', 'And 4892 more problems.']);
  });

  test('leaves out a word that is too long to be shown whole', () => {
    const text = `\`files\`: no file matches '${'abcdefgh'.repeat(300)}'.`;
    const start = '`files`: no file matches …';
    const failure = spellError(new StepError('files', [text, text], []));
    expect(failure).toMatchObject({ headline: start, details: [start] });
  });
});

describe('spellUpload', () => {
  test.each<[AttemptSpec, Partial<FailedUpload>, string, string]>([
    [REFUSED, {}, 'rejected (400)', 'problem'],
    [REFUSED, EARLIER, 'unconfirmed (400)', 'problem'],
    [UNREACHED, {}, 'not sent (connection)', 'connection'],
    [CUT, {}, 'unconfirmed (connection)', 'connection'],
    [{ response: { kind: 'web-page' } }, {}, 'rejected (web page)', 'web-page'],
    [challenge(403), {}, 'rejected (403)', 'web-page'],
    [{ response: { body: 'false' } }, {}, 'rejected (200)', 'refused'],
    [stop(new TimeLimitError(1)), {}, 'not sent (time limit)', 'time-limit'],
    [REFUSED, { whyLast: 'cancelled' }, 'cancelled', 'cancelled'],
  ])('has a title and a reason: row %#', (spec, more, title, reason) => {
    const failure = explainEnd(spec, {}, more);
    expect(failure).toMatchObject({ title: `Scan upload ${title}`, reason });
  });

  test.each<[AttemptSpec, Partial<FailedUpload>, RegExp]>([
    // All scans of a step say the longest time.
    [
      busy(503, 1800),
      { whyLast: 'time', askedMs: 3e6 },
      /^Re-run in 50 minutes, or increase `timeout-seconds`\.$/,
    ],
    [busy(503, 1e9), { whyLast: 'time' }, /^Re-run in over a day, /],
    [busy(504, 1800), { whyLast: 'time' }, /^Check the service .* not: re-run in 30 minutes, or/],
    [busy(429, 1800), { whyLast: 'retries' }, /^Re-run in 30 minutes\.$/],
    [busy(429), {}, /Re-run the failed jobs later\.$/],
    [busy(503), { whyLast: 'retries' }, /give the operators the trace id\.$/],
    [busy(503), { whyLast: 'time' }, /trace id\.\nOr increase `timeout-seconds`\.$/],
    [LOST, {}, /^Check the service .* may have the scan\. If it does not: the service/],
    [REFUSED, EARLIER, / may have the scan from an earlier attempt\. If it does not: check/],
    [makeStalled('waiting', true), {}, /because it may have the scan\.$/],
  ])('proposes a check, a later run or a limit that ended it: row %#', (spec, more, fixes) => {
    expect(explainEnd(spec, {}, more).fixes.join('\n')).toMatch(fixes);
  });

  test.each<[AttemptSpec, string]>([
    [REFUSED, 'Cancelled: the scan was not uploaded.'],
    [LOST, 'Cancelled: the upload is unconfirmed.'],
  ])('says of a cancelled step first whether anything was uploaded: row %#', (spec, headline) => {
    const { headline: before, details } = explainEnd(spec);
    const failure = explainEnd(spec, {}, { whyLast: 'cancelled' });
    expect(failure.headline).toBe(`${headline} ${before}`);
    expect(failure.details).toEqual(details);
  });

  test.each<[AttemptSpec, Partial<FailedUpload>, readonly string[]]>([
    [REFUSED, {}, [TRACE]],
    // No request left, but the service may have an earlier one.
    [UNREACHED, {}, []],
    [makeStalled('credential'), {}, []],
    [UNREACHED, EARLIER, ['Attempts: 2', TRACE]],
    [trace('T1'), {}, ['Trace id of the service: T1', TRACE]],
    [trace(`00-${TRACE_ID}-1-00`), {}, [`Trace id of the service: 00-${TRACE_ID}-1-00`]],
  ])('shows trace ids: row %#', (spec, more, traces) => {
    expect(explainEnd(spec, {}, more).traces).toEqual(traces);
  });

  test('has the headers that identify a server and a request, for the log', () => {
    const line = 'Response headers: server: x, via: y, x-request-id: r1-***, cf-ray: c2';
    const headers = { server: 'x', via: 'y', 'x-request-id': `r1-${HIDDEN}`, 'cf-ray': 'c2' };
    const refused = makeRefusal({ headers: { ...headers, 'x-other': 'z' } });
    expect(explainEnd(refused).headers).toEqual([line]);
    expect(explainEnd(REFUSED).headers).toEqual([]);
  });

  test.each([
    JSON.stringify({ detail: LONG, traceId: 'T1', errors: { '': Array(100).fill('an error') } }),
    JSON.stringify({ detail: LONG, errors: { a: [LONG, LONG, LONG] } }),
    LONG,
  ])(
    'keeps the sentences of the action and the trace ids whole after a long body: row %#',
    (body) => {
      const spec = makeRefusal({ status: 413, headers: { server: LONG }, body });
      const failure = explainEnd(spec, {}, { ...EARLIER, whyLast: 'cancelled' });
      const { headline, details, fixes, traces } = failure;
      expect(traces).toContain(TRACE);
      expect([headline, ...details, ...fixes, ...traces].join('\n').length).toBeLessThan(4000);
    },
  );

  test('does not change what is known after an error in our words', () => {
    const task = {
      ...makeTask(),
      get url(): URL {
        throw new TypeError('no words');
      },
    };
    expect(explainEnd(UNREACHED, {}, { task })).toMatchObject({ headline: 'no words' });
  });
});
