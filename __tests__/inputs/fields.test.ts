import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readManifest } from '../../local/step/manifest.ts';
import { InputError } from '../../src/errors.ts';
import { DECLARED } from '../../src/inputs/declared.ts';
import { FieldReader, getText, mayBeOn } from '../../src/inputs/fields.ts';
import { catchProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';

isolateEnvironment();

describe('DECLARED', () => {
  test('has exactly the inputs and defaults of action.yml', async () => {
    const { inputs } = await readManifest(join(import.meta.dirname, '..', '..'));
    expect(inputs.length).toBeGreaterThan(20);
    expect(Object.entries(DECLARED)).toEqual(inputs.map((input) => [input.name, input.default]));
  });
});

describe('getText', () => {
  test.each([
    ['retries', undefined, '8'],
    ['retries', ' \n', '8'],
    ['retries', ' 3\n', '3'],
    ['retries', '0', '0'],
    ['token', undefined, ''],
  ] as const)('reads %s from %j as %j', (name, text, expected) => {
    if (text !== undefined) setInputs({ [name]: text });
    expect(getText(name)).toBe(expected);
  });

  test('reads the names that the runner writes, in upper case with hyphens', () => {
    Object.assign(process.env, { 'INPUT_TOKEN-HEADER': 'X-Key', INPUT_SCAN_KEY: 'underscored' });
    expect([getText('token-header'), getText('scan-key')]).toEqual(['X-Key', '']);
  });
});

describe('mayBeOn', () => {
  test.each([
    ['summary', undefined, true],
    ['summary', 'maybe', true],
    ['summary', 'FALSE', false],
    ['allow-http', '', false],
  ] as const)('returns for %s with the value %j: %j', (name, text, expected) => {
    if (text !== undefined) setInputs({ [name]: text });
    expect(mayBeOn(name)).toBe(expected);
  });
});

describe('FieldReader', () => {
  test('returns the parsed values', () => {
    setInputs({ retries: '2', summary: 'FALSE', auth: 'oidc' });
    const fields = new FieldReader();
    const retries = fields.number('retries', 0, 5);
    const summary = fields.flag('summary');
    const auth = fields.choice('auth', ['token', 'oidc']);
    fields.throwProblems();
    expect([retries(), summary(), auth()]).toEqual([2, false, 'oidc']);
  });

  test('parses each value once', () => {
    const fields = new FieldReader();
    let count = 0;
    const read = fields.read(() => (count += 1));
    expect([read(), read()]).toEqual([1, 1]);
  });

  test('reports all problems together, each once', () => {
    setInputs({ retries: 'many', summary: 'maybe' });
    const fields = new FieldReader();
    const retries = fields.number('retries', 0, 5);
    fields.flag('summary');
    fields.read(() => retries() + 1);
    fields.read(() => {
      throw new InputError(['One.', 'Two.']);
    });
    expect(catchProblems(() => fields.throwProblems())).toEqual([
      "`retries` must be a whole number from 0 to 5, not 'many'.",
      "`summary` must be true or false, not 'maybe'.",
      'One.',
      'Two.',
    ]);
  });

  test('reports mentioned problems last, and only with others', () => {
    setInputs({ retries: 'many' });
    const fields = new FieldReader();
    fields.mention(['One.', 'Two.']);
    expect(() => fields.throwProblems()).not.toThrow();
    fields.number('retries', 0, 5);
    fields.mention(['Three.']);
    expect(catchProblems(() => fields.throwProblems())).toEqual([
      "`retries` must be a whole number from 0 to 5, not 'many'.",
      'One.',
      'Two.',
      'Three.',
    ]);
  });

  test('does not catch other errors', () => {
    expect(() => new FieldReader().read(() => new URL('not a URL'))).toThrow('Invalid URL');
  });
});
