import { expect, test } from '@jest/globals';
import {
  InputError,
  StepError,
  TimeLimitError,
  errorCode,
  errorMessage,
  toError,
  toStepError,
} from '../src/errors.ts';

const TWO = ['One.', 'Two.'];

test.each([
  [
    'a situation and a fix',
    new StepError('files', TWO, 'Do this.'),
    'files',
    ['Do this.'],
    'One. Two.',
  ],
  ['inputs and fixes', new InputError(TWO, ['a', 'b']), 'inputs', ['a', 'b'], 'One. Two.'],
  ['inputs', new InputError('One.'), 'inputs', [], 'One.'],
  [
    'a time limit',
    new TimeLimitError(9),
    'time-limit',
    ['Increase `timeout-seconds`.'],
    'The time limit of 9 s (`timeout-seconds`) ended the step.',
  ],
])('a StepError of %s has a situation, faults and fixes', (_, error, situation, fixes, text) => {
  expect(error).toBeInstanceOf(StepError);
  expect(error).toMatchObject({ situation, fixes, message: text });
  expect(error.faults.join(' ')).toBe(text);
  expect(toStepError(error)).toBe(error);
});

test('toStepError keeps the first lines of the stack of an unexpected error', () => {
  const error = new TypeError('a is\nat fault');
  error.stack = `TypeError: a is\nwrong\n${'    at f (file:1:2)\n'.repeat(9)}`;
  const { situation, faults, fixes } = toStepError(error);
  expect(situation).toBe('unexpected');
  expect(faults).toEqual(['a is\nat fault', ...Array.from({ length: 4 }, () => 'at f (file:1:2)')]);
  expect(fixes).toEqual(['Report this message to the maintainers of the action.']);
});

test.each([
  [Object.assign(new Error('a'), { code: 'ENOENT' }), 'ENOENT'],
  [Object.assign(new Error('a'), { code: 7 }), undefined],
  [new Error('a'), undefined],
  [{ code: 'ENOENT' }, undefined],
  [undefined, undefined],
])('errorCode returns the code of an error: %p', (thrown, code) => {
  expect(errorCode(thrown)).toBe(code);
});

test.each([
  [new InputError('One.'), 'One.'],
  ['text', 'text'],
  [null, 'null'],
])('errorMessage and toError take %p', (thrown, message) => {
  expect(errorMessage(thrown)).toBe(message);
  expect(toError(thrown)).toBeInstanceOf(Error);
  expect(toError(thrown) === thrown).toBe(thrown instanceof Error);
});
