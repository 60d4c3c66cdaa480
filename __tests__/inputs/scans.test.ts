import { beforeEach, describe, expect, test } from '@jest/globals';
import { readInputs } from '../../src/inputs/inputs.ts';
import { parseScans } from '../../src/inputs/scans.ts';
import type { ScanEntry } from '../../src/inputs/scans.ts';
import { SECRET, catchLaterProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

isolateEnvironment();
beforeEach(() => setInputs({ 'base-url': 'https://host.example', token: SECRET }));

/** A valid entry. */
const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };
const SCAN = { scanKey: SCAN_KEY, selection: [{ input: 'scan-file', text: 'a.json' }] };

async function read(scans: unknown, inputs: Texts = {}): Promise<readonly ScanEntry[]> {
  const text = typeof scans === 'string' ? scans : JSON.stringify(scans);
  setInputs({ scans: text, ...inputs });
  return (await readInputs(import.meta.dirname)).scans;
}

function listProblems(scans: unknown, inputs: Texts = {}): Promise<readonly string[]> {
  return catchLaterProblems(read(scans, inputs));
}

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
    ['a byte order mark', `\uFEFF${JSON.stringify([ENTRY])}`, [SCAN]],
    ['an object with the array', { scans: [ENTRY] }, [SCAN]],
    ['an object with a schema', { $schema: 'x', scans: [ENTRY] }, [SCAN]],
    ['a key in upper case', [{ ...ENTRY, 'scan-key': ` ${SCAN_KEY.toUpperCase()}\n` }], [{}]],
    ['a name of 100 characters', [{ ...ENTRY, name: 'a'.repeat(100) }], [{}]],
    [
      'properties that are empty',
      [{ ...ENTRY, name: null, files: '', 'dependencies-file': ' \n' }],
      [SCAN],
    ],
  ])('reads %s', async (_, scans, expected) => {
    const entries = await read(scans);
    expect(entries).toMatchObject(expected);
    expect(entries).toHaveLength(expected.length);
  });

  test.each<[object, ScanEntry['selection']]>([
    [{ files: ' a\n!b ' }, [{ input: 'files', text: 'a\n!b' }]],
    [{ files: ['a', ' # c', '!b'] }, [{ input: 'files', text: 'a\n # c\n!b' }]],
    [
      { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' },
      [
        { input: 'dependencies-file', text: 'd' },
        { input: 'vulnerabilities-file', text: 'v' },
      ],
    ],
  ])('reads the files %j', async (files, selection) => {
    expect(await read([{ 'scan-key': SCAN_KEY, ...files }])).toMatchObject([{ selection }]);
  });

  test.each(['scan-key', 'files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'])(
    'cannot be combined with %s, unless that is blank',
    async (name) => {
      expect(await listProblems([ENTRY], { [name]: SCAN_KEY })).toEqual([
        `\`scans\` cannot be combined with \`${name}\`. Move them into its entries.`,
      ]);
      expect(await read([ENTRY], { [name]: ' \n' })).toHaveLength(1);
    },
  );

  test.each<[string, string]>([
    ['[', ' (line 1, column 2)'],
    ['[{"name": "é😀", x}]', ' (line 1, column 18)'],
    [`[\n"${SECRET}]`, ' (line 2, column 18)'],
  ])('is refused where it is not JSON, without repeating it: %j', async (text, place) => {
    expect(await listProblems(text, { retries: 'x' })).toEqual([
      `\`scans\` is not valid JSON${place}.`,
      expect.stringMatching(/^`retries` must be /),
    ]);
  });

  test.each([
    {},
    { $schema: 'x' },
    { scans: { scans: [] } },
    { scans: 'a.json' },
    { scans: [], name: 'x' },
    '{"__proto__": {"scans": []}}',
  ])('is refused if it is another object: %j', async (scans) => {
    expect(await listProblems(scans)).toEqual([
      '`scans` must be a JSON array with one entry for each scan, or an object with this array as `scans` and no other property than `$schema`.',
    ]);
  });

  test('has at most 10,000 entries, and lists 10 problems of them', async () => {
    const entries = Array.from({ length: 10_000 }, () => ENTRY);
    expect(await read(entries)).toHaveLength(10_000);
    expect(await listProblems([...entries, ENTRY])).toEqual([
      '`scans` has 10001 entries, more than 10000: divide them between steps.',
    ]);
    const problems = await listProblems(Array.from({ length: 10_000 }, () => 1));
    expect(problems).toHaveLength(11);
    expect(problems.slice(9)).toEqual([
      'scans[9]: The entry is not a JSON object.',
      'And 9,990 more in `scans`.',
    ]);
    expect(await listProblems(entries.slice(0, 10).map(() => 1))).toHaveLength(10);
  });

  test('is refused with the problems of all entries, among those of other inputs', async () => {
    const entries = [
      1,
      ENTRY,
      { name: 'shop', 'scan-key': 'x', files: 'a', 'scan-file': 'b', Token: SECRET },
      { name: 1, 'scan-key': 2, 'scan-file': 3 },
    ];
    expect(await listProblems(entries, { 'allow-http': 'x', retries: 'x' })).toEqual([
      expect.stringMatching(/^`allow-http` must be /),
      'scans[0]: The entry is not a JSON object.',
      expect.stringMatching(/^scans\[2\] \(shop\): Unknown property 'Token'\./),
      expect.stringMatching(/^scans\[2\] \(shop\): `scan-key` must be a UUID .*, not 'x'\.$/),
      expect.stringMatching(/^scans\[2\] \(shop\): Files are named in 2 ways/),
      'scans[3]: `name` must be a string.',
      'scans[3]: `scan-key` must be a string.',
      'scans[3]: `scan-file` must be a string.',
      expect.stringMatching(/^`retries` must be /),
    ]);
  });
});

