import { describe, expect, test } from '@jest/globals';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CancelledError } from '../../src/errors.ts';
import type { FoundFile } from '../../src/files/find.ts';
import { readScanFiles } from '../../src/formats/inspect.ts';
import type { ReadFiles } from '../../src/formats/inspect.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describeLinux, listOpenFiles, openFile } from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';

function find(workspace: string, names: readonly string[]): readonly FoundFile[] {
  return names.map((name) => ({
    path: join(workspace, name),
    input: 'files',
    directory: workspace,
  }));
}

async function readAll(
  workspace: string,
  names: readonly string[],
  signal = new AbortController().signal,
): Promise<ReadFiles> {
  return readScanFiles(find(workspace, names), { workspace, includeHidden: false }, signal);
}

function makeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${index}.json`);
}

async function makeFiles(count: number): Promise<string> {
  return makeFolder(Object.fromEntries(makeNames(count).map((name) => [name, '{}'])));
}

describe('readScanFiles', () => {
  test('inspects each file', async () => {
    const workspace = await makeFolder({ 'b.json': '{}', 'a.xml': '<a></a>', 'c.txt': '' });
    const { files, others } = await readAll(workspace, ['b.json', 'a.xml', 'c.txt']);
    expect(others).toEqual([]);
    expect(files).toMatchObject([
      { name: 'b.json', size: 2, content: { format: 'json', syntax: 'json' } },
      { name: 'a.xml', size: 7, content: { format: 'xml', syntax: 'xml' } },
      { name: 'c.txt', size: 0, content: { format: 'empty' } },
    ]);
  });

  test.each([0, 3, 10, 12])('given %i files, inspects the first ten', async (count) => {
    const workspace = await makeFiles(count);
    const { files, others } = await readAll(workspace, makeNames(count));
    expect(files.map((file) => file.name)).toEqual(makeNames(count).slice(0, 10));
    expect(others).toEqual(find(workspace, makeNames(count).slice(10)));
  });

  test('names a file that the system cannot read', async () => {
    const workspace = await makeFiles(1);
    const handle = await openFile(join(workspace, '0.json'));
    // The prototype of all file handles.
    const prototype = Reflect.getPrototypeOf(handle) ?? {};
    const original: unknown = Reflect.get(prototype, 'read');
    cleanUp(() => void Object.assign(prototype, { read: original }));
    const error = Object.assign(new Error('i/o error'), { code: 'EIO' });
    Object.assign(prototype, { read: () => Promise.reject(error) });
    const problem = await catchFileError(readAll(workspace, ['0.json']));
    expect(problem).toBe("'0.json' cannot be read (EIO).");
  });

  test('refuses a file of an upload that cannot be opened, and leaves out one of too many', async () => {
    const workspace = await makeFiles(2);
    const names = ['missing.json', ...makeNames(2)];
    expect(await catchFileError(readAll(workspace, names.slice(0, 2)))).toMatch(
      /missing\.json' cannot be opened/,
    );
    const { files, others } = await readAll(workspace, names);
    expect(files.map(({ name }) => name)).toEqual(makeNames(2));
    expect(others).toEqual(find(workspace, ['missing.json']));
  });

  test('ends with the reason of its signal, however many files there are', async () => {
    const reason = new CancelledError('SIGINT');
    const workspace = await makeFiles(3);
    const reading = readAll(workspace, makeNames(3), AbortSignal.abort(reason));
    await expect(reading).rejects.toBe(reason);
  });
});

describeLinux('readScanFiles with /proc', () => {
  test('closes all files, even if one is refused', async () => {
    const workspace = await makeFiles(2);
    expect((await readAll(workspace, makeNames(2))).files).toHaveLength(2);
    await symlink('/etc/hostname', join(workspace, 'link.json'));
    await catchFileError(readAll(workspace, ['0.json', 'link.json']));
    expect((await readAll(workspace, ['0.json', '1.json', 'link.json'])).others).toHaveLength(1);
    expect(await listOpenFiles(workspace)).toEqual([]);
  });
});
