import { beforeEach, expect, jest, test } from '@jest/globals';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenFile } from '../../src/files/open.ts';
import type { Scope } from '../../src/files/search.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describeLinux } from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';

const fs = { ...(await import('node:fs/promises')) };

/** What happens right after a file was opened, and after its path was resolved. */
const meanwhile = {
  opened: async (): Promise<void> => {},
  resolved: async (): Promise<void> => {},
};
const proc = { isThere: true };

jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  open: async (...args: Parameters<typeof fs.open>) => {
    const handle = await fs.open(...args);
    await meanwhile.opened();
    return handle;
  },
  realpath: async (path: string) => {
    const isProc = path.startsWith('/proc/');
    const real = await fs.realpath(isProc && !proc.isThere ? `${path}/none` : path);
    if (isProc || path.endsWith('.json')) await meanwhile.resolved();
    return real;
  },
}));

const { openScanFile } = await import('../../src/files/open.ts');

/** A workspace in which `r` is a directory and `swap` a link to a directory outside, with a file each. */
interface Scene {
  readonly path: string;
  readonly scope: Scope;
  /** Lets the directory and the link change places. */
  readonly swap: () => Promise<void>;
}

async function makeScene(): Promise<Scene> {
  const root = await makeFolder({ 'workspace/r/s.json': 'own', 'private/s.json': 'secret' });
  const workspace = join(root, 'workspace');
  const [directory, link, between] = ['r', 'swap', 'between'].map((name) => join(workspace, name));
  await symlink('../private', String(link));
  const swap = async (): Promise<void> => {
    await rename(String(directory), String(between));
    await rename(String(link), String(directory));
    await rename(String(between), String(link));
  };
  return { path: join(workspace, 'r', 's.json'), scope: { workspace, includeHidden: false }, swap };
}

async function openPath({ path, scope }: Scene): Promise<OpenFile> {
  const file = await openScanFile({ path, input: 'files', directory: scope.workspace }, scope);
  cleanUp(() => file.handle.close());
  return file;
}

beforeEach(() => {
  Object.assign(meanwhile, { opened: async () => {}, resolved: async () => {} });
  proc.isThere = true;
});

describeLinux('openScanFile, of a directory that changes places with a link', () => {
  test('refuses what lies outside, though the path leads inside by then', async () => {
    const scene = await makeScene();
    await scene.swap();
    meanwhile.opened = scene.swap;
    meanwhile.resolved = scene.swap;
    expect(await catchFileError(openPath(scene))).toMatch(
      /' leads to '[^']*private\/s\.json', outside the workspace/,
    );
  });

  test('takes what lay inside, though the path leads outside by then', async () => {
    const scene = await makeScene();
    meanwhile.opened = scene.swap;
    expect(await (await openPath(scene)).handle.readFile('utf8')).toBe('own');
  });

  test('takes a file that was moved within the workspace', async () => {
    const scene = await makeScene();
    const moved = join(scene.scope.workspace, 'moved');
    meanwhile.opened = async () => {
      await mkdir(moved);
      await rename(scene.path, join(moved, 's.json'));
    };
    expect(await (await openPath(scene)).handle.readFile('utf8')).toBe('own');
  });
});

describeLinux('openScanFile, without /proc', () => {
  beforeEach(() => {
    proc.isThere = false;
  });

  test('takes a file of the workspace', async () => {
    expect(await (await openPath(await makeScene())).handle.readFile('utf8')).toBe('own');
  });

  test('refuses a link that leads out', async () => {
    const scene = await makeScene();
    await scene.swap();
    expect(await catchFileError(openPath(scene))).toMatch(/' leads to '[^']*private\/s\.json'/);
  });

  test('refuses a file that another has taken the place of', async () => {
    const scene = await makeScene();
    meanwhile.opened = scene.swap;
    expect(await catchFileError(openPath(scene))).toMatch(
      / was replaced while it was being opened/,
    );
  });
});
