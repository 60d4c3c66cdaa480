import { describe, expect, test } from '@jest/globals';
import { parseScans } from '../../src/inputs/scans.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import type { Selection } from '../../src/files/find.ts';
import { SECRET, catchLaterProblems } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

const ALL_WAYS = '`files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`';

/** A valid entry. */
const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };

function read(...entries: readonly unknown[]): Promise<readonly ScanEntry[]> {
  return parseScans(JSON.stringify(entries));
}

/** The problems of an entry; fails if there are none. */
async function listProblems(entry: unknown): Promise<readonly string[]> {
  const [first] = await read(entry);
  if (first === undefined || !('error' in first)) throw new Error('Nothing was refused.');
  expect(first.error.message).toBe(first.error.problems.join(' '));
  return first.error.problems;
}

async function readSelection(files: object): Promise<Selection> {
  const [first] = await read({ 'scan-key': SCAN_KEY, ...files });
  if (first === undefined || 'error' in first) throw first?.error ?? new Error('No entry.');
  return first.selection;
}

describe('parseScans', () => {
  test('reads an array of entries, each labelled by its name or its index', async () => {
    const key = SCAN_KEY.toUpperCase();
    const selection = [{ input: 'scan-file', text: 'a.json' }];
    expect(
      await read({ ...ENTRY, name: ' billing ' }, { ...ENTRY, 'scan-key': ` ${key}\n` }),
    ).toEqual([
      { label: 'billing', name: 'billing', scanKey: SCAN_KEY, selection },
      { label: 'scans[1]', name: undefined, scanKey: key, selection },
    ]);
  });

  test('reads an empty array', async () => {
    expect(await parseScans('[\n]')).toEqual([]);
  });

  test.each<[string, string]>([
    ['[', ' (line 1, column 2)'],
    ['[{"name": "é😀", x}]', ' (line 1, column 18)'],
    [`[\n"${SECRET}]`, ' (line 2, column 18)'],
  ])('reports where a text is not JSON, without repeating it: %j', async (text, place) => {
    expect(await catchLaterProblems(parseScans(text))).toEqual([
      `\`scans\` is not valid JSON${place}.`,
    ]);
  });

  test.each([{}, { $schema: 'scans.schema.json' }])(
    'reads an object with the array as `scans` and with %j',
    async (others) => {
      const entries = [ENTRY, { ...ENTRY, name: 'billing' }];
      const text = JSON.stringify({ ...others, scans: entries });
      expect(await parseScans(text)).toEqual(await read(...entries));
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
  ])('refuses %s', async (text) => {
    expect(await catchLaterProblems(parseScans(text))).toEqual([
      '`scans` must be a JSON array with one entry for each scan, or an object with this array as `scans` and no other property than `$schema`.',
    ]);
  });

  test.each([null, 1, true, 'a', [], [ENTRY]])(
    'reports an entry that is not an object: %j',
    async (entry) => {
      const [first, second] = await read(entry, ENTRY);
      expect(first).toMatchObject({ label: 'scans[0]', name: undefined });
      expect(await listProblems(entry)).toEqual(['The entry is not a JSON object.']);
      expect(second).toMatchObject({ label: 'scans[1]', scanKey: SCAN_KEY });
    },
  );
});

