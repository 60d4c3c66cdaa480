import { describe, expect, test } from '@jest/globals';
import { parseScans } from '../../src/inputs/scans.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import type { Selection } from '../../src/inputs/selection.ts';
import { SECRET, catchProblems } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

const ALL_WAYS = '`files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`';

/** A valid entry. */
const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };

function read(...entries: readonly unknown[]): readonly ScanEntry[] {
  return parseScans(JSON.stringify(entries));
}

/** The problems of an entry; fails if there are none. */
function listProblems(entry: unknown): readonly string[] {
  const [first] = read(entry);
  if (first === undefined || !('error' in first)) throw new Error('Nothing was refused.');
  expect(first.error.message).toBe(first.error.problems.join(' '));
  return first.error.problems;
}

function readSelection(files: object): Selection {
  const [first] = read({ 'scan-key': SCAN_KEY, ...files });
  if (first === undefined || 'error' in first) throw first?.error ?? new Error('No entry.');
  return first.selection;
}

describe('parseScans', () => {
  test('reads an array of entries, each labelled by its name or its index', () => {
    const key = SCAN_KEY.toUpperCase();
    const selection = [{ input: 'scan-file', text: 'a.json' }];
    expect(read({ ...ENTRY, name: ' billing ' }, { ...ENTRY, 'scan-key': ` ${key}\n` })).toEqual([
      { label: 'billing', name: 'billing', scanKey: SCAN_KEY, selection },
      { label: 'scans[1]', name: undefined, scanKey: key, selection },
    ]);
  });

  test('reads an empty array', () => {
    expect(parseScans('[\n]')).toEqual([]);
  });

  test.each<[string, string]>([
    ['[', ' (line 1, column 2)'],
    ['[{"name": "é😀", x}]', ' (line 1, column 18)'],
    [`[\n"${SECRET}]`, ' (line 2, column 18)'],
  ])('reports where a text is not JSON, without repeating it: %j', (text, place) => {
    expect(catchProblems(() => parseScans(text))).toEqual([`\`scans\` is not valid JSON${place}.`]);
  });

  test.each([{}, { $schema: 'scans.schema.json' }])(
    'reads an object with the array as `scans` and with %j',
    (others) => {
      const entries = [ENTRY, { ...ENTRY, name: 'billing' }];
      const text = JSON.stringify({ ...others, scans: entries });
      expect(parseScans(text)).toEqual(read(...entries));
    },
  );

  test.each([
    '{}',
    '{"scan-key": "x"}',
    '{"$schema": "x"}',
    '{"scans": {"scans": []}}',
    '{"scans": "a.json"}',
    '{"scans": [], "name": "x"}',
    '{"__proto__": {"scans": []}}',
  ])('refuses %s', (text) => {
    expect(catchProblems(() => parseScans(text))).toEqual([
      '`scans` must be a JSON array with one entry for each scan, or an object with this array as `scans` and no other property than `$schema`.',
    ]);
  });

  test.each([null, 1, true, 'a', [], [ENTRY]])(
    'reports an entry that is not an object: %j',
    (entry) => {
      const [first, second] = read(entry, ENTRY);
      expect(first).toMatchObject({ label: 'scans[0]', name: undefined });
      expect(listProblems(entry)).toEqual(['The entry is not a JSON object.']);
      expect(second).toMatchObject({ label: 'scans[1]', scanKey: SCAN_KEY });
    },
  );
});

describe('a property of an entry', () => {
  test('is refused if it is unknown, together with all other unknown ones', () => {
    const members = { scanKey: 1, Name: 'a', token: SECRET, ['__proto__']: {}, toString: 1 };
    expect(listProblems({ ...ENTRY, ...members })).toEqual([
      "Unknown properties 'scanKey', 'Name', 'token', '__proto__', 'toString'. An entry has name, scan-key, " +
        'files, scan-file, dependencies-file, vulnerabilities-file.',
    ]);
  });

  test('is ignored if it is inherited', () => {
    const text = `[{"__proto__": ${JSON.stringify(ENTRY)}}]`;
    const problems = expect.arrayContaining([
      '`scan-key` is required. Set it to the UUID of the scan.',
    ]);
    expect(parseScans(text)).toMatchObject([{ error: { problems } }]);
  });

  test.each(['name', 'scan-key', 'scan-file', 'dependencies-file', 'vulnerabilities-file'])(
    'must be a string: %s',
    (name) => {
      for (const value of [1, 0, false, true, {}, [], ['a']]) {
        expect(listProblems({ ...ENTRY, [name]: value })).toEqual([
          `\`${name}\` must be a string.`,
        ]);
      }
    },
  );

  test.each([1, 0, false, {}, [1], ['a', null], [['a']]])(
    'must be a string or an array of strings if it is files, not %j',
    (files) => {
      const message = Array.isArray(files)
        ? '`files` must be a string, or an array of strings.'
        : '`files` must be a string.';
      expect(listProblems({ 'scan-key': SCAN_KEY, files })).toEqual([message]);
    },
  );

  test.each(['name', 'files', 'dependencies-file', 'vulnerabilities-file'])(
    'may be empty: %s',
    (name) => {
      for (const value of [null, '', ' \n\t']) {
        expect(read({ ...ENTRY, [name]: value })).toEqual(read(ENTRY));
      }
    },
  );

  test.each([null, '', ' ', undefined])('is required if it is scan-key, not %j', (value) => {
    expect(listProblems({ ...ENTRY, 'scan-key': value })).toEqual([
      '`scan-key` is required. Set it to the UUID of the scan.',
    ]);
  });

  test('must be a UUID if it is scan-key', () => {
    expect(listProblems({ ...ENTRY, 'scan-key': 'x' })).toEqual([
      "`scan-key` must be a UUID (8-4-4-4-12 hexadecimal digits), not 'x'.",
    ]);
  });
});

