import { describe, expect, test } from '@jest/globals';
import {
  CancelledError,
  ContentError,
  FileError,
  InputError,
  NotStartedError,
  StepError,
  TimeLimitError,
} from '../../src/errors.ts';
import { explainError, explainUpload } from '../../src/report/explain.ts';
import type { Failure } from '../../src/report/result.ts';
import type { UploadReport } from '../../src/service/upload.ts';
import type { Verdict } from '../../src/service/verdict.ts';
import { makeResponse } from '../service/fixtures.ts';
import { FACTS, KEEP, makeRefusal } from './fixtures.ts';

const TRACE = `Trace id of the requests: ${FACTS.traceId}`;
const UNCERTAIN =
  'Everything was sent, but no complete response arrived: the service may have the scan. Running the step again sends it again.';

const REFUSED: Verdict = {
  result: 'rejected',
  cause: makeRefusal({ status: 400, text: '{"detail":"Unknown key.","errors":{"a":["x"]}}' }),
  retry: 'never',
};
const RESET: Verdict = {
  result: 'unconfirmed',
  cause: { kind: 'connection', phase: 'head', diagnosis: { fault: 'connection', text: 'reset' } },
  retry: 'always',
};

function report(verdict: Verdict, more: Partial<UploadReport> = {}): UploadReport {
  const { result } = verdict;
  return { result, attempts: 1, verdict, stop: 'final', digests: undefined, ...more };
}

function explain(verdict: Verdict, more: Partial<UploadReport> = {}, aborted?: unknown): Failure {
  const failure = explainUpload(report(verdict, more), FACTS, aborted, KEEP);
  if (failure === undefined) throw new Error('There is no failure.');
  return failure;
}

describe('explainUpload', () => {
  test('has nothing to explain of what was accepted', () => {
    const cause = { kind: 'accepted', response: makeResponse() } as const;
    const verdict: Verdict = { result: 'accepted', cause, retry: 'never' };
    expect(explainUpload(report(verdict), FACTS, undefined, KEEP)).toBeUndefined();
    const late = new CancelledError('SIGINT');
    expect(explainUpload(report(verdict), FACTS, late, KEEP)).toBeUndefined();
  });

  test('names result and status, says the detail first, and ends with the trace id', () => {
    expect(explain(REFUSED)).toEqual({
      title: 'Scan upload rejected (400)',
      headline: 'Unknown key.',
      details: ['a: x', TRACE],
      advice: [],
    });
  });

  test('says of an unconfirmed upload what it means to run it again', () => {
    expect(explain(RESET)).toMatchObject({
      title: 'Scan upload unconfirmed',
      details: [UNCERTAIN, TRACE],
    });
  });

  test('says so too where a later attempt was refused', () => {
    expect(explain(REFUSED, { result: 'unconfirmed', attempts: 2 })).toEqual({
      title: 'Scan upload unconfirmed (400)',
      headline: 'Unknown key.',
      details: ['a: x', `In an earlier attempt: ${UNCERTAIN}`, TRACE],
      advice: [],
    });
  });

  test('names what was not sent', () => {
    const cause = { kind: 'stalled', phase: 'connect', limitMs: 1000 } as const;
    const failure = explain({ result: 'not-sent', cause, retry: 'always' });
    expect(failure.title).toBe('Scan upload not sent');
    expect(failure.details).toEqual([TRACE]);
    expect(failure.advice).toEqual(['The limit is stall-timeout-seconds.']);
  });

  test.each([
    ['retries', 1, 'Gave up after 1 attempt.'],
    ['retries', 9, 'Gave up after 9 attempts.'],
    [
      'time',
      2,
      'Gave up after 2 attempts: the next one would begin after the time limit (timeout-seconds).',
    ],
    ['aborted', 3, 'Gave up after 3 attempts, while waiting for the next one.'],
    ['stopped', 2, 'Gave up after 2 attempts, since no scan gets a further attempt.'],
  ] as const)('says why there was no further attempt (%s, %i)', (stop, attempts, sentence) => {
    expect(explain(REFUSED, { stop, attempts }).details).toEqual(['a: x', sentence, TRACE]);
  });

  test.each([
    [REFUSED, 'cancelled; not uploaded'],
    [RESET, 'cancelled; unconfirmed'],
  ])('says of a cancelled step in one line whether anything was uploaded', (verdict, headline) => {
    const failure = explain(verdict, {}, new CancelledError('SIGTERM'));
    const plain = explain(verdict);
    expect(failure).toEqual({
      ...plain,
      title: 'Scan upload cancelled',
      headline,
      details: [plain.headline, ...plain.details],
    });
  });

  test('keeps the title of a step that its time limit ended', () => {
    const reason = new TimeLimitError(9);
    const verdict: Verdict = {
      result: 'unconfirmed',
      cause: { kind: 'aborted', phase: 'head', reason },
      retry: 'never',
    };
    const failure = explain(verdict, {}, reason);
    expect(failure.title).toBe('Scan upload unconfirmed');
    expect(failure.headline).toMatch(/^The time limit of 9 s \(timeout-seconds\) ended the step\./);
    expect(failure.advice).toEqual(['The limit is timeout-seconds.']);
  });
});

