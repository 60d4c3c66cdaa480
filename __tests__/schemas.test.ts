import { RANKED } from '../src/results/results.ts';
import { REASONS } from '../src/outcomes/reasons.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FORMATS } from '../src/formats/registry.ts';
import { SEVERITIES } from '../src/formats/severity.ts';
import { parseScans } from '../src/inputs/scans.ts';
import { spellResults } from '../src/report/outputs.ts';
import { OPERATIONS, PARTS } from '../src/service/operations.ts';
import { readProblem } from './support/attempts.ts';
import { FAILURE, SBOM_ENTRY, REPORT_ENTRY, makeScan } from './support/report.ts';
import { SCAN_KEY } from './support/samples.ts';
import { findViolation, readAt } from './support/schemas.ts';
import { readMembers } from './support/workflows.ts';
import { InputError } from '../src/errors.ts';

const ENTRY = { 'scan-key': SCAN_KEY, files: 'a.json' };
const PAIR = { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' };
const BAD_KEYS = [
  '',
  null,
  undefined,
  'x',
  7,
  '0'.repeat(36),
  '00000000-0000-0000-0000-000000000000',
];
const GOOD_NAMES = ['', null, ' \n', 'a'.repeat(100), ` ${'a'.repeat(100)}\n`, 'é 😀'];
const BAD_NAMES = [1, 'a'.repeat(101), 'a\nb', 'a\u2028b', ['a']];
const GOOD_TEXTS = [' a\n!b', '# a\r\nb', '!! a', 'a#!', 'a\n# *', '*a*b*c*/*'];
const GOOD_ARRAYS = [['a'], ['!a', '# b', 'c'], ['a', ' ']];
const UNSET = ['', ' ', null, [], [' ']];
const BAD_PATTERNS = ['!a', '# a', ' # a\n! b', '! ! !a'];

async function isAccepted(value: unknown): Promise<boolean> {
  try {
    await parseScans(JSON.stringify(value));
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Fails unless the schema and the action agree on a value of `scans`. */
async function expectBoth(value: unknown, expected: boolean): Promise<void> {
  expect([findViolation('scans', value) === undefined, await isAccepted(value)]).toEqual([
    expected,
    expected,
  ]);
}

function listKeys(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

describe('the schema of scans, like the action,', () => {
  test.each<[unknown]>([
    [[]],
    [[ENTRY, { ...ENTRY, name: ' billing ' }]],
    [{ scans: [ENTRY] }],
    [{ $schema: '../schemas/scans.schema.json', scans: [ENTRY] }],
  ])('accepts a document: %#', async (value) => {
    await expectBoth(value, true);
  });

  test.each<[unknown]>([
    ['a.json'],
    [null],
    [{}],
    [ENTRY],
    [{ $schema: 'x' }],
    [{ scans: ENTRY }],
    [{ scans: [ENTRY], name: 'x' }],
    [{ scans: [{}] }],
    [['a.json']],
    [[[ENTRY]]],
  ])('refuses %j', async (value) => {
    await expectBoth(value, false);
  });

  test.each<object>([
    { 'scan-key': ` ${SCAN_KEY.toUpperCase()}\n` },
    ...GOOD_NAMES.map((name) => ({ name })),
    ...[...GOOD_TEXTS, ...GOOD_ARRAYS].map((files) => ({ files })),
    ...UNSET.map((files) => ({ files, 'scan-file': 'a' })),
    { files: '', ...PAIR, 'scan-file': null },
  ])('accepts an entry: %#', async (members) => {
    await expectBoth([{ ...ENTRY, ...members }], true);
  });

  test.each<object>([
    ...BAD_KEYS.map((key) => ({ 'scan-key': key })),
    ...BAD_NAMES.map((name) => ({ name })),
    ...[1, {}, [1], ['a', null], ...UNSET, ...BAD_PATTERNS].map((files) => ({ files })),
    ...BAD_PATTERNS.map((pattern) => ({ files: [pattern] })),
    ...[1, ['a'], ...BAD_PATTERNS].map((file) => ({ files: '', 'scan-file': file })),
    { 'scan-file': 'a' },
    { 'scan-file': '# a' },
    PAIR,
    { files: '', 'dependencies-file': 'a' },
    { files: '', ...PAIR, 'vulnerabilities-file': ' ' },
    { files: '', ...PAIR, 'scan-file': 'a' },
    { scanKey: SCAN_KEY },
    { $schema: 'x' },
  ])('refuses an entry: %#', async (members) => {
    await expectBoth([{ ...ENTRY, ...members }], false);
  });

  test('accepts the example in docs/multiple-scans.md', async () => {
    const text = readFileSync(new URL('../docs/multiple-scans.md', import.meta.url), 'utf8');
    const example = /^```json\n(.*?)^```$/ms.exec(text)?.[1] ?? '';
    await expectBoth(JSON.parse(example), true);
  });

  test('accepts 10,000 entries, but no more', async () => {
    const entries = Array.from({ length: 10_000 }, () => ENTRY);
    for (const more of [[], [ENTRY]]) {
      await expectBoth([...entries, ...more], more.length === 0);
      await expectBoth({ scans: [...entries, ...more] }, more.length === 0);
    }
  });
});

describe('the schema of results', () => {
  const scans = [
    makeScan({ name: 'shop' }),
    makeScan({
      result: 'rejected',
      manifest: [SBOM_ENTRY, REPORT_ENTRY],
      problem: readProblem('application/problem+json', '{"detail":"No.","errors":{"":["x"]}}'),
      failure: FAILURE,
    }),
    makeScan({ scanKey: undefined, operation: undefined, statusCode: undefined, manifest: [] }),
  ];
  const results: unknown = JSON.parse([...spellResults(scans)].join(''));
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
    ['reason', SCAN, [...Object.keys(REASONS), null]],
    ['operation', SCAN, [...OPERATIONS.map(({ name }) => name), null]],
  ])('has the values of the action: %s', (property, path, values) => {
    expect(readAt('results', [...path, 'properties', property, 'enum'])).toEqual(values);
  });

  test('has the severities of the action', () => {
    const severities = [...FILE, 'properties', 'severities', 'required'];
    expect(readAt('results', severities)).toEqual(SEVERITIES);
  });
});
