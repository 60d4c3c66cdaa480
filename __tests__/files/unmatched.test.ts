import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { linkSync } from 'node:fs';
import * as promises from 'node:fs/promises';
import { join, resolve as resolvePath } from 'node:path';
import { makeFolder, writeTree } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import type { Scope } from '../../src/files/search.ts';
import { describePosix, hideDebugLines } from '../support/files.ts';
import * as words from '../../src/text.ts';

/** How many directories were listed, and after how many the time for searches has passed. */
const listing = { count: 0, most: Infinity };
let limit = new AbortController();
jest.unstable_mockModule('node:fs/promises', () => ({
  ...promises,
  readdir: async (path: string, options: { withFileTypes: true }) => {
    listing.count += 1;
    if (listing.count > listing.most) limit.abort();
    return promises.readdir(path, options);
  },
}));

/** The names whose distances were measured. */
const compared: string[] = [];
jest.unstable_mockModule('../../src/text.ts', () => ({
  ...words,
  measureDistance: (from: string, to: string, most: number) => {
    compared.push(from);
    return words.measureDistance(from, to, most);
  },
}));

const { explainMoved, explainUnmatched } = await import('../../src/files/unmatched.ts');
const { findFiles } = await import('../../src/files/find.ts');
const { select } = await import('../support/search.ts');

hideDebugLines();

beforeEach(() => {
  Object.assign(listing, { count: 0, most: Infinity });
  compared.length = 0;
  limit = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
});

const TREE = { 'a.json': '', 'b.json': '', 'reports/c.json': '', 'reports/d.xml': '' };

function makeTree(names: readonly string[]): Tree {
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
  test('explains every pattern', async () => {
    const selection = [
      { input: 'dependencies-file', text: 'y/*.q\nx' },
      { input: 'vulnerabilities-file', text: 'z.json' },
    ];
    const scope = await makeScope();
    expect((await select(selection, scope)).problem).toBe(
      "`dependencies-file`: no file matches 'y/*.q'. The directory 'y' does not exist. `dependencies-file`: no file matches 'x'. `vulnerabilities-file`: no file matches 'z.json'. Did you mean 'a.json', 'b.json', 'reports/c.json'?",
    );
  });

  test('says what else to do unless each pattern has a fix of its own', async () => {
    const scope = await makeScope({ ...TREE, '.x': '' });
    const fixes = async (text: string) => (await select([{ input: 'files', text }], scope)).fixes;
    expect(await fixes('?x\n"a.json"')).toEqual([]);
    expect(await fixes('?x\ny.q')).toEqual([MATCH_FIX]);
    expect(await fixes('y.q\n?x')).toEqual([MATCH_FIX]);
  });

  test('explains ten patterns, and counts the others', async () => {
    const text = Array.from({ length: 12 }, (_, index) => `${index}.*`).join('\n');
    const scope = await makeScope();
    const { problem = '' } = await select([{ input: 'files', text }], scope);
    expect(problem.match(/no file matches/g)).toHaveLength(10);
    expect(problem).toMatch(/ matches '9\.\*'\. And 2 more patterns match no file\.$/);
  });

  test.each([
    ['a.json\nx.q', ''],
    ['x.q', 'a.json'],
  ])('says that every pattern must match if others do: %j, %j', async (first, second) => {
    const selection = [first, second].map((text) => ({ input: 'files', text }));
    await expect(select(selection, await makeScope())).rejects.toMatchObject({
      situation: 'files',
      message: "`files`: no file matches 'x.q'. Every pattern must match at least one file.",
      fixes: [MATCH_FIX],
    });
  });
});

