import { describe, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { getText, readAll } from '../../src/inputs/fields.ts';
import { catchLaterProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';

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

function fail(problem: string, fixes?: readonly string[]): () => never {
  return () => {
    throw new InputError(problem, fixes);
  };
}

describe('readAll', () => {
  test('returns what the readers return, at once or later', async () => {
    const readers = { a: (text: string) => `${text}1`, b: async (text: string) => `${text}2` };
    expect(await readAll(readers, 'x')).toEqual({ a: 'x1', b: 'x2' });
  });

  test('reports all problems together, and what to do about several, each once', async () => {
    const reading = readAll({
      a: fail('One.'),
      b: () => 1,
      c: async () => fail('Two.')(),
      d: fail('One.'),
      e: fail('Three.', ['Do this.']),
      f: fail('Four.', ['Do this.', 'Or that.']),
    });
    await expect(reading).rejects.toHaveProperty('fixes', ['Do this.', 'Or that.']);
    expect(await catchLaterProblems(reading)).toEqual(['One.', 'Two.', 'Three.', 'Four.']);
  });

  test('does not catch other errors', async () => {
    await expect(readAll({ a: () => new URL('not a URL') })).rejects.toThrow('Invalid URL');
  });
});
