import { expect, jest, test } from '@jest/globals';
import type { StatsBase } from 'node:fs';
import * as promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';

// A file system that ignores the case of `workspace`, and returns real paths in the requested case.
const access = (path: string): string => path.replace('/WORKSPACE', '/workspace');
const respell = (real: string, asked: string): string =>
  asked.includes('/WORKSPACE') ? real.replace('/workspace', '/WORKSPACE') : real;

// In /unnumbered every file and directory has the inode number 0.
const renumber = (path: string, stats: StatsBase<bigint>): StatsBase<bigint> =>
  Object.assign(stats, path.includes('/unnumbered/') && { ino: 0n });

jest.unstable_mockModule('node:fs/promises', () => ({
  ...promises,
  realpath: async (path: string) => respell(await promises.realpath(access(path)), path),
  stat: async (path: string) => renumber(path, await promises.stat(access(path), { bigint: true })),
}));

const { findOutside } = await import('../../src/files/bounds.ts');

/** A workspace, in which a link leads to a directory outside, and that directory. */
async function makePlaces(name = ''): Promise<string> {
  const root = join(await makeFolder({ [`${name}/workspace/in/a.json`]: '[]' }), name);
  // Some file systems record creation times with a resolution of several milliseconds.
  await setTimeout(50);
  await promises.mkdir(join(root, 'outside'));
  await promises.writeFile(join(root, 'outside', 'secret.json'), '[]');
  await promises.symlink('../outside', join(root, 'workspace', 'planted'));
  return root;
}

async function isOutside(workspace: string, path: string, real: string): Promise<boolean> {
  const outside = await findOutside({ path, directory: dirname(path) }, real, workspace);
  return outside === 'the workspace';
}

describePosix('findOutside where real paths have the requested case', () => {
  test.each([
    ['workspace', 'WORKSPACE'],
    ['WORKSPACE', 'workspace'],
  ])('refuses a link out of %s if the pattern spells it %s', async (given, spelling) => {
    const root = await makePlaces();
    const secret = join(root, spelling, 'planted', 'secret.json');
    const real = join(root, 'outside', 'secret.json');
    expect(await isOutside(join(root, given), secret, real)).toBe(true);
    const path = join(root, spelling, 'in', 'a.json');
    expect(await isOutside(join(root, given), path, path)).toBe(false);
  });

  test('refuses a link out of the workspace on a file system without inode numbers', async () => {
    const root = await makePlaces('unnumbered');
    const workspace = join(root, 'workspace');
    const real = join(root, 'outside', 'secret.json');
    expect(await isOutside(workspace, join(workspace, 'planted', 'secret.json'), real)).toBe(true);
  });
});