describe('an entry of scans', () => {
  const STRING = 'must be a string.';
  const STRINGS = '`files` must be a string, or an array of strings.';
  const LONG = '`name` must be one line of at most 100 characters.';
  const REQUIRED = '`scan-key` is required.';

  test.each<[string, readonly unknown[]]>([
    ['The entry is not a JSON object.', [null, 1, true, 'a', [], [ENTRY]]],
    ...['name', 'scan-key', 'scan-file', 'dependencies-file', 'vulnerabilities-file'].map(
      (name): [string, readonly unknown[]] => [
        `\`${name}\` ${STRING}`,
        [1, 0, false, true, {}, [], ['a']].map((value) => ({ ...ENTRY, [name]: value })),
      ],
    ),
    [STRINGS, [1, 0, false, {}, [1], ['a', null], [['a']]].map((files) => ({ ...ENTRY, files }))],
    [REQUIRED, [null, '', ' ', undefined].map((key) => ({ ...ENTRY, 'scan-key': key }))],
    ["not 'x'.", [{ ...ENTRY, 'scan-key': 'x' }]],
    [
      LONG,
      ['a'.repeat(101), 'a\nb', 'a\r[other] c', 'a\u2028b', 'a\u0085b', 'a\fb'].map((name) => {
        return { ...ENTRY, name };
      }),
    ],
    ['No files are named.', [{ 'scan-key': SCAN_KEY, files: [] }]],
    [
      '`files` has a control character, as a backslash makes in JSON',
      ['a\rb', 'a\tb', ['a', 'b\fc']].map((files) => ({ 'scan-key': SCAN_KEY, files })),
    ],
    ['`files` has only excludes', [{ 'scan-key': SCAN_KEY, files: ['!a', '# b'] }]],
    ['`vulnerabilities-file` is missing', [{ 'scan-key': SCAN_KEY, 'dependencies-file': 'a' }]],
  ])('is refused: %s', async (problem, entries) => {
    for (const entry of entries) {
      expect(await listProblems([ENTRY, entry])).toEqual([
        expect.stringMatching(/^scans\[1\](?: \([^\n]+\))?: /),
      ]);
      expect((await listProblems([entry])).join()).toContain(problem);
    }
  });

  test('may have no property twice, of which JSON keeps the last', async () => {
    const twice = `[{"files":"a\\\\\\":","scan-key":"${SCAN_KEY}","files" : "b"}]`;
    const [problem] = await catchLaterProblems(parseScans(twice));
    expect(problem).toMatch(/^`scans` has a property twice in one/);
    const once = twice.replace('"files" :', '"name":');
    expect(await parseScans(once)).toHaveLength(1);
  });

  test('may have no unknown properties, of which a message lists 10', async () => {
    const members = { title: 'a', token: SECRET, ['__proto__']: {}, toString: 1 };
    expect(await listProblems([{ ...ENTRY, ...members }])).toEqual([
      "scans[0]: Unknown properties 'title', 'token', '__proto__', 'toString'. An entry has name, scan-key, " +
        'files, scan-file, dependencies-file, vulnerabilities-file.',
    ]);
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`m${index}`, 1]));
    expect(await listProblems([{ ...ENTRY, ...many }])).toEqual([
      expect.stringMatching(/ 'm0', .*, 'm9' and 1 more\. An entry has/),
    ]);
  });

  test('inherits no property', async () => {
    const problems = await listProblems(`[{"__proto__": ${JSON.stringify(ENTRY)}}]`);
    expect(problems.join()).toContain(REQUIRED);
  });
});
