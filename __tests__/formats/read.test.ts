import { describe, expect, jest, test } from '@jest/globals';
import { open, symlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundFile } from '../../src/files/find.ts';
import { readScanFiles } from '../../src/formats/inspect.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describeLinux, listOpenFiles } from '../support/files.ts';
import type { ReadFiles } from '../../src/formats/inspect.ts';

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
    const { files, unopened } = await read(workspace, ['b.json', 'a.xml', 'c.txt']);
    expect(unopened).toBe(0);
    expect(files).toMatchObject([
      { name: 'b.json', size: 2, content: { format: 'json', syntax: 'json' } },
      { name: 'a.xml', size: 7, content: { format: 'xml', syntax: 'xml' } },
      { name: 'c.txt', size: 0, content: { format: 'empty' } },
    ]);
  });

  test.each([
    [0, 0, 0],
    [10, 10, 0],
    [11, 10, 1],
    [40, 10, 30],
  ])('given %i files, opens %i and counts the other %i', async (count, opened, unopened) => {
    const result = await read(await makeFiles(count), makeNames(count));
    expect(result.files.map((file) => file.name)).toEqual(makeNames(count).slice(0, opened));
    expect(result.unopened).toBe(unopened);
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

  test('refuses the first file that cannot be opened', async () => {
    const workspace = await makeFiles(2);
    const names = ['0.json', 'missing.json', '1.json'];
    expect(await catchFileError(read(workspace, names))).toMatch(/missing\.json' cannot be opened/);
  });
});

describeLinux('readScanFiles with /proc', () => {
  test('closes all files, even if one is refused', async () => {
    const workspace = await makeFiles(2);
    expect((await read(workspace, makeNames(2))).files).toHaveLength(2);
    await symlink('/etc/hostname', join(workspace, 'link.json'));
    await catchFileError(read(workspace, ['0.json', '1.json', 'link.json']));
    expect(await listOpenFiles(workspace)).toEqual([]);
  });
});
