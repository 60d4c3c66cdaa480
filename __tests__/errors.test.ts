import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  CancelledError,
  FileError,
  InputError,
  StepError,
  TimeLimitError,
  errorCode,
  errorMessage,
  toError,
} from '../src/errors.ts';

describe('StepError', () => {
  test.each([
    [new StepError('runtime', ['One.', 'Two.']), 'StepError', 'runtime'],
    [new InputError('One.', 'Two.'), 'InputError', 'inputs'],
    [new FileError('One.', 'Two.'), 'FileError', 'files'],
  ])('joins its problems: %s', (error, name, kind) => {
    expect(error).toBeInstanceOf(StepError);
    expect(error).toMatchObject({ name, kind, problems: ['One.', 'Two.'], message: 'One. Two.' });
  });
});

describe('what ends a step early', () => {
  test('names the time limit and its input', () => {
    const error = new TimeLimitError(900);
    expect(error).toMatchObject({ name: 'TimeLimitError', seconds: 900 });
    expect(error.message).toBe('The time limit of 900 s (timeout-seconds) ended the step.');
  });

  test('names the signal', () => {
    const error = new CancelledError('SIGINT');
    expect(error).toMatchObject({ name: 'CancelledError', signal: 'SIGINT' });
    expect(error.message).toBe('The step was cancelled (SIGINT).');
  });
});

describe('errorCode', () => {
  test.each([
    [Object.assign(new Error('a'), { code: 'ENOENT' }), 'ENOENT'],
    [Object.assign(new Error('a'), { code: 7 }), undefined],
    [new Error('a'), undefined],
    [{ code: 'ENOENT' }, undefined],
    ['ENOENT', undefined],
    [undefined, undefined],
  ])('%s: %j', (thrown, code) => {
    expect(errorCode(thrown)).toBe(code);
  });

  test("reads the codes of Node's own errors", () => {
    expect(errorCode(catchNodeError())).toBe('ENOENT');
  });
});

describe('errorMessage', () => {
  test.each([
    [new Error('text'), 'text'],
    ['text', 'text'],
    [42, '42'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('%p: %s', (thrown, message) => {
    expect(errorMessage(thrown)).toBe(message);
  });
});

describe('toError', () => {
  test('keeps errors', () => {
    const error = new InputError('One.');
    expect(toError(error)).toBe(error);
  });

  test.each(['text', 42, undefined, null])('makes an error of %j', (thrown) => {
    expect(toError(thrown)).toBeInstanceOf(Error);
    expect(toError(thrown).message).toBe(String(thrown));
  });
});

function catchNodeError(): unknown {
  try {
    return readFileSync('missing');
  } catch (error) {
    return error;
  }
}
