import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { rm, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openScanFile, reopenScanFile } from '../../src/files/open.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { checkUnchanged } from '../../src/files/unchanged.ts';
import type { FileState } from '../../src/files/unchanged.ts';
import { catchFileError, describePosix, listOpenFiles } from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';
import { makeFolder } from '../support/directories.ts';

const explain = (change: string): string => `'in/scan.json' ${change} after it was inspected.`;
const RESIZED = explain('changed its size');
const WRITTEN = explain('was written to');
const REPLACED = explain('was replaced');

/** An inspected file, closed again. */
interface Places {
  readonly workspace: string;
  readonly facts: FileState;
}

async function makePlaces(): Promise<Places> {
  const root = await makeFolder({ 'workspace/in/scan.json': '{"a":1}', 'outside.json': '{}' });
  const workspace = join(root, 'workspace');
  const path = join(workspace, 'in', 'scan.json');
  await utimes(path, new Date(0), new Date(0));
  const found = { path, input: 'scan-file', directory: workspace } as const;
  const { handle, ...facts } = await openScanFile(found, { workspace, includeHidden: false });
  await handle.close();
  return { workspace, facts };
}

async function reopen(facts: FileState): Promise<OpenFile> {
  const file = await reopenScanFile(facts);
  cleanUp(() => file.handle.close());
  return file;
}

describe('reopenScanFile', () => {
  test('opens an unchanged file, and returns the same facts', async () => {
    const places = await makePlaces();
    const { handle, ...facts } = await reopen(places.facts);
    expect(facts).toEqual(places.facts);
    expect(await handle.readFile('utf8')).toBe('{"a":1}');
  });

  test.each<[string, string, (facts: FileState) => Partial<FileState>]>([
    ['device', REPLACED, ({ identity }) => ({ identity: `1${identity}` })],
    ['inode', REPLACED, ({ identity }) => ({ identity: identity.replace(':', ':1') })],
    ['size', RESIZED, ({ size }) => ({ size: size + 1 })],
    ['mtime', WRITTEN, ({ mtimeNs }) => ({ mtimeNs: mtimeNs + 1n })],
  ])('refuses a file with another %s', async (_, message, change) => {
    const { facts } = await makePlaces();
    expect(await catchFileError(reopen({ ...facts, ...change(facts) }))).toBe(message);
  });
});

test('checkUnchanged compares the digest of what was sent, if all was inspected', async () => {
  const { workspace, facts } = await makePlaces();
  const stats = await stat(join(workspace, 'in', 'scan.json'), { bigint: true });
  const check = (sent?: string, digest?: string) => () =>
    checkUnchanged({ ...facts, ...(digest !== undefined && { digest }) }, stats, sent);
  expect(check(undefined, 'a')).not.toThrow();
  expect(check('a', 'a')).not.toThrow();
  expect(check('a')).not.toThrow();
  expect(check('b', 'a')).toThrow(WRITTEN);
});

describePosix('reopenScanFile of a file in whose place there is something else', () => {
  test.each<[string, string, (path: string) => Promise<unknown>]>([
    ['a link out of the workspace', RESIZED, (path) => symlink('../../outside.json', path)],
    ['a dangling link', ' cannot be opened (ENOENT).', (path) => symlink('missing', path)],
    [
      'a FIFO',
      ' cannot be opened (not a regular file).',
      async (path) => execFileSync('mkfifo', [path]),
    ],
  ])('refuses %s', async (_, message, change) => {
    const { facts, workspace } = await makePlaces();
    await rm(facts.path);
    await change(facts.path);
    expect(await catchFileError(reopen(facts))).toContain(message);
    const open = process.platform === 'linux' ? await listOpenFiles(join(workspace, '..')) : [];
    expect(open).toEqual([]);
  });
});
