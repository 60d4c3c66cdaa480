import { describe, expect, test } from '@jest/globals';
import { CancelledError, InputError, StepError, TimeLimitError } from '../../src/errors.ts';
import { spellError } from '../../src/outcomes/failure.ts';
import type { FailedUpload } from '../../src/outcomes/failure.ts';
import {
  explainEnd,
  makeBroken,
  makeRefusal,
  makeStalled,
  CUT,
  challenge,
  stop,
} from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { TRACE_ID, makeTask } from '../support/scans.ts';

const TRACE = `Trace id of the requests: ${TRACE_ID}`;
const LONG = 'x'.repeat(4096);
const REFUSED = makeRefusal({ body: '{"detail":"Unknown key.","errors":{"a":["x"]}}' });
const UNREACHED = makeBroken({ code: 'ECONNREFUSED' });
const LOST = makeBroken({ code: 'ECONNRESET' }, { state: 'waiting', isSent: true });
const EARLIER = { result: 'unconfirmed', attempts: 2 } as const;

/** A problem with a trace id of the service. */
function trace(traceId: string): AttemptSpec {
  return makeRefusal({ body: JSON.stringify({ detail: 'No.', traceId }) });
}

function busy(status: number, askedSeconds = 0): AttemptSpec {
  return { response: { status, retryAfterMs: askedSeconds * 1000 } };
}

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
    expect(details.slice(-2)).toEqual(['Problem 1107.', 'And 4892 more.']);
  });

  test('leaves out a word that is too long to be shown whole', () => {
    const text = `\`files\`: no file matches '${'abcdefgh'.repeat(300)}'.`;
    const start = '`files`: no file matches …';
    const failure = spellError(new StepError('files', [text, text], []));
    expect(failure).toMatchObject({ headline: start, details: [start] });
  });
});

describe('spellUpload', () => {
  test.each<[string, string, AttemptSpec, Partial<FailedUpload>?]>([
    ['rejected (400)', 'problem', REFUSED],
    ['unconfirmed (400)', 'problem', REFUSED, EARLIER],
    ['not sent (connection)', 'connection', UNREACHED],
    ['unconfirmed (connection)', 'connection', CUT],
    ['rejected (web page)', 'web-page', { response: { kind: 'web-page' } }],
    ['rejected (403)', 'web-page', challenge(403)],
    ['rejected (200)', 'refused', { response: { body: 'false' } }],
    ['not sent (time limit)', 'time-limit', stop(new TimeLimitError(1))],
    ['cancelled', 'cancelled', REFUSED, { whyLast: 'cancelled' }],
  ])('has the title %s and the reason %s', (title, reason, spec, more = {}) => {
    const failure = explainEnd(spec, {}, more);
    expect(failure).toMatchObject({ title: `Scan upload ${title}`, reason });
  });

  test.each<[RegExp, AttemptSpec, Partial<FailedUpload>?]>([
    // All scans of a step say the longest time.
    [
      /^Re-run in 50 minutes, or increase `timeout-seconds`\.$/,
      busy(503, 1800),
      { whyLast: 'time', askedMs: 3e6 },
    ],
    [/^Re-run in over a day, /, busy(503, 1e9), { whyLast: 'time' }],
    [/^Check the service .* not: re-run in 30 minutes, or/, busy(504, 1800), { whyLast: 'time' }],
    [/^Re-run in 30 minutes\.$/, busy(429, 1800), { whyLast: 'retries' }],
    [/Re-run the failed jobs later\.$/, busy(429)],
    [/give the operators the trace id: .* reach it\.$/, busy(503), { whyLast: 'retries' }],
    [/ reach it\.\nOr increase `timeout-seconds`\.$/, busy(503), { whyLast: 'time' }],
    [/^Check the service .* may have the scan\. If it does not: check the host/, LOST],
    [/ may have the scan from an earlier attempt\. If it does not: check/, REFUSED, EARLIER],
    [/because it may have the scan\.$/, makeStalled('waiting', true)],
    // More time does not help if the connection breaks.
    [/check the network\.$/, makeBroken({}, { state: 'sending' }), { whyLast: 'time' }],
  ])('proposes a check, a later run or a limit that ended it: %s', (fixes, spec, more = {}) => {
    expect(explainEnd(spec, {}, more).fixes.join('\n')).toMatch(fixes);
  });

  test.each<[string, AttemptSpec]>([
    ['Cancelled: the scan was not uploaded.', REFUSED],
    ['Cancelled: the upload is unconfirmed.', LOST],
  ])('says of a cancelled step first whether anything was uploaded: %s', (headline, spec) => {
    const { headline: before, details } = explainEnd(spec);
    const failure = explainEnd(spec, {}, { whyLast: 'cancelled' });
    expect(failure.headline).toBe(`${headline} ${before}`);
    expect(failure.details).toEqual(details);
  });

  const TRACEPARENT = `00-${TRACE_ID}-1-00`;
  test.each<[string, readonly string[], AttemptSpec, Partial<FailedUpload>?]>([
    ['a refusal', [TRACE], REFUSED],
    ['no request', [], UNREACHED],
    ['no token', [], makeStalled('credential')],
    // No request left, but the service may have an earlier one.
    ['an earlier request', ['Attempts: 2', TRACE], UNREACHED, EARLIER],
    ['a problem with another', ['Trace id of the service: T1', TRACE], trace('T1')],
    ['a problem with the same', [`Trace id of the service: ${TRACEPARENT}`], trace(TRACEPARENT)],
  ])('shows the trace ids after %s', (_, traces, spec, more = {}) => {
    expect(explainEnd(spec, {}, more).traces).toEqual(traces);
  });

  test('has the headers that identify a server and a request, for the log', () => {
    const line = 'Response headers: server: x, via: y, x-request-id: r1, cf-ray: c2';
    const headers = { server: 'x', via: 'y', 'x-request-id': 'r1', 'cf-ray': 'c2' };
    const refused = makeRefusal({ headers: { ...headers, 'x-other': 'z' } });
    expect(explainEnd(refused).headers).toEqual([line]);
    expect(explainEnd(REFUSED).headers).toEqual([]);
  });

  test.each([
    [
      'detail',
      JSON.stringify({ detail: LONG, traceId: 'T1', errors: { '': Array(100).fill('an error') } }),
    ],
    ['list of errors', JSON.stringify({ detail: LONG, errors: { a: [LONG, LONG, LONG] } })],
    ['text', LONG],
  ])('keeps the sentences of the action and the trace ids whole after a long %s', (_, body) => {
    const spec = makeRefusal({ status: 413, headers: { server: LONG }, body });
    const failure = explainEnd(spec, {}, { ...EARLIER, whyLast: 'cancelled' });
    const { headline, details, fixes, traces } = failure;
    expect(traces).toContain(TRACE);
    expect([headline, ...details, ...fixes, ...traces].join('\n').length).toBeLessThan(4000);
  });

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
