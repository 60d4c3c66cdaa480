import { describe, expect, test } from '@jest/globals';
import { chooseSelection } from '../../src/inputs/selection.ts';
import type { FileInput, Selection } from '../../src/inputs/selection.ts';
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
      /^No files are named: set `files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`\.$/,
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

  test.each(['a.json\n!**/a*b*c*.json', '*-*-*/**/*.*.*', '**/***/x'])(
    'accepts three * in a path segment: %j',
    (files) => {
      expect(choose({ files })).toEqual([{ input: 'files', text: files }]);
    },
  );

  test.each([
    ['*a*b*c*d', '*a*b*c*d'],
    ['reports/*-*-*-*.json', 'reports/*-*-*-*.json'],
    ['*.json\n!**/ *a*b*c*/x', '**/ *a*b*c*/x'],
    ['!****\na.json', '****'],
    ['~/a**b**c', '~/a**b**c'],
  ])('refuses more than three * in a path segment: %j', (files, pattern) => {
    expect(catchProblems(() => choose({ files }))).toEqual([
      `\`files\`: the pattern '${pattern}' has more than three \`*\` in one path segment. Use at most three there: each matches any part of a name.`,
    ]);
  });

  test('reports every pattern that it refuses, with its input', () => {
    const inputs = {
      'dependencies-file': '!a\n!*b*b*b*',
      'vulnerabilities-file': '*c*c*c*\n*d*d*d*',
    };
    expect(catchProblems(() => choose(inputs))).toEqual([
      expect.stringMatching(/^`dependencies-file` has only excludes/),
      expect.stringMatching(/^`dependencies-file`: the pattern '\*b\*b\*b\*' has more than three/),
      expect.stringMatching(/^`vulnerabilities-file`: the pattern '\*c\*c\*c\*' has more than/),
      expect.stringMatching(/^`vulnerabilities-file`: the pattern '\*d\*d\*d\*' has more than/),
    ]);
  });
});
