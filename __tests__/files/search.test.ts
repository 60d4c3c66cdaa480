import { create } from '@actions/glob';
import { describe, expect, test } from '@jest/globals';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { parsePatterns } from '../../src/files/patterns.ts';
import { searchPattern } from '../../src/files/search.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import {
  catchFileError,
  describePosix,
  describeUnprivileged,
  hideDebugLines,
} from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';

hideDebugLines();

const VISIBLE = {
  'a.json': '',
  'b.xml': '',
  'reports/a.json': '',
  'reports/deep/c.json': '',
  'reports/deep/d.txt': '',
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
  'reports/.cache/z.json': '',
  'reports/.trivy/x.json': '',
};

/** What all lines of a text find together, as sorted paths relative to the workspace. */
async function search(
  text: string,
  workspace: string,
  includeHidden = false,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of parsePatterns(text)) {
    const { paths } = await searchPattern(pattern, { workspace, includeHidden });
    for (const path of paths) found.add(path);
  }
  return showPaths([...found], workspace);
}

/** The same from @actions/glob itself, which starts at the working directory. */
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

const INCLUDES = [
  '*',
  '**',
  '.',
  './',
  '*.json',
  './*.json',
  '**/*.json',
  '**/a.json',
  '*/a.json',
  'a.json',
  './a.json',
  'A.json',
  'a.json/',
  'b.*',
  '?.json',
  '[ab].*',
  '[!a].*',
  '[a',
  'reports',
  'reports/',
  'reports//deep',
  'reports/**',
  'reports/*',
  'reports/*/',
  'reports/**/*.json',
  '**/deep',
  '**/deep/**',
  '*e*',
  'my reports/*',
  'my reports/e (1).json',
  '[[]x]/f.json',
  '[x]/f.json',
  '{a,b}.json',
  '+(c).json',
  '+(a).json',
  '@(reports)/a.json',
  'missing',
  'missing/**',
  '#a.json',
  '!!a.json',
  '~nobody/a.json',
];

const EXCLUDES = [
  ['!a.json'],
  ['!**/a.json'],
  ['!reports'],
  ['!reports/**'],
  ['!**/deep'],
  ['! *.xml', '# !a.json'],
  ['!**', 'a.json'],
  ['!*.json', 'a.json', '!reports/**'],
  ['!!!a.json', '!!b.xml'],
];

