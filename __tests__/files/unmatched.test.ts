import { describe, expect, test } from '@jest/globals';
import { mkdir, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findFiles } from '../../src/files/find.ts';
import type { Scope } from '../../src/files/search.ts';
import { explainUnmatched } from '../../src/files/unmatched.ts';
import { makeFolder } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import { describeLinux, describePosix, hideDebugLines } from '../support/files.ts';
import { select } from '../support/search.ts';

hideDebugLines();

const TREE = { 'a.json': '', 'b.json': '', 'reports/c.json': '', 'reports/d.xml': '' };

function makeTree(...names: readonly string[]): Tree {
  return Object.fromEntries(names.map((name) => [name, '']));
}

async function makeScope(tree: Tree = TREE): Promise<Scope> {
  return { workspace: await makeFolder(tree), includeHidden: false };
}

/** The hint about the first pattern of `scan-file`, which matches no file. */
async function hint(text: string, tree: Tree | string): Promise<string> {
  const workspace = typeof tree === 'string' ? tree : await makeFolder(tree);
  const selection = [{ input: 'scan-file', text }];
  const { problem = '', fixes } = await select(selection, { workspace, includeHidden: false });
  const start = `\`scan-file\`: no file matches '${text.split('\n')[0]}'.`;
  expect(problem).toContain(start);
  const shown = problem.slice(start.length).replaceAll(workspace, 'WORKSPACE');
  return fixes?.length === 0 ? `${shown} [precise]` : shown;
}

const MATCH_FIX =
  'Correct the pattern, or the step that should have written the file: check that it ran, and the path of its output.';

describe('explainUnmatched', () => {
  test('explains ten patterns, and counts the others', async () => {
    const text = Array.from({ length: 12 }, (_, index) => `${index}.*`).join('\n');
    const { problem = '' } = await select([{ input: 'files', text }], await makeScope());
    expect(problem.match(/`files`: no file matches/g)).toHaveLength(10);
    expect(problem).toMatch(/ matches '9\.\*'\. And 2 more patterns match no file\.$/);
  });

  test('says what else to do unless each pattern has a fix of its own', async () => {
    const scope = await makeScope({ ...TREE, '.x': '' });
    const fixes = async (text: string) => (await select([{ input: 'files', text }], scope)).fixes;
    expect(await fixes('?x\n"a.json"')).toEqual([]);
    expect(await fixes('?x\ny.q')).toEqual([MATCH_FIX]);
    expect(await fixes('y.q\n?x')).toEqual([MATCH_FIX]);
  });

  test('says that every pattern must match if others do', async () => {
    const selection = ['x.q', 'a.json'].map((text) => ({ input: 'files', text }));
    await expect(select(selection, await makeScope())).rejects.toMatchObject({
      situation: 'files',
      message: "`files`: no file matches 'x.q'. Every pattern must match at least one file.",
      fixes: [MATCH_FIX],
    });
  });

  test.each<[string, Tree, string]>([
    [
      '*.json',
      {},
      ' The workspace is empty. Download the artifact with the files first, or check out the repository. [precise]',
    ],
    ['/in/x.json', {}, ` The directory '${resolve('/in')}' does not exist.`],
    ['in/x.json', { 'x.txt': '' }, " The directory 'in' does not exist."],
    ['in/**', { 'x.txt': '' }, " The directory 'in' does not exist."],
    ['*.json', { '.git/config': '' }, " The directory 'WORKSPACE' has hidden files only."],
    [
      '**/*.json',
      { '.out/x.json': '', '.env': '' },
      " It matches hidden files ('.out/x.json') only with `include-hidden-files: true`. [precise]",
    ],
    ['**/*.json\n!.out', { '.out/x.json': '', a: '' }, ''],
    ['in.x\n!in.x', { 'in.x': '' }, " Lines with '!' leave out 'in.x'. [precise]"],
    ['"a.json"', TREE, ' Remove the quotes. [precise]'],
    ...['*.{json,xml}', 'a.json, b.json', '["a.json","b.json"]'].map(
      (text): [string, Tree, string] => [
        text,
        TREE,
        ' Write each pattern in a line of its own, without braces and commas. [precise]',
      ],
    ),
  ])('says what is wrong with %j (%#)', async (text, tree, expected) => {
    expect(await hint(text, tree)).toBe(expected);
  });

  test.each(['in/*', 'in', 'in/x.json'])('says of %j that the directory is empty', async (text) => {
    const workspace = await makeFolder({ 'x.txt': '' });
    await mkdir(join(workspace, 'in'));
    expect(await hint(text, workspace)).toBe(" The directory 'in' is empty.");
  });

  test.each<[string, string, readonly string[], string]>([
    ['the same name', 'in/scan.x', ['in/a', 'b/scan.x'], "Did you mean 'b/scan.x'?"],
    [
      'at most three, the newest first',
      'in/scan.x',
      ['in/a', 'b/scan.x', 'c/scan.x', 'd/scan.x', 'e/scan.x'],
      "Did you mean 'e/scan.x', 'd/scan.x', 'c/scan.x'?",
    ],
    ['the same ending', '*.json', ['b.JSON', 'b.x'], "Files that end in .json: 'b.JSON'."],
    ['nothing that is excluded', 'scan.x\n!out', ['out/scan.x', 'x/other.y'], ''],
    ['nothing hidden', 'scan.x', ['.git/scan.x', 'a/.b/scan.x', 'z'], ''],
    ['nothing in node_modules', 'scan.x', ['node_modules/scan.x', 'a/node_modules/b.x'], ''],
  ])('proposes %s', async (_, text, names, expected) => {
    const workspace = await makeFolder(makeTree(...names));
    for (const [index, name] of names.entries()) await utimes(join(workspace, name), index, index);
    expect((await hint(text, workspace)).trim()).toBe(expected);
  });

  test('proposes no file that another pattern has matched', async () => {
    const scope = await makeScope(makeTree('scan1.q', 'in/scan.q', 'scan2.q'));
    const taken = new Set<string>();
    const find = async (text: string) =>
      findFiles([{ input: 'scan-file', text }], scope, undefined, taken);
    const found = await find('scan.q');
    await find('scan[12].q');
    const limit = new AbortController().signal;
    const explain = async () => explainUnmatched(found, { ...scope, taken, limit });
    expect((await explain()).message).toMatch(/ Did you mean 'in\/scan\.q'\?$/);
    await find('in/*');
    expect((await explain()).message).toMatch(/ matches 'scan\.q'\.$/);
  });

  test('proposes nothing once its limit has ended', async () => {
    const scope = await makeScope({ 'in/scan.x': '' });
    const found = await findFiles([{ input: 'scan-file', text: 'scan.x' }], scope);
    const late = { ...scope, taken: new Set<string>(), limit: AbortSignal.abort() };
    expect((await explainUnmatched(found, late)).message).toMatch(/ matches 'scan\.x'\.$/);
  });
});