describe('explainUnmatched of a directory', () => {
  const EMPTY =
    ' The workspace is empty. Download the artifact with the files first, or check out the repository. [precise]';

  test.each<[string, Tree, string]>([
    ['*.json', {}, EMPTY],
    ['in/x.json', {}, EMPTY],
    ['/in/x.json', {}, " The directory '/in' does not exist."],
    ['in/x.json', { 'x.txt': '' }, " The directory 'in' does not exist."],
    ['in/**', { 'x.txt': '' }, " The directory 'in' does not exist."],
    ['in/', { 'x.txt': '' }, " The directory 'in' does not exist."],
    ['*.json', { '.git/config': '' }, ' The workspace has hidden files only.'],
    ['in/x.json', { 'in/.x': '' }, " The directory 'in' has hidden files only."],
    ['*.json', { 'in/.x.json': '', '.git/config': '' }, ''],
    ['in.x\n!in.x', { 'in.x': '' }, " Lines with '!' leave out 'in.x'. [precise]"],
    ['*.x\n!a.*', { 'a.x': '', 'a.y': '' }, " Lines with '!' leave out 'a.x'. [precise]"],
    ['scan[1].json', { 'scan[1].json': '' }, ' A literal [ is written [[]. [precise]'],
    ['scan[2].json', { 'scan[1].json': '' }, " JSON files here: 'scan[1].json'."],
    ['out/', { 'out/.gitkeep': '', '.env': '' }, " The directory 'out' has hidden files only."],
    [
      '**/*.json',
      { '.out/x.json': '', '.env': '' },
      " It matches hidden files ('.out/x.json') only with `include-hidden-files: true`. [precise]",
    ],
    ['**/*.json\n!.out', { '.out/x.json': '', a: '' }, ''],
  ])('says what is wrong with %j (%#)', async (text, tree, expected) => {
    expect(await hint(text, tree)).toBe(expected);
  });

  test.each(['in/*', 'in', 'in/', 'in/x.json'])(
    'says of %j that the directory is empty',
    async (text) => {
      const workspace = await makeFolder({ 'x.txt': '' });
      await promises.mkdir(join(workspace, 'in'));
      expect(await hint(text, workspace)).toBe(" The directory 'in' is empty.");
    },
  );
});

describe('explainUnmatched with similar names', () => {
  test.each([
    ['the same name in another directory', 'scan.x', ['out/scan.x'], ['out/scan.x']],
    ['a name with one more character', 'scan.x', ['scans.x'], ['scans.x']],
    ['a name with one character less', 'scan.x', ['scn.x'], ['scn.x']],
    ['a name with another character', 'scan.x', ['scam.x'], ['scam.x']],
    ['a name with two swapped characters', 'scan.json', ['sacn.json'], ['sacn.json']],
    ['a name in lower case', 'SCAN.x', ['scans.x'], ['scans.x']],
    ['a name in upper case', 'scan.x', ['SCANS.x'], ['SCANS.x']],
    ['another name of one character', 'a', ['b'], ['b']],
    ['nothing if the names differ too much', 'scan.x', ['report.y', 'plan.txt', 's'], []],
    ['nothing if only the path itself matches', 'scan.x\n!scan.x', ['scan.x', 'out/other.y'], []],
    ['nothing that is excluded', 'scan.x\n!out', ['out/scan.x', 'x/other.y'], []],
    ['no directory', 'scan', ['scans/x.json'], []],
    ['no hidden name', 'scan.x', ['.git/scan.x', '.scan.x', 'a/.b/scan.x'], []],
    ['nothing in node_modules', 'scan.x', ['node_modules/scan.x', 'a/node_modules/scan.x'], []],
    // The same name, then the fewest differences, then a directory of the same name.
    [
      'first the one in a directory of the same name',
      'a/b/s.x',
      ['c/s.x', 'b/s.x'],
      ['b/s.x', 'c/s.x'],
    ],
    [
      'first the one whose path ends in the missing path',
      'b/s.x',
      ['b/y/s.x', 'c/b/s.x', 'xb/s.x'],
      ['c/b/s.x', 'b/y/s.x', 'xb/s.x'],
    ],
    [
      'first the same name, not in its directory',
      './s.x',
      ['a/t.x', 'in/s.x'],
      ['in/s.x', 'a/t.x'],
    ],
    [
      'at most three, the nearest first',
      'in/scan.json',
      ['in/scan1.json', 'scan12.json', 'scan2.json', 'b/scan.json', 'in/scan34.json'],
      ['b/scan.json', 'in/scan1.json', 'scan2.json'],
    ],
  ])('proposes %s', async (_, text, names, expected) => {
    const paths = expected.map((path) => `'${path}'`).join(', ');
    expect(await hint(text, makeTree([...names, 'z'.repeat(20)]))).toMatch(
      expected.length === 0 ? /^(?!.*mean)/ : ` Did you mean ${paths}?`,
    );
  });
});

