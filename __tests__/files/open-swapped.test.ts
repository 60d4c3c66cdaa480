import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, jest, test } from '@jest/globals';
import type { OpenFile } from '../../src/files/open.ts';
import { catchFileError, describePosix } from '../support/files.ts';
import { makeFolder, cleanUp } from '../support/workspace.ts';

const fs = { ...(await import('node:fs/promises')) };

/** What happens after a file is opened. */
let meanwhile = async (): Promise<void> => {};

jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  open: async (...args: Parameters<typeof fs.open>) => {
    const handle = await fs.open(...args);
    await meanwhile().catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
    return handle;
  },
}));

const { openScanFile } = await import('../../src/files/open.ts');

async function openPath(path: string, workspace: string): Promise<OpenFile> {
  const found = { path, input: 'files', directory: workspace };
  const file = await openScanFile(found, { workspace, includeHidden: false });
  cleanUp(() => file.handle.close());
  return file;
}

beforeEach(() => {
  meanwhile = async () => {};
});

const OUTSIDE = /' leads to '[^']*private\/s\.json', outside the workspace/;
const REPLACED = / cannot be opened \(replaced while it was being opened\)/;

describePosix('openScanFile while a directory is swapped with a link to one outside', () => {
  test.each<[string, string, RegExp]>([
    ['accepts a file of the workspace', '', /^own$/],
    ['refuses a link that leaves the workspace', 'start', OUTSIDE],
    ['refuses a file inside whose path leads outside later', 'opened', REPLACED],
    ['refuses a file outside whose path leads inside later', 'start opened', REPLACED],
  ])('%s', async (_, swaps, expected) => {
    const root = await makeFolder({ 'workspace/r/s.json': 'own', 'private/s.json': 'secret' });
    const workspace = join(root, 'workspace');
    await symlink('../private', join(workspace, 'link'));
    const swap = async (): Promise<void> => {
      for (const move of [
        ['r', 'between'],
        ['link', 'r'],
        ['between', 'link'],
      ]) {
        const [from = '', to = ''] = move.map((name) => join(workspace, name));
        await rename(from, to);
      }
    };
    if (swaps.includes('start')) await swap();
    if (swaps.includes('opened')) meanwhile = swap;
    const opening = openPath(join(workspace, 'r', 's.json'), workspace);
    const content = opening.then(({ handle }) => handle.readFile('utf8'));
    expect(await content.catch(() => catchFileError(opening))).toMatch(expected);
  });
});

test('reports the code of the system for a file that cannot be opened', async () => {
  meanwhile = async () => {
    throw Object.assign(new Error('locked'), { code: 'EBUSY' });
  };
  const workspace = await makeFolder({ 'a.json': '' });
  const path = join(workspace, 'a.json');
  await expect(openPath(path, workspace)).rejects.toMatchObject({
    message: `'${path}' cannot be opened (EBUSY).`,
    fixes: [expect.stringMatching(/^Give the runner's user permission .*`EBUSY`/)],
  });
});
