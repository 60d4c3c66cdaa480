import { symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { parsePatterns } from '../../src/files/patterns.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix, hideDebugLines } from '../support/files.ts';
import { searchInclude } from '../support/search.ts';

hideDebugLines();

const FILES = '.h/x .x a aab/abab aabab/c d/.x d/a/.h/x d/a/x e.json f/.h/e.json [a] * g\\h {a,b}';
const LINKS = { 'd/up': '..', 'd/self': '.', 'd/file': '../e.json', l: 'd/a', no: 'nowhere' };

/** A workspace with these files and links. */
async function makeTree(): Promise<string> {
  const workspace = await makeFolder(
    Object.fromEntries(FILES.split(' ').map((path) => [path, ''])),
  );
  for (const [path, target] of Object.entries(LINKS)) await symlink(target, join(workspace, path));
  return workspace;
}

// Without hidden names, a pattern still finds those that it names.
describePosix('searchInclude, with hidden names and links', () => {
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
    ['**/*.json', 'e.json', 'e.json f/.h/e.json'],
    ['**/*.json\n!f/**', 'e.json', 'e.json'],
    ['.*', '.h/x .x', '.h/x .x'],
    ['**/.x', '.x d/.x', '.x d/.x'],
    ['**/.*/e.json', 'f/.h/e.json', 'f/.h/e.json'],
    [
      'd/**/.h/*',
      'd/a/.h/x d/up/.h/x d/up/f/.h/e.json d/up/l/.h/x',
      'd/a/.h/x d/up/.h/x d/up/f/.h/e.json d/up/l/.h/x',
    ],
    ['?/a', 'd/a/x', 'd/a/.h/x d/a/x'],
    ['d/a/', 'd/a/x', 'd/a/.h/x d/a/x'],
    ['d//a//x', 'd/a/x', 'd/a/x'],
    ['*a*b*\n!{*', 'aab/abab aabab/c', 'aab/abab aabab/c'],
    ['*a*a*b*/*', 'aab/abab aabab/c', 'aab/abab aabab/c'],
    ['*a*a*a*b*', 'aabab/c', 'aabab/c'],
    ['*a*b*a*', 'aabab/c', 'aabab/c'],
    ['[ae]*', 'a aab/abab aabab/c e.json', 'a aab/abab aabab/c e.json'],
    ['[!a]', '* d/a/x d/file l/x', '* d/.x d/a/.h/x d/a/x d/file f/.h/e.json l/.h/x l/x'],
    ['[e-f]/**', '', 'f/.h/e.json'],
    ['[.]x', '.x', '.x'],
    ['[[]a]', '[a]', '[a]'],
    ['[*]', '*', '*'],
    ['[a', '', ''],
    ['[]a]', '', ''],
    ['\\.x', '.x', '.x'],
    ['\\*', '*', '*'],
    ['g\\\\h', 'g\\h', 'g\\h'],
    ['{a,b}', '{a,b}', '{a,b}'],
    ['+(a)', '', ''],
    ['???', '[a] aab/abab g\\h', '[a] aab/abab g\\h'],
    ['#a', '', ''],
    ['[!d]*\n!.*\n!*a*', '* e.json g\\h l/x', '* e.json f/.h/e.json g\\h l/.h/x l/x'],
    ['d/*\n!d/*/**', '', ''],
    ['!!a', 'a', 'a'],
    ['***/c', 'aabab/c', 'aabab/c'],
    ['.h', '.h/x', '.h/x'],
    ['l', 'l/x', 'l/.h/x l/x'],
    ['l/*', 'l/x', 'l/.h/x l/x'],
    ['*/x', 'l/x', '.h/x l/x'],
    ['d/up/a', 'd/up/a', 'd/up/a'],
    ['d/self/a/x', 'd/self/a/x', 'd/self/a/x'],
    ['d/up/*.json', 'd/up/e.json', 'd/up/e.json'],
    ['no', '', ''],
    ['d/file', 'd/file', 'd/file'],
  ])('%j', async (text, visible, all) => {
    const workspace = await makeTree();
    const found: string[] = [];
    for (const includeHidden of [false, true]) {
      const scope = { workspace, includeHidden };
      const searches = parsePatterns(text).map((include) => searchInclude(include, scope));
      const paths = (await Promise.all(searches)).flat();
      found.push(
        paths
          .map((path) => relative(workspace, path))
          .toSorted()
          .join(' '),
      );
    }
    expect(found).toEqual([visible, all]);
  });
});
