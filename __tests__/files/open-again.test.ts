import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { appendFile, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScanFile, reopenScanFile } from '../../src/files/open.ts';
import type { OpenFile } from '../../src/files/open.ts';
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
  readonly path: string;
  readonly workspace: string;
  readonly facts: FileState;
}

/** A change to a file between inspection and upload. */
type Change = (path: string) => Promise<unknown>;

async function makePlaces(change: Change = async () => {}): Promise<Places> {
  const root = await makeFolder({ 'workspace/in/scan.json': '{"a":1}', 'outside/scan.json': '{}' });
  const workspace = join(root, 'workspace');
  const path = join(workspace, 'in', 'scan.json');
  await utimes(path, new Date(0), new Date(0));
  const found = { path, input: 'scan-file', directory: workspace } as const;
  const { handle, ...facts } = await openScanFile(found, { workspace, includeHidden: false });
  await handle.close();
  await change(path);
  return { path, workspace, facts };
}

async function reopen(facts: FileState): Promise<OpenFile> {
  const file = await reopenScanFile(facts);
  cleanUp(() => file.handle.close());
  return file;
}

/** Reopens a file after a change; returns the message, and expects that no file is left open. */
async function refuse(change: Change): Promise<string> {
  const { facts, workspace } = await makePlaces(change);
  const message = await catchFileError(reopen(facts));
  const open = process.platform === 'linux' ? await listOpenFiles(join(workspace, '..')) : [];
  expect(open).toEqual([]);
  return message;
}

/** A change after which the file has its old modification time. */
function keepTime(change: Change): Change {
  return async (path) => {
    await change(path);
    await utimes(path, new Date(0), new Date(0));
  };
}

/** A change that puts another file in its place. */
function replaceBy(content: string): Change {
  return async (path) => {
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
  };
}

// Changes of ctime alone are in __tests__/service/write-body.test.ts.
describe('reopenScanFile', () => {
  test('opens an unchanged file, and returns the same facts', async () => {
    const places = await makePlaces();
    const { handle, ...facts } = await reopen(places.facts);
    expect(facts).toEqual(places.facts);
    expect(await handle.readFile('utf8')).toBe('{"a":1}');
  });

  test.each<[string, string, Change]>([
    ['grew', RESIZED, (path) => appendFile(path, ' ')],
    ['was emptied', RESIZED, (path) => truncate(path, 0)],
    ['was overwritten with the same length', WRITTEN, (path) => writeFile(path, '{"b":2}')],
    ['grew and kept its modification time', RESIZED, keepTime((path) => appendFile(path, ' '))],
    ['was replaced by one with the same size and time', REPLACED, keepTime(replaceBy('{"b":2}'))],
    ['was replaced by one with the same content', REPLACED, keepTime(replaceBy('{"a":1}'))],
  ])('refuses a file that %s', async (_, message, change) => {
    expect(await refuse(change)).toBe(message);
  });

  test.each<[string, string, (facts: FileState) => Partial<FileState>]>([
    ['device', REPLACED, ({ identity }) => ({ identity: `1${identity}` })],
    ['inode', REPLACED, ({ identity }) => ({ identity: identity.replace(':', ':1') })],
    ['time of creation', REPLACED, ({ identity }) => ({ identity: `${identity}1` })],
    ['size', RESIZED, ({ size }) => ({ size: size + 1 })],
    ['mtime', WRITTEN, ({ mtimeNs }) => ({ mtimeNs: mtimeNs + 1n })],
  ])('refuses a file with another %s', async (_, message, change) => {
    const { facts } = await makePlaces();
    expect(await catchFileError(reopen({ ...facts, ...change(facts) }))).toBe(message);
  });

  test('says that a file was written to even if its time of creation changed with it', async () => {
    const { facts } = await makePlaces((path) => writeFile(path, '{"b":2}'));
    const changed = { ...facts, identity: `${facts.identity}1` };
    await expect(reopen(changed)).rejects.toMatchObject({
      message: WRITTEN,
      fixes: ['Upload the file after the scan step has finished writing it.'],
    });
  });

  test('refuses a missing file', async () => {
    const { path, facts } = await makePlaces(rm);
    expect(await catchFileError(reopen(facts))).toBe(`'${path}' cannot be opened (ENOENT).`);
  });
});

/** A change that puts something else in its place. */
function replace(make: Change): Change {
  return async (path) => {
    await rm(path);
    await make(path);
  };
}

describePosix('reopenScanFile of a file that was replaced', () => {
  test.each<[string, Change, string]>([
    ['a link out of the workspace', (path) => symlink('../../outside/scan.json', path), RESIZED],
    ['a dangling link', (path) => symlink('missing', path), ' cannot be opened (ENOENT).'],
    [
      'a link to another file',
      async (path) => {
        await keepTime((other) => writeFile(other, '{"a":1}'))(`${path}.2`);
        await symlink('scan.json.2', path);
      },
      REPLACED,
    ],
    [
      'a FIFO',
      async (path) => execFileSync('mkfifo', [path]),
      ' cannot be opened (not a regular file).',
    ],
  ])('refuses %s', async (_, make, message) => {
    expect(await refuse(replace(make))).toContain(message);
  });

  test('refuses a link in place of its directory', async () => {
    const { workspace, facts } = await makePlaces();
    await rename(join(workspace, 'in'), join(workspace, 'aside'));
    await symlink('../outside', join(workspace, 'in'));
    expect(await catchFileError(reopen(facts))).toBe(RESIZED);
  });
});
