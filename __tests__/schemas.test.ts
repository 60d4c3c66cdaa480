import { beforeEach, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { InputError } from '../src/errors.ts';
import { FORMATS } from '../src/formats/registry.ts';
import { SEVERITIES } from '../src/formats/severity.ts';
import { Faults } from '../src/inputs/fields.ts';
import { readInputs } from '../src/inputs/inputs.ts';
import { readStepScans } from '../src/inputs/scans.ts';
import { RANKED } from '../src/outcomes/results.ts';
import { MARK_NAMES } from '../src/plan/marks.ts';
import { spellResults } from '../src/report/outputs.ts';
import { OPERATIONS, PARTS } from '../src/service/operations.ts';
import { SECRET, collect, isolateEnvironment, setInputs } from './support/inputs.ts';
import { FAILURE, SBOM_ENTRY, REPORT_ENTRY, makeBatch, makeScan } from './support/report.ts';
import { findViolation, readAt, listNames, readMembers, readText } from './support/repository.ts';
import type { Members } from './support/repository.ts';
import { SCAN_KEY } from './support/workspace.ts';

/** Whether the action accepts a text as `scans`. */
async function isAccepted(text: string): Promise<boolean> {
  setInputs({ scans: text });
  try {
    await collect(readStepScans);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

const ENTRY = { 'scan-key': SCAN_KEY, files: 'a.json' };
const PAIR = { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' };
const UNSET = ['', ' ', null, [], [' ']];
const NO_FILES = ['!a', '# a', ' # a\n! b', '!! a'];
/** An exclusion above every pattern, which excludes nothing. */
const EXCLUDED_FIRST = ['!a\nb', '\n # a\r\n !b\nc', ['!a', 'b'], ['# a\n!b\nc', 'd']];
const MANY = Array.from({ length: 1000 }, () => ENTRY);

/** A valid entry with each of these values of one member. */
function vary(name: string, ...values: readonly unknown[]): readonly object[] {
  return values.map((value) => ({ ...ENTRY, [name]: value }));
}

/** Entries with other inputs for their files. */
function select(...inputs: readonly object[]): readonly object[] {
  return inputs.map((input) => ({ ...ENTRY, files: '', ...input }));
}

const GOOD_ENTRIES: readonly object[] = [
  ...vary('scan-key', ` ${SCAN_KEY.toUpperCase()}\n`),
  ...vary('name', '', null, ' \n', 'a'.repeat(100), ` ${'a'.repeat(100)}\n`, 'é 😀'),
  ...vary('files', ' a\n!b', '# a\r\nb', 'a#!', 'a\n# *', '*a*b*c*/*'),
  ...vary('files', ['a'], ['c', '# b', '!a'], ['a', ' '], ['# a\n b', '!c'], ['', 'a', '!b']),
  ...select(...UNSET.map((files) => ({ files, 'scan-file': 'a' }))),
  ...select({ ...PAIR, 'scan-file': null }),
];
const BAD_ENTRIES: readonly object[] = [
  ...vary('scan-key', '', null, undefined, 'x', 7, '0'.repeat(36), SCAN_KEY.replace(/\w/g, '0')),
  ...vary('name', 1, 'a'.repeat(101), 'a\nb', 'a\u2028b', ['a']),
  ...vary(
    'files',
    1,
    {},
    [1],
    ['a', null],
    ...UNSET,
    ...NO_FILES,
    ...NO_FILES.map((text) => [text]),
    ...EXCLUDED_FIRST,
  ),
  ...vary('scan-file', 'a', '# a'),
  ...vary('scanKey', SCAN_KEY),
  ...vary('$schema', 'x'),
  ...select(...[1, ['a'], ...NO_FILES].map((file) => ({ 'scan-file': file }))),
  ...select({ files: 'a', ...PAIR }, { 'dependencies-file': 'a' }),
  ...select({ ...PAIR, 'vulnerabilities-file': ' ' }, { ...PAIR, 'scan-file': 'a' }),
];
const EXAMPLE = /^```json\n(.*?)^```$/ms.exec(readText('docs', 'multiple-scans.md'))?.[1] ?? '';

describe('the schema of scans, like the action,', () => {
  test.each<[boolean, string, readonly unknown[]]>([
    [true, 'lists', [[], [ENTRY, { ...ENTRY, name: ' billing ' }], { scans: [ENTRY] }, MANY]],
    [
      true,
      'objects',
      [{ $schema: '../schemas/scans.schema.json', scans: [ENTRY] }, { scans: MANY }],
    ],
    [true, 'the example of the page', [JSON.parse(EXAMPLE)]],
    [true, 'entries', GOOD_ENTRIES.map((entry) => [entry])],
    [false, 'other values', ['a.json', [null], {}, ENTRY, { $schema: 'x' }, { scans: ENTRY }]],
    [false, 'entries without a key, and lists', [{ scans: [{}] }, ['a.json'], [[ENTRY]]]],
    [false, 'over 1,000 entries', [[...MANY, ENTRY], { scans: [...MANY, ENTRY] }]],
    [false, 'wrong entries', BAD_ENTRIES.map((entry) => [entry])],
  ])('accepts them or not, %s: %s', async (expected, _, values) => {
    for (const value of values) {
      const text = JSON.stringify(value);
      const found = [findViolation('scans', value) === undefined, await isAccepted(text)];
      expect([text.slice(0, 200), ...found]).toEqual([text.slice(0, 200), expected, expected]);
    }
  });
});

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

describe('the schema of results', () => {
  const problem = JSON.stringify({ detail: 'No.', errors: { '': ['x'] } });
  const manifest = [SBOM_ENTRY, REPORT_ENTRY];
  const scans = [
    makeScan({ name: 'shop' }),
    makeScan({ result: 'rejected', manifest, problem, failure: FAILURE }),
    makeScan({ scanKey: '', operation: undefined, statusCode: undefined, manifest: [] }),
  ];
  const results: unknown = JSON.parse(spellResults(makeBatch(scans)));
  const entries = readList(results);
  const SCAN = ['items'];
  const FILE = ['$defs', 'file'];

  test('matches what the action writes', () => {
    expect(entries).toHaveLength(3);
    expect(findViolation('results', results)).toBeUndefined();
  });

  test.each([
    ['a scan', SCAN, entries],
    ['a file', FILE, entries.flatMap((entry) => readList(readMembers(entry)['manifest']))],
  ])('requires every member of %s, in order', (_, path, values) => {
    const keys = listNames(readAt('results', [...path, 'properties']));
    expect(readAt('results', [...path, 'required'])).toEqual(keys);
    expect(values.map((value) => listNames(value))).toEqual([keys, keys, keys]);
  });

  test.each<[string, readonly string[], readonly unknown[]]>([
    ['part.enum', FILE, PARTS.map(({ name }) => name)],
    ['format.enum', FILE, [...FORMATS.map(({ name }) => name), 'json', 'xml', 'empty', 'unknown']],
    ['severities.required', FILE, SEVERITIES],
    ['marks.items.enum', FILE, MARK_NAMES],
    ['result.enum', SCAN, RANKED],
    ['operation.enum', SCAN, [...OPERATIONS.map(({ name }) => name), null]],
  ])('has the values of the action: %s', (property, path, values) => {
    expect(readAt('results', [...path, 'properties', ...property.split('.')])).toEqual(values);
  });
});

const ACTION = load(readText('action.yml'));
const TYPES = readMembers(load(readText('action-types.yml')));
const ENUMS = listTypes('inputs').filter(([, { type }]) => type === 'enum');

/** The properties of each type (README of github-actions-typing). */
const TYPE: Readonly<Record<string, Members>> = {
  string: {},
  boolean: {},
  integer: {},
  enum: { 'allowed-values': expect.any(Array) },
  list: { separator: '\n', 'list-item': { type: 'string' } },
};

function listTypes(section: string): readonly (readonly [string, Members])[] {
  const types = Object.entries(readMembers(TYPES[section]));
  return types.map(([name, type]) => [name, readMembers(type)]);
}

describe('action-types.yml', () => {
  isolateEnvironment();
  beforeEach(() => {
    setInputs({ 'base-url': 'https://a.example', 'scan-key': SCAN_KEY, files: 'a', token: SECRET });
  });

  test.each(['inputs', 'outputs'])('has types for all %s of action.yml, in order', (section) => {
    const types = listTypes(section);
    expect(types.map(([name]) => name)).toEqual(listNames(ACTION, section));
    for (const [, { type, ...others }] of types) expect(others).toEqual(TYPE[String(type)]);
  });

  test.each(ENUMS)('has the values that the action accepts for %s', async (name, type) => {
    setInputs({ [name]: '?' });
    const values = readList(type['allowed-values']).join(', ');
    await expect(readInputs(import.meta.dirname, new Faults())).rejects.toThrow(
      `\`${name}\` must be one of ${values}, not '?'.`,
    );
  });

  test('has the values of the outputs', () => {
    const reasons = readList(readAt('results', ['items', 'properties', 'reason', 'enum']));
    expect(TYPES['outputs']).toMatchObject({
      result: { 'allowed-values': RANKED },
      reason: { 'allowed-values': reasons.slice(0, -1) },
    });
  });
});
