import { describe, expect, test } from '@jest/globals';
import { readStepScans } from '../../src/inputs/scans.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import { SECRET, catchLaterProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

isolateEnvironment();

/** A valid entry. */
const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };
const SCAN = { scanKey: SCAN_KEY, selection: [{ input: 'scan-file', text: 'a.json' }] };
const KEYED = { 'scan-key': SCAN_KEY };
/** Only a byte order mark at the start of `scans` is left out. */
const LONG_NAME = `a\uFEFF${'b'.repeat(98)}`;
const LIST = JSON.stringify([ENTRY]);
const TWICE = `[{"files":"a\\\\\\":","scan-key":"${SCAN_KEY}","files" : "b"}]`;

async function readEntries(scans: unknown, inputs: Texts = {}): Promise<readonly ScanEntry[]> {
  const text = typeof scans === 'string' ? scans : JSON.stringify(scans);
  setInputs({ scans: text, ...inputs });
  return readStepScans(import.meta.dirname);
}

function listProblems(scans: unknown, inputs: Texts = {}): Promise<readonly string[]> {
  return catchLaterProblems(readEntries(scans, inputs));
}

function select(...texts: readonly (readonly [string, string])[]): object {
  return { selection: texts.map(([input, text]) => ({ input, text })) };
}

// Files are in scans-file.test.ts.
describe('the input scans', () => {
  test.each<[string, unknown, readonly object[]]>([
    ['an empty array', '[\n]', []],
    [
      'entries in their order, each labelled by its name or its index',
      [{ ...ENTRY, name: ' b ' }, ENTRY, { ...ENTRY, name: 'a' }],
      [
        { label: 'b', name: 'b', ...SCAN },
        { label: 'scans[1]', name: undefined, ...SCAN },
        { label: 'a', name: 'a', ...SCAN },
      ],
    ],
    ['a byte order mark', `\uFEFF${LIST}`, [SCAN]],
    ['an object with the array', { scans: [ENTRY] }, [SCAN]],
    ['an object with a schema', { $schema: 'x', scans: [ENTRY] }, [SCAN]],
    ['a key in upper case', [{ ...ENTRY, 'scan-key': ` ${SCAN_KEY.toUpperCase()}\n` }], [{}]],
    ['a name of 100 characters', [{ ...ENTRY, name: LONG_NAME }], [{ name: LONG_NAME }]],
    ['empty properties', [{ ...ENTRY, name: null, files: '', 'dependencies-file': ' \n' }], [SCAN]],
    ['a text that only resembles a property', TWICE.replace('"files" :', '"name":'), [{}]],
    ['lines of patterns', [{ ...KEYED, files: ' a\n!b ' }], [select(['files', 'a\n!b'])]],
    [
      'a list of patterns',
      [{ ...KEYED, files: ['a', ' # c', '!b'] }],
      [select(['files', 'a\n # c\n!b'])],
    ],
    [
      'two files',
      [{ ...KEYED, 'dependencies-file': 'd', 'vulnerabilities-file': 'v' }],
      [select(['dependencies-file', 'd'], ['vulnerabilities-file', 'v'])],
    ],
  ])('reads %s', async (_, scans, expected) => {
    const entries = await readEntries(scans);
    expect(entries).toMatchObject(expected);
    expect(entries).toHaveLength(expected.length);
  });

  test.each(['scan-key', 'files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'])(
    'cannot be combined with %s, unless that is blank',
    async (name) => {
      expect(await listProblems([ENTRY], { [name]: SCAN_KEY })).toEqual([
        `\`scans\` cannot be combined with \`${name}\`. Move them into its entries.`,
      ]);
      expect(await readEntries([ENTRY], { [name]: ' \n' })).toHaveLength(1);
    },
  );

  // No message repeats the text, as listProblems checks.
  const INVALID = '`scans` is not valid JSON';
  const BACKSLASHES = [
    String.raw`[{"name": "a's", "files": "out\scan.json"}]`,
    String.raw`[{"files": "D:\users\a"}]`,
  ];
  const OTHERS = [{}, { $schema: 'x' }, { scans: { scans: [] } }, { scans: [], name: 'x' }];
  const OBJECTS = [...OTHERS, { scans: 'a.json' }, '{"__proto__": {"scans": []}}'];
  const NESTED = [JSON.stringify(LIST), JSON.stringify(` \n${LIST}`)];

  test.each<[string, readonly unknown[]]>([
    [`${INVALID} (line 1, column 2).`, ['[']],
    [`${INVALID} (line 1, column 18).`, ['[{"name": "é😀", x}]']],
    [`${INVALID} (line 2, column 18).`, [`[\n"${SECRET}]`]],
    [`${INVALID} (line 1, column 20).`, [String.raw`[{"files": "a\nb"} {}]`]],
    [`${INVALID} (line 1, column 16): remove the comma before the bracket.`, ['[{"name": "a", }]']],
    [`${INVALID} (line 2, column 1): remove the comma`, [`[${JSON.stringify(ENTRY)},\n]`]],
    [': remove the comma before the bracket.', [`[{"name": "a's", }]`]],
    [': write " in place of \'.', ["[{'name': 'a', }]"]],
    [": write '/' in place of '\\'.", BACKSLASHES],
    ['`scans` is the text Array: write ${{ toJSON(...) }}.', ['Array']],
    ['`scans` is the text Object: write ${{ toJSON(...) }}.', ['Object']],
    ['a JSON text inside a text: remove one `toJSON`.', NESTED],
    ['`scans` is one object: put it into [ ].', [ENTRY]],
    ['neither JSON nor the path of a file: write a JSON array.', ['- name: a', 'a: \n- b', 'a\rb']],
    ['`scans` must be a JSON array with one entry for each scan', OBJECTS],
    // JSON keeps the last.
    ['`scans` has a property twice in one object', [TWICE]],
  ])('is refused: %s', async (problem, texts) => {
    for (const text of texts) {
      expect(await listProblems(text)).toEqual([expect.stringContaining(problem)]);
    }
  });

  test('has at most 10,000 entries, and lists 10 problems of them', async () => {
    const entries = Array.from({ length: 10_000 }, () => ENTRY);
    expect(await readEntries(entries)).toHaveLength(10_000);
    expect(await listProblems([...entries, ENTRY])).toEqual([
      '`scans` has 10001 entries, more than 10000: divide them between steps.',
    ]);
    const problems = await listProblems(Array.from({ length: 2000 }, () => 1));
    expect(problems).toHaveLength(11);
    expect(problems.slice(9)).toEqual([
      'scans[9]: The entry is not a JSON object.',
      'And 1,990 more in `scans`.',
    ]);
    expect(await listProblems(entries.slice(0, 10).map(() => 1))).toHaveLength(10);
  });
});

