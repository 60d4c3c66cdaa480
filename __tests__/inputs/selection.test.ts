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
  { files: '# [{"a": 1}]\na.json' },
  { files: '{a,b}.json' },
  { files: '!!a.json' },
  { 'scan-file': 'scan.json' },
  { 'dependencies-file': 'd', 'vulnerabilities-file': 'v' },
])('chooseSelection returns the patterns of %j', (texts) => {
  expect(choose(texts)).toEqual(Object.entries(texts).map(([input, text]) => ({ input, text })));
});

const ALL = '`files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`';
const TOGETHER = '`dependencies-file` and `vulnerabilities-file` go together:';
const EMPTY = 'has only excludes (!) or comments (#): name the files to upload.';

test.each<[Texts, ...string[]]>([
  [{}, `No files are named. Set ${ALL}.`],
  [{ files: 'a', 'scan-file': 'b' }, `Files are named in 2 ways: set only one of ${ALL}.`],
  [{ files: 'a', 'vulnerabilities-file': 'b' }, 'in 2 ways'],
  [{ 'scan-file': 'a', 'dependencies-file': 'b', 'vulnerabilities-file': 'c' }, 'in 2 ways'],
  [{ files: 'a', 'scan-file': 'b', 'dependencies-file': 'c' }, 'in 3 ways'],
  [
    { 'dependencies-file': 'a' },
    `${TOGETHER} \`vulnerabilities-file\` is empty. For one file use \`scan-file\`.`,
  ],
  [{ 'vulnerabilities-file': 'a' }, `${TOGETHER} \`dependencies-file\` is empty. For`],
  [{ 'scan-file': '{\n  "a": 1\n}' }, '`scan-file` is JSON: set it to the path of the file.'],
  [{ files: '[{"a": 1}]' }, '`files` is JSON: '],
  [{ files: '[\n  {"a": 1}\n]' }, '`files` is JSON: '],
  [{ files: '!a.json\n# all' }, `\`files\` ${EMPTY}`],
  [{ 'scan-file': '!a' }, '`scan-file` has only'],
  [
    { 'dependencies-file': '!a\n!b', 'vulnerabilities-file': '# c' },
    `\`dependencies-file\` ${EMPTY}`,
    `\`vulnerabilities-file\` ${EMPTY}`,
  ],
])('chooseSelection refuses %j', (texts, ...problems) => {
  expect(catchProblems(() => choose(texts))).toEqual(
    problems.map((problem) => expect.stringContaining(problem)),
  );
});
