import { beforeEach, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { InputError, errorMessage } from '../src/errors.ts';
import { FORMATS } from '../src/formats/registry.ts';
import { SEVERITIES } from '../src/formats/severity.ts';
import { Problems } from '../src/inputs/fields.ts';
import { readInputs } from '../src/inputs/inputs.ts';
import { readStepScans } from '../src/inputs/scans.ts';
import { spellResults } from '../src/report/outputs.ts';
import { RANKED } from '../src/outcomes/results.ts';
import { OPERATIONS, PARTS } from '../src/service/operations.ts';
import { showJson } from '../src/redaction/gate.ts';
import { SECRET, collect, isolateEnvironment, setInputs } from './support/inputs.ts';
import { FAILURE, SBOM_ENTRY, REPORT_ENTRY, makeScan } from './support/report.ts';
import { SCAN_KEY } from './support/samples.ts';
import { findViolation, readAt } from './support/schemas.ts';
import { readMembers, readText } from './support/workflows.ts';
import type { Members } from './support/workflows.ts';

/** Whether the action accepts what is read. */
async function isAccepted(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

const ENTRY = { 'scan-key': SCAN_KEY, files: 'a.json' };
const PAIR = { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' };
const GOOD_NAMES = ['', null, ' \n', 'a'.repeat(100), ` ${'a'.repeat(100)}\n`, 'é 😀'];
const BAD_NAMES = [1, 'a'.repeat(101), 'a\nb', 'a\u2028b', ['a']];
const BAD_KEYS = ['', null, undefined, 'x', 7, '0'.repeat(36), SCAN_KEY.replace(/\w/g, '0')];
const GOOD_TEXTS = [' a\n!b', '# a\r\nb', 'a#!', 'a\n# *', '*a*b*c*/*'];
const GOOD_ARRAYS = [['a'], ['!a', '# b', 'c'], ['a', ' ']];
const UNSET = ['', ' ', null, [], [' ']];
const BAD_PATTERNS = ['!a', '# a', ' # a\n! b', '!! a'];
const MANY = Array.from({ length: 1000 }, () => ENTRY);

const GOOD_ENTRIES: readonly object[] = [
  { 'scan-key': ` ${SCAN_KEY.toUpperCase()}\n` },
  ...GOOD_NAMES.map((name) => ({ name })),
  ...[...GOOD_TEXTS, ...GOOD_ARRAYS].map((files) => ({ files })),
  ...UNSET.map((files) => ({ files, 'scan-file': 'a' })),
  { files: '', ...PAIR, 'scan-file': null },
];
const BAD_ENTRIES: readonly object[] = [
  ...BAD_KEYS.map((key) => ({ 'scan-key': key })),
  ...BAD_NAMES.map((name) => ({ name })),
  ...[1, {}, [1], ['a', null], ...UNSET, ...BAD_PATTERNS].map((files) => ({ files })),
  ...BAD_PATTERNS.map((pattern) => ({ files: [pattern] })),
  ...[1, ['a'], ...BAD_PATTERNS].map((file) => ({ files: '', 'scan-file': file })),
  ...['a', '# a'].map((file) => ({ 'scan-file': file })),
  PAIR,
  { files: '', 'dependencies-file': 'a' },
  { files: '', ...PAIR, 'vulnerabilities-file': ' ' },
  { files: '', ...PAIR, 'scan-file': 'a' },
  { scanKey: SCAN_KEY },
  { $schema: 'x' },
];
const EXAMPLE = /^```json\n(.*?)^```$/ms.exec(readText('docs', 'multiple-scans.md'))?.[1] ?? '';

describe('the schema of scans, like the action,', () => {
  test.each<[boolean, readonly unknown[]]>([
    [true, [[], [ENTRY, { ...ENTRY, name: ' billing ' }], { scans: [ENTRY] }, MANY]],
    [true, [{ $schema: '../schemas/scans.schema.json', scans: [ENTRY] }, { scans: MANY }]],
    [true, [JSON.parse(EXAMPLE)]],
    [true, GOOD_ENTRIES.map((members) => [{ ...ENTRY, ...members }])],
    [false, ['a.json', [null], {}, ENTRY, { $schema: 'x' }, { scans: ENTRY }]],
    [false, [{ scans: [{}] }, ['a.json'], [[ENTRY]]]],
    [false, [[...MANY, ENTRY], { scans: [...MANY, ENTRY] }]],
    [false, BAD_ENTRIES.map((members) => [{ ...ENTRY, ...members }])],
  ])('accepts them or not: %s (row %#)', async (expected, values) => {
    for (const value of values) {
      const text = JSON.stringify(value);
      setInputs({ scans: text });
      const found = [
        findViolation('scans', value) === undefined,
        await isAccepted(() => collect(readStepScans)),
      ];
      expect([text.slice(0, 200), ...found]).toEqual([text.slice(0, 200), expected, expected]);
    }
  });
});

function listKeys(value: unknown): readonly string[] {
  return Object.keys(readMembers(value));
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

describe('the schema of results', () => {
  const scans = [
    makeScan({ name: 'shop' }),
    makeScan({
      result: 'rejected',
      manifest: [SBOM_ENTRY, REPORT_ENTRY],
      problem: showJson({ detail: 'No.', errors: { '': ['x'] } }),
      failure: FAILURE,
    }),
    makeScan({ scanKey: undefined, operation: undefined, statusCode: undefined, manifest: [] }),
  ];
  const results: unknown = JSON.parse(spellResults(scans));
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
    const keys = listKeys(readAt('results', [...path, 'properties']));
    expect(readAt('results', [...path, 'required'])).toEqual(keys);
    expect(values.map(listKeys)).toEqual([keys, keys, keys]);
  });

  test.each<[string, readonly string[], readonly unknown[]]>([
    ['part', FILE, PARTS.map(({ name }) => name)],
    ['format', FILE, [...FORMATS.map(({ name }) => name), 'json', 'xml', 'empty', 'unknown']],
    ['result', SCAN, RANKED],
    ['operation', SCAN, [...OPERATIONS.map(({ name }) => name), null]],
  ])('has the values of the action: %s', (property, path, values) => {
    expect(readAt('results', [...path, 'properties', property, 'enum'])).toEqual(values);
  });

  test('has the severities of the action', () => {
    const severities = [...FILE, 'properties', 'severities', 'required'];
    expect(readAt('results', severities)).toEqual(SEVERITIES);
  });
});

const ACTION = readMembers(load(readText('action.yml')));
const TYPES = readMembers(load(readText('action-types.yml')));
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
    expect(types.map(([name]) => name)).toEqual(listKeys(ACTION[section]));
    for (const [, { type, ...others }] of types) expect(others).toEqual(TYPE[String(type)]);
  });

  test.each(ENUMS)('has the values that the action accepts for %s', async (name, type) => {
    setInputs({ [name]: '?' });
    // The message names every accepted value.
    const message = await readInputs(import.meta.dirname, new Problems()).then(
      String,
      errorMessage,
    );
    const accepted: string[] = [];
    for (const word of new Set(message.match(/[a-z-]+/g))) {
      setInputs({ [name]: word });
      if (await isAccepted(() => readInputs(import.meta.dirname, new Problems())))
        accepted.push(word);
    }
    expect(accepted).toEqual(type['allowed-values']);
  });

  test('has the values of the outputs', () => {
    const reasons = readList(readAt('results', ['items', 'properties', 'reason', 'enum']));
    expect(TYPES['outputs']).toMatchObject({
      result: { 'allowed-values': RANKED },
      reason: { 'allowed-values': reasons.slice(0, -1) },
    });
  });
});