test('explainUnmatched compares a thousand names, those whose lengths fit first', async () => {
  const workspace = await makeFolder(makeTree(['a/x', 'z/scan200.x', 'z/y/scan100.x']));
  for (let index = 1000; index <= 2000; index += 1) {
    linkSync(join(workspace, 'a/x'), join(workspace, `a/scan${index}.x`));
  }
  expect(await hint('y/scan100.x', workspace)).toMatch(
    /Did you mean 'z\/y\/scan100\.x', 'z\/scan200\.x', 'a\/scan100\d\.x'\?$/,
  );
  expect(compared).toHaveLength(1000);
});

describe('explainUnmatched with files of the same ending', () => {
  test.each([
    ['out/scan.json', ['trivy.json'], " The directory 'out' does not exist.", ['trivy.json']],
    ['*.json', ['out/a.JSON', 'a.xml', 'json', 'node_modules/c.json'], '', ['out/a.JSON']],
    ['x/**/*-s.JSON\n!b.json', ['y/a.json', 'b.json', 'x/.k', 'x/k'], '', ['y/a.json']],
    [
      'in/*.json',
      ['a.json', 'b.json', 'c.json', 'd.json', 'in/x'],
      '',
      ['d.json', 'c.json', 'b.json'],
    ],
    ['*.*', ['out/a.json'], '', []],
    ['in*', ['out/a.json'], '', []],
  ])('lists those of %j, the newest first', async (text, names, state, listed) => {
    const workspace = await makeFolder(makeTree(names));
    for (const [index, name] of names.entries()) {
      await promises.utimes(join(workspace, name), index, index);
    }
    const paths = listed.map((name) => `'${name}'`).join(', ');
    const proposal = listed.length > 0 ? ` JSON files here: ${paths}.` : '';
    expect(await hint(text, workspace)).toBe(`${state}${proposal}`);
  });
});

describe('explainUnmatched of a step', () => {
  test('proposes no file that another pattern of the step names or has matched', async () => {
    const names = ['scan1.q', 'scan2.q', 'in/scan3.q', 'scan4.q'];
    const scope = await makeScope(makeTree(names));
    const taken = new Set<string>();
    const find = async (text: string) =>
      findFiles([{ input: 'scan-file', text }], scope, undefined, taken);
    const found = await find('scan.q');
    await find('scan1.q\n!scan1.q');
    await find('in/*');
    expect((await find('scan[24].q')).files).toHaveLength(2);
    expect((await explainUnmatched(found, scope, taken)).message).toBe(
      "`scan-file`: no file matches 'scan.q'.",
    );
  });

  test.each([
    ['*.json', 'scan.json', ''],
    ['**/.out/*.json', '.out/scan.json', '.out'],
    ['scan.json', 'scan.json', ''],
  ])('says that the match of %j appeared after the search', async (text, path, directory) => {
    const scope = await makeScope({ 'in/x': '' });
    const found = await findFiles([{ input: 'files', text }], scope);
    await writeTree(scope.workspace, makeTree([path, 'in/scan.json', `in/${directory}/.x`]));
    expect(await explainUnmatched(found, scope, new Set())).toMatchObject({
      message: `\`files\`: no file matches '${text}'. '${path}' appeared after the search: is the scan step still running?`,
      fixes: [],
    });
  });

  test('searches for at most one second for all its patterns', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    const scope = await makeScope({ 'a/b/scan.x': '' });
    const explain = async (): Promise<string> =>
      (await select([{ input: 'files', text: 'scan.x' }], scope)).problem ?? '';
    const proposal = " Did you mean 'a/b/scan.x'?";
    expect(await explain()).toContain(proposal);
    expect(await explain()).toContain(proposal);
    expect(timeout.mock.calls).toEqual([[1000]]);
    Object.assign(listing, { count: 0, most: 2 });
    expect(await explain()).not.toContain(proposal);
    Object.assign(listing, { count: 0 });
    expect(await explain()).not.toContain(proposal);
    // Only the workspace, to see whether it is empty or has hidden files only.
    expect(listing.count).toBe(2);
  });
});

