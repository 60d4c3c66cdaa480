import { describe, expect, test } from '@jest/globals';
import { CancelledError, InputError, StepError, TimeLimitError } from '../../src/errors.ts';
import { annotateFailures } from '../../src/report/annotations.ts';
import { explainError, explainUpload } from '../../src/results/failure.ts';
import { hide } from '../../src/redaction/clean.ts';
import { Log } from '../../src/report/log.ts';
import { makeSummary } from '../../src/report/summary.ts';
import type { Upload } from '../../src/upload/upload.ts';
import {
  SETTINGS,
  endUpload,
  explainEnd,
  makeBroken,
  makeRefusal,
  makeStalled,
} from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { captureOutput, findLines, makeBatch, makeScan } from '../support/report.ts';

const HIDDEN = 's3cret-of-tests';
const TRACE = `Trace id of the requests: ${SETTINGS.traceId}`;
const LONG = 'x'.repeat(4096);
const REFUSED = makeRefusal({ body: '{"detail":"Unknown key.","errors":{"a":["x"]}}' });
const UNREACHED = makeBroken({ code: 'ECONNREFUSED' });
const LOST = makeBroken({ code: 'ECONNRESET' }, { state: 'waiting', isSent: true });
const CHALLENGED = makeRefusal({ status: 403, headers: { 'cf-mitigated': 'challenge' } });
const LATE: AttemptSpec = {
  failure: { kind: 'step', error: new TimeLimitError(1), text: 'x' },
  isSent: false,
};
const EARLIER = { result: 'unconfirmed', attempts: 2 } as const;
const NOT_UPLOADED =
  'Cancelled: the scan was not uploaded. The step was cancelled or the job timed out (SIGINT).';

hide(HIDDEN);

/** An upload that ended for a reason, when 870 s were left. */
function stop(reason: Upload['stop']['reason']): Pick<Upload, 'stop'> {
  return { stop: { reason, remainingMs: 870_000 } };
}

function busy(status: number, askedSeconds = 0): AttemptSpec {
  return { response: { status, retryAfterMs: askedSeconds * 1000 } };
}

function byHeaders(names: string, headers: Readonly<Record<string, string>>) {
  return [`Response headers: ${names}`, makeRefusal({ headers })] as const;
}

describe('explainError', () => {
  test.each<[unknown, string, string, string]>([
    [new InputError(['First.', 'Second.']), 'not sent (inputs)', 'First. Second.', ''],
    [new CancelledError('SIGINT'), 'cancelled', NOT_UPLOADED, 'Run the step again'],
    ['text', 'failed unexpectedly', 'text', 'Report this message'],
    [undefined, 'failed unexpectedly', 'undefined', 'Report this message'],
    [new StepError('files', 'None.', ['Do.', 'And.']), 'not sent (files)', 'None.', 'Do. And.'],
  ])('explains %p', (error, title, texts, fixes) => {
    const failure = explainError(error);
    expect(failure).toMatchObject({ title: `Scan upload ${title}`, traces: [] });
    expect([failure.headline, ...failure.details].join(' ')).toBe(texts);
    expect(failure.fixes.join(' ').slice(0, fixes.length || 1)).toBe(fixes);
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
    error.stack = `TypeError: x is not a function\n${`    at f (/${HIDDEN}/a.ts:1:2)\n`.repeat(9)}`;
    expect(explainError(error)).toMatchObject({
      headline: 'x is not a function',
      details: Array.from({ length: 4 }, () => 'at f (/***/a.ts:1:2)'),
    });
  });

  test.each([new StepError('files', [HIDDEN, HIDDEN], [HIDDEN]), new TypeError(HIDDEN), HIDDEN])(
    'shows no secret from an error: row %#',
    (error) => {
      const described = JSON.stringify(explainError(error));
      expect(described).toContain('***');
      expect(described).not.toContain(HIDDEN);
    },
  );
});

