import { describe, expect, test } from '@jest/globals';
import { existsSync, utimesSync } from 'node:fs';
import { link, realpath, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../src/errors.ts';
import { checkBounds } from '../../src/files/bounds.ts';
import { openScanFile } from '../../src/files/open.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describePosix, hideDebugLines } from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';
import { SPELLINGS, describeWindows } from '../support/windows.ts';
import { select } from '../support/search.ts';
import type { Selected } from '../support/search.ts';

hideDebugLines();

async function find(
  text: string,
  workspace: string,
  input: 'files' | 'scan-file' = 'scan-file',
): Promise<Selected> {
  return select([{ input, text }], { workspace, includeHidden: false });
}

/** Makes a second spelling of a name work, with a hard link unless the file system ignores case. */
async function respell(directory: string, name: string, spelling: string): Promise<void> {
  const path = join(directory, spelling);
  if (!existsSync(path)) await link(join(directory, name), path);
}

describe('findFiles with two spellings of one file', () => {
  test.each(['Report.json\nREPORT.json', 'Report.json\n**/REPORT.json', 'REPORT.json\nR*.json'])(
    'counts the file once, with the name that was found first: %j',
    async (text) => {
      const workspace = await makeFolder({ 'Report.json': '', 'in/a.json': '' });
      await respell(workspace, 'Report.json', 'REPORT.json');
      const first = text.split('\n')[0] ?? '';
      for (const input of ['scan-file', 'files'] as const) {
        const { files } = await find(text, workspace, input);
        expect(files).toEqual([{ path: join(workspace, first), input, directory: workspace }]);
      }
    },
  );

  test.each(['a.json', 'in/Report.json'])(
    'counts a hard link with another name twice: %s',
    async (name) => {
      const workspace = await makeFolder({ 'Report.json': '', 'in/x': '' });
      await link(join(workspace, 'Report.json'), join(workspace, name));
      const { files } = await find(`Report.json\n${name}`, workspace, 'files');
      expect(files).toHaveLength(2);
      expect(await catchFileError(find('**/*.json', workspace))).toMatch(/matches 2: /);
    },
  );

  test('counts files of the same content twice', async () => {
    const workspace = await makeFolder({ 'a.json': '{}', 'b.json': '{}' });
    for (const name of ['a.json', 'b.json']) await utimes(join(workspace, name), 1, 1);
    expect(await find('a.json\nb.json', workspace, 'files')).toMatchObject({
      files: [{ path: join(workspace, 'a.json') }, { path: join(workspace, 'b.json') }],
    });
    expect(await catchFileError(find('*.json', workspace))).toMatch(/matches 2: /);
  });
});

describePosix('findFiles with links to a file', () => {
  test.each([
    ['a.json\nb.json', ['a.json']],
    ['c.json\nb.json', ['c.json']],
    ['latest/x.json\n**/x.json', ['latest/x.json']],
    ['v1/out/x.json\n**/x.json', ['v1/out/x.json']],
  ])('counts all paths to it once, as the first of them: %j', async (text, expected) => {
    const workspace = await makeFolder({ 'a.json': '', 'v1/out/x.json': '' });
    for (const name of ['b.json', 'c.json']) await symlink('a.json', join(workspace, name));
    await symlink('v1/out', join(workspace, 'latest'));
    const { files } = await find(text, workspace);
    expect(files.map(({ path }) => path)).toEqual(expected.map((path) => join(workspace, path)));
  });
});

/** Checks whether a pattern may match a path whose real path is known. */
async function check(workspace: string, path: string, real: string): Promise<void> {
  const found = { path: join(workspace, path), input: 'files', directory: workspace };
  await checkBounds(found, real, { workspace, includeHidden: false });
}

describe('checkBounds of a hidden name', () => {
  test.each([
    ['.scan.json', '.SCAN.json'],
    ['.\u00E9.json', '.e\u0301.json'],
  ])('accepts %j if the pattern spells it %j', async (name, spelling) => {
    const workspace = await makeFolder({ [name]: '', '.other.json': '' });
    await respell(workspace, name, spelling);
    await check(workspace, spelling, join(workspace, name));
    const checking = check(workspace, spelling, join(workspace, '.other.json'));
    expect(await catchFileError(checking)).toMatch(
      / is a link to the hidden '[^']*\.other\.json' /,
    );
  });
});

describePosix('checkBounds of a link to a hidden name', () => {
  test.each([
    ['in/.scans', '../.scans', 'in/.scans/b.json', true],
    ['in/.a.json', '../.scans/b.json', 'in/.a.json', false],
    ['in/.a.json', '../.b.json', 'in/.a.json', false],
    ['in/.scans', '../.scans/.env', 'in/.scans', false],
    // A directory above the workspace has the same name.
    ['b.json', '.cache/b.json', 'b.json', false],
  ])('%s to %s, with the path %s: %s', async (name, target, path, isAccepted) => {
    const files = ['in/x', '.scans/b.json', '.scans/.env', '.b.json', '.cache/b.json'];
    const tree = Object.fromEntries(files.map((file) => [`.cache/work/${file}`, '']));
    const workspace = join(await makeFolder(tree), '.cache', 'work');
    await symlink(target, join(workspace, name));
    const real = await realpath(join(workspace, path));
    const result = await check(workspace, path, real).then(() => '', errorMessage);
    expect(result).toMatch(isAccepted ? /^$/ : / is a link to the hidden '/);
  });

  test('accepts a hidden directory that is being written', async () => {
    const workspace = await makeFolder({ '.scans/b.json': '' });
    const real = join(workspace, '.scans', 'b.json');
    const writing = setInterval(() => utimesSync(join(workspace, '.scans'), 1, Math.random()), 0);
    cleanUp(() => clearInterval(writing));
    for (let count = 0; count < 100; count += 1) {
      await expect(check(workspace, '.scans/b.json', real)).resolves.toBeUndefined();
    }
  });
});

describeWindows('openScanFile in a workspace on Windows', () => {
  test.each(SPELLINGS)('accepts a file if the workspace is written %s', async (_, spell) => {
    const root = await makeFolder({ 'My Repository/in/Report.json': '' });
    const real = join(root, 'My Repository');
    const given = spell(real);
    for (const [workspace, start] of [
      [given, ''],
      [given, `${real}\\`],
      [real, `${given}/`],
      [given, `${given}\\`],
    ] as const) {
      for (const pattern of ['in/report.json', 'in\\R*.json', 'IN']) {
        const result = await find(`${start}${pattern}`, workspace);
        const files = result.files;
        expect(files).toHaveLength(1);
        for (const found of files) {
          const file = await openScanFile(found, { workspace, includeHidden: false });
          cleanUp(() => file.handle.close());
          expect(file.name.toLowerCase()).toBe('report.json');
        }
      }
    }
  });
});