describe('the files of an entry', () => {
  test.each<[string, object, Selection]>([
    ['patterns', { files: ' a\n!b ' }, [{ input: 'files', text: 'a\n!b' }]],
    ['an array', { files: ['a', ' # c', '!b'] }, [{ input: 'files', text: 'a\n # c\n!b' }]],
    [
      'a pair',
      { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' },
      [
        { input: 'dependencies-file', text: 'd' },
        { input: 'vulnerabilities-file', text: 'v' },
      ],
    ],
  ])('can be %s', (_, files, selection) => {
    expect(readSelection(files)).toEqual(selection);
  });

  test.each<[object, string | RegExp]>([
    [{}, `No files are named: set ${ALL_WAYS}.`],
    [{ files: [] }, /^No files are named/],
    [{ 'dependencies-file': 'a' }, /go together: `vulnerabilities-file` is missing/],
    [{ files: ['!a', '# b'] }, /^`files` has only excludes \(!\) or comments \(#\)/],
  ])('are refused: %j', (files, problem) => {
    const problems = listProblems({ 'scan-key': SCAN_KEY, ...files });
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe('the name of an entry', () => {
  test.each(['a'.repeat(101), 'a\nb', 'a\r[other] c', 'a\u2028b', 'a\u0085b', 'a\fb'])(
    'must be one short line, not %j',
    (name) => {
      expect(listProblems({ ...ENTRY, name })).toEqual([
        '`name` must be one line of at most 100 characters.',
      ]);
      expect(read({ ...ENTRY, name })).toMatchObject([{ label: 'scans[0]', name: undefined }]);
    },
  );

  test('may have 100 characters', () => {
    const name = 'a'.repeat(100);
    expect(read({ ...ENTRY, name })).toMatchObject([{ label: name, name }]);
  });
});

describe('the limits of scans', () => {
  test('allow 10,000 entries', () => {
    const entries = Array.from({ length: 10_000 }, () => ENTRY);
    expect(read(...entries)).toHaveLength(10_000);
    expect(catchProblems(() => read(...entries, ENTRY))).toEqual([
      '`scans` has 10001 entries, more than 10000.',
    ]);
  });

  test('list 10 unknown properties', () => {
    const unknown = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`m${index}`, 1]));
    const [problem] = listProblems({ ...ENTRY, ...unknown });
    expect(problem).toMatch(/^Unknown properties 'm0', .*, 'm9', \.\.\.\. An entry has/);
  });
});

describe('multiple problems of an entry', () => {
  test('are all reported, under its name', () => {
    const entry = { name: 'shop', 'scan-key': 'x', files: 'a', 'scan-file': 'b', Token: SECRET };
    expect(read(entry)).toMatchObject([{ label: 'shop', name: 'shop' }]);
    expect(listProblems(entry)).toEqual([
      expect.stringMatching(/^Unknown property 'Token'\./),
      expect.stringMatching(/^`scan-key` must be a UUID/),
      expect.stringMatching(/^Files are named in 2 ways/),
    ]);
  });

  test('are all reported, under its index if its name is invalid', () => {
    const entry = { name: 1, 'scan-key': 2, 'scan-file': 3 };
    expect(read(ENTRY, entry)[1]).toMatchObject({ label: 'scans[1]', name: undefined });
    expect(listProblems(entry)).toEqual([
      '`name` must be a string.',
      '`scan-key` must be a string.',
      '`scan-file` must be a string.',
    ]);
  });
});