describe('explainUpload', () => {
  test('returns undefined for an accepted upload', () => {
    expect(explainUpload(endUpload({ response: {} }))).toBeUndefined();
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
  ])('has a title and a reason: row %#', (spec, more, title, reason) => {
    const failure = explainEnd(spec, {}, more);
    expect(failure).toMatchObject({ title: `Scan upload ${title}`, reason });
  });

  test.each([
    [REFUSED, ['a: x', 'Before sending: It has two documents.']],
    [makeRefusal({ status: 415 }), ['Before sending: It has two documents.']],
    [makeRefusal({ status: 401 }), []],
    [busy(503), []],
  ])('says what was noticed of the files if they may be the cause: row %#', (spec, details) => {
    const failure = explainEnd(spec, { warnings: ['It has two documents.'] });
    expect(failure.details).toEqual(details);
  });

  test.each<[AttemptSpec, Partial<Upload>, RegExp]>([
    [busy(503, 1800), stop('time'), /^Re-run in 30 minutes, or increase `timeout-seconds`\.\n/],
    [busy(503, 1800), stop('time'), /asks for 1800 s .* twice as long, and 870 s .* left\.$/],
    [busy(503, 1e9), stop('time'), /^Re-run in over a day, .*\nThe step did not wait, because/],
    [busy(504, 1800), stop('time'), /^Check the service .* not: Re-run in 30 minutes, or/],
    [busy(429, 1800), stop('retries'), /^Re-run in 30 minutes\.$/],
    [busy(429, 60), stop('retries'), /Re-run the failed jobs later\.\nOr increase `retries`\.$/],
    [busy(429), stop('stopped'), /Re-run the failed jobs later\.$/],
    [busy(503), stop('retries'), /give the operators the trace id\.$/],
    [busy(503), stop('time'), /trace id\.\nOr increase `timeout-seconds`\.$/],
    [LOST, {}, /^Check the service .* may have the scan\. If it does not: The/],
    [REFUSED, EARLIER, / may have the scan from an earlier attempt\. If it does not: Check/],
  ])(
    'proposes a check, a later run or a limit that ended the attempts: row %#',
    (spec, more, fixes) => {
      expect(explainEnd(spec, {}, more).fixes.join('\n')).toMatch(fixes);
    },
  );

  test.each<[AttemptSpec, string]>([
    [REFUSED, 'Cancelled: the scan was not uploaded.'],
    [LOST, 'Cancelled: the upload is unconfirmed.'],
  ])('says of a cancelled step first whether anything was uploaded: row %#', (spec, headline) => {
    const { headline: before, details } = explainEnd(spec);
    const failure = explainEnd(spec, {}, stop('cancelled'));
    expect(failure.headline).toBe(`${headline} ${before}`);
    expect(failure.details).toEqual(details);
  });

  const HEADERS = { server: 'x', via: 'y', 'x-request-id': 'r1', 'cf-ray': 'c2' };
  const IDS = 'x-request-id: r1, cf-ray: c2';
  const PROBLEM = makeRefusal({ body: '{"detail":"No."}', headers: HEADERS });
  const OTHERS =
    'x-correlation-id request-id x-amzn-requestid x-amz-cf-id x-azure-ref x-ms-request-id x-cloud-trace-context';
  const ASP_NET = `00-${SETTINGS.traceId}-00f067aa0ba902b7-00`;

  const own = (traceId: string): AttemptSpec =>
    makeRefusal({ body: JSON.stringify({ detail: 'No.', traceId }), headers: HEADERS });

  test.each<readonly [string, AttemptSpec, Partial<Upload>?]>([
    // A request left.
    ['', REFUSED],
    // The service may have an earlier one.
    ['Attempts: 2', UNREACHED, EARLIER],
    [`Response headers: ${IDS}`, PROBLEM],
    byHeaders(`server: x, via: y, ${IDS}`, { ...HEADERS, 'x-other': 'z' }),
    ...OTHERS.split(' ').map((name) => byHeaders(`${name}: 7`, { [name]: '7' })),
    byHeaders('x-request-id: r1-***', { 'x-request-id': `r1-${HIDDEN}` }),
    ['Trace id of the service: T1', own('T1')],
  ])('shows ids, then the trace id of the requests: row %#', (line, spec, more = {}) => {
    const lines = line === '' ? [] : [line];
    expect(explainEnd(spec, {}, more).traces).toEqual([...lines, TRACE]);
  });

  test('shows no trace id of its own if that of the service contains it', () => {
    expect(explainEnd(own(ASP_NET)).traces).toEqual([`Trace id of the service: ${ASP_NET}`]);
  });

  test.each(['credential', 'connecting'] as const)(
    'shows no ids if no request left: %s',
    (state) => {
      expect(explainEnd(makeStalled(state)).traces).toEqual([]);
    },
  );

  test.each<[string, number, object | string]>([
    ['a detail of 4 KB', 413, { detail: LONG, traceId: 'of-the-service' }],
    ['many short errors', 413, { detail: LONG, errors: { '': Array(100).fill('an error') } }],
    ['long errors', 504, { detail: LONG, errors: { a: [LONG, LONG, LONG] } }],
    ['a long body', 504, LONG],
  ])('keeps the sentences of the action and the trace id in full with %s', (_, status, text) => {
    const body = typeof text === 'string' ? text : JSON.stringify(text);
    const spec = makeRefusal({ status, headers: { server: LONG }, body });
    for (const reason of ['retries', 'cancelled'] as const) {
      const ended = { ...stop(reason), ...EARLIER };
      const failure = explainEnd(spec, {}, ended);
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
