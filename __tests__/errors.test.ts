import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  CancelledError,
  InputError,
  StepError,
  TimeLimitError,
  errorCode,
  errorMessage,
  toError,
} from '../src/errors.ts';

describe('StepError', () => {
  test.each([
    [new StepError('files', ['One.', 'Two.'], 'Do this.'), 'StepError', 'files', ['Do this.']],
    [new InputError(['One.', 'Two.']), 'InputError', 'inputs', []],
    [new InputError(['One.', 'Two.'], ['a', 'b']), 'InputError', 'inputs', ['a', 'b']],
  ])('joins its problems into the message: %#', (error, name, situation, fixes) => {
    expect(error).toBeInstanceOf(StepError);
    const problems = ['One.', 'Two.'];
    expect(error).toMatchObject({ name, situation, problems, fixes, message: 'One. Two.' });
  });
});

test.each([
  [new TimeLimitError(9), 'time-limit', 'Increase `timeout-seconds`.'],
  [new CancelledError('SIGINT'), 'cancelled', 'Run the step again to upload the scan.'],
])('an error brings its fix: %#', (error, situation, fix) => {
  expect(error).toMatchObject({ situation, fixes: [fix] });
});

describe('errorCode', () => {
  test.each([
    [Object.assign(new Error('a'), { code: 'ENOENT' }), 'ENOENT'],
    [Object.assign(new Error('a'), { code: 7 }), undefined],
    [new Error('a'), undefined],
    [{ code: 'ENOENT' }, undefined],
    ['ENOENT', undefined],
    [undefined, undefined],
  ])('returns the code of Node alone: %#', (thrown, code) => {
    expect(errorCode(thrown)).toBe(code);
  });

  test("reads the codes of Node's own errors", () => {
    expect(errorCode(catchNodeError())).toBe('ENOENT');
  });
});

describe('errorMessage and toError', () => {
  test.each([
    [new InputError('One.'), 'One.'],
    ['text', 'text'],
    [42, '42'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('return for %p the message %s', (thrown, message) => {
    expect(errorMessage(thrown)).toBe(message);
    expect(toError(thrown)).toBeInstanceOf(Error);
    expect(toError(thrown).message).toBe(message);
    expect(toError(thrown) === thrown).toBe(thrown instanceof Error);
  });
});

function catchNodeError(): unknown {
  try {
    return readFileSync('missing');
  } catch (error) {
    return error;
  }
}
