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
import { explainError } from '../../src/report/explain-step.ts';
import type { Failure, Reason } from '../../src/report/result.ts';

const SECRET = 's3cret';
const BARE = Object.assign(new Error('bare'), { stack: undefined });

function explain(error: unknown): Failure {
  return explainError(error, (text) => text.replaceAll(SECRET, '***'));
}

describe('explainError', () => {
  test.each<[unknown, string, Reason, string, readonly string[]]>([
    [new InputError(['First.', 'Second.']), 'not sent: inputs', 'inputs', 'First.', ['Second.']],
    [new FileError(['First.', 'Second.']), 'not sent: files', 'files', 'First.', ['Second.']],
    [
      new StepError('runtime', ['First.', 'Second.']),
      'not sent: runner',
      'internal',
      'First.',
      ['Second.'],
    ],
    [new InputError([]), 'not sent: inputs', 'inputs', '', []],
    [
      new CancelledError('SIGINT'),
      'cancelled',
      'cancelled',
      'Cancelled: the scan was not uploaded.',
      ['The step was cancelled or the job timed out (SIGINT).'],
    ],
    [
      new TimeLimitError(9),
      'not sent',
      'time-limit',
      'The time limit of 9 s (`timeout-seconds`) ended the step.',
      [],
    ],
    ['text', 'failed unexpectedly', 'internal', 'text', []],
    [undefined, 'failed unexpectedly', 'internal', 'undefined', []],
    [BARE, 'failed unexpectedly', 'internal', 'bare', []],
  ])('gives %p the title “Scan upload %s”', (error, title, reason, headline, details) => {
    const failure = { title: `Scan upload ${title}`, reason, headline, details };
    expect(explain(error)).toEqual({ ...failure, advice: [], traces: [] });
  });

  test.each(['other-scans', 'time-limit'] as const)(
    'marks a failure that other scans or the time limit caused: %s',
    (reason) => {
      expect(explain(new NotStartedError('Not sent: shop failed.', reason))).toEqual({
        title: 'Scan upload not sent',
        reason,
        headline: 'Not sent: shop failed.',
        details: [],
        advice: [],
        traces: [],
        isFollowing: true,
      });
    },
  );

  test('says what to do about invalid contents', () => {
    expect(explain(new ContentError(['First.', 'Second.'], ['Fix it.']))).toEqual({
      title: 'Scan upload not sent: file contents',
      reason: 'contents',
      headline: 'First.',
      details: ['Second.'],
      advice: ['Fix it.'],
      traces: [],
    });
  });

  test.each([
    [31, 30, 'Problem 30.'],
    [32, 31, 'And 1 more problems.'],
    [5000, 31, 'And 4969 more problems.'],
  ])('lists %i problems in at most 31 lines, and counts the others', (count, lines, last) => {
    const problems = Array.from({ length: count }, (_, index) => `Problem ${index}.`);
    const { details } = explain(new InputError(problems));
    expect(details).toHaveLength(lines);
    expect(details.at(-1)).toBe(last);
  });

  test('cleans only the problems that it shows', () => {
    const problems = Array.from({ length: 200_000 }, (_, index) => `Problem ${index}.`);
    let cleaned = 0;
    const clean = (text: string): string => {
      cleaned += 1;
      return text;
    };
    expect(explainError(new InputError(problems), clean).details).toHaveLength(31);
    expect(cleaned).toBe(31);
  });

  test('leaves out a word that is too long to be shown whole', () => {
    const word = 'abcdefgh'.repeat(300);
    const text = `\`files\`: no file matches '${word}'.`;
    const start = '`files`: no file matches …';
    expect(explain(new FileError([text, text]))).toMatchObject({
      headline: start,
      details: [start],
    });
  });

  test('shows the stack of an unexpected error', () => {
    const error = new TypeError('x is not a function');
    error.stack = `TypeError: x is not a function\n${`    at f (/${SECRET}/a.ts:1:2)\n`.repeat(9)}`;
    expect(explain(error)).toEqual({
      title: 'Scan upload failed unexpectedly',
      reason: 'internal',
      headline: 'x is not a function',
      details: Array.from({ length: 4 }, () => 'at f (/***/a.ts:1:2)'),
      advice: [],
      traces: [],
    });
  });

  test.each([
    new InputError([`a ${SECRET}`, SECRET, `${SECRET} b`]),
    new FileError(`'${SECRET}' is gone.`),
    new ContentError([SECRET, SECRET]),
    new StepError('runtime', [SECRET]),
    new NotStartedError(`Not sent: ${SECRET} failed.`),
    new TypeError(`${SECRET} is not a function`),
    SECRET,
  ])('shows no secret from an error: %s', (error) => {
    const explained = JSON.stringify(explain(error));
    expect(explained).toContain('***');
    expect(explained).not.toContain(SECRET);
  });
});
