import { describe, expect, test } from '@jest/globals';
import { parsePatterns } from '../../src/files/patterns.ts';
import { readStepScans } from '../../src/inputs/scans.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import { SECRET, catchTexts, collect, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { makeFolder, SCAN_KEY } from '../support/workspace.ts';

isolateEnvironment();

/** A valid entry. */
const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };
const SCAN = { scanKey: SCAN_KEY, ...select('a.json', 'scan-file') };
const KEYED = { 'scan-key': SCAN_KEY };
/** Only a byte order mark at the start of `scans` is left out. */
const LONG_NAME = `a\uFEFF${'b'.repeat(98)}`;
const LIST = JSON.stringify([ENTRY]);

async function readEntries(scans: unknown, inputs: Texts = {}): Promise<readonly ScanEntry[]> {
  const text = typeof scans === 'string' ? scans : JSON.stringify(scans);
  setInputs({ scans: text, ...inputs });
  return collect(readStepScans);
}

function listTexts(scans: unknown, inputs: Texts = {}): Promise<readonly string[]> {
  return catchTexts(() => readEntries(scans, inputs));
}

function select(text: string, input = 'files'): object {
  return { selection: [{ input, patterns: parsePatterns(text) }] };
}

test.each<Texts>([
  { files: 'a.json\n!b.json' },
  { 'scan-file': 'scan.json' },
  { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' },
])('a step without `scans` has one scan: %j', async (inputs) => {
  setInputs({ ...KEYED, ...inputs });
  const selection = Object.entries(inputs).map(([input, text]) => {
    return { input, patterns: parsePatterns(text) };
  });
  const scan = { label: undefined, name: undefined, scanKey: SCAN_KEY, selection };
  expect(await collect(readStepScans)).toEqual([scan]);
});

const ALL = '`files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`';
const ONE = `: set exactly one of ${ALL}.`;
const NO_KEY = '`scan-key` is empty.';
const NO_SCAN = '`scan-key`, `files` and `scans` are empty.';
const EXCLUDES = 'has only excludes (!) or comments (#): name the files to upload.';
const ABOVE = 'is above every pattern, so it excludes nothing. Write it last.';
const VARIABLE =
  'Save a variable (no secret) for `vars.NAME`; check names after `inputs` or `matrix`.';
const NAME = 'Check the names in its expression: a wrong one is empty.';
const PAIR = 'Set it, or check the names in its expression. For one file alone, set `files`.';

test.each<[Texts, ...string[]]>([
  [{}, NO_SCAN, VARIABLE],
  [KEYED, `No files are named: set ${ALL}.`, NAME],
  [
    { files: 'a', 'scan-file': 'b' },
    NO_KEY,
    `Files are named by \`files\` and \`scan-file\`${ONE}`,
    VARIABLE,
  ],
  [
    { ...KEYED, 'dependencies-file': 'a' },
    '`vulnerabilities-file` is empty, but `dependencies-file` needs it.',
    PAIR,
  ],
  [
    { ...KEYED, 'vulnerabilities-file': 'a' },
    '`dependencies-file` is empty, but `vulnerabilities-file` needs it.',
    PAIR,
  ],
  [
    { ...KEYED, 'vulnerabilities-file': 'a', 'scan-file': 'b' },
    `Files are named by \`scan-file\` and \`vulnerabilities-file\`${ONE}`,
  ],
  [{ ...KEYED, 'scan-file': '!a.json\n# all' }, `\`scan-file\` ${EXCLUDES}`],
  [{ ...KEYED, files: '# x\n!in/**\na\n!b' }, `\`files\`: '!in/**' ${ABOVE}`],
  [
    { ...KEYED, 'dependencies-file': '!a', 'vulnerabilities-file': '# c' },
    `\`dependencies-file\` ${EXCLUDES}`,
    `\`vulnerabilities-file\` ${EXCLUDES}`,
  ],
])('a step without `scans` is refused with %j', async (inputs, ...texts) => {
  expect(await listTexts('', inputs)).toEqual(texts);
});

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
    ['an object with a schema', { $schema: 'x', scans: [ENTRY] }, [SCAN]],
    ['a name of 100 characters', [{ ...ENTRY, name: LONG_NAME }], [{ name: LONG_NAME }]],
    ['empty properties', [{ ...ENTRY, name: null, files: '', 'dependencies-file': ' \n' }], [SCAN]],
    ['lines of patterns', [{ ...KEYED, files: ' a\n!b ' }], [select('a\n!b')]],
    ['a list of patterns', [{ ...KEYED, files: ['a', ' # c', '!b'] }], [select('a\n # c\n!b')]],
  ])('reads %s', async (_, scans, expected) => {
    const entries = await readEntries(scans);
    expect(entries).toMatchObject(expected);
    expect(entries).toHaveLength(expected.length);
  });

  test.each(['scan-key', 'files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'])(
    'cannot be combined with %s, unless that is blank',
    async (name) => {
      expect(await listTexts([ENTRY], { [name]: SCAN_KEY })).toEqual([
        `\`scans\` cannot be combined with \`${name}\`. Move them into its entries.`,
      ]);
      expect(await readEntries([ENTRY], { [name]: ' \n' })).toHaveLength(1);
    },
  );

  // No message repeats the text, as listTexts checks.
  const INVALID = '`scans` is not valid JSON';
  const ARRAY =
    '`scans` must be a JSON array of at most 1000 entries, one for each scan, or an object with this array as `scans`.';
  const OBJECTS = [{}, { $schema: 'x' }, ENTRY, { scans: 'a.json' }, { scans: { scans: [] } }];

  test.each<[string, readonly unknown[]]>([
    [`${INVALID} (line 1, column 2).`, ['[']],
    [`${INVALID} (line 1, column 10).`, ['[{"a":1},,', '[{"a":1}, ']],
    [`${INVALID} (line 2, column 1: remove the comma before it).`, ['[1,\n]', '{"a":1 ,\n} x']],
    [`${INVALID}.`, ['{"a":1}\n{}']],
    [`${INVALID} (line 1, column 1).`, ['- name: a\n- b', 'a\rb']],
    [
      "`scans` is 'Object', which an expression writes for a list or an object. Write toJSON(...) around it.",
      ['Object'],
    ],
    [ARRAY, OBJECTS],
  ])('is refused: %s', async (problem, texts) => {
    for (const text of texts) {
      expect(await listTexts(text)).toEqual([problem]);
    }
  });
});

