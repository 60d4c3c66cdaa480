import { RANKED } from '../src/results/results.ts';
import { REASONS } from '../src/outcomes/reasons.ts';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { InputError } from '../src/errors.ts';
import { readInputs } from '../src/inputs/inputs.ts';
import { SECRET, isolateEnvironment, setInputs } from './support/inputs.ts';
import { SCAN_KEY } from './support/samples.ts';

type Members = Readonly<Record<string, unknown>>;

const ACTION = readYaml('action.yml');
const TYPES = readYaml('action-types.yml');
const INPUTS = listTypes('inputs');
const ENUMS = INPUTS.filter(([, { type }]) => type === 'enum');

/** The properties of each type (README of github-actions-typing). */
const TYPE: Readonly<Record<string, Members>> = {
  string: {},
  boolean: {},
  integer: {},
  enum: { 'allowed-values': expect.any(Array) },
  list: { separator: '\n', 'list-item': { type: 'string' } },
};

function readYaml(name: string): Members {
  return readMembers(load(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')));
}

function readMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function listTypes(section: string): readonly (readonly [string, Members])[] {
  const types = Object.entries(readMembers(TYPES[section]));
  return types.map(([name, type]) => [name, readMembers(type)]);
}

/** The inputs and the comments that start their groups, in order. */
function listGroups(name: string): readonly string[] {
  const text = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  return text.match(/^ {2}(?:# Group: .+|[a-z-]+:)$/gm) ?? [];
}

isolateEnvironment();
beforeEach(() => {
  setInputs({ 'base-url': 'https://a.example', 'scan-key': SCAN_KEY, files: 'a', token: SECRET });
});

/** The error message for an input with this text; empty if it is valid. */
async function findProblem(name: string, text: string): Promise<string> {
  setInputs({ [name]: text });
  try {
    await readInputs(import.meta.dirname);
    return '';
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

describe('action-types.yml', () => {
  test.each(['inputs', 'outputs'])(
    'has types for all %s, in the order of action.yml',
    (section) => {
      const types = listTypes(section);
      const names = Object.keys(readMembers(ACTION[section]));
      expect(types.map(([name]) => name)).toEqual(names);
      for (const [, { type, ...others }] of types) expect(others).toEqual(TYPE[String(type)]);
    },
  );

  test('has the groups of action.yml', () => {
    expect(listGroups('action-types.yml')).toEqual(listGroups('action.yml'));
  });

  test('has the type that fits the default of each input', () => {
    const inputs = readMembers(ACTION['inputs']);
    for (const [name, { type }] of INPUTS) {
      const { default: value = '' } = readMembers(inputs[name]);
      const text = String(value);
      expect([name, type === 'boolean']).toEqual([name, /^(?:true|false)$/.test(text)]);
      expect([name, type === 'integer']).toEqual([name, /^\d+$/.test(text)]);
      expect([name, type === 'enum']).toEqual([name, /^(?!true$|false$)[a-z]+$/.test(text)]);
    }
  });

  test.each(ENUMS)(
    'has the values that the action accepts for %s',
    async (name, { 'allowed-values': values }) => {
      // The message names every accepted value.
      const words = (await findProblem(name, '?')).match(/[a-z-]+/g) ?? [];
      const accepted: string[] = [];
      for (const word of new Set(words)) {
        if ((await findProblem(name, word)) === '') accepted.push(word);
      }
      expect(accepted).toEqual(values);
    },
  );

  test('has the values of the outputs', () => {
    expect(TYPES['outputs']).toMatchObject({
      result: { 'allowed-values': RANKED },
      reason: { 'allowed-values': Object.keys(REASONS) },
    });
  });
});
