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

  test('reports the problem of each input', () => {
    const inputs = { 'dependencies-file': '!a\n!b', 'vulnerabilities-file': '# c' };
    expect(catchProblems(() => choose(inputs))).toEqual([
      expect.stringMatching(/^`dependencies-file` has only excludes/),
      expect.stringMatching(/^`vulnerabilities-file` has only excludes/),
    ]);
  });
});
