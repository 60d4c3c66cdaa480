import { describe, expect, test } from '@jest/globals';
import { CancelledError, InputError, StepError, TimeLimitError } from '../../src/errors.ts';
import { annotateFailures } from '../../src/report/annotations.ts';
import { explainError, explainUpload } from '../../src/results/failure.ts';
import { hide } from '../../src/redaction/clean.ts';
import { Log } from '../../src/report/log.ts';
import { makeSummary } from '../../src/report/summary.ts';
import type { Upload } from '../../src/upload/upload.ts';
import { SETTINGS, makeResponse } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { connect, describeEnd, end, refuse, stall } from '../support/endings.ts';
import { captureOutput, findLines, makeBatch, makeScan } from '../support/report.ts';

const SECRET = 's3cret-of-tests';
const TRACE = `Trace id of the requests: ${SETTINGS.traceId}`;
const LONG = 'x'.repeat(4096);
const REFUSED = refuse({ body: '{"detail":"Unknown key.","errors":{"a":["x"]}}' });
const UNREACHED = connect({ code: 'ECONNREFUSED' });
const LOST = connect({ code: 'ECONNRESET' }, { state: 'waiting', isSent: true });
const CHALLENGED = refuse({ status: 403, headers: { 'cf-mitigated': 'challenge' } });
const LATE: AttemptSpec = {
  failure: { kind: 'step', error: new TimeLimitError(1), text: 'x' },
  isSent: false,
};
const EARLIER = { result: 'unconfirmed', attempts: 2 } as const;
const NOT_UPLOADED =
  'Cancelled: the scan was not uploaded. The step was cancelled or the job timed out (SIGINT).';

hide(SECRET);

/** An upload that ended for a reason, when 870 s were left; the time limit would have needed some seconds. */
function stop(reason: Upload['stop']['reason'], neededSeconds = 0): Pick<Upload, 'stop'> {
  return { stop: { reason, remainingMs: 870_000, neededMs: 1000 * neededSeconds } };
}

function busy(status: number, askedSeconds = 0): AttemptSpec {
  return { response: { status, retryAfterMs: askedSeconds * 1000 } };
}

describe('explainError', () => {
  test.each<[unknown, string, string, string[], number]>([
    [
      new InputError(['First.', 'Second.']),
      'not sent (inputs)',
      'inputs',
      ['First.', 'Second.'],
      0,
    ],
    [new CancelledError('SIGINT'), 'cancelled', 'cancelled', [NOT_UPLOADED], 1],
    ['text', 'failed unexpectedly', 'internal', ['text'], 1],
    [undefined, 'failed unexpectedly', 'internal', ['undefined'], 1],
  ])(
    'gives %p the title “Scan upload %s”',
    (error, title, reason, [headline, ...details], fixes) => {
      const failure = explainError(error);
      const expected = { title: `Scan upload ${title}`, reason, headline, details, traces: [] };
      expect(failure).toMatchObject(expected);
      expect(failure.fixes).toHaveLength(fixes);
    },
  );

  test('prefers the fix that an error states', () => {
    const error = new StepError('files', 'None.', ['Do this.', 'And that.']);
    expect(explainError(error).fixes).toEqual(['Do this.', 'And that.']);
  });

  test.each([
    [31, 30, 'Problem 30.'],
    [32, 31, 'And 1 more problems.'],
    [5000, 31, 'And 4969 more problems.'],
  ])('lists %i problems in at most 31 lines, and counts the others', (count, lines, last) => {
    const problems = Array.from({ length: count }, (_, index) => `Problem ${index}.`);
    const { details } = explainError(new InputError(problems));
    expect([details.length, details.at(-1)]).toEqual([lines, last]);
  });

  test('leaves out a word that is too long to be shown whole', () => {
    const text = `\`files\`: no file matches '${'abcdefgh'.repeat(300)}'.`;
    const start = '`files`: no file matches …';
    const failure = explainError(new StepError('files', [text, text], []));
    expect(failure).toMatchObject({ headline: start, details: [start] });
  });

  test('shows the first lines of the stack of an unexpected error', () => {
    const error = new TypeError('x is not a function');
    error.stack = `TypeError: x is not a function\n${`    at f (/${SECRET}/a.ts:1:2)\n`.repeat(9)}`;
    expect(explainError(error)).toMatchObject({
      headline: 'x is not a function',
      details: Array.from({ length: 4 }, () => 'at f (/***/a.ts:1:2)'),
    });
  });

  test.each([new StepError('files', [SECRET, SECRET], [SECRET]), new TypeError(SECRET), SECRET])(
    'shows no secret from an error: %s',
    (error) => {
      const described = JSON.stringify(explainError(error));
      expect(described).toContain('***');
      expect(described).not.toContain(SECRET);
    },
  );
});

