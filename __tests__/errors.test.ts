import { expect, test } from '@jest/globals';
import {
  CancelledError,
  InputError,
  StepError,
  TimeLimitError,
  errorCode,
  errorMessage,
  toError,
} from '../src/errors.ts';

const TWO = ['One.', 'Two.'];

test.each([
  [new StepError('files', TWO, 'Do this.'), 'StepError', 'files', ['Do this.']],
  [new InputError(TWO, ['a', 'b']), 'InputError', 'inputs', ['a', 'b']],
])('a StepError joins its problems into the message: row %#', (error, name, situation, fixes) => {
  expect(error).toBeInstanceOf(StepError);
  expect(error).toMatchObject({ name, situation, problems: TWO, fixes, message: 'One. Two.' });
});

test.each([
  [new TimeLimitError(9), 'time-limit', 'Increase `timeout-seconds`.'],
  [new CancelledError('SIGINT'), 'cancelled', 'Run the step again to upload the scan.'],
])('an error brings its fix: row %#', (error, situation, fix) => {
  expect(error).toMatchObject({ situation, fixes: [fix] });
});

test.each([
  [Object.assign(new Error('a'), { code: 'ENOENT' }), 'ENOENT'],
  [Object.assign(new Error('a'), { code: 7 }), undefined],
  [{ code: 'ENOENT' }, undefined],
  [undefined, undefined],
])('errorCode returns the code of an error: row %#', (thrown, code) => {
  expect(errorCode(thrown)).toBe(code);
});

test.each([
  [new InputError('One.'), 'One.'],
  ['text', 'text'],
  [null, 'null'],
])('errorMessage and toError take %p', (thrown, message) => {
  expect(errorMessage(thrown)).toBe(message);
  expect(toError(thrown)).toBeInstanceOf(Error);
  expect(toError(thrown).message).toBe(message);
  expect(toError(thrown) === thrown).toBe(thrown instanceof Error);
});
