import { create } from '@actions/glob';
import { expect, test } from '@jest/globals';
import { relative } from 'node:path';
import { hideDebugLines } from '../support/files.ts';
import { makeFolder } from '../support/directories.ts';
import { parsePatterns } from '../../src/files/patterns.ts';
import { searchInclude } from '../support/search.ts';

hideDebugLines();

const FILES =
  'a.json;b.xml;reports/a.json;reports/deep/c.json;deep/a.json;my reports/e (1).json;[x]/f.json;{a,b}.json;+(c).json;.hidden.json;.trivy/x.json;.trivy/.inner/y.json;..x/d.json;reports/.cache/z.json;reports/.trivy/x.json';

/** The matches of a pattern and its excludes. */
async function search(text: string, workspace: string): Promise<readonly string[]> {
  const includes = parsePatterns(text).map((include) =>
    searchInclude(include, { workspace, includeHidden: true }),
  );
  return (await Promise.all(includes)).flat();
}

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

// matches.test.ts has hidden names and links.
test.each([
  ['*', '**', '.', './', '*.json', './*.json', '**/*.json', '*/a.json', 'a.json', 'A.json'],
  ['a.json/', '?.json', '[ab].*', '[!a].*', '[a', 'reports', 'reports/', 'reports//deep'],
  ['reports/**', 'reports/*/', 'reports/**/*.json', '**/deep', '**/deep/**', 'my reports/*'],
  ['[[]x]/f.json', '[x]/f.json', '{a,b}.json', '+(c).json', '+(a).json', '@(reports)/a.json'],
  ['missing/**', '#a.json', '!!a.json', '~nobody/a.json', '.*', '.*/**', '**/.trivy'],
])('searchGlob finds and excludes what @actions/glob does: %s ...', async (...includes) => {
  const workspace = await makeFolder(
    Object.fromEntries(FILES.split(';').map((path) => [path, ''])),
  );
  const show = (paths: readonly string[]) =>
    paths.map((path) => relative(workspace, path).replaceAll('\\', '/')).toSorted();
  for (const include of includes) {
    for (const exclude of ['', '!a.json', '!reports', '!**/deep', '! *.xml\n# !a.json', '!**']) {
      const text = `${include}\n${exclude}`;
      const expected = show(await searchPlainly(text, workspace));
      expect([text, show(await search(text, workspace))]).toEqual([text, expected]);
    }
  }
});