describePosix('explainUnmatched of the path of another machine', () => {
  test.each([
    '/Users/runner/work/other/other/**/*.json',
    '/__w/app/app/a.json',
    'C:/actions-runner/_work/app/app/a.json',
    String.raw`D:\a\app\app\a.json`,
  ])('says where the workspace is: %s', async (text) => {
    setEnvironment({ RUNNER_TEMP: '/tmp/of/runner' });
    expect(await hint(text, TREE)).toBe(
      ' This is a path of another runner, or of the host of this container: here the workspace is WORKSPACE, and the temporary directory /tmp/of/runner. [precise]',
    );
  });

  test('says nothing of another runner if its directory exists', async () => {
    const workspace = await makeFolder({ '_work/app/app/x': '' });
    expect(await hint(`${workspace}/_work/app/app/a.q`, workspace)).toBe('');
    expect(await hint('/data/x/x/a.q', workspace)).toBe(
      " The directory '/data/x/x' does not exist.",
    );
  });

  test('says to write slashes', async () => {
    expect(await hint(String.raw`reports\a.json`, TREE)).toBe(
      " Write '/' between names: '\\' makes the next character literal. [precise]",
    );
  });
});

describeLinux('explainUnmatched where all spellings are different', () => {
  test('proposes a name in another case', async () => {
    expect(await hint('SCAN.x', makeTree('scan.X'))).toBe(" Did you mean 'scan.X'?");
  });

  const [COMPOSED, DECOMPOSED] = ['\u00E9', 'e\u0301'];

  test.each([
    [`in/${COMPOSED}.json`, `in/${DECOMPOSED}.json`, 'NFD'],
    [`*/${DECOMPOSED}*.json`, `in/${COMPOSED}-1.json`, 'NFC'],
  ])('says that %j differs from %j in its spelling', async (text, path, form) => {
    expect(await hint(text, makeTree(path, `${dirname(path)}/other.json`))).toBe(
      ` '${path}' differs in composed or decomposed letters (Unicode ${form}): copy its name. [precise]`,
    );
  });
});