describe('a property of an entry', () => {
  test('is refused if it is unknown, together with all other unknown ones', async () => {
    const members = { scanKey: 1, Name: 'a', token: SECRET, ['__proto__']: {}, toString: 1 };
    expect(await listProblems({ ...ENTRY, ...members })).toEqual([
      "Unknown properties 'scanKey', 'Name', 'token', '__proto__', 'toString'. An entry has name, scan-key, " +
        'files, scan-file, dependencies-file, vulnerabilities-file.',
    ]);
  });

  test('is ignored if it is inherited', async () => {
    const text = `[{"__proto__": ${JSON.stringify(ENTRY)}}]`;
    const problems = expect.arrayContaining([expect.stringMatching(/^`scan-key` is required\. /)]);
    expect(await parseScans(text)).toMatchObject([{ error: { problems } }]);
  });

  test.each(['name', 'scan-key', 'scan-file', 'dependencies-file', 'vulnerabilities-file'])(
    'must be a string: %s',
    async (name) => {
      for (const value of [1, 0, false, true, {}, [], ['a']]) {
        expect(await listProblems({ ...ENTRY, [name]: value })).toEqual([
          `\`${name}\` must be a string.`,
        ]);
      }
    },
  );

  test.each([1, 0, false, {}, [1], ['a', null], [['a']]])(
    'must be a string or an array of strings if it is files, not %j',
    async (files) => {
      const message = Array.isArray(files)
        ? '`files` must be a string, or an array of strings.'
        : '`files` must be a string.';
      expect(await listProblems({ 'scan-key': SCAN_KEY, files })).toEqual([message]);
    },
  );

  test.each(['name', 'files', 'dependencies-file', 'vulnerabilities-file'])(
    'may be empty: %s',
    async (name) => {
      for (const value of [null, '', ' \n\t']) {
        expect(await read({ ...ENTRY, [name]: value })).toEqual(await read(ENTRY));
      }
    },
  );

  test.each([null, '', ' ', undefined])('is required if it is scan-key, not %j', async (value) => {
    expect(await listProblems({ ...ENTRY, 'scan-key': value })).toEqual([
      expect.stringMatching(/^`scan-key` is required\. /),
    ]);
  });

  test('must be a UUID if it is scan-key', async () => {
    expect(await listProblems({ ...ENTRY, 'scan-key': 'x' })).toEqual([
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
  ])('can be %s', async (_, files, selection) => {
    expect(await readSelection(files)).toEqual(selection);
  });

  test.each<[object, string | RegExp]>([
    [{}, `No files are named. Set ${ALL_WAYS}.`],
    [{ files: [] }, /^No files are named/],
    [{ 'dependencies-file': 'a' }, /go together: `vulnerabilities-file` is missing/],
    [{ files: ['!a', '# b'] }, /^`files` has only excludes \(!\) or comments \(#\)/],
  ])('are refused: %j', async (files, problem) => {
    const problems = await listProblems({ 'scan-key': SCAN_KEY, ...files });
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe('the name of an entry', () => {
  test.each(['a'.repeat(101), 'a\nb', 'a\r[other] c', 'a\u2028b', 'a\u0085b', 'a\fb'])(
    'must be one short line, not %j',
    async (name) => {
      expect(await listProblems({ ...ENTRY, name })).toEqual([
        '`name` must be one line of at most 100 characters.',
      ]);
      expect(await read({ ...ENTRY, name })).toMatchObject([
        { label: 'scans[0]', name: undefined },
      ]);
    },
  );

  test('may have 100 characters', async () => {
    const name = 'a'.repeat(100);
    expect(await read({ ...ENTRY, name })).toMatchObject([{ label: name, name }]);
  });
});

describe('the limits of scans', () => {
  test('allow 10,000 entries', async () => {
    const entries = Array.from({ length: 10_000 }, () => ENTRY);
    expect(await read(...entries)).toHaveLength(10_000);
    expect(await catchLaterProblems(read(...entries, ENTRY))).toEqual([
      '`scans` has 10001 entries, more than 10000.',
    ]);
  });

  test('list 10 unknown properties', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`m${index}`, 1]));
    const [problem] = await listProblems({ ...ENTRY, ...unknown });
    expect(problem).toMatch(/^Unknown properties 'm0', .*, 'm9' and 1 more\. An entry has/);
  });
});

describe('multiple problems of an entry', () => {
  test('are all reported, under its name', async () => {
    const entry = { name: 'shop', 'scan-key': 'x', files: 'a', 'scan-file': 'b', Token: SECRET };
    expect(await read(entry)).toMatchObject([{ label: 'shop', name: 'shop' }]);
    expect(await listProblems(entry)).toEqual([
      expect.stringMatching(/^Unknown property 'Token'\./),
      expect.stringMatching(/^`scan-key` must be a UUID/),
      expect.stringMatching(/^Files are named in 2 ways/),
    ]);
  });

  test('are all reported, under its index if its name is invalid', async () => {
    const entry = { name: 1, 'scan-key': 2, 'scan-file': 3 };
    expect((await read(ENTRY, entry))[1]).toMatchObject({ label: 'scans[1]', name: undefined });
    expect(await listProblems(entry)).toEqual([
      '`name` must be a string.',
      '`scan-key` must be a string.',
      '`scan-file` must be a string.',
    ]);
  });
});
