import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Roots } from '../../src/files/bounds.ts';
import { catchFileError, makeFolder } from './fixtures.ts';

const fs = { ...(await import('node:fs/promises')) };
/** The paths that were asked for, by stat and realpath. */
const asked: string[] = [];

jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  stat: async (path: string) => {
    asked.push(`stat ${path}`);
    return fs.stat(path, { bigint: true });
  },
  realpath: async (path: string) => {
    asked.push(`realpath ${path}`);
    return fs.realpath(path);
  },
}));

const { checkBounds } = await import('../../src/files/bounds.ts');

beforeEach(() => {
  asked.length = 0;
});

async function makeRoots(): Promise<Roots & { readonly temp: string }> {
  const root = await makeFolder({ 'workspace/a.json': '{}', 'temp/t/b.json': '{}' });
  return { workspace: join(root, 'workspace'), temp: join(root, 'temp') };
}

async function check(roots: Roots, path: string, folder?: string): Promise<void> {
  await checkBounds({ path, input: 'files', folder }, path, roots);
}

function countAsked(path: string): number {
  return asked.filter((text) => text.endsWith(` ${path}`)).length;
}

describe('checkBounds', () => {
  test('looks for its roots once, however many files there are', async () => {
    const roots = await makeRoots();
    for (let turn = 0; turn < 5; turn += 1) await check(roots, join(roots.workspace, 'a.json'));
    // One stat and one realpath of each.
    expect([countAsked(roots.workspace), countAsked(roots.temp)]).toEqual([2, 2]);
  });

  test('looks for other roots again', async () => {
    const [one, other] = [await makeRoots(), await makeRoots()];
    for (const roots of [one, other, { ...one }])
      await check(roots, join(roots.workspace, 'a.json'));
    expect([countAsked(one.workspace), countAsked(other.workspace)]).toEqual([4, 2]);
  });

  test('judges each file by the roots that it was asked for', async () => {
    const [one, other] = [await makeRoots(), await makeRoots()];
    await check(one, join(one.workspace, 'a.json'));
    const outside = join(one.workspace, 'a.json');
    expect(await catchFileError(check(other, outside))).toMatch(/, outside the workspace/);
    await check(other, join(other.workspace, 'a.json'));
    await check(one, join(one.workspace, 'a.json'));
    expect(await catchFileError(check(one, join(other.workspace, 'a.json')))).toMatch(/, outside/);
  });

  test('knows the temporary folder of each', async () => {
    const roots = await makeRoots();
    const [path, folder] = [join(roots.temp, 't', 'b.json'), join(roots.temp, 't')];
    for (let turn = 0; turn < 2; turn += 1) await check(roots, path, folder);
    expect(countAsked(roots.temp)).toBeLessThanOrEqual(4);
    expect(await catchFileError(check(roots, path))).toMatch(/, outside the workspace/);
  });

  test('does not remember a workspace that was not there', async () => {
    const root = await makeFolder();
    const roots = { workspace: join(root, 'late'), temp: undefined };
    const path = join(roots.workspace, 'a.json');
    await expect(check(roots, path)).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(roots.workspace);
    await fs.writeFile(path, '{}');
    await expect(check(roots, path)).resolves.toBeUndefined();
  });
});
