import { create } from '@actions/glob';
import { describe, expect, test } from '@jest/globals';
import { relative } from 'node:path';
import { catchFileError, hideDebugLines } from '../support/files.ts';
import { makeFolder } from '../support/directories.ts';
import { parsePatterns } from '../../src/files/patterns.ts';
import { searchInclude } from '../support/search.ts';

hideDebugLines();

const VISIBLE = {
  'a.json': '',
  'b.xml': '',
  'reports/a.json': '',
  'reports/deep/c.json': '',
  'deep/a.json': '',
  'my reports/e (1).json': '',
  '[x]/f.json': '',
  '{a,b}.json': '',
  '+(c).json': '',
};

const HIDDEN = {
  '.hidden.json': '',
  '.trivy/x.json': '',
  '.trivy/.inner/y.json': '',
  '..x/d.json': '',
  'reports/.cache/z.json': '',
  'reports/.trivy/x.json': '',
};

/** The matches of all lines of a text, as sorted paths relative to the workspace. */
async function search(
  text: string,
  workspace: string,
  includeHidden = false,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const include of parsePatterns(text)) {
    const paths = await searchInclude(include, { workspace, includeHidden });
    for (const path of paths) found.add(path);
  }
  return showPaths([...found], workspace);
}

/** The matches of @actions/glob itself, which starts at the working directory. */
async function searchPlainly(text: string, workspace: string): Promise<readonly string[]> {
  const previous = process.cwd();
  process.chdir(workspace);
  try {
    const globber = await create(text, { matchDirectories: false });
    return showPaths(await globber.glob(), workspace);
  } finally {
    process.chdir(previous);
  }
}

function showPaths(paths: readonly string[], workspace: string): readonly string[] {
  return paths.map((path) => relative(workspace, path).replaceAll('\\', '/')).toSorted();
}

describe('searchPattern', () => {
  // __tests__/properties/search.test.ts compares many more patterns, but not on Windows.
  test.each([
    ['*', '**', '.', './', '*.json', './*.json', '**/*.json', '*/a.json', 'a.json', 'A.json'],
    ['a.json/', '?.json', '[ab].*', '[!a].*', '[a', 'reports', 'reports/', 'reports//deep'],
    ['reports/**', 'reports/*/', 'reports/**/*.json', '**/deep', '**/deep/**', 'my reports/*'],
    ['[[]x]/f.json', '[x]/f.json', '{a,b}.json', '+(c).json', '+(a).json', '@(reports)/a.json'],
    ['missing/**', '#a.json', '!!a.json', '~nobody/a.json', '.*', '.*/**', '**/.trivy'],
  ])('finds and excludes what @actions/glob does: %s ...', async (...includes) => {
    const workspace = await makeFolder({ ...VISIBLE, ...HIDDEN });
    for (const include of includes) {
      for (const exclude of ['', '!a.json', '!reports', '!**/deep', '! *.xml\n# !a.json', '!**']) {
        const text = `${include}\n${exclude}`;
        const expected = await searchPlainly(text, workspace);
        expect([text, await search(text, workspace, true)]).toEqual([text, expected]);
      }
    }
  });

  test.each([
    ['**/*.json', ['a.json', 'reports/b.json']],
    ['.', ['a.json', 'reports/b.json']],
    ['reports/*/z.json', []],
    ['?hidden.json', []],
    ['./.hidden.json', ['.hidden.json']],
    ['[.]hidden.json', ['.hidden.json']],
    ['./.trivy', ['.trivy/x.json']],
    ['.trivy/.inner', ['.trivy/.inner/y.json']],
    ['*/.cache/z.json', ['reports/.cache/z.json']],
    ['**/.trivy', ['.trivy/x.json', 'reports/.trivy/x.json']],
    ['.*', ['..x/d.json', '.hidden.json', '.trivy/x.json']],
    ['..x/d.json', ['..x/d.json']],
    ['**/.*/z.json', ['reports/.cache/z.json']],
  ])('matches hidden names with %s only where the pattern has the dot', async (text, expected) => {
    const workspace = await makeFolder({ 'a.json': '', 'reports/b.json': '', ...HIDDEN });
    expect(await search(text, workspace)).toEqual(expected);
  });

  const DOTS = "it must not contain '..', nor '.' after its start";

  test.each([
    ['..', '..', DOTS],
    ['reports/../a.json', 'reports/../a.json', DOTS],
    ['reports/./a.json', 'reports/./a.json', DOTS],
    ['/data/x/../a.json', '/data/x/../a.json', DOTS],
    ['~/../a.json', '~/../a.json', DOTS],
    ['[.][.]/a.json', '[.][.]/a.json', DOTS],
    ['*.json\n!../b.json', '../b.json', DOTS],
    ['*.json\n!', '', 'it is empty'],
    ['*.json\n!!', '', 'it is empty'],
    // The class makes the pattern one for Unicode, in which @actions/glob must not escape the hyphen.
    ['./..x/a-[[:digit:]].json', './..x/a-[[:digit:]].json', 'write [0-9] instead of [[:digit:]]'],
  ])('refuses %j, as @actions/glob does', async (text, pattern, reason) => {
    const workspace = await makeFolder(VISIBLE);
    await expect(searchPlainly(text, workspace)).rejects.toThrow(/not allowed|empty|Invalid/);
    const message = `The pattern '${pattern}' is not valid (${reason}).`;
    expect(await catchFileError(search(text, workspace))).toBe(message);
  });
});
