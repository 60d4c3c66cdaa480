import { describe, expect, jest, test } from '@jest/globals';
import type { StatsBase } from 'node:fs';
import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describePosix } from '../support/files.ts';
import { catchLaterProblems } from '../support/inputs.ts';

// A file system that ignores the case of `workspace`, and returns real paths in the requested case.
const access = (path: string): string => path.replace('/WORKSPACE', '/workspace');
const respell = (real: string, asked: string): string =>
  asked.includes('/WORKSPACE') ? real.replace('/workspace', '/WORKSPACE') : real;

// In /unnumbered every file and directory has the inode number 0.
const renumber = (path: string, stats: StatsBase<bigint>): StatsBase<bigint> =>
  Object.assign(stats, path.includes('/unnumbered/') && { ino: 0n });

jest.unstable_mockModule('node:fs/promises', () => ({
  ...promises,
  open: async (path: string, flags: number) => {
    const handle = await promises.open(access(path), flags);
    const stats = await handle.stat({ bigint: true });
    return Object.assign(handle, { stat: async () => renumber(path, stats) });
  },
  // Without /proc, as on the systems that have such file systems.
  realpath: async (path: string) =>
    respell(await promises.realpath(access(path).replace('/proc/', '/none/')), path),
  stat: async (path: string) => renumber(path, await promises.stat(access(path), { bigint: true })),
}));

const { checkBounds } = await import('../../src/files/bounds.ts');
const { readScans } = await import('../../src/inputs/scans.ts');

/** A directory with a workspace, in which a link leads to a directory outside. */
async function makePlaces(): Promise<string> {
  const root = await makeFolder({ 'workspace/in/a.json': '[]', 'outside/secret.json': '[]' });
  await promises.symlink('../outside', join(root, 'workspace', 'planted'));
  return root;
}

describePosix('checkBounds and readScans where real paths have the requested case', () => {
  test.each([
    ['workspace', 'WORKSPACE'],
    ['WORKSPACE', 'workspace'],
  ])('refuse a link out of %s if the pattern spells it %s', async (given, spelling) => {
    const root = await makePlaces();
    const directory = join(root, spelling, 'planted');
    const found = { path: join(directory, 'secret.json'), input: 'files', directory } as const;
    const scope = { workspace: join(root, given), includeHidden: false };
    const checking = checkBounds(found, join(root, 'outside', 'secret.json'), scope);
    expect(await catchFileError(checking)).toContain(', outside the workspace, ');
    expect(await catchLaterProblems(readScans(found.path, scope.workspace))).toEqual([
      expect.stringContaining('(outside the workspace)'),
    ]);
  });
});

describePosix('a file in the workspace', () => {
  test('is accepted if its path spells the workspace differently', async () => {
    const root = await makePlaces();
    const directory = join(root, 'WORKSPACE', 'in');
    const found = { path: join(directory, 'a.json'), input: 'files', directory } as const;
    const scope = { workspace: join(root, 'workspace'), includeHidden: false };
    await expect(checkBounds(found, found.path, scope)).resolves.toBeUndefined();
    expect(await readScans(found.path, scope.workspace)).toEqual([]);
  });
});

describePosix('a link out of the workspace', () => {
  test('is refused on a file system without inode numbers', async () => {
    const root = await makeFolder({ 'unnumbered/workspace/in/a.json': '[]' });
    const workspace = join(root, 'unnumbered', 'workspace');
    // Some file systems record creation times with a resolution of several milliseconds.
    await setTimeout(50);
    const outside = join(root, 'unnumbered', 'outside');
    await promises.mkdir(outside);
    await promises.writeFile(join(outside, 'secret.json'), '[]');
    await promises.symlink('../outside', join(workspace, 'planted'));
    const directory = join(workspace, 'planted');
    const found = { path: join(directory, 'secret.json'), input: 'files', directory } as const;
    const checking = checkBounds(found, join(outside, 'secret.json'), {
      workspace,
      includeHidden: false,
    });
    expect(await catchFileError(checking)).toContain(', outside the workspace, ');
    expect(await catchLaterProblems(readScans(found.path, workspace))).toEqual([
      expect.stringContaining('(outside the workspace)'),
    ]);
  });
});

describePosix('a path through a link into the workspace', () => {
  test('does not allow a `scans` file outside the workspace', async () => {
    const root = await makePlaces();
    await promises.symlink('workspace/in', join(root, 'inner'));
    await promises.symlink('../../outside', join(root, 'workspace', 'in', 'planted'));
    const workspace = join(root, 'workspace');
    expect(await readScans(join(root, 'inner', 'a.json'), workspace)).toEqual([]);
    const secret = join(root, 'inner', 'planted', 'secret.json');
    expect(await catchLaterProblems(readScans(secret, workspace))).toEqual([
      expect.stringContaining('(outside the workspace)'),
    ]);
  });
});

describe('a directory beside the workspace', () => {
  test('is not mistaken for the workspace', async () => {
    const root = await makeFolder({ 'workspace/a.json': '[]', 'temp/a.json': '[]' });
    const scope = { workspace: join(root, 'workspace'), includeHidden: false };
    const directory = join(root, 'temp');
    const found = { path: join(directory, 'a.json'), input: 'files', directory } as const;
    await expect(checkBounds(found, found.path, scope)).resolves.toBeUndefined();
    expect(await readScans(found.path, scope.workspace)).toEqual([]);
  });
});
