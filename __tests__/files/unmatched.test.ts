import { mkdir, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findUnexpanded } from '../../src/expressions.ts';
import type { FindResult } from '../../src/files/find.ts';
import type { Scope } from '../../src/files/search.ts';
import { explainUnmatched } from '../../src/files/unmatched.ts';
import { describeLinux, describePosix, hideDebugLines } from '../support/files.ts';
import { UNSTOPPED, findTexts, select } from '../support/search.ts';
import { makeFolder, makeTree, setEnvironment } from '../support/workspace.ts';
import type { Tree } from '../support/workspace.ts';

hideDebugLines();

const TREE = { 'a.json': '', 'b.json': '', 'reports/c.json': '', 'reports/d.xml': '' };

async function makeScope(tree: Tree = TREE): Promise<Scope> {
  return { workspace: await makeFolder(tree), includeHidden: false };
}

/** The hint about the first pattern of `scan-file`, which matches no file; `!` after it if it needs no other fix. */
async function hint(text: string, tree: Tree | string): Promise<string> {
  const workspace = typeof tree === 'string' ? tree : await makeFolder(tree);
  const scope = { workspace, includeHidden: false };
  const { problem = '', fixes } = await select({ 'scan-file': text }, scope);
  const start = `\`scan-file\`: no file matches '${text.split('\n')[0]}'.`;
  expect(problem).toContain(start);
  const shown = problem.slice(start.length).replaceAll(workspace, 'WORKSPACE');
  return `${shown.trim()}${fixes?.length === 0 ? '!' : ''}`;
}

const PATTERN_FIX = 'Check the pattern, and where the scan step writes the file.';

const ONE_A_LINE = 'Write each pattern in a line of its own, without braces and commas.!';

const MEMBER = 'is the text of an object or a list: name its member, such as `.name`.';

const JOINED =
  'Write each pattern in a line of its own: `scan-file: |` keeps line breaks, `>` does not.!';
const BEGINS = "Check that the expression before '/' is not empty.";
const HIDDEN =
  'For a file from an artifact, set `include-hidden-files: true` of actions/upload-artifact too.';

