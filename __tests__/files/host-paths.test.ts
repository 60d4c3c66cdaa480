import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { makeFolder, writeTree } from '../support/directories.ts';
import { hideDebugLines } from '../support/files.ts';
import { select } from '../support/search.ts';

hideDebugLines();

/** The message about a path that matches nothing, in a workspace like that of a container job. */
async function explain(makePath: (root: string) => string): Promise<string> {
  const root = await makeFolder({ 'home/work/repo/repo/b.json': '' });
  const workspace = join(root, '__w', 'repo', 'repo');
  await writeTree(workspace, { 'a.json': '' });
  const selection = [{ input: 'scan-file', text: makePath(root) }] as const;
  const result = await select(selection, { workspace, includeHidden: false });
  return (result.problem ?? '').replaceAll(workspace, 'WORKSPACE');
}

describe('findFiles with a path on the host of a container job', () => {
  test.each([
    '/home/runner/work/repo/repo/a.json',
    'C:/actions-runner/_work/repo/repo/a.json',
    String.raw`C:\actions-runner\_work\repo\repo\a.json`,
    String.raw`c:\repo\repo`,
    '/repo/repo',
    '/other/work/repo/repo/**/*.json',
  ])('says how to write the path %s', async (path) => {
    expect(await explain(() => path)).toBe(
      `\`scan-file\`: no file matches '${path}'. This is a path on the runner's host. In a container job the workspace is WORKSPACE: write the path relative to it.`,
    );
  });

  test.each<[string, (root: string) => string]>([
    ['a relative path', () => 'work/repo/repo/x.json'],
    [
      'a path with the name of the workspace as part of a longer name',
      () => '/home/work/my-repo/repo/x.json',
    ],
    [
      'a directory with the name of the workspace that exists',
      (root) => `${root}/home/work/repo/repo/x.json`,
    ],
    ['the workspace', (root) => `${root}/__w/repo/repo/x.json`],
  ])('does not mention container jobs for %s', async (_, makePath) => {
    expect(await explain(makePath)).not.toContain('container job');
  });
});
