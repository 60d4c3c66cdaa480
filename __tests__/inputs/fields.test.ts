import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readManifest } from '../../local/step/manifest.ts';
import { InputError } from '../../src/errors.ts';
import { DECLARED } from '../../src/inputs/declared.ts';
import { FieldReader, getText, mayBeOn } from '../../src/inputs/fields.ts';
import { catchProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';

isolateEnvironment();

describe('DECLARED', () => {
  test('has the inputs and defaults of action.yml, no more and no less', async () => {
    const { inputs } = await readManifest(join(import.meta.dirname, '..', '..'));
    expect(inputs.length).toBeGreaterThan(20);
    expect(Object.entries(DECLARED)).toEqual(inputs.map((input) => [input.name, input.default]));
  });
});

describe('getText', () => {
  test.each([
    ['retries', undefined, '8'],
    ['retries', '', '8'],
    ['retries', ' \n', '8'],
    ['retries', ' 3\n', '3'],
    ['retries', '0', '0'],
    ['token', undefined, ''],
    ['token', '', ''],
    ['token', ' abc ', 'abc'],
  ] as const)('reads %s from %j as %j', (name, text, expected) => {
    if (text !== undefined) setInputs({ [name]: text });
    expect(getText(name)).toBe(expected);
  });

  test('reads names as the runner writes them, in upper case with their hyphens', () => {
    process.env['INPUT_TOKEN-HEADER'] = 'X-Key';
    process.env.INPUT_SCAN_KEY = 'underscored';
    expect(getText('token-header')).toBe('X-Key');
    expect(getText('scan-key')).toBe('');
  });
});

describe('mayBeOn', () => {
  test.each([
    ['summary', undefined, true],
    ['summary', 'maybe', true],
    ['summary', 'FALSE', false],
    ['allow-http', '', false],
    ['allow-http', 'true', true],
  ] as const)('%s %j: %j', (name, text, expected) => {
    if (text !== undefined) setInputs({ [name]: text });
    expect(mayBeOn(name)).toBe(expected);
  });
});

describe('FieldReader', () => {
  test('hands out what was parsed, once it is asked for', () => {
    setInputs({ retries: '2', summary: 'FALSE', auth: 'oidc' });
    const fields = new FieldReader();
    const retries = fields.number('retries', 0, 5);
    const summary = fields.flag('summary');
    const auth = fields.choice('auth', ['token', 'oidc']);
    fields.throwProblems();
    expect([retries(), summary(), auth()]).toEqual([2, false, 'oidc']);
  });

  test('parses once', () => {
    const fields = new FieldReader();
    let count = 0;
    const read = fields.read(() => (count += 1));
    expect([read(), read()]).toEqual([1, 1]);
  });

  test('tells all problems together, each of them once', () => {
    setInputs({ retries: 'many', summary: 'maybe' });
    const fields = new FieldReader();
    const retries = fields.number('retries', 0, 5);
    fields.flag('summary');
    fields.read(() => retries() + 1);
    fields.read(() => {
      throw new InputError('One.', 'Two.');
    });
    expect(catchProblems(() => fields.throwProblems())).toEqual([
      "retries must be a whole number from 0 to 5, not 'many'.",
      "summary must be true or false, not 'maybe'.",
      'One.',
      'Two.',
    ]);
  });

  test('tells what was mentioned last, and only with other problems', () => {
    setInputs({ retries: 'many' });
    const fields = new FieldReader();
    fields.mention(['One.', 'Two.']);
    expect(() => fields.throwProblems()).not.toThrow();
    fields.number('retries', 0, 5);
    fields.mention(['Three.']);
    expect(catchProblems(() => fields.throwProblems())).toEqual([
      "retries must be a whole number from 0 to 5, not 'many'.",
      'One.',
      'Two.',
      'Three.',
    ]);
  });

  test('hands out nothing for a bad field', () => {
    setInputs({ retries: 'many' });
    const retries = new FieldReader().number('retries', 0, 5);
    expect(catchProblems(retries)).toEqual([
      "retries must be a whole number from 0 to 5, not 'many'.",
    ]);
  });

  test('does not take a bug for a bad input', () => {
    const fields = new FieldReader();
    expect(() => fields.read(makeBug)).toThrow(TypeError);
  });
});

function makeBug(): never {
  throw new TypeError('a bug');
}