describe('explainError', () => {
  test('marks what only follows from something else', () => {
    expect(explainError(new NotStartedError('Not begun, since shop failed.'))).toEqual({
      title: 'Scan upload not sent',
      headline: 'Not begun, since shop failed.',
      details: [],
      advice: [],
      isFollowing: true,
    });
    expect(explainError(new TimeLimitError(9))).not.toHaveProperty('isFollowing');
    expect(explainError(new FileError('Missing.'))).not.toHaveProperty('isFollowing');
  });

  test.each([
    [new InputError('First.', 'Second.'), 'Scan upload not sent: inputs'],
    [new FileError('First.', 'Second.'), 'Scan upload not sent: files'],
    [new StepError('runtime', ['First.', 'Second.']), 'Scan upload not sent: runner'],
  ])('names every problem of what the author can mend: $name', (error, title) => {
    expect(explainError(error)).toEqual({
      title,
      headline: 'First.',
      details: ['Second.'],
      advice: [],
    });
  });

  test('says of wrong contents what to do about them', () => {
    const { title, headline, details, advice } = explainError(
      new ContentError('First.', 'Second.'),
    );
    expect([title, headline, details]).toEqual([
      'Scan upload not sent: file contents',
      'First.',
      ['Second.'],
    ]);
    expect(advice).toEqual([
      expect.stringContaining('content-check: warn'),
      expect.stringContaining('new run'),
    ]);
  });

  test.each([
    [31, 30, undefined],
    [32, 31, 'And 1 more problems.'],
    [5000, 31, 'And 4969 more problems.'],
  ])('of %i problems tells %i and how many more there are', (count, lines, last) => {
    const problems = Array.from({ length: count }, (_, index) => `Problem ${index}.`);
    const { details } = explainError(new InputError(...problems));
    expect(details).toHaveLength(lines);
    expect(details.at(-1)).toBe(last ?? 'Problem 30.');
  });

  test('outlives an error without a problem', () => {
    expect(explainError(new InputError()).headline).toBe('');
  });

  test('says of a cancelled step that nothing was uploaded', () => {
    expect(explainError(new CancelledError('SIGINT'))).toEqual({
      title: 'Scan upload cancelled',
      headline: 'cancelled; not uploaded',
      details: ['The step was cancelled (SIGINT).'],
      advice: [],
    });
  });

  test('says that the time limit ended the step', () => {
    expect(explainError(new TimeLimitError(9))).toEqual({
      title: 'Scan upload not sent',
      headline: 'The time limit of 9 s (timeout-seconds) ended the step.',
      details: [],
      advice: [],
    });
  });

  test('says of an error nobody expected where in the action it happened', () => {
    const error = new TypeError('x is not a function');
    error.stack = `TypeError: x is not a function\n${'    at f (a.ts:1:2)\n'.repeat(9)}`;
    expect(explainError(error)).toEqual({
      title: 'Scan upload failed unexpectedly',
      headline: 'x is not a function',
      details: Array.from({ length: 4 }, () => 'at f (a.ts:1:2)'),
      advice: [],
    });
  });

  test.each([
    ['text', 'text'],
    [undefined, 'undefined'],
    [Object.assign(new Error('bare'), { stack: undefined }), 'bare'],
  ])('outlives anything that is thrown: %s', (thrown, headline) => {
    expect(explainError(thrown)).toEqual({
      title: 'Scan upload failed unexpectedly',
      headline,
      details: [],
      advice: [],
    });
  });
});