describe('explainUnmatched', () => {
  test('says what else to do unless each pattern has a fix of its own', async () => {
    const scope = await makeScope({ ...TREE, '.x': '' });
    const fixes = async (text: string) => (await select({ files: text }, scope)).fixes;
    expect(await fixes('?x\n"a.json"')).toEqual([]);
    expect(await fixes('?x\ny.q')).toEqual([PATTERN_FIX]);
    expect(await fixes('y.q\n?x')).toEqual([PATTERN_FIX]);
  });

  test('says that every pattern must match if others do', async () => {
    await expect(select({ files: 'x.q\na.json' }, await makeScope())).rejects.toMatchObject({
      situation: 'files',
      message: "`files`: no file matches 'x.q'. Every pattern must match at least one file.",
      fixes: [PATTERN_FIX],
    });
  });

  test.each<[string, Tree, string]>([
    [
      'in/*.json',
      {},
      'The workspace is empty: download the artifact with the files first, or check out the repository.!',
    ],
    ['/in/x.json', {}, `The directory '${resolve('/in')}' does not exist. ${BEGINS}`],
    ['/x.json', { 'in/x.json': '' }, `${BEGINS} Did you mean 'in/x.json'?`],
    ['in/.out/*.json', { 'in/x': '' }, `The directory 'in/.out' does not exist. ${HIDDEN}`],
    ['in//x.q', { 'in/x': '' }, BEGINS],
    ['in/.json', { 'in/x': '' }, "Check that the expression before '.json' is not empty."],
    ['.x.json', { x: '' }, HIDDEN],
    ['in/x.json', { 'x.txt': '' }, "The directory 'in' does not exist."],
    ['a/*.json', { a: '' }, "The directory 'a' does not exist."],
    [
      '**/*.json',
      { '.out/x.json': '', '.env': '' },
      "Set `include-hidden-files: true` to match '.out/x.json'.!",
    ],
    ['**/*.json\n!.out', { '.out/x.json': '', a: '' }, ''],
    ['in/*', { 'in/.gitkeep': '', 'in/.gitignore': '' }, ''],
    ['in.x\n!in.x', { 'in.x': '' }, "Lines with '!' leave out 'in.x'.!"],
    ['$A/{a,b}.json', TREE, `${findUnexpanded('$A')}!`],
    ['a.q #b', TREE, "Remove '#b': only a line that begins with '#' is a comment.!"],
    ['a.q b/*', TREE, JOINED],
    ['*.q !in reports/', TREE, JOINED],
    ['my a.q', TREE, ''],
    ['"a.json"', TREE, `Remove the '"': each line is a pattern as it is.!`],
    ['- a.json', TREE, "Remove the '-': each line is a pattern as it is.!"],
    ['in/Object/x.json', TREE, `'Object' ${MEMBER}!`],
    ['Array', TREE, `'Array' ${MEMBER}!`],
    ['Objects/x.q', { 'in/x': '' }, "The directory 'Objects' does not exist."],
    ['*.{json,xml}', TREE, ONE_A_LINE],
    ['["a.json","b.json"]', TREE, ONE_A_LINE],
  ])('says what is wrong with %j among %j', async (text, tree, expected) => {
    expect(await hint(text, tree)).toBe(expected);
  });

  test.each(['in', 'in/x.json'])('says of %j that the directory is empty', async (text) => {
    const workspace = await makeFolder({ 'x.txt': '' });
    await mkdir(join(workspace, 'in'));
    expect(await hint(text, workspace)).toBe("The directory 'in' is empty.");
  });

  test.each<[string, string, readonly string[], string]>([
    [
      'files of the same name, at most three, the newest first',
      'in/scan.x',
      ['in/a', 'b/scan.x', 'c/scan.x', 'd/scan.x', 'e/scan.x'],
      "Did you mean 'e/scan.x', 'd/scan.x', 'c/scan.x'?",
    ],
    [
      'files of the same ending',
      'a*.json',
      ['b.JSON', 'b.x'],
      "Files that end in .json: 'b.JSON'.",
    ],
    ['a path that has a / too many', 'scan.x/', ['scan.x'], "Did you mean 'scan.x'?"],
    ['nothing that is excluded', 'scan.x\n!out', ['out/scan.x', 'x/other.y'], ''],
    ['nothing hidden', 'scan.x', ['.git/scan.x', 'a/.b/scan.x', 'z'], ''],
    ['nothing in node_modules', 'scan.x', ['node_modules/scan.x', 'a/node_modules/b.x'], ''],
  ])('proposes %s', async (_, text, names, expected) => {
    const workspace = await makeFolder(makeTree(names));
    for (const [index, name] of names.entries()) await utimes(join(workspace, name), index, index);
    expect(await hint(text, workspace)).toBe(expected);
  });

  test('proposes files beside a path outside the workspace, or says that it may be of another job', async () => {
    const temporary = await makeFolder({ 'out/a.sarif': '', 'out/.b.sarif': '', 'out/c.json': '' });
    setEnvironment({ RUNNER_TEMP: temporary });
    const path = join(temporary, 'out', 'a.sarif');
    expect(await hint(`${temporary}/out/b.sarif`, TREE)).toBe(
      `Files that end in .sarif: '${path}'.`,
    );
    expect(await hint(`${temporary}/b.xml`, { 'a.xml': '' })).toBe(
      "Pass a file of another job on as an artifact: the temporary directory is emptied for each job. Files that end in .xml: 'a.xml'.",
    );
  });

  test('names ten patterns, and a mistake in all of them once', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `- x.${index}`);
    const { problem } = await select({ files: lines.join('\n') }, await makeScope());
    expect(problem?.split(/no file matches '- x\.\d'\./)).toHaveLength(11);
    expect(problem?.split("Remove the '-': ")).toHaveLength(2);
    expect(problem).toMatch(/ 2 more patterns match no file\.$/);
  });

  test('proposes no file that another pattern has matched, and nothing after its limit', async () => {
    const scope = await makeScope(makeTree(['in/scan.q', 'z']));
    const found = await findTexts({ 'scan-file': 'scan.q' }, scope);
    const explain = async (selected: FindResult, limit = UNSTOPPED) =>
      (await explainUnmatched(selected, scope, limit)).message;
    expect(await explain(found)).toMatch(/ Did you mean 'in\/scan\.q'\?$/);
    expect(await explain(found, AbortSignal.abort())).toMatch(/ matches 'scan\.q'\.$/);
    const both = await findTexts({ files: 'scan.q\nin/scan.q' }, scope);
    expect(await explain(both)).toMatch(/ matches 'scan\.q'\. Every pattern must match/);
  });
});

describePosix('explainUnmatched of the path of another machine', () => {
  test.each([
    '/Users/runner/work/other/other/**/*.json',
    'C:/actions-runner/_work/app/app/a.json',
    String.raw`D:\a\app\app\a.json`,
  ])('says where the workspace is: %s', async (text) => {
    setEnvironment({ RUNNER_TEMP: '/tmp/of/runner' });
    expect(await hint(text, TREE)).toBe(
      'Write a path in WORKSPACE or /tmp/of/runner: this is one of another machine.!',
    );
  });

  test('says nothing of another runner if its directory exists', async () => {
    const workspace = await makeFolder({ '_work/app/app/x': '' });
    expect(await hint(`${workspace}/_work/app/app/a.q`, workspace)).toBe('');
  });

  test('says to write slashes', async () => {
    expect(await hint(String.raw`reports\a.json`, TREE)).toBe(
      "Write '/' between names: '\\' makes the next character literal.!",
    );
  });
});

describeLinux('explainUnmatched where all spellings are different', () => {
  test('proposes a name in another case', async () => {
    expect(await hint('SCAN.x', makeTree(['scan.X']))).toBe("Did you mean 'scan.X'?");
  });

  test('says that letters are composed in another way', async () => {
    const [composed, decomposed] = ['in/\u00E9.json', 'in/e\u0301.json'];
    expect(await hint(composed, makeTree([decomposed, 'in/other.json']))).toBe(
      `'${decomposed}' differs only in composed or decomposed letters (Unicode): copy its name.`,
    );
  });
});