function missing(directory: string): [string, string] {
  return [`${directory}/a.q`, ` The directory '${directory}' does not exist.`];
}

describe('explainUnmatched of a path that starts somewhere else', () => {
  const RUNNER =
    ' This is a path of another kind of runner: here the workspace is WORKSPACE. Write the path relative to it. [precise]';

  test.each([
    ['/home/runner/work/app/app/a.json', RUNNER],
    ['/home/runner/work/app/app', RUNNER],
    ['/Users/runner/work/other/other/**/*.json', RUNNER],
    ['/__w/app/app/a.json', RUNNER],
    ['/github/workspace/a.json', RUNNER],
    ['/github/workspace', RUNNER],
    ['C:/actions-runner/_work/app/app/a.json', RUNNER],
    [String.raw`D:\a\app\app\a.json`, RUNNER],
    [String.raw`c:\repo\repo`, RUNNER],
    ['/repo/repo', RUNNER],
    ['/other/dir/repo/repo/**/*.json', RUNNER],
    ['/home/runner/work/app/app/lib/lib/a.json', RUNNER],
    ...['/data/x/x', '/home/runner/work/app/my-app', 'work/app/app'].map(missing),
    ...['/home/runner/work/app/app-2', '/github/workspaces'].map(missing),
  ])('knows the workspaces of other runners: %s', async (text, expected) => {
    const workspace = join(await makeFolder(), '__w', 'repo', 'repo');
    await writeTree(workspace, { 'a.json': '' });
    // On Windows with a drive.
    const shown = expected.replace(/(?<=')\/[^']*/, (path) => resolvePath(path));
    expect(await hint(text, workspace)).toBe(shown);
  });

  test('says nothing of another runner if its directory exists', async () => {
    const workspace = await makeFolder({ 'work/app/app/x': '' });
    expect(await hint(`${workspace}/work/app/app/a.json`, workspace)).toBe('');
  });

  test.each([
    ['/in/a.json', "'in/a.json'"],
    ['//in', "'in'"],
    ['/in/*.json', "'in/*.json'"],
    ['/in/**/*.json\n!/in/b', "'in/**/*.json'"],
  ])('asks for the expression before %j', async (text, below) => {
    const workspace = await makeFolder({ 'in/a.json': '', 'a.json': '' });
    const question = ` ${below} is in the workspace: is the expression before the '/' empty? [precise]`;
    expect(await hint(text, workspace)).toBe(question);
  });

  test.each(['/in/b.json', '/missing/*.json'])('does not ask for %j', async (text) => {
    const found = await hint(text, { 'in/a.json': '' });
    expect(found).not.toMatch(/expression|precise\]/);
  });
});

