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
import { KEEP } from '../support/report.ts';

const SECRET = 's3cret';

function takeOut(text: string): string {
  return text.replaceAll(SECRET, '***');
}

describe('explainError', () => {
  test('marks what only follows from something else', () => {
    expect(explainError(new NotStartedError('Not begun, since shop failed.'), KEEP)).toEqual({
      title: 'Scan upload not sent',
      headline: 'Not begun, since shop failed.',
      details: [],
      advice: [],
      isFollowing: true,
    });
    expect(explainError(new TimeLimitError(9), KEEP)).not.toHaveProperty('isFollowing');
    expect(explainError(new FileError('Missing.'), KEEP)).not.toHaveProperty('isFollowing');
  });

  test.each([
    [new InputError('First.', 'Second.'), 'Scan upload not sent: inputs'],
    [new FileError('First.', 'Second.'), 'Scan upload not sent: files'],
    [new StepError('runtime', ['First.', 'Second.']), 'Scan upload not sent: runner'],
  ])('names every problem of what the author can mend: $name', (error, title) => {
    expect(explainError(error, KEEP)).toEqual({
      title,
      headline: 'First.',
      details: ['Second.'],
      advice: [],
    });
  });

  test('says of wrong contents what to do about them', () => {
    const { title, headline, details, advice } = explainError(
      new ContentError('First.', 'Second.'),
      KEEP,
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
    const { details } = explainError(new InputError(...problems), KEEP);
    expect(details).toHaveLength(lines);
    expect(details.at(-1)).toBe(last ?? 'Problem 30.');
  });

  test('outlives an error without a problem', () => {
    expect(explainError(new InputError(), KEEP).headline).toBe('');
  });

  test('says of a cancelled step that nothing was uploaded', () => {
    expect(explainError(new CancelledError('SIGINT'), KEEP)).toEqual({
      title: 'Scan upload cancelled',
      headline: 'cancelled; not uploaded',
      details: ['The step was cancelled (SIGINT).'],
      advice: [],
    });
  });

  test('says that the time limit ended the step', () => {
    expect(explainError(new TimeLimitError(9), KEEP)).toEqual({
      title: 'Scan upload not sent',
      headline: 'The time limit of 9 s (timeout-seconds) ended the step.',
      details: [],
      advice: [],
    });
  });

  test('says of an error nobody expected where in the action it happened', () => {
    const error = new TypeError('x is not a function');
    error.stack = `TypeError: x is not a function\n${'    at f (a.ts:1:2)\n'.repeat(9)}`;
    expect(explainError(error, KEEP)).toEqual({
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
    expect(explainError(thrown, KEEP)).toEqual({
      title: 'Scan upload failed unexpectedly',
      headline,
      details: [],
      advice: [],
    });
  });

  test.each([
    new InputError(`a ${SECRET}`, SECRET, `${SECRET} b`),
    new FileError(`'${SECRET}' is gone.`),
    new ContentError(SECRET, SECRET),
    new StepError('runtime', [SECRET]),
    new NotStartedError(`Not sent: ${SECRET} failed.`),
    new TypeError(`${SECRET} is not a function`),
    SECRET,
  ])('says no secret of any error: %s', (error) => {
    const told = JSON.stringify(explainError(error, takeOut));
    expect(told).toContain('***');
    expect(told).not.toContain(SECRET);
  });

  test('takes a secret out of the lines where in the action it happened', () => {
    const error = new Error('bare');
    error.stack = `Error: bare\n    at f (/home/${SECRET}/a.ts:1:2)`;
    const { details } = explainError(error, takeOut);
    expect(details).toEqual(['at f (/home/***/a.ts:1:2)']);
  });
});