function vary(values: readonly unknown[], name: string): readonly object[] {
  return values.map((value) => ({ ...ENTRY, [name]: value }));
}

describe('an entry of scans', () => {
  const LONG_NAMES = ['a'.repeat(101), 'a\nb', 'a\r[other] c', 'a\u2028b', 'a\u0085b', 'a\fb'];
  const STRANGE = { ...ENTRY, title: 'a', ['__proto__']: {}, toString: 1 };
  const MANY = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`m${index}`, 1]));

  test.each<[string, readonly unknown[]]>([
    ['The entry is not a JSON object.', [null, 1, true, 'a', [], [ENTRY]]],
    ...['name', 'scan-key', 'scan-file', 'dependencies-file', 'vulnerabilities-file'].map(
      (name): [string, readonly unknown[]] => [
        `\`${name}\` must be a string.`,
        vary([1, 0, false, true, {}, [], ['a']], name),
      ],
    ),
    [
      '`files` must be a string, or an array of strings.',
      vary([1, 0, false, {}, [1], ['a', null], [['a']]], 'files'),
    ],
    ['`scan-key` is required.', vary([null, '', ' ', undefined], 'scan-key')],
    ['`scan-key` must be a UUID', vary(['x'], 'scan-key')],
    ['`name` must be one line of at most 100 characters.', vary(LONG_NAMES, 'name')],
    ['No files are named.', [{ ...KEYED, files: [] }]],
    ['Files are named in 2 ways', [{ ...ENTRY, files: 'a' }]],
    [
      "`files` has a control character, as a backslash makes in JSON: write '/' in paths.",
      ['a\rb', 'a\tb', ['a', 'b\fc']].map((files) => ({ ...KEYED, files })),
    ],
    ['`files` has only excludes', [{ ...KEYED, files: ['!a', '# b'] }]],
    ['`vulnerabilities-file` is missing', [{ ...KEYED, 'dependencies-file': 'a' }]],
    ["Unknown property 'Token'.", [{ ...ENTRY, Token: SECRET }]],
    ["'title', '__proto__', 'toString'. An entry has name, scan-key, files, ", [STRANGE]],
    [" 'm9' and 1 more. An entry has", [{ ...ENTRY, ...MANY }]],
  ])('is refused: %s', async (problem, entries) => {
    for (const entry of entries) {
      expect(await listProblems([ENTRY, entry])).toEqual([
        expect.stringMatching(/^scans\[1\](?: \([^\n]+\))?: /),
      ]);
      expect((await listProblems([entry])).join()).toContain(problem);
    }
  });

  test('is refused with all its problems, among those of other entries', async () => {
    const entries = [1, ENTRY, { name: 'shop', 'scan-key': 'x', files: 'a', 'scan-file': 'b' }];
    expect(await listProblems([...entries, { name: 1, 'scan-key': 2, 'scan-file': 3 }])).toEqual([
      'scans[0]: The entry is not a JSON object.',
      expect.stringMatching(/^scans\[2\] \(shop\): `scan-key` must be a UUID .*, not 'x'\.$/),
      expect.stringMatching(/^scans\[2\] \(shop\): Files are named in 2 ways/),
      'scans[3]: `name` must be a string.',
      'scans[3]: `scan-key` must be a string.',
      'scans[3]: `scan-file` must be a string.',
    ]);
  });

  test('is refused only for its properties in another spelling, if it has any', async () => {
    const [key, file] = ['scan-key', 'scan-file'].map((name) => `scans[0]: Write \`${name}\` in `);
    expect(await listProblems([{ scanKey: SCAN_KEY, scan_file: 'a', 'Scan key': 'x' }])).toEqual([
      `${key}place of 'scanKey'.`,
      `${file}place of 'scan_file'.`,
      `${key}place of 'Scan key'.`,
    ]);
    expect(await listProblems([{ scan_key: SCAN_KEY, file: 'a', key: 'b' }])).toEqual([
      `${key}place of 'scan_key'.`,
      expect.stringMatching(/^scans\[0\]: Unknown properties 'scan_key', 'file', 'key'\. An entry/),
    ]);
  });

  test('inherits no property', async () => {
    const problems = await listProblems(`[{"__proto__": ${JSON.stringify(ENTRY)}}]`);
    expect(problems.join()).toContain('`scan-key` is required.');
  });
});
