import { describe, expect, jest, test } from '@jest/globals';
import { open, symlink, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CancelledError, TimeLimitError } from '../../src/errors.ts';
import type { FoundFile } from '../../src/files/find.ts';
import { readScanFiles } from '../../src/formats/inspect.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describeLinux, listOpenFiles } from '../support/files.ts';
import type { ReadFiles } from '../../src/formats/inspect.ts';

const MIB = 1024 * 1024;
const UNSTOPPED = new AbortController().signal;

function find(workspace: string, names: readonly string[]): readonly FoundFile[] {
  return names.map((name) => ({
    path: join(workspace, name),
    input: 'files',
    directory: workspace,
  }));
}

async function read(workspace: string, names: readonly string[]): Promise<ReadFiles> {
  return readScanFiles(find(workspace, names), { workspace, includeHidden: false }, UNSTOPPED);
}

function listSizes(found: readonly Pick<FoundFile, 'path'>[]): string {
  return found.map(({ path }) => basename(path).split('.')[0]).join(' ');
}

function makeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${index}.json`);
}

async function makeFiles(count: number): Promise<string> {
  return makeFolder(Object.fromEntries(makeNames(count).map((name) => [name, '{}'])));
}

/** The prototype of all file handles. */
function findPrototype(handle: FileHandle): FileHandle {
  const prototype: unknown = Object.getPrototypeOf(handle);
  if (!isHandle(prototype)) throw new Error('no FileHandle');
  return prototype;
}

function isHandle(value: unknown): value is FileHandle {
  return typeof value === 'object' && value !== null && 'read' in value;
}

describe('readScanFiles', () => {
  test('inspects each file', async () => {
    const workspace = await makeFolder({ 'b.json': '{}', 'a.xml': '<a></a>', 'c.txt': '' });
    const { files, others } = await read(workspace, ['b.json', 'a.xml', 'c.txt']);
    expect(others).toEqual([]);
    expect(files).toMatchObject([
      { name: 'b.json', size: 2, content: { format: 'json', syntax: 'json' } },
      { name: 'a.xml', size: 7, content: { format: 'xml', syntax: 'xml' } },
      { name: 'c.txt', size: 0, content: { format: 'empty' } },
    ]);
  });

  test.each([0, 2, 3, 100, 101, 140])(
    'given %i files, inspects the first hundred',
    async (count) => {
      const workspace = await makeFiles(count);
      const { files, others } = await read(workspace, makeNames(count));
      expect(files.map((file) => file.name)).toEqual(makeNames(count).slice(0, 100));
      expect(others).toEqual(find(workspace, makeNames(count).slice(100)));
    },
  );

  test.each([
    ['33 31', '33 31', ''],
    ['40 40', '40 40', ''],
    ['40 23 1', '40 23 1', ''],
    ['40 23 2', '40 23', '2'],
    ['65 1 1', '1 1', '65'],
    ['30 40 30 0', '30 30 0', '40'],
    ['32 31 0', '32 31 0', ''],
  ])('of files with %s MiB inspects %s: two, or up to 64 MiB', async (sizes, inspected, left) => {
    const names = sizes.split(' ').map((size, index) => `${size}.${index}`);
    const workspace = await makeFolder(Object.fromEntries(names.map((name) => [name, ''])));
    for (const name of names)
      await truncate(join(workspace, name), Number.parseInt(name, 10) * MIB);
    const { files, others } = await read(workspace, names);
    expect([listSizes(files), listSizes(others)]).toEqual([inspected, left]);
  });

  test('names a file that the system cannot read', async () => {
    const workspace = await makeFiles(1);
    const handle = await open(join(workspace, '0.json'));
    await handle.close();
    jest
      .spyOn(findPrototype(handle), 'read')
      .mockRejectedValueOnce(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    expect(await catchFileError(read(workspace, ['0.json']))).toBe(
      "'0.json' cannot be read (EIO).",
    );
  });

  test('refuses a file of an upload that cannot be opened, and leaves out one of too many', async () => {
    const workspace = await makeFiles(2);
    const names = ['missing.json', ...makeNames(2)];
    expect(await catchFileError(read(workspace, names.slice(0, 2)))).toMatch(
      /missing\.json' cannot be opened/,
    );
    const { files, others } = await read(workspace, names);
    expect(files.map(({ name }) => name)).toEqual(makeNames(2));
    expect(others).toEqual(find(workspace, ['missing.json']));
  });

  test.each([new CancelledError('SIGINT'), new TimeLimitError(1)])(
    'ends with the reason of its signal, however many files there are: %s',
    async (reason) => {
      const found = find(await makeFiles(3), makeNames(3));
      const scope = { workspace: '/', includeHidden: false };
      const reading = readScanFiles(found, scope, AbortSignal.abort(reason));
      await expect(reading).rejects.toBe(reason);
    },
  );
});

describeLinux('readScanFiles with /proc', () => {
  test('closes all files, even if one is refused', async () => {
    const workspace = await makeFiles(2);
    expect((await read(workspace, makeNames(2))).files).toHaveLength(2);
    await symlink('/etc/hostname', join(workspace, 'link.json'));
    await catchFileError(read(workspace, ['0.json', 'link.json']));
    expect((await read(workspace, ['0.json', '1.json', 'link.json'])).others).toHaveLength(1);
    expect(await listOpenFiles(workspace)).toEqual([]);
  });
});
