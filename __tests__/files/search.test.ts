import { symlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { create } from '@actions/glob';
import { expect, test } from '@jest/globals';
import { describePosix, hideDebugLines } from '../support/files.ts';
import { searchText } from '../support/search.ts';
import { makeFolder, makeTree } from '../support/workspace.ts';

hideDebugLines();

/** The matches of patterns, relative to the workspace. */
async function search(text: string, workspace: string, includeHidden: boolean) {
  return show(await searchText(text, { workspace, includeHidden }), workspace);
}

function show(paths: readonly string[], workspace: string): readonly string[] {
  return paths.map((path) => relative(workspace, path).replaceAll(sep, '/')).toSorted();
}

const FILES = '.h/x .x a aab/abab aabab/c d/.x d/a/.h/x d/a/x e.json f/.h/e.json [a] * g\\h {a,b}';
const LINKS = { 'd/up': '..', 'd/self': '.', 'd/file': '../e.json', l: 'd/a', no: 'nowhere' };

// Without hidden names, a pattern still finds those that it names.
describePosix('searchGlob, with hidden names and links', () => {
  test.each<[string, string, string]>([
    [
      '*',
      '* [a] a aab/abab aabab/c d/a/x d/file e.json g\\h l/x {a,b}',
      '* .h/x .x [a] a aab/abab aabab/c d/.x d/a/.h/x d/a/x d/file e.json f/.h/e.json g\\h l/.h/x l/x {a,b}',
    ],
    [
      '**\n!d',
      '* [a] a aab/abab aabab/c e.json g\\h l/x {a,b}',
      '* .h/x .x [a] a aab/abab aabab/c e.json f/.h/e.json g\\h l/.h/x l/x {a,b}',
    ],
    ['**/x', 'd/a/x l/x', '.h/x d/a/.h/x d/a/x l/.h/x l/x'],
    ['**/*.json\n!f/**', 'e.json', 'e.json'],
    ['**/.*/e.json', 'f/.h/e.json', 'f/.h/e.json'],
    ['*a*b*\n!{*', 'aab/abab aabab/c', 'aab/abab aabab/c'],
    ['\\.x', '.x', '.x'],
    ['[!d]*\n!.*\n!*a*', '* e.json g\\h l/x', '* e.json f/.h/e.json g\\h l/.h/x l/x'],
    // `x/**` does not match the file x.
    ['d/*\n!d/*/**', 'd/file', 'd/.x d/file'],
    ['.h', '.h/x', '.h/x'],
    ['d/up/a', 'd/up/a', 'd/up/a'],
  ])('%j', async (text, visible, all) => {
    const workspace = await makeFolder(makeTree(FILES.split(' ')));
    for (const [path, to] of Object.entries(LINKS)) await symlink(to, join(workspace, path));
    expect((await search(text, workspace, false)).join(' ')).toBe(visible);
    expect((await search(text, workspace, true)).join(' ')).toBe(all);
  });
});

const PLAIN =
  'a.json;b.xml;reports/a.json;reports/deep/c.json;deep/a.json;my reports/e (1).json;[x]/f.json;{a,b}.json;+(c).json;.hidden.json;.trivy/x.json;.trivy/.inner/y.json;..x/d.json;reports/.cache/z.json;reports/.trivy/x.json';

/** The matches of @actions/glob itself, which starts at the working directory. */
async function searchPlainly(text: string, workspace: string): Promise<readonly string[]> {
  const previous = process.cwd();
  process.chdir(workspace);
  try {
    return await (await create(text, { matchDirectories: false })).glob();
  } finally {
    process.chdir(previous);
  }
}

// Hidden names and links are above. In @actions/glob `x/**` matches the file x, too.
test.each([
  ['**', '.', './*.json', '**/*.json', 'A.json', '[x]/f.json', '{a,b}.json', '@(reports)/a.json'],
  ['a.json/', '?.json', '[ab].*', '[!a].*', '[a', 'reports', 'reports/', 'reports//deep'],
  ['reports/**', 'reports/*/', 'reports/**/*.json', '**/deep', '**/deep/**', 'my reports/*'],
  ['missing/**', '#a.json', '~nobody/a.json', '.*', '.*/*', '**/.trivy'],
])('searchGlob finds and excludes what @actions/glob does: %s ...', async (...includes) => {
  const workspace = await makeFolder(makeTree(PLAIN.split(';')));
  for (const include of includes) {
    for (const exclude of ['', '!a.json', '!reports', '!**/deep', '! *.xml\n# !a.json', '!**']) {
      const text = `${include}\n${exclude}`;
      const expected = show(await searchPlainly(text, workspace), workspace);
      expect([text, await search(text, workspace, true)]).toEqual([text, expected]);
    }
  }
});
