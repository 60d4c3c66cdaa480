import { expect, test } from '@jest/globals';
import { chooseSelection } from '../../src/inputs/selection.ts';
import type { FileInput } from '../../src/inputs/selection.ts';
import { catchProblems } from '../support/inputs.ts';

type Texts = Readonly<Partial<Record<FileInput, string>>>;

function choose(texts: Texts): unknown {
  return chooseSelection((input) => texts[input] ?? '');
}

test.each<Texts>([
  { files: 'a.json\n!b.json' },
  { files: '# scan\n\n  a.json' },
  { files: '{a,b}.json' },
  { files: '!!a.json' },
  { 'scan-file': 'scan.json' },
  { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' },
])('chooseSelection returns the patterns of %j', (texts) => {
  expect(choose(texts)).toEqual(Object.entries(texts).map(([input, text]) => ({ input, text })));
});

const ALL = '`files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`';
const EXCLUDES = 'has only excludes (!) or comments (#): name the files to upload.';

test.each<[Texts, ...string[]]>([
  [{}, `No files are named. Set ${ALL}.`],
  [
    { files: 'a', 'vulnerabilities-file': 'b' },
    `Files are named by \`files\` and \`vulnerabilities-file\`: set exactly one of ${ALL}.`,
  ],
  [{ 'scan-file': 'a', 'dependencies-file': 'b', 'vulnerabilities-file': 'c' }, 'Files are named'],
  [{ 'dependencies-file': 'a' }, 'Files are named by `dependencies-file`: set exactly one of'],
  [{ 'vulnerabilities-file': 'a' }, 'Files are named by `vulnerabilities-file`: set'],
  [{ 'scan-file': '!a.json\n# all' }, `\`scan-file\` ${EXCLUDES}`],
  [
    { 'dependencies-file': '!a', 'vulnerabilities-file': '# c' },
    `\`dependencies-file\` ${EXCLUDES}`,
    `\`vulnerabilities-file\` ${EXCLUDES}`,
  ],
])('chooseSelection refuses %j', (texts, ...problems) => {
  expect(catchProblems(() => choose(texts))).toEqual(
    problems.map((problem) => expect.stringContaining(problem)),
  );
});
