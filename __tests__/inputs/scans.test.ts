import { describe, expect, test } from '@jest/globals';
import { readScans } from '../../src/inputs/scans.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import type { Selection } from '../../src/inputs/selection.ts';
import { SECRET, catchProblems } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

const WORKSPACE = import.meta.dirname;
const ALL_WAYS = 'files, or scan-file, or dependencies-file with vulnerabilities-file';

/** An entry that nothing is wrong with. */
const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };

function read(...entries: readonly unknown[]): readonly ScanEntry[] {
  return readScans(JSON.stringify(entries), WORKSPACE);
}

/** What is wrong with an entry; fails if nothing is. */
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

describe('readScans', () => {
  test('reads an array of entries, each called by its name or its place', () => {
    const key = SCAN_KEY.toUpperCase();
    expect(read({ ...ENTRY, name: ' billing ' }, { ...ENTRY, 'scan-key': ` ${key}\n` })).toEqual([
      {
        label: 'billing',
        name: 'billing',
        scanKey: SCAN_KEY,
        selection: [{ input: 'scan-file', text: 'a.json' }],
      },
      {
        label: 'scans[1]',
        name: undefined,
        scanKey: key,
        selection: [{ input: 'scan-file', text: 'a.json' }],
      },
    ]);
  });

  test('reads an array without entries', () => {
    expect(readScans('[]', WORKSPACE)).toEqual([]);
    expect(readScans('[\n]', WORKSPACE)).toEqual([]);
  });

  test('leaves entries that are alike to others', () => {
    expect(read(ENTRY, ENTRY)).toHaveLength(2);
  });

  test.each<[string, string]>([
    ['[', ' (line 1, column 2)'],
    ['[{"scan-key": }]', ' (line 1, column 15)'],
    ['[\n  {\n    "name": "a",\n  }\n]', ' (line 4, column 3)'],
    ['[{"name": "é😀", x}]', ' (line 1, column 18)'],
    [`[\n"${SECRET}]`, ' (line 2, column 18)'],
    [`[{"token": ${SECRET}}]`, ' (line 1, column 12)'],
    ["[{'name': 'a'}]", ' (line 1, column 3)'],
    ['[] x', ' (line 1, column 4)'],
    ['[1,]', ' (line 1, column 4)'],
  ])('tells where a text is no JSON, and nothing of what is in it: %j', (text, place) => {
    expect(catchProblems(() => readScans(text, WORKSPACE))).toEqual([
      `scans is not valid JSON${place}.`,
    ]);
  });

  test.each(['{}', '{"scan-key": "x"}', '{"scans": []}'])('refuses %s', (text) => {
    expect(catchProblems(() => readScans(text, WORKSPACE))).toEqual([
      'scans must be a JSON array, an entry per scan.',
    ]);
  });

  test.each([null, 1, true, 'a', [], [ENTRY]])(
    'tells of an entry that is no object: %j',
    (entry) => {
      const [first, second] = read(entry, ENTRY);
      expect(first).toMatchObject({ label: 'scans[0]', name: undefined });
      expect(listProblems(entry)).toEqual(['This is not a JSON object.']);
      expect(second).toMatchObject({ label: 'scans[1]', scanKey: SCAN_KEY });
    },
  );
});

describe('a member of an entry', () => {
  test('is refused if there is no such member, each named at once', () => {
    const members = { scanKey: 1, Name: 'a', token: SECRET, ['__proto__']: {}, toString: 1 };
    expect(listProblems({ ...ENTRY, ...members })).toEqual([
      "Unknown: 'scanKey', 'Name', 'token', '__proto__', 'toString'. An entry has name, scan-key, " +
        'files, scan-file, dependencies-file, vulnerabilities-file.',
    ]);
  });

  test('does not come from a prototype', () => {
    const text = `[{"__proto__": ${JSON.stringify(ENTRY)}}]`;
    const [entry] = readScans(text, WORKSPACE);
    expect(entry).toMatchObject({
      error: {
        problems: [
          expect.stringMatching(/^Unknown: '__proto__'\./),
          'scan-key is required: the UUID of the scan.',
          expect.stringMatching(/^No files are named/),
        ],
      },
    });
  });

  test.each(['name', 'scan-key', 'scan-file', 'dependencies-file', 'vulnerabilities-file'])(
    'has to be a text: %s',
    (name) => {
      for (const value of [1, 0, false, true, {}, [], ['a']]) {
        expect(listProblems({ ...ENTRY, [name]: value })).toEqual([`${name} must be a text.`]);
      }
    },
  );

  test.each([1, 0, false, {}, [1], ['a', null], [['a']]])(
    'has to be a text or an array of texts: files as %j',
    (files) => {
      const message = Array.isArray(files)
        ? 'files must be a text, or an array of texts.'
        : 'files must be a text.';
      expect(listProblems({ 'scan-key': SCAN_KEY, files })).toEqual([message]);
    },
  );

  test.each(['name', 'files', 'dependencies-file', 'vulnerabilities-file'])(
    'is as good as absent if it is empty: %s',
    (name) => {
      for (const value of [null, '', ' \n\t']) {
        expect(read({ ...ENTRY, [name]: value })).toEqual(read(ENTRY));
      }
    },
  );

  test.each([null, '', ' ', undefined])('is needed: scan-key, not %j', (value) => {
    expect(listProblems({ ...ENTRY, 'scan-key': value })).toEqual([
      'scan-key is required: the UUID of the scan.',
    ]);
  });

  test.each([
    ['x', /^scan-key must be a UUID \(8-4-4-4-12 hexadecimal digits\), not 'x'\.$/],
    [`{${SCAN_KEY}}`, /^scan-key must be a UUID/],
    [`${SCAN_KEY}\n${SCAN_KEY}`, /^scan-key must be a UUID/],
    ['00000000-0000-0000-0000-000000000000', /^scan-key must not be the nil UUID/],
  ])('is a UUID: scan-key, not %j', (key, message) => {
    expect(listProblems({ ...ENTRY, 'scan-key': key })).toEqual([expect.stringMatching(message)]);
  });
});