function vary(values: readonly unknown[], name: string): readonly object[] {
  return values.map((value) => ({ ...ENTRY, [name]: value }));
}

describe('an entry of scans', () => {
  const HAS =
    'an entry has name, scan-key, files, scan-file, dependencies-file, vulnerabilities-file.';
  const LONG_NAMES = ['a'.repeat(101), 'a\nb', 'a\r[other] c', 'a\u2028b', 'a\u0085b', 'a\fb'];

  test.each<[string, readonly unknown[]]>([
    ['The entry is not a JSON object.', [null, 1, true, 'a']],
    ['`scan-file` must be a string.', vary([1, 0, false, true, {}, [], ['a']], 'scan-file')],
    [
      '`files` must be a string or an array of strings.',
      vary([1, 0, false, {}, [1], ['a', null], [['a']]], 'files'),
    ],
    [NO_KEY, vary([null, '', ' ', undefined], 'scan-key')],
    ['`name` must be one line of at most 100 characters.', vary(LONG_NAMES, 'name')],
    [`No files are named: set ${ALL}.`, [{ ...KEYED, files: [] }]],
    [`\`files\`: '!a' ${ABOVE}`, [{ ...KEYED, files: ['!a', 'b'] }]],
    [`Unknown property 'scanKey'; ${HAS}`, [{ scanKey: SCAN_KEY }]],
    [`Unknown property 'toString'; ${HAS}`, [{ ...ENTRY, toString: 1, token: SECRET }]],
    [`Unknown property '0'; ${HAS}`, [[ENTRY]]],
  ])('is refused: %s', async (problem, entries) => {
    for (const entry of entries) {
      const texts = await listTexts([ENTRY, entry]);
      const faults = texts.filter((text) => ![VARIABLE, NAME].includes(text));
      expect(faults).toEqual([`scans[1]: ${problem}`]);
    }
  });

  test('is refused with all its faults, among those of other entries', async () => {
    const entries = [1, ENTRY, { name: 'shop', 'scan-key': 'x', files: 'a', 'scan-file': 'b' }];
    expect(await listTexts([...entries, { name: 1, 'scan-key': 2, 'scan-file': 3 }])).toEqual([
      'scans[0]: The entry is not a JSON object.',
      expect.stringMatching(/^scans\[2\] \(shop\): `scan-key` must be a UUID .*, not 'x'\.$/),
      expect.stringMatching(/^scans\[2\] \(shop\): Files are named by `files` and /),
      'scans[3]: `name` must be a string.',
      'scans[3]: `scan-key` must be a string.',
      'scans[3]: `scan-file` must be a string.',
    ]);
  });
});

async function readFile(content: string | Buffer): Promise<readonly ScanEntry[]> {
  const workspace = await makeFolder({ 's.json': content });
  setInputs({ scans: 's.json' });
  return collect(readStepScans, { workspace });
}

describe('a file of scans', () => {
  test('is read', async () => {
    expect(await readFile(`\uFEFF\n${LIST}\n`)).toMatchObject([SCAN]);
    expect(await listTexts('none.json')).toEqual([
      expect.stringMatching(/^`scans`: the file 'none\.json' does not exist\./),
    ]);
  });

  test('is refused without repeating it, and has no expressions that could be empty', async () => {
    expect(await catchTexts(() => readFile(`\uFEFF[\n${SECRET} 2]`))).toEqual([
      "`scans`: the file 's.json' is not valid JSON (line 2, column 1).",
    ]);
    expect(await catchTexts(() => readFile(Buffer.from('\uFEFF[]', 'utf16le')))).toEqual([
      "`scans`: the file 's.json' is UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File -Encoding utf8.",
    ]);
    const content = '[{"files": "a.json"}]';
    expect(await catchTexts(() => readFile(content))).toEqual([`scans[0]: ${NO_KEY}`]);
    expect(await listTexts(content)).toEqual([`scans[0]: ${NO_KEY}`, VARIABLE]);
  });
});
