import { describe, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { getText, mayBeOn, readAll, tryReadAll } from '../../src/inputs/fields.ts';
import { catchLaterProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';

isolateEnvironment();

describe('getText', () => {
  test.each([
    ['retries', undefined, '8'],
    ['retries', ' \n', '8'],
    ['retries', ' 3\n', '3'],
    ['retries', '0', '0'],
    ['token', undefined, ''],
  ])('reads %s from %j as %j', (name, text, expected) => {
    if (text !== undefined) setInputs({ [name]: text });
    expect(getText(name, name === 'retries' ? '8' : undefined)).toBe(expected);
  });

  test('reads the names that the runner writes, in upper case with hyphens', () => {
    Object.assign(process.env, { 'INPUT_TOKEN-HEADER': 'X-Key', INPUT_SCAN_KEY: 'underscored' });
    expect([getText('token-header'), getText('scan-key')]).toEqual(['X-Key', '']);
  });
});

describe('mayBeOn', () => {
  test.each([
    [undefined, false],
    ['', false],
    ['FALSE', false],
    ['maybe', true],
    ['true', true],
  ])('returns for the value %j: %j', (text, expected) => {
    if (text !== undefined) setInputs({ 'allow-http': text });
    expect(mayBeOn('allow-http')).toBe(expected);
  });
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

  test('reports all problems together, each once, that with its own fix first', async () => {
    const reading = readAll(
      {
        a: fail('One.'),
        b: () => 1,
        c: async () => fail('Two.')(),
        d: fail('One.'),
        e: fail('Three.', ['Do this.']),
      },
      undefined,
    );
    await expect(reading).rejects.toHaveProperty('fixes', ['Do this.']);
    expect(await catchLaterProblems(reading)).toEqual(['Three.', 'One.', 'Two.']);
  });

  test('returns the valid members beside the error on request', async () => {
    const read = await tryReadAll({ a: () => 1, b: fail('One.') }, undefined);
    expect(read).toEqual({ values: { a: 1 }, error: new InputError('One.') });
  });

  test('does not catch other errors', async () => {
    const reading = readAll({ a: () => new URL('not a URL') }, undefined);
    await expect(reading).rejects.toThrow('Invalid URL');
  });
});