describe('the files of an entry', () => {
  test.each<[string, object, Selection]>([
    ['patterns', { files: ' a\n!b ' }, [{ input: 'files', text: 'a\n!b' }]],
    ['an array', { files: ['a', ' # c', '!b'] }, [{ input: 'files', text: 'a\n # c\n!b' }]],
    ['an array of one', { files: ['a'] }, [{ input: 'files', text: 'a' }]],
    ['one scan', { 'scan-file': ' s ' }, [{ input: 'scan-file', text: 's' }]],
    [
      'a pair',
      { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' },
      [
        { input: 'dependencies-file', text: 'd' },
        { input: 'vulnerabilities-file', text: 'v' },
      ],
    ],
  ])('are named as %s', (_, files, selection) => {
    expect(readSelection(files)).toEqual(selection);
  });

  test.each([{}, { files: [] }, { files: ['', ' '] }, { 'scan-file': '' }, { files: null }])(
    'have to be named: %j',
    (files) => {
      expect(listProblems({ 'scan-key': SCAN_KEY, ...files })).toEqual([
        `No files are named: set ${ALL_WAYS}.`,
      ]);
    },
  );

  test.each<[object, number]>([
    [{ files: 'a', 'scan-file': 'b' }, 2],
    [{ files: ['a'], 'dependencies-file': 'b' }, 2],
    [{ files: 'a', 'vulnerabilities-file': 'b' }, 2],
    [{ 'scan-file': 'a', 'dependencies-file': 'b', 'vulnerabilities-file': 'c' }, 2],
    [{ files: ['a'], 'scan-file': 'b', 'vulnerabilities-file': 'c' }, 3],
  ])('are named in one way alone: %j', (files, ways) => {
    expect(listProblems({ 'scan-key': SCAN_KEY, ...files })).toEqual([
      `Files are named in ${ways} ways: set only one of ${ALL_WAYS}.`,
    ]);
  });

  test.each([
    ['dependencies-file', 'vulnerabilities-file'],
    ['vulnerabilities-file', 'dependencies-file'],
  ])('are two where one of them is %s', (given, missing) => {
    expect(listProblems({ 'scan-key': SCAN_KEY, [given]: 'a' })).toEqual([
      expect.stringContaining(`go together: ${missing} is missing`),
    ]);
  });

  test.each([{ files: ['!a', '# b'] }, { 'scan-file': '!a' }])('include something: %j', (files) => {
    expect(listProblems({ 'scan-key': SCAN_KEY, ...files })).toEqual([
      expect.stringMatching(/ holds only excludes \(!\) or comments \(#\)/),
    ]);
  });
});

describe('the name of an entry', () => {
  test.each(['a'.repeat(101), 'a\nb', 'a\r[other] c'])('is one short line, not %j', (name) => {
    expect(listProblems({ ...ENTRY, name })).toEqual([
      'name must be one line of at most 100 characters.',
    ]);
    expect(read({ ...ENTRY, name })).toMatchObject([{ label: 'scans[0]', name: undefined }]);
  });

  test('may have a hundred characters', () => {
    const name = 'a'.repeat(100);
    expect(read({ ...ENTRY, name })).toMatchObject([{ label: name, name }]);
  });
});

describe('how much there may be', () => {
  test('is ten thousand entries', () => {
    const entries = Array.from({ length: 10_000 }, () => ENTRY);
    expect(read(...entries)).toHaveLength(10_000);
    expect(catchProblems(() => read(...entries, ENTRY))).toEqual([
      'scans has 10001 entries, more than 10000.',
    ]);
  });

  test('of unknown members ten are named', () => {
    const unknown = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`m${index}`, 1]));
    const [problem] = listProblems({ ...ENTRY, ...unknown });
    expect(problem).toMatch(/^Unknown: 'm0', .*, 'm9', \.\.\.\. An entry has/);
  });
});

describe('several problems of an entry', () => {
  test('are all told, under its name', () => {
    const entry = { name: 'shop', 'scan-key': 'x', files: 'a', 'scan-file': 'b', Token: SECRET };
    expect(read(entry)).toMatchObject([{ label: 'shop', name: 'shop' }]);
    expect(listProblems(entry)).toEqual([
      expect.stringMatching(/^Unknown: 'Token'\./),
      expect.stringMatching(/^scan-key must be a UUID/),
      expect.stringMatching(/^Files are named in 2 ways/),
    ]);
    expect(listProblems(entry).join('')).not.toContain(SECRET);
  });

  test('are all told, at its place if its name cannot be read', () => {
    const entry = { name: 1, 'scan-key': 2, 'scan-file': 3 };
    expect(read(ENTRY, entry)[1]).toMatchObject({ label: 'scans[1]', name: undefined });
    expect(listProblems(entry)).toEqual([
      'name must be a text.',
      'scan-key must be a text.',
      'scan-file must be a text.',
    ]);
  });
});
