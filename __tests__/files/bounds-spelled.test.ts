import { describe, expect, jest, test } from '@jest/globals';
import type { StatsBase } from 'node:fs';
import * as promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '../../src/errors.ts';
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

const { checkBounds, findOutside } = await import('../../src/files/bounds.ts');
const { readScans } = await import('../../src/inputs/scans.ts');

/** A directory with a workspace, in which a link leads to a directory outside. */
async function makePlaces(): Promise<string> {
  const root = await makeFolder({ 'workspace/in/a.json': '[]', 'outside/secret.json': '[]' });
  await promises.symlink('../outside', join(root, 'workspace', 'planted'));
  return root;
}

/** Checks a path by both its readers: whether they say that it is outside the workspace. */
async function isRefused(workspace: string, path: string, real: string): Promise<boolean> {
  const found = { path, input: 'files', directory: dirname(path) };
  const checking = checkBounds(found, real, { workspace, includeHidden: false });
  const bounds = await checking.then(() => '', errorMessage);
  const scans = await readScans(path, workspace).then(() => '', errorMessage);
  expect(bounds).toMatch(scans === '' ? /^$/ : /, outside the workspace, /);
  expect(scans).toMatch(bounds === '' ? /^$/ : /\(outside the workspace\)/);
  return bounds !== '';
}

describePosix('checkBounds and readScans where real paths have the requested case', () => {
  test.each([
    ['workspace', 'WORKSPACE'],
    ['WORKSPACE', 'workspace'],
  ])('refuse a link out of %s if the pattern spells it %s', async (given, spelling) => {
    const root = await makePlaces();
    const secret = join(root, spelling, 'planted', 'secret.json');
    const real = join(root, 'outside', 'secret.json');
    expect(await isRefused(join(root, given), secret, real)).toBe(true);
    const path = join(root, spelling, 'in', 'a.json');
    expect(await isRefused(join(root, given), path, path)).toBe(false);
  });

  test('refuse a link out of the workspace on a file system without inode numbers', async () => {
    const root = join(await makeFolder({ 'unnumbered/workspace/in/a.json': '[]' }), 'unnumbered');
    // Some file systems record creation times with a resolution of several milliseconds.
    await setTimeout(50);
    await promises.mkdir(join(root, 'outside'));
    await promises.writeFile(join(root, 'outside', 'secret.json'), '[]');
    const workspace = join(root, 'workspace');
    await promises.symlink('../outside', join(workspace, 'planted'));
    const real = join(root, 'outside', 'secret.json');
    expect(await isRefused(workspace, join(workspace, 'planted', 'secret.json'), real)).toBe(true);
  });

  test('refuse a link out of the workspace below a link into it', async () => {
    const root = await makePlaces();
    await promises.symlink('workspace/in', join(root, 'inner'));
    await promises.symlink('../../outside', join(root, 'workspace', 'in', 'planted'));
    const workspace = join(root, 'workspace');
    const real = join(workspace, 'in', 'a.json');
    expect(await isRefused(workspace, join(root, 'inner', 'a.json'), real)).toBe(false);
    const secret = join(root, 'inner', 'planted', 'secret.json');
    expect(await isRefused(workspace, secret, join(root, 'outside', 'secret.json'))).toBe(true);
  });
});

describe('a directory beside the workspace', () => {
  test('is not mistaken for the workspace', async () => {
    const root = await makeFolder({ 'workspace/a.json': '[]', 'temp/a.json': '[]' });
    const path = join(root, 'temp', 'a.json');
    expect(await isRefused(join(root, 'workspace'), path, path)).toBe(false);
  });

  test('cannot be reached by a relative path', async () => {
    const root = await makeFolder({ 'workspace/a.json': '[]', 'temp/a.json': '[]' });
    const path = join(root, 'temp', 'a.json');
    const outside = await findOutside(
      { path, directory: join(root, 'workspace') },
      path,
      join(root, 'workspace'),
    );
    expect(outside).toBe('the workspace');
  });
});
