import { describe, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { Problems, getText } from '../../src/inputs/fields.ts';
import { isolateEnvironment, setInputs } from '../support/inputs.ts';

isolateEnvironment();

test.each([
  [undefined, '8'],
  [' \n', '8'],
  [' 3\n', '3'],
  ['0', '0'],
])('getText reads %j as %j', (text, expected) => {
  if (text !== undefined) setInputs({ retries: text });
  expect(getText('retries', '8')).toBe(expected);
});

test('getText reads the names that the runner writes, in upper case with hyphens', () => {
  Object.assign(process.env, { 'INPUT_TOKEN-HEADER': 'X-Key', INPUT_SCAN_KEY: 'underscored' });
  expect([getText('token-header'), getText('scan-key')]).toEqual(['X-Key', '']);
});

function refuse(problem: string, ...fixes: readonly string[]): () => string {
  return () => {
    throw new InputError(problem, fixes);
  };
}

describe('Problems', () => {
  test('throws all that was added in one error, each text once', () => {
    const problems = new Problems();
    expect(problems.read('', () => 'a')).toBe('a');
    expect(() => problems.throwAny()).not.toThrow();
    expect(problems.read('b', refuse('One.'))).toBe('b');
    problems.read('', refuse('Two.', 'Do this.'));
    problems.add(new InputError(['One.', 'Three.'], ['Do this.', 'Or that.']), '');
    const fixes = ['Do this.', 'Or that.'];
    const expected = { problems: ['One.', 'Two.', 'Three.'], fixes };
    expect(() => problems.throwAny()).toThrow(expect.objectContaining(expected));
    const placed = { problems: ['x: One.', 'x: Two.', 'x: Three.'], fixes };
    expect(() => problems.throwAny('x: ')).toThrow(expect.objectContaining(placed));
  });

  test('takes no other error', () => {
    const error = new TypeError('No.');
    const fail = (): never => {
      throw error;
    };
    expect(() => new Problems().read('', fail)).toThrow(error);
  });
});
