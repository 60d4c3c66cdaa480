import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  appendFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
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

/** A change to a file between inspection and upload. */
type Change = (path: string) => Promise<unknown>;

async function makePlaces(changes: readonly Change[] = []): Promise<Places> {
  const root = await makeFolder({
    'workspace/in/scan.json': '{"a":1}',
    'workspace/other.json': '{"b":1}',
    'outside/scan.json': '{}',
  });
  const workspace = join(root, 'workspace');
  const path = join(workspace, 'in', 'scan.json');
  await utimes(path, new Date(0), new Date(0));
  const found = { path, input: 'scan-file', directory: workspace } as const;
  const { handle, ...facts } = await openScanFile(found, { workspace, includeHidden: false });
  await handle.close();
  for (const change of changes) await change(path);
  return { workspace, facts };
}

async function reopen(facts: FileState): Promise<OpenFile> {
  const file = await reopenScanFile(facts);
  cleanUp(() => file.handle.close());
  return file;
}

/** Reopens a file after these changes; returns the message, and expects that no file is left open. */
async function explainChange(changes: readonly Change[]): Promise<string> {
  const { facts, workspace } = await makePlaces(changes);
  const message = await catchFileError(reopen(facts));
  const open = process.platform === 'linux' ? await listOpenFiles(join(workspace, '..')) : [];
  expect(open).toEqual([]);
  return message;
}

/** Changes back the modification time of a file. */
async function keepTime(path: string): Promise<void> {
  await utimes(path, new Date(0), new Date(0));
}

/** Puts another file in the place of a file. */
async function replaceBy(content: string, path: string): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}

describe('reopenScanFile', () => {
  test('opens an unchanged file, and returns the same facts', async () => {
    const places = await makePlaces();
    const { handle, ...facts } = await reopen(places.facts);
    expect(facts).toEqual(places.facts);
    expect(await handle.readFile('utf8')).toBe('{"a":1}');
  });

  test.each<[string, string, ...Change[]]>([
    ['grew', RESIZED, (path) => appendFile(path, ' ')],
    ['was emptied', RESIZED, (path) => truncate(path, 0)],
    ['was overwritten with the same length', WRITTEN, (path) => writeFile(path, '{"b":2}')],
    ['grew and kept its modification time', RESIZED, (path) => appendFile(path, ' '), keepTime],
    ['was replaced by one like it', REPLACED, (path) => replaceBy('{"b":2}', path), keepTime],
    ['was replaced by a copy', REPLACED, (path) => replaceBy('{"a":1}', path), keepTime],
    ['is missing', ' cannot be opened (ENOENT).', (path) => rm(path)],
  ])('refuses a file that %s', async (_, message, ...changes) => {
    expect(await explainChange(changes)).toContain(message);
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
  const outside = '../../outside/scan.json';

  test.each<[string, string, ...Change[]]>([
    ['a link out of the workspace', RESIZED, (path) => symlink(outside, path)],
    ['a dangling link', ' cannot be opened (ENOENT).', (path) => symlink('missing', path)],
    ['a link to another file', WRITTEN, (path) => symlink('../other.json', path)],
    [
      'a FIFO',
      ' cannot be opened (not a regular file).',
      async (path) => execFileSync('mkfifo', [path]),
    ],
  ])('refuses %s', async (_, message, ...changes) => {
    expect(await explainChange([rm, ...changes])).toContain(message);
  });
});
