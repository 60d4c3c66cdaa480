import { describe, expect, test } from '@jest/globals';
import { CancelledError, InputError, StepError, TimeLimitError } from '../../src/errors.ts';
import { annotateFailures } from '../../src/report/annotations.ts';
import { explainError, explainUpload } from '../../src/report/failure.ts';
import { Log } from '../../src/report/log.ts';
import { makeSummary } from '../../src/report/summary.ts';
import type { StepSituation } from '../../src/situations.ts';
import { SETTINGS } from '../support/attempts.ts';
import type { AttemptSpec } from '../support/attempts.ts';
import { connect, describeEnd, end, refuse } from '../support/endings.ts';
import { captureOutput, makeBatch, makeScan } from '../support/report.ts';

const SECRET = 's3cret-of-tests';
const TRACE = `Trace id of the requests: ${SETTINGS.traceId}`;
const UNCERTAIN =
  'Everything was sent, but no complete and readable response of the service arrived: it may have the scan. Running the step again sends it again.';
/** An upload whose first attempt was unconfirmed. */
const EARLIER = { result: 'unconfirmed', wasUnconfirmed: true, attempts: 2 } as const;
const LONG = 'x'.repeat(4096);
const SHORT = Array.from({ length: 100 }, (_, index) => `error ${index}`);

function clean(text: string): string {
  return text.replaceAll(SECRET, '***');
}

