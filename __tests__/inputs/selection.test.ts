import { describe, expect, test } from '@jest/globals';
import { chooseSelection } from '../../src/inputs/selection.ts';
import { catchProblems } from './fixtures.ts';

const NONE = { files: '', scanFile: '', dependencies: '', vulnerabilities: '' };

describe('chooseSelection', () => {
  test.each([
    [{ files: 'a.json\n!b.json' }, { kind: 'files', files: 'a.json\n!b.json' }],
    [{ files: '# scan\n\n  a.json' }, { kind: 'files', files: '# scan\n\n  a.json' }],
    [{ files: '!a.json\r\nb.json' }, { kind: 'files', files: '!a.json\r\nb.json' }],
    [{ files: 'a!b#c.json' }, { kind: 'files', files: 'a!b#c.json' }],
    [{ files: '!!a.json' }, { kind: 'files', files: '!!a.json' }],
    [{ scanFile: 'scan.json' }, { kind: 'single', scanFile: 'scan.json' }],
    [
      { dependencies: 'bom.json', vulnerabilities: 'v.json' },
      { kind: 'pair', dependencies: 'bom.json', vulnerabilities: 'v.json' },
    ],
  ])('%j is one way of naming files', (inputs, selection) => {
    expect(chooseSelection({ ...NONE, ...inputs })).toEqual(selection);
  });

  test.each([
    [
      {},
      /^No files are named: set files, or scan-file, or dependencies-file with vulnerabilities-file\.$/,
    ],
    [{ files: 'a', scanFile: 'b' }, /^Files are named in 2 ways: set only one of files, or /],
    [{ files: 'a', dependencies: 'b' }, /in 2 ways/],
    [{ files: 'a', vulnerabilities: 'b' }, /in 2 ways/],
    [{ scanFile: 'a', dependencies: 'b', vulnerabilities: 'c' }, /in 2 ways/],
    [{ files: 'a', scanFile: 'b', dependencies: 'c', vulnerabilities: 'd' }, /in 3 ways/],
    [
      { dependencies: 'a' },
      /^dependencies-file and vulnerabilities-file go together: vulnerabilities-file is missing\. /,
    ],
    [{ vulnerabilities: 'a' }, /: dependencies-file is missing\. For one file use scan-file\.$/],
    [
      { files: '!a.json\n# all' },
      /^files holds only excludes \(!\) or comments \(#\): name the files to upload\.$/,
    ],
    [{ files: '\n \n#' }, /^files holds only/],
    [{ scanFile: '!a' }, /^scan-file holds only/],
    [{ dependencies: '#a', vulnerabilities: 'b' }, /^dependencies-file holds only/],
    [{ dependencies: 'a', vulnerabilities: '! b' }, /^vulnerabilities-file holds only/],
  ])('refuses %j', (inputs, message) => {
    const choose = (): unknown => chooseSelection({ ...NONE, ...inputs });
    expect(catchProblems(choose)).toEqual([expect.stringMatching(message)]);
  });
});
