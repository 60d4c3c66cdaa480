import { expect, jest, test } from '@jest/globals';
import * as promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';

// A file system that ignores the case of `workspace`, and returns real paths in the requested case.
const access = (path: string): string => path.replace('/WORKSPACE', '/workspace');
const respell = (real: string, asked: string): string =>
  asked.includes('/WORKSPACE') ? real.replace('/workspace', '/WORKSPACE') : real;

jest.unstable_mockModule('node:fs/promises', () => ({
  ...promises,
  realpath: async (path: string) => respell(await promises.realpath(access(path)), path),
  stat: async (path: string) => promises.stat(access(path), { bigint: true }),
}));

const { findOutside } = await import('../../src/files/bounds.ts');

/** A workspace, in which a link leads to a directory outside, and that directory. */
async function makePlaces(): Promise<string> {
  const root = await makeFolder({ 'workspace/in/a.json': '[]', 'outside/secret.json': '[]' });
  await promises.symlink('../outside', join(root, 'workspace', 'planted'));
  return root;
}

async function isOutside(workspace: string, path: string, real: string): Promise<boolean> {
  const outside = await findOutside({ directory: dirname(path) }, real, workspace);
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
});
