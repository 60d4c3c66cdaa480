import { beforeEach, expect, jest, test } from '@jest/globals';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenFile } from '../../src/files/open.ts';
import type { Scope } from '../../src/files/search.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describeLinux } from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';

const fs = { ...(await import('node:fs/promises')) };

/** What happens after a file is opened, and after its path is resolved. */
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

/** A workspace with a directory `r` and a link `swap` to a directory outside, each with a file. */
interface Places {
  readonly path: string;
  readonly scope: Scope;
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
  return { path: join(workspace, 'r', 's.json'), scope: { workspace, includeHidden: false }, swap };
}

async function openPath({ path, scope }: Places): Promise<OpenFile> {
  const file = await openScanFile({ path, input: 'files', directory: scope.workspace }, scope);
  cleanUp(() => file.handle.close());
  return file;
}

beforeEach(() => {
  Object.assign(meanwhile, { opened: async () => {}, resolved: async () => {} });
  proc.isThere = true;
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

describeLinux('openScanFile while a directory is swapped with a link', () => {
  test.each<[string, boolean, string, RegExp]>([
    [
      'refuses a file outside whose path leads inside later',
      true,
      'start opened resolved',
      OUTSIDE,
    ],
    ['accepts a file inside whose path leads outside later', true, 'opened', OWN],
    ['accepts a file of the workspace', false, '', OWN],
    ['refuses a link that leaves the workspace', false, 'start', OUTSIDE],
    ['refuses a file that was replaced', false, 'opened', REPLACED],
  ])('%s (with /proc: %s)', async (_, isThere, swaps, expected) => {
    const places = await makePlaces();
    proc.isThere = isThere;
    if (swaps.includes('start')) await places.swap();
    if (swaps.includes('opened')) meanwhile.opened = places.swap;
    if (swaps.includes('resolved')) meanwhile.resolved = places.swap;
    expect(await readThrough(places)).toMatch(expected);
  });

  test('accepts a file that was moved within the workspace', async () => {
    const places = await makePlaces();
    const moved = join(places.scope.workspace, 'moved');
    meanwhile.opened = async () => {
      await mkdir(moved);
      await rename(places.path, join(moved, 's.json'));
    };
    expect(await readThrough(places)).toBe('own');
  });
});