describe('searchPattern', () => {
  test('finds what @actions/glob finds', async () => {
    const workspace = await makeFolder(VISIBLE);
    for (const text of INCLUDES) {
      const expected = await searchPlainly(text, workspace);
      expect([text, await search(text, workspace)]).toEqual([text, expected]);
    }
  });

  test('excludes what @actions/glob excludes, before and after', async () => {
    const workspace = await makeFolder(VISIBLE);
    for (const include of INCLUDES) {
      for (const excludes of EXCLUDES) {
        for (const text of [
          [include, ...excludes],
          [...excludes, include],
        ]) {
          const lines = text.join('\n');
          const expected = await searchPlainly(lines, workspace);
          expect([lines, await search(lines, workspace)]).toEqual([lines, expected]);
        }
      }
    }
  });

  test('finds what @actions/glob finds with absolute patterns', async () => {
    const workspace = await makeFolder(VISIBLE);
    for (const end of [
      '',
      '/',
      '/*',
      '/a.json',
      '/reports',
      '/reports//',
      '//reports/',
      '/**/deep',
    ]) {
      const expected = await searchPlainly(`${workspace}${end}`, workspace);
      expect([end, await search(`${workspace}${end}`, workspace)]).toEqual([end, expected]);
    }
  });

  test('finds what @actions/glob finds among hidden files, if they are included', async () => {
    const workspace = await makeFolder({ ...VISIBLE, ...HIDDEN });
    for (const text of [...INCLUDES, '.*', '.*/**', '**/.trivy', '.trivy/*', '*/.cache/*']) {
      const expected = await searchPlainly(text, workspace);
      expect([text, await search(text, workspace, true)]).toEqual([text, expected]);
    }
  });

  test.each([
    ['*', ['a.json', 'reports/b.json']],
    ['*.json', ['a.json']],
    ['**/*.json', ['a.json', 'reports/b.json']],
    ['**', ['a.json', 'reports/b.json']],
    ['.', ['a.json', 'reports/b.json']],
    ['./', ['a.json', 'reports/b.json']],
    ['reports', ['reports/b.json']],
    ['reports/*/z.json', []],
    ['?hidden.json', []],
    ['[.x]hidden.json', []],
    ['.hidden.json', ['.hidden.json']],
    ['./.hidden.json', ['.hidden.json']],
    ['[.]hidden.json', ['.hidden.json']],
    ['.trivy', ['.trivy/x.json']],
    ['.trivy/', ['.trivy/x.json']],
    ['./.trivy', ['.trivy/x.json']],
    ['.trivy/*.json', ['.trivy/x.json']],
    ['.trivy/**', ['.trivy/x.json']],
    ['.trivy/x.json', ['.trivy/x.json']],
    ['[.]trivy/*.json', ['.trivy/x.json']],
    ['.trivy/.inner', ['.trivy/.inner/y.json']],
    ['.trivy/.inner/y.json', ['.trivy/.inner/y.json']],
    ['reports/.cache/z.json', ['reports/.cache/z.json']],
    ['*/.cache/z.json', ['reports/.cache/z.json']],
    ['*/[.]cache/z.json', ['reports/.cache/z.json']],
    ['**/.trivy/x.json', ['.trivy/x.json', 'reports/.trivy/x.json']],
    ['**/.trivy', ['.trivy/x.json', 'reports/.trivy/x.json']],
    ['.*', ['.hidden.json', '.trivy/x.json']],
    ['.h*', ['.hidden.json']],
    ['.t*/x.json', ['.trivy/x.json']],
    ['**/.*/z.json', ['reports/.cache/z.json']],
  ])('lets wildcards skip hidden names, and %s not', async (text, expected) => {
    const workspace = await makeFolder({ 'a.json': '', 'reports/b.json': '', ...HIDDEN });
    expect(await search(text, workspace)).toEqual(expected);
  });

  test('lets wildcards of excludes match hidden names, as @actions/glob does', async () => {
    const workspace = await makeFolder(HIDDEN);
    expect(await search('.trivy\n!**/*.json', workspace)).toEqual([]);
    expect(await search('.trivy/.inner/y.json\n!.trivy/?inner', workspace)).toEqual([]);
    expect(await search('.hidden.json\n!*a*d*e*n*', workspace)).toEqual(['.hidden.json']);
    expect(await search('.hidden.json\n!*h*d*e*n*', workspace)).toEqual([]);
  });

  test('takes a hidden workspace for what it is', async () => {
    const workspace = join(await makeFolder(), '.work', '.ws');
    await writeTree(workspace, { 'a.json': '', '.b.json': '', '.c/d.json': '' });
    expect(await search('**/*.json', workspace)).toEqual(['a.json']);
    expect(await search('.', workspace)).toEqual(['a.json']);
  });

  test('searches the given workspace, not the working directory', async () => {
    const workspace = await makeFolder({ 'package.json': '' });
    expect(await search('*.json', workspace)).toEqual(['package.json']);
  });

  test('takes wildcards in the name of the workspace literally', async () => {
    const workspace = join(await makeFolder(), 'we[i]rd [a]');
    await writeTree(workspace, { 'a.json': '', '.b/c.json': '' });
    expect(await search('*.json', workspace)).toEqual(['a.json']);
    expect(await search('.', workspace)).toEqual(['a.json']);
    expect(await search('**/.b/*.json', workspace)).toEqual(['.b/c.json']);
  });

  test('tells where the search began', async () => {
    const workspace = await makeFolder({ 'reports/a.json': '' });
    const options = { workspace, includeHidden: false };
    const begin = async (text: string): Promise<string> =>
      (await searchPattern({ text, excludes: [] }, options)).searchPath;
    expect(await begin('*.json')).toBe(workspace);
    expect(await begin('reports/*.json')).toBe(join(workspace, 'reports'));
    expect(await begin('reports/a.json')).toBe(join(workspace, 'reports', 'a.json'));
    expect(await begin(`${workspace}/missing`)).toBe(join(workspace, 'missing'));
    expect(await begin('~/*')).toBe(homedir());
  });

  test.each([
    '..',
    '../a.json',
    'reports/../a.json',
    'reports/./a.json',
    '..\n!a.json',
    '*.json\n!',
    '*.json\n!!',
    '*.json\n!../b.json',
  ])('refuses the pattern %j, as @actions/glob does', async (text) => {
    const workspace = await makeFolder(VISIBLE);
    await expect(searchPlainly(text, workspace)).rejects.toThrow(/not allowed|empty/);
    expect(await catchFileError(search(text, workspace))).toMatch(
      /^The pattern '.*' is not a valid/,
    );
  });

  test('names an exclude that is not valid', async () => {
    const workspace = await makeFolder(VISIBLE);
    expect(await catchFileError(search('*.json\n!../b.json', workspace))).toMatch(
      /^The pattern '!?\.\.\/b\.json' is not a valid pattern/,
    );
  });

  test('says of a relative pattern what is not allowed in it', async () => {
    const workspace = await makeFolder();
    expect(await catchFileError(search('../a.json', workspace))).toBe(
      "The pattern '../a.json' is not a valid pattern (relative paths with . or .. are not allowed).",
    );
    expect(await catchFileError(search(`${workspace}/../a`, workspace))).toBe(
      `The pattern '${workspace}/../a' is not a valid pattern.`,
    );
  });
});

