import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  link,
  mkdir,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { openScanFile, reopenScanFile } from '../../src/files/open.ts';
import type { FileFacts, OpenFile } from '../../src/files/open.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describeLinux, describePosix, listOpenFiles } from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';

const CHANGED =
  "'in/scan.json' was changed since it was inspected: upload it after the scan has finished writing it.";

/** A file that was inspected, and is closed again. */
class Scene {
  readonly path: string;
  readonly workspace: string;
  readonly facts: FileFacts;

  constructor(workspace: string, path: string, facts: FileFacts) {
    this.workspace = workspace;
    this.path = path;
    this.facts = facts;
  }

  async reopen(): Promise<OpenFile> {
    const file = await reopenScanFile(this.facts);
    cleanUp(() => file.handle.close());
    return file;
  }
}

async function makeScene(): Promise<Scene> {
  const root = await makeFolder({ 'workspace/in/scan.json': '{"a":1}', 'outside/scan.json': '{}' });
  const workspace = join(root, 'workspace');
  const path = join(workspace, 'in', 'scan.json');
  await utimes(path, new Date(0), new Date(0));
  const found = { path, input: 'scan-file', directory: workspace } as const;
  const { handle, ...facts } = await openScanFile(found, { workspace, includeHidden: false });
  await handle.close();
  return new Scene(workspace, path, facts);
}

/** What may be done to a file between inspecting and sending. */
type Change = (scene: Scene) => Promise<unknown>;

const CHANGES: readonly (readonly [string, Change])[] = [
  ['grew', ({ path }) => appendFile(path, ' ')],
  ['shrank', ({ path }) => truncate(path, 3)],
  ['was emptied', ({ path }) => truncate(path, 0)],
  ['was written to, to the same length', ({ path }) => writeFile(path, '{"b":2}')],
  ['was touched', ({ path }) => utimes(path, new Date(1000), new Date(1000))],
  ['grew, its time set back', (scene) => restore(scene, () => appendFile(scene.path, ' '))],
  [
    'gave way to another of its size and time',
    (scene) =>
      restore(scene, async () => {
        await writeFile(`${scene.path}.new`, '{"b":2}');
        await rename(`${scene.path}.new`, scene.path);
      }),
  ],
  [
    'gave way to another of the same content',
    (scene) =>
      restore(scene, async () => {
        await writeFile(`${scene.path}.new`, '{"a":1}');
        await rename(`${scene.path}.new`, scene.path);
      }),
  ],
];

/** One fact that is not as it was. */
const FACTS: readonly (readonly [string, (facts: FileFacts) => Partial<FileFacts>])[] = [
  ['the device', ({ identity }) => ({ identity: `1${identity}` })],
  ['the inode', ({ identity }) => ({ identity: `${identity}1` })],
  ['the size', ({ size }) => ({ size: size + 1 })],
  ['mtime', ({ mtimeNs }) => ({ mtimeNs: mtimeNs + 1n })],
];

async function restore({ path }: Scene, change: () => Promise<unknown>): Promise<void> {
  await change();
  await utimes(path, new Date(0), new Date(0));
}

describe('reopenScanFile', () => {
  test('opens the file that it was, with the same facts', async () => {
    const scene = await makeScene();
    const { handle, ...facts } = await scene.reopen();
    expect(facts).toEqual(scene.facts);
    expect(await handle.readFile('utf8')).toBe('{"a":1}');
  });

  test.each(CHANGES)('refuses a file that %s', async (_, change) => {
    const scene = await makeScene();
    await change(scene);
    expect(await catchFileError(scene.reopen())).toBe(CHANGED);
  });

  test.each(FACTS)('refuses a file of which %s alone is another', async (_, change) => {
    const { facts } = await makeScene();
    const other = reopenScanFile({ ...facts, ...change(facts) });
    expect(await catchFileError(other)).toBe(CHANGED);
  });

  test('refuses a file that is gone', async () => {
    const scene = await makeScene();
    await rm(scene.path);
    expect(await catchFileError(scene.reopen())).toBe(`'${scene.path}' cannot be opened (ENOENT).`);
  });

  test('refuses a directory in its place', async () => {
    const scene = await makeScene();
    await rm(scene.path);
    await mkdir(scene.path);
    expect(await catchFileError(scene.reopen())).toMatch(/was changed since|EISDIR|EPERM/);
  });
});

/** What may take a file's place, and what is said of it. */
const REPLACEMENTS: readonly (readonly [string, Change, RegExp])[] = [
  [
    'a link out of the workspace',
    ({ path }) => symlink('../../outside/scan.json', path),
    / was changed since it was inspected/,
  ],
  [
    'a link to another file',
    async ({ path }) => {
      await writeFile(`${path}.2`, '{"a":1}');
      await symlink('scan.json.2', path);
    },
    / was changed since it was inspected/,
  ],
  [
    'a link to a hidden file',
    async ({ path }) => {
      await writeFile(join(path, '..', '.env'), '{"a":1}');
      await symlink('.env', path);
    },
    / was changed since it was inspected/,
  ],
  [
    'a link that leads nowhere',
    ({ path }) => symlink('missing', path),
    / cannot be opened \(ENOENT/,
  ],
  [
    'a FIFO',
    async ({ path }) => execFileSync('mkfifo', [path]),
    / was changed since it was inspected/,
  ],
];

describePosix('reopenScanFile, of a file in whose place there is now', () => {
  test.each(REPLACEMENTS)('%s', async (_, replace, message) => {
    const scene = await makeScene();
    await rm(scene.path);
    await replace(scene);
    expect(await catchFileError(scene.reopen())).toMatch(message);
  });

  test('a link in place of its directory', async () => {
    const scene = await makeScene();
    await rename(join(scene.workspace, 'in'), join(scene.workspace, 'aside'));
    await symlink('../outside', join(scene.workspace, 'in'));
    expect(await catchFileError(scene.reopen())).toBe(CHANGED);
  });
});

/** Each of them, from the file as it was inspected. */
const ALL: readonly (readonly [string, Change])[] = [
  ...CHANGES,
  ...REPLACEMENTS.map(([name, replace]) => [name, replaceBy(replace)] as const),
];

function replaceBy(replace: Change): Change {
  return async (scene) => {
    await rm(scene.path);
    await replace(scene);
  };
}

describeLinux('reopenScanFile', () => {
  test.each(ALL)('leaves nothing open: %s', async (_, change) => {
    const scene = await makeScene();
    await change(scene);
    await catchFileError(scene.reopen());
    expect(await listOpenFiles(join(scene.workspace, '..'))).toEqual([]);
  });
});

// Windows' own programs change this time as well; there it does not count.
describePosix('reopenScanFile, of a file whose entry has changed', () => {
  test('refuses one of which ctime alone is another', async () => {
    const { facts } = await makeScene();
    const other = reopenScanFile({ ...facts, ctimeNs: facts.ctimeNs + 1n });
    expect(await catchFileError(other)).toBe(CHANGED);
  });

  test.each<[string, Change]>([
    ['has another name too', ({ path }) => link(path, `${path}.2`)],
    ['has other permissions', ({ path }) => chmod(path, 0o644)],
    [
      'was written to, its time set back',
      (scene) => restore(scene, () => writeFile(scene.path, '{"b":2}')),
    ],
    [
      'was moved away and back',
      async ({ path }) => {
        await rename(path, `${path}.2`);
        await rename(`${path}.2`, path);
      },
    ],
  ])('refuses one that %s', async (_, change) => {
    const scene = await makeScene();
    await change(scene);
    expect(await catchFileError(scene.reopen())).toBe(CHANGED);
  });
});
