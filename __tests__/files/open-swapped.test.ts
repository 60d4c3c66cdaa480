import { beforeEach, expect, jest, test } from '@jest/globals';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenFile } from '../../src/files/open.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describePosix } from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';

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

/** A workspace with a directory `r` and a link `swap` to a directory outside, each with a file. */
interface Places {
  readonly path: string;
  readonly workspace: string;
  /** Swaps the directory and the link. */
  readonly swap: () => Promise<void>;
}

async function makePlaces(): Promise<Places> {
  const root = await makeFolder({ 'workspace/r/s.json': 'own', 'private/s.json': 'secret' });
  const workspace = join(root, 'workspace');
  const move = async (from: string, to: string): Promise<void> =>
    rename(join(workspace, from), join(workspace, to));
  await symlink('../private', join(workspace, 'swap'));
  const swap = async (): Promise<void> => {
    await move('r', 'between');
    await move('swap', 'r');
    await move('between', 'swap');
  };
  return { path: join(workspace, 'r', 's.json'), workspace, swap };
}

async function openPath({
  path,
  workspace,
}: Pick<Places, 'path' | 'workspace'>): Promise<OpenFile> {
  const found = { path, input: 'files', directory: workspace };
  const file = await openScanFile(found, { workspace, includeHidden: false });
  cleanUp(() => file.handle.close());
  return file;
}

beforeEach(() => {
  meanwhile = async () => {};
});

const OWN = /^own$/;
const OUTSIDE = /' leads to '[^']*private\/s\.json', outside the workspace/;
const REPLACED = / cannot be opened \(replaced while it was being opened\)/;

/** The content of the file that is opened, or why it is refused. */
async function readThrough(places: Places): Promise<string> {
  const opening = openPath(places);
  return opening.then(
    ({ handle }) => handle.readFile('utf8'),
    () => catchFileError(opening),
  );
}

describePosix('openScanFile while a directory is swapped with a link', () => {
  test.each<[string, string, RegExp]>([
    ['accepts a file of the workspace', '', OWN],
    ['refuses a link that leaves the workspace', 'start', OUTSIDE],
    ['refuses a file inside whose path leads outside later', 'opened', REPLACED],
    ['refuses a file outside whose path leads inside later', 'start opened', REPLACED],
  ])('%s', async (_, swaps, expected) => {
    const places = await makePlaces();
    if (swaps.includes('start')) await places.swap();
    if (swaps.includes('opened')) meanwhile = places.swap;
    expect(await readThrough(places)).toMatch(expected);
  });
});

test('reports the code of the system for a file that cannot be opened', async () => {
  meanwhile = async () => {
    throw Object.assign(new Error('locked'), { code: 'EBUSY' });
  };
  const workspace = await makeFolder({ 'a.json': '' });
  const path = join(workspace, 'a.json');
  await expect(openPath({ path, workspace })).rejects.toMatchObject({
    message: `'${path}' cannot be opened (EBUSY).`,
    fixes: [expect.stringMatching(/^Give the runner's user permission .*`EBUSY`/)],
  });
});