describePosix('searchPattern where links and any names are possible', () => {
  test('follows links, and takes dangling and circular ones for nothing', async () => {
    const workspace = await makeFolder({ 'reports/a.json': '' });
    await symlink('reports', join(workspace, 'linked'));
    await symlink('reports/a.json', join(workspace, 'link.json'));
    await symlink('nowhere', join(workspace, 'dangling.json'));
    await symlink('..', join(workspace, 'reports', 'circle'));
    expect(await search('**/*.json', workspace)).toEqual([
      'link.json',
      'linked/a.json',
      'reports/a.json',
    ]);
    expect(await search('dangling.json', workspace)).toEqual([]);
    expect(await search('link.json', workspace)).toEqual(['link.json']);
  });

  test('says which link leads to itself', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    await symlink('self.json', join(workspace, 'self.json'));
    const message = await catchFileError(search('*.json', workspace));
    expect(message).toMatch(/^The pattern '\*\.json' cannot be searched: ELOOP: .*self\.json/);
  });

  test('names the reason why a path cannot be searched', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    expect(await catchFileError(search('a.json/b.json', workspace))).toMatch(
      /^The pattern 'a\.json\/b\.json' cannot be searched: ENOTDIR: not a directory/,
    );
  });

  test('escapes with a backslash', async () => {
    const workspace = await makeFolder({ '*.json': '', 'a.json': '', 'b\\c.json': '' });
    expect(await search(String.raw`\*.json`, workspace)).toEqual(['*.json']);
    expect(await search('[*].json', workspace)).toEqual(['*.json']);
    const { paths } = await searchPattern(
      { text: String.raw`b\\c.json`, excludes: [] },
      { workspace, includeHidden: false },
    );
    expect(paths).toEqual([join(workspace, 'b\\c.json')]);
  });

  test('takes several wildcards in one name as @actions/glob does', async () => {
    const workspace = await makeFolder({ ...VISIBLE, 'a-b-c-d.json': '', 'x/a-b-c-d.json/y': '' });
    for (const text of ['*-*-*.json', '**/*-*-*.json', '*-*-*/', '**\n!**/*-*-*.json']) {
      expect(await search(text, workspace)).toEqual(await searchPlainly(text, workspace));
    }
  });

  test('searches a workspace whose name is all wildcards', async () => {
    const workspace = join(await makeFolder(), 'w*?[a]\\b');
    await writeTree(workspace, { 'a.json': '' });
    expect(await search('*.json', workspace)).toEqual(['a.json']);
    expect(await search('a.json', workspace)).toEqual(['a.json']);
  });
});

describeUnprivileged('searchPattern without permission', () => {
  test('says that a directory cannot be searched', async () => {
    const workspace = await makeFolder();
    const closed = join(workspace, 'closed');
    await mkdir(closed, { mode: 0 });
    cleanUp(() => chmod(closed, 0o700));
    expect(await catchFileError(search('**', workspace))).toMatch(
      /^The pattern '\*\*' cannot be searched: EACCES: permission denied/,
    );
  });
});