describe('explainMoved', () => {
  const NAMES = 'a.json b.json c.json';
  const BELOW = NAMES.split(' ').map((name) => `x/y/${name}`);
  const WILD = makeTree(NAMES.split(' ').map((name) => `[x]/${name}`));
  const ALL = { 'in/a/x.json': '', 'in/b/x.json': '', 'in/c/y.json': '' };

  test.each<[string, string, Tree, string | undefined]>([
    ['paths', 'a/x.json b/x.json c/y.json', ALL, 'in'],
    ['paths from the workspace', './a/x.json $/b/x.json c/y.json', ALL, 'in'],
    ['patterns', 'a/*.json b/x.json ?/y.json', ALL, 'in'],
    ['one pattern of many files', '*/x.json b/x.json c/y.json', ALL, 'in'],
    ['files below several directories', NAMES, makeTree([...BELOW, 'x/z/d.json']), 'x/y'],
    ['a directory with wildcards in its name', NAMES, WILD, '[x]'],
    ['two patterns, which are explained one by one', 'a/x.json b/x.json', ALL, undefined],
    ['a file that is missing', 'a/x.json b/x.json c/x.json', ALL, undefined],
    ['a first file that is missing', 'c/x.json b/x.json a/x.json', ALL, undefined],
    ['a file elsewhere', 'a.q b.q c.q', { 'x/a.q': '', 'x/b.q': '', 'y/c.q': '' }, undefined],
    ['hidden directories', 'a.q b.q c.q', { '.x/a.q': '', '.x/b.q': '', '.x/c.q': '' }, undefined],
    ['paths outside the workspace', '/a/x.json /b/x.json /c/y.json', ALL, undefined],
  ])('finds %s', async (_, lines, tree, directory) => {
    const scope = await makeScope(tree);
    const files = lines.replaceAll('$', scope.workspace).split(' ');
    const selection = files.map((text) => ({ input: 'scan-file', text }));
    const { unmatched } = await findFiles(selection, scope);
    expect(unmatched).toHaveLength(files.length);
    const error = await explainMoved(unmatched, scope);
    expect(error?.problems).toEqual(
      directory && [`All 3 missing files exist below '${directory}/'.`],
    );
    const fix = expect.stringContaining(`Write '${directory}/' before each path, or download the`);
    expect(error?.fixes).toEqual(directory && [fix]);
  });

  test('gives up after the second that a step may search', async () => {
    const scope = await makeScope(ALL);
    const selection = ['a/x.json', 'b/x.json', 'c/y.json'].map((text) => ({
      input: 'files',
      text,
    }));
    const { unmatched } = await findFiles(selection, scope);
    listing.most = 1;
    expect(await explainMoved(unmatched, scope)).toBeUndefined();
  });
});

test.each([
  ['"a.json"', /^ Remove the quotes\. \[precise\]$/],
  ["'reports/*.json'", /^ Remove the quotes\./],
  ['~/a.json', /^ `~` and variables/],
  ['$GITHUB_WORKSPACE/a.json', /^ `~` and variables/],
  ['%TEMP%/a.json', /^ `~` and variables/],
  ['*.{json,xml}', /^ Braces stand for themselves/],
  ['{a,b}.json', /^ Braces stand for themselves/],
  ['a.json,b.json', /without commas/],
  ['a.json reports/b.json', /^ Write each pattern in a line of its own\. \[precise\]$/],
  [
    'a.json *.json !b.json',
    /^ Write `scan-file: \|`, and each pattern in a line of its own: `>` joins lines\. \[precise\]$/,
  ],
  ['["a.json","b.json"]', /, without brackets, quotes and commas\. \[precise\]$/],
  ['a.json # the report', /^ `#` begins a comment only at the start of a line\./],
  ['a.json, b.json', /without commas\. \[precise\]$/],
  ['a~1.json', /^ Did you mean/],
  ['a$.json', /^ Did you mean/],
  ['{a}.json', /^ Did you mean/],
  ['a,.json', /^ Did you mean/],
])('explainUnmatched knows other ways to write %s', async (text, expected) => {
  expect(await hint(text, TREE)).toMatch(expected);
});

describePosix('explainUnmatched of a backslash', () => {
  const SLASH = " Write '/' between names: '\\' makes the next character literal. [precise]";

  test.each([
    [String.raw`reports\a.json`, SLASH],
    [String.raw`.\reports\*.json`, SLASH],
    [String.raw`reports\*.json`, SLASH],
    ['reports/b.q', ''],
  ])('says of %s what to write', async (text, expected) => {
    expect(await hint(text, { 'reports/a.json': '' })).toBe(expected);
  });
});