function refuseWith(status: number, body: unknown = '', headers = {}): AttemptSpec {
  return refuse({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

const REFUSED = refuseWith(400, { detail: 'Unknown key.', errors: { a: ['x'] } });
const RESET = connect({ code: 'ECONNRESET' }, { state: 'waiting', isSent: true });

describe('explainError', () => {
  test.each<[unknown, string, string, string, readonly string[]]>([
    [new InputError(['First.', 'Second.']), 'not sent (inputs)', 'inputs', 'First.', ['Second.']],
    [new StepError('files', 'None.'), 'not sent (files)', 'files', 'None.', []],
    [new StepError('contents', 'Bad.', 'Fix.'), 'not sent (contents)', 'contents', 'Bad.', []],
    [new StepError('runner', 'Old.', 'Fix.'), 'not sent (runner)', 'runner', 'Old.', []],
    [new StepError('other-scans', 'No.'), 'not sent (other-scans)', 'other-scans', 'No.', []],
    [
      new TimeLimitError(9),
      'not sent (time-limit)',
      'time-limit',
      'The time limit of 9 s (`timeout-seconds`) ended the step.',
      [],
    ],
    [
      new CancelledError('SIGINT'),
      'cancelled',
      'cancelled',
      'Cancelled: the scan was not uploaded.',
      ['The step was cancelled or the job timed out (SIGINT).'],
    ],
    ['text', 'failed unexpectedly', 'internal', 'text', []],
    [undefined, 'failed unexpectedly', 'internal', 'undefined', []],
  ])('gives %p the title “Scan upload %s”', (error, title, reason, headline, details) => {
    expect(explainError(error, clean)).toMatchObject({
      title: `Scan upload ${title}`,
      reason,
      headline,
      details,
      fixes: expect.arrayContaining([expect.any(String)]),
      traces: [],
    });
  });

  test('prefers the fix that an error states', () => {
    const { fixes } = explainError(
      new StepError('files', 'None.', ['Do this.', 'And that.']),
      clean,
    );
    expect(fixes).toEqual(['Do this.', 'And that.']);
  });

  test.each([
    [31, 30, 'Problem 30.'],
    [32, 31, 'And 1 more problems.'],
    [5000, 31, 'And 4969 more problems.'],
  ])('lists %i problems in at most 31 lines, and counts the others', (count, lines, last) => {
    const problems = Array.from({ length: count }, (_, index) => `Problem ${index}.`);
    let cleaned = 0;
    const { details } = explainError(new InputError(problems), (text) => {
      cleaned += 1;
      return text;
    });
    expect(details).toHaveLength(lines);
    expect(details.at(-1)).toBe(last);
    expect(cleaned).toBeLessThanOrEqual(31);
  });

  test('leaves out a word that is too long to be shown whole', () => {
    const text = `\`files\`: no file matches '${'abcdefgh'.repeat(300)}'.`;
    const start = '`files`: no file matches …';
    const failure = explainError(new StepError('files', [text, text]), clean);
    expect(failure).toMatchObject({ headline: start, details: [start] });
  });

  test('shows the stack of an unexpected error', () => {
    const error = new TypeError('x is not a function');
    error.stack = `TypeError: x is not a function\n${`    at f (/${SECRET}/a.ts:1:2)\n`.repeat(9)}`;
    expect(explainError(error, clean)).toMatchObject({
      headline: 'x is not a function',
      details: Array.from({ length: 4 }, () => 'at f (/***/a.ts:1:2)'),
    });
  });

  test.each([
    new InputError([`a ${SECRET}`, SECRET, `${SECRET} b`]),
    ...(['files', 'contents', 'runner', 'other-scans'] satisfies StepSituation[]).map(
      (situation) => new StepError(situation, [SECRET, SECRET], [SECRET]),
    ),
    new TypeError(`${SECRET} is not a function`),
    SECRET,
  ])('shows no secret from an error: %s', (error) => {
    const described = JSON.stringify(explainError(error, clean));
    expect(described).toContain('***');
    expect(described).not.toContain(SECRET);
  });
});

describe('explainUpload', () => {
  test('returns undefined for an accepted upload, even if the step was cancelled', () => {
    const stop = { reason: 'final', remainingMs: 0, isCancelled: true } as const;
    expect(explainUpload(end({ response: {} }, {}, { stop }))).toBeUndefined();
  });

  test('names result and status, shows the detail first and the trace id last', () => {
    expect(describeEnd(REFUSED)).toMatchObject({
      situation: 'invalid',
      title: 'Scan upload rejected (400)',
      reason: 'problem',
      headline: 'Unknown key.',
      details: ['a: x'],
      traces: [TRACE],
    });
  });

  test('names the reason in the title if there is no status', () => {
    const refused = { ...RESET, isSent: false, state: 'connecting' } as const;
    expect(describeEnd(refused).title).toBe('Scan upload not sent (connection)');
  });

  test.each<[string, AttemptSpec, readonly string[]]>([
    ['a request left', REFUSED, [TRACE]],
    ['no request left', connect({ code: 'ECONNREFUSED' }), []],
    [
      'a problem has none: with the request ids, without the server',
      refuse({
        body: '{"detail":"No."}',
        headers: { server: 'x', via: 'y', 'x-request-id': 'r1', 'cf-ray': 'c2' },
      }),
      ['Response headers: x-request-id: r1, cf-ray: c2', TRACE],
    ],
  ])('prints the trace id of the requests if %s', (_, spec, traces) => {
    expect(describeEnd(spec).traces).toEqual(traces);
  });

  test('prints the trace id of an earlier request that the service may have', () => {
    const spec = connect({ code: 'ECONNREFUSED' });
    expect(describeEnd(spec, {}, EARLIER).traces).toEqual([TRACE]);
  });

  test("prints one trace id if the service's contains the one that was sent", () => {
    const traceId = `00-${SETTINGS.traceId}-00f067aa0ba902b7-00`;
    const { traces } = describeEnd(refuseWith(400, { detail: 'No.', traceId }));
    expect(traces).toEqual([`Trace id of the service: ${traceId}`]);
  });

  test('says what running the step again does if an attempt was unconfirmed', () => {
    expect(describeEnd(RESET)).toMatchObject({
      title: 'Scan upload unconfirmed (connection)',
      details: [UNCERTAIN],
    });
    expect(describeEnd(REFUSED, {}, EARLIER)).toMatchObject({
      title: 'Scan upload unconfirmed (400)',
      headline: 'Unknown key.',
      details: ['a: x', `In an earlier attempt: ${UNCERTAIN}`],
    });
  });

  test.each([
    ['retries', 1, ['Gave up after 1 attempt.']],
    ['retries', 9, ['Gave up after 9 attempts.']],
    ['aborted', 3, ['Gave up after 3 attempts, while waiting for the next one.']],
    ['stopped', 2, ['Gave up after 2 attempts, because no scan gets further attempts.']],
    [
      'time',
      2,
      [
        'Gave up after 2 attempts: the next one would begin after the time limit; 870 s of `timeout-seconds` are left.',
      ],
    ],
  ] as const)('says why there was no further attempt (%s, %i)', (reason, attempts, lines) => {
    const stop = { reason, remainingMs: 870_000, isCancelled: false };
    expect(describeEnd(REFUSED, {}, { stop, attempts }).details).toEqual(['a: x', ...lines]);
  });

  test('says when to re-run if the service asks to wait beyond the time limit', () => {
    const stop = { reason: 'time', remainingMs: 870_000, isCancelled: false } as const;
    const busy = { response: { status: 503, retryAfterMs: 1_800_000 } };
    expect(describeEnd(busy, {}, { stop })).toMatchObject({
      details: [
        'Gave up after 1 attempt: the next one would begin after the time limit; 870 s of `timeout-seconds` are left, and the service asks to wait 1800 s.',
      ],
      fixes: ['Re-run in 30 minutes.'],
    });
    const { fixes } = describeEnd(busy, {}, { stop, result: 'unconfirmed' });
    expect(fixes).toEqual(['Check the service first. Re-run in 30 minutes.']);
  });

  test('proposes `retries` only if retries ran out', () => {
    const limited = { response: { status: 429 } };
    const stop = { reason: 'retries', remainingMs: 1, isCancelled: false } as const;
    expect(describeEnd(limited, {}, { stop }).fixes.join(' ')).toContain('`retries`');
    expect(describeEnd(limited).fixes.join(' ')).not.toContain('`retries`');
    // The service asks to wait longer than there is time.
    const later = { response: { status: 429, retryAfterMs: 1_800_000 } };
    expect(describeEnd(later, {}, { stop }).fixes).toEqual(['Re-run in 30 minutes.']);
    const patient = { ...stop, remainingMs: 2_000_000 };
    expect(describeEnd(later, {}, { stop: patient }).fixes.join(' ')).toContain('`retries`');
  });

  test('proposes `timeout-seconds` only if the next attempt would begin after the time limit', () => {
    const busy = { response: { status: 503 } };
    const stop = { reason: 'time', remainingMs: 1, isCancelled: false } as const;
    expect(describeEnd(busy, {}, { stop }).fixes.at(-1)).toBe('Or increase `timeout-seconds`.');
    expect(describeEnd(busy).fixes.join(' ')).not.toContain('`timeout-seconds`');
  });

  test.each<[AttemptSpec, string]>([
    [REFUSED, 'Cancelled: the scan was not uploaded.'],
    [RESET, 'Cancelled: the upload is unconfirmed.'],
  ])(
    'says of a cancelled step first whether anything was uploaded, then what happened before',
    (spec, headline) => {
      const stop = { reason: 'aborted', remainingMs: 1, isCancelled: true } as const;
      const plain = describeEnd(spec);
      const failure = describeEnd(spec, {}, { stop });
      expect(failure).toMatchObject({
        situation: 'cancelled',
        title: 'Scan upload cancelled',
        reason: 'cancelled',
        headline,
      });
      const waiting = 'Gave up after 1 attempt, while waiting for the next one.';
      const others = failure.details.filter((line) => line !== waiting);
      expect(others).toEqual([plain.headline, ...plain.details]);
    },
  );

  test('shows what an error said only as it was cleaned', () => {
    const failure = { kind: 'step', error: new TimeLimitError(9), text: 'It was ***.' } as const;
    expect(describeEnd({ failure }).headline).toMatch(/^It was \*\*\*\. /);
  });

  test('tells a time limit once', () => {
    const timeLimit = new TimeLimitError(9);
    const failure = { kind: 'step', error: timeLimit, text: timeLimit.message } as const;
    expect(describeEnd({ failure, state: 'waiting' })).toMatchObject({
      title: 'Scan upload unconfirmed (time-limit)',
      headline:
        'The time limit of 9 s (`timeout-seconds`) ended the step. This happened after everything was sent, before a response arrived.',
      details: [UNCERTAIN],
      fixes: [expect.stringMatching(/^Check the service first\. Then increase `timeout-seconds`/)],
    });
  });

  test.each<[string, number, unknown]>([
    ['a detail of 4 KB', 413, { detail: LONG, traceId: 'of-the-service' }],
    ['many short errors', 413, { detail: LONG, errors: { '': SHORT } }],
    ['long errors', 504, { detail: LONG, errors: { a: [LONG, LONG] } }],
    ['a long body', 504, LONG],
  ])('keeps the sentences of the action and the trace id in full with %s', (_, status, body) => {
    const spec = refuseWith(status, body, { server: LONG });
    for (const isCancelled of [false, true]) {
      const stop = {
        reason: isCancelled ? 'aborted' : 'retries',
        remainingMs: 1,
        isCancelled,
      } as const;
      const failure = describeEnd(spec, {}, { stop, attempts: 9, result: 'unconfirmed' });
      const scan = makeScan({ result: 'unconfirmed', label: 'x'.repeat(200), failure });
      const output = captureOutput();
      annotateFailures(makeBatch([scan]), new Log());
      const annotation = output.lines.join('\n').replaceAll('%0A', '\n');
      const summaries = [[scan], [scan, makeScan()]].map((scans) => makeSummary(makeBatch(scans)));
      for (const shown of [annotation, ...summaries]) {
        expect(shown).toContain('\nGave up after 9 attempts');
        for (const line of [UNCERTAIN, TRACE]) expect(shown).toContain(line);
      }
      for (const fix of failure.fixes) expect(annotation).toContain(`\n${fix}\n`);
      expect(annotation.length).toBeLessThan(4096);
    }
  });
});
