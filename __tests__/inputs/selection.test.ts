import { describe, expect, test } from '@jest/globals';
import { chooseSelection } from '../../src/inputs/selection.ts';
import type { Selection } from '../../src/files/find.ts';
import type { FileInput } from '../../src/inputs/selection.ts';
import { catchProblems } from '../support/inputs.ts';

type Texts = Readonly<Partial<Record<FileInput, string>>>;

function choose(texts: Texts): Selection {
  return chooseSelection((input) => texts[input] ?? '');
}

describe('chooseSelection', () => {
  test.each<[Texts, Selection]>([
    [{ files: 'a.json\n!b.json' }, [{ input: 'files', text: 'a.json\n!b.json' }]],
    [{ files: '# scan\n\n  a.json' }, [{ input: 'files', text: '# scan\n\n  a.json' }]],
    [{ files: '!!a.json' }, [{ input: 'files', text: '!!a.json' }]],
    [{ 'scan-file': 'scan.json' }, [{ input: 'scan-file', text: 'scan.json' }]],
    [
      { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'v.json' },
      [
        { input: 'dependencies-file', text: 'bom.json' },
        { input: 'vulnerabilities-file', text: 'v.json' },
      ],
    ],
  ])('accepts %j', (inputs, selection) => {
    expect(choose(inputs)).toEqual(selection);
  });

  test.each<[Texts, RegExp]>([
    [
      {},
      /^No files are named\. Set `files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`\.$/,
    ],
    [{ files: 'a', 'scan-file': 'b' }, /^Files are named in 2 ways: set only one of `files`, or /],
    [{ files: 'a', 'vulnerabilities-file': 'b' }, /in 2 ways/],
    [{ 'scan-file': 'a', 'dependencies-file': 'b', 'vulnerabilities-file': 'c' }, /in 2 ways/],
    [
      { files: 'a', 'scan-file': 'b', 'dependencies-file': 'c', 'vulnerabilities-file': 'd' },
      /in 3 ways/,
    ],
    [
      { 'dependencies-file': 'a' },
      /^`dependencies-file` and `vulnerabilities-file` go together: `vulnerabilities-file` is missing\. /,
    ],
    [
      { 'vulnerabilities-file': 'a' },
      /: `dependencies-file` is missing\. For one file use `scan-file`\.$/,
    ],
    [
      { files: '!a.json\n# all' },
      /^`files` has only excludes \(!\) or comments \(#\): name the files to upload\.$/,
    ],
    [{ 'scan-file': '!a' }, /^`scan-file` has only/],
    [{ 'dependencies-file': '#a', 'vulnerabilities-file': 'b' }, /^`dependencies-file` has only/],
    [
      { 'dependencies-file': 'a', 'vulnerabilities-file': '! b' },
      /^`vulnerabilities-file` has only/,
    ],
  ])('refuses %j', (inputs, message) => {
    expect(catchProblems(() => choose(inputs))).toEqual([expect.stringMatching(message)]);
  });

  const LONG = 'a'.repeat(4096);
  const COMMENTS = '# a\n\n'.repeat(2000);

  test.each([
    ['1,000 patterns with comments', COMMENTS + 'a\n!b\n'.repeat(500)],
    ['a pattern of 4,096 characters', LONG],
    ['a pattern with 64 wildcards', '*[a]'.repeat(32)],
    ['262,144 characters', 'a\n'.padEnd(262_144, '\n')],
  ])('accepts %s', (_, files) => {
    expect(choose({ files })).toEqual([{ input: 'files', text: files }]);
  });

  test.each([
    ['1,001 patterns', 'a\n!b\n'.repeat(500) + 'a', 'has 1001 patterns, more than 1000'],
    ['100,000 patterns', 'a\n'.repeat(100_000), 'has 100000 patterns, more than 1000'],
    ['4,097 characters', `a\n!${LONG}`, 'has a pattern with more than 4096 characters or 64 '],
    ['65 *', `*.json\n!${'*/'.repeat(65)}`, 'has a pattern with more than 4096 characters or 64 '],
    ['65 [', '['.repeat(65), 'has a pattern with more than 4096 characters or 64 `*` and `[`'],
    ['262,145 characters', 'a\n'.padEnd(262_145), 'has 262145 characters, more than 262144'],
  ])('refuses %s', (_, files, problem) => {
    expect(catchProblems(() => choose({ files }))).toEqual([
      expect.stringContaining(`\`files\` ${problem}`),
    ]);
  });

  test('reports the problem of each input', () => {
    const inputs = { 'dependencies-file': '!a\n!b', 'vulnerabilities-file': 'c\n'.repeat(1001) };
    expect(catchProblems(() => choose(inputs))).toEqual([
      expect.stringMatching(/^`dependencies-file` has only excludes/),
      '`vulnerabilities-file` has 1001 patterns, more than 1000. Use wildcards, or name a directory.',
    ]);
  });
});