describe('explainUpload', () => {
  test('returns undefined for an accepted upload', () => {
    expect(explainUpload(end({ response: {} }))).toBeUndefined();
  });

  test.each<[AttemptSpec, Partial<Upload>, string, string]>([
    [REFUSED, {}, 'rejected (400)', 'problem'],
    [REFUSED, EARLIER, 'unconfirmed (400)', 'problem'],
    [UNREACHED, {}, 'not sent (connection)', 'connection'],
    [LOST, {}, 'unconfirmed (connection)', 'connection'],
    [{ response: { complete: false } }, {}, 'unconfirmed (connection)', 'connection'],
    [{ response: { kind: 'web-page' } }, {}, 'rejected (web page)', 'web-page'],
    [CHALLENGED, {}, 'rejected (403)', 'web-page'],
    [{ response: { kind: 'refusal' } }, {}, 'rejected (200)', 'refused'],
    [LATE, {}, 'not sent (time limit)', 'time-limit'],
    [REFUSED, stop('cancelled'), 'cancelled', 'cancelled'],
  ])('gives %j with %j the title “Scan upload %s”', (spec, more, title, reason) => {
    const failure = describeEnd(spec, {}, more);
    expect(failure).toMatchObject({ title: `Scan upload ${title}`, reason });
  });

  test.each([
    [REFUSED, ['a: x', 'Before sending: It has two documents.']],
    [refuse({ status: 415 }), ['Before sending: It has two documents.']],
    [refuse({ status: 401 }), []],
    [busy(503), []],
  ])('says what was noticed of the files if they may be the cause: %j', (spec, details) => {
    const failure = describeEnd(spec, { warnings: ['It has two documents.'] });
    expect(failure.details).toEqual(details);
  });

  test.each<[AttemptSpec, Partial<Upload>, RegExp]>([
    [
      busy(503, 1800),
      stop('time', 3630),
      /^Re-run in 30 minutes, or set `timeout-seconds: 3720`\.\n/,
    ],
    [busy(503, 1800), stop('time', 3630), /asks for 1800 s .* twice as long, and 870 s .* left\.$/],
    [busy(503, 1e9), stop('time', 2e9), /^Re-run in over a day\.\nThe step did not wait, because/],
    [busy(504, 1800), stop('time', 3630), /^Check the service .* not: Re-run in 30 minutes, or/],
    [busy(429, 1800), stop('retries', 3630), /^Re-run in 30 minutes\.$/],
    [busy(429, 60), stop('retries'), /Re-run the failed jobs later\.\nOr increase `retries`\.$/],
    [busy(429), stop('stopped'), /Re-run the failed jobs later\.$/],
    [busy(503), stop('retries'), /give the operators the trace id\.$/],
    [busy(503), stop('time'), /trace id\.\nOr increase `timeout-seconds`\.$/],
  ])('proposes a later run or a limit that ended the attempts: %j with %j', (spec, more, fixes) => {
    expect(describeEnd(spec, {}, more).fixes.join('\n')).toMatch(fixes);
  });

  test.each<[AttemptSpec, string]>([
    [REFUSED, 'Cancelled: the scan was not uploaded.'],
    [LOST, 'Cancelled: the upload is unconfirmed.'],
  ])('says of a cancelled step first whether anything was uploaded: %j', (spec, headline) => {
    const { headline: before, details } = describeEnd(spec);
    const failure = describeEnd(spec, {}, stop('cancelled'));
    expect(failure.headline).toBe(`${headline} ${before}`);
    expect(failure.details).toEqual(details);
  });

  const HEADERS = { server: 'x', via: 'y', 'x-request-id': 'r1', 'cf-ray': 'c2' };
  const IDS = 'x-request-id: r1, cf-ray: c2';
  const PROBLEM = refuse({ body: '{"detail":"No."}', headers: HEADERS });
  const OTHERS =
    'x-correlation-id request-id x-amzn-requestid x-amz-cf-id x-azure-ref x-ms-request-id x-cloud-trace-context';
  const ASP_NET = `00-${SETTINGS.traceId}-00f067aa0ba902b7-00`;

  const OF_PROXY = makeResponse({ status: 503, headers: { server: 'squid' } });
  const own = (traceId: string): AttemptSpec =>
    refuse({ body: JSON.stringify({ detail: 'No.', traceId }), headers: HEADERS });

  // The line of the headers of the response, without its beginning, and other lines.
  test.each<[string, AttemptSpec, string, readonly string[], Partial<Upload>?]>([
    ['a request left', REFUSED, '', [TRACE]],
    ['the service may have an earlier request', UNREACHED, '', ['Attempts: 2', TRACE], EARLIER],
    ['the response is a problem', PROBLEM, IDS, [TRACE]],
    [
      'the response is no problem',
      refuse({ headers: { ...HEADERS, 'x-other': 'z' } }),
      `server: x, via: y, ${IDS}`,
      [TRACE],
    ],
    ...OTHERS.split(' ').map((name): [string, AttemptSpec, string, readonly string[]] => {
      return [
        `a gateway sent ${name}`,
        refuse({ headers: { [name]: '7' } }),
        `${name}: 7`,
        [TRACE],
      ];
    }),
    ['a proxy refused', connect({ isOfProxy: true, proxyResponse: OF_PROXY }), 'server: squid', []],
    ['the problem has a trace id', own('T1'), '', ['Trace id of the service: T1', TRACE]],
    [
      'it contains the one that was sent',
      own(ASP_NET),
      '',
      [`Trace id of the service: ${ASP_NET}`],
    ],
    [
      'they have a secret',
      refuse({ body: '', headers: { 'x-request-id': `r1-${SECRET}` } }),
      'x-request-id: r1-***',
      [TRACE],
    ],
  ])('shows the ids if %s', (_, spec, headers, lines, more = {}) => {
    const first = headers === '' ? [] : [`Response headers: ${headers}`];
    expect(describeEnd(spec, {}, more).traces).toEqual([...first, ...lines]);
  });

  test.each(['credential', 'resolving', 'tunnelling', 'connecting'] as const)(
    'shows no ids if no request left: %s',
    (state) => {
      expect(describeEnd(stall(state)).traces).toEqual([]);
    },
  );

  test.each<[string, number, object | string]>([
    ['a detail of 4 KB', 413, { detail: LONG, traceId: 'of-the-service' }],
    ['many short errors', 413, { detail: LONG, errors: { '': Array(100).fill('an error') } }],
    ['long errors', 504, { detail: LONG, errors: { a: [LONG, LONG, LONG] } }],
    ['a long body', 504, LONG],
  ])('keeps the sentences of the action and the trace id in full with %s', (_, status, text) => {
    const body = typeof text === 'string' ? text : JSON.stringify(text);
    const spec = refuse({ status, headers: { server: LONG }, body });
    for (const reason of ['retries', 'cancelled'] as const) {
      const ended = { ...stop(reason), ...EARLIER };
      const failure = describeEnd(spec, {}, ended);
      const scan = makeScan({ result: 'unconfirmed', label: 'x'.repeat(200), failure });
      const output = captureOutput();
      annotateFailures(makeBatch([scan]), new Log());
      const annotation = output.lines.join('\n').replaceAll('%0A', '\n');
      const summaries = [[scan], [scan, makeScan()]].map((scans) => makeSummary(makeBatch(scans)));
      for (const shown of [annotation, ...summaries]) {
        expect(findLines(shown, /^Attempts: 2 · /)).toEqual([expect.stringContaining(TRACE)]);
      }
      expect(findLines(annotation, failure.fixes.join(' '))).toHaveLength(1);
      expect(annotation.length).toBeLessThan(4096);
      expect(failure.details.join('\n').length).toBeLessThanOrEqual(1500);
    }
  });
});
