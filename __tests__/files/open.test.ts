import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, open, stat, symlink, utimes } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkBounds } from '../../src/files/bounds.ts';
import { checkUnchanged, openScanFile, reopenScanFile } from '../../src/files/open.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { explainReadError, readBytes, readSmallFile } from '../../src/files/regular-file.ts';
import type { Scope } from '../../src/files/search.ts';
import {
  catchFileError,
  describeLinux,
  describePosix,
  hideDebugLines,
  listOpenFiles,
  SPELLINGS,
  describeWindows,
} from '../support/files.ts';
import { select } from '../support/search.ts';
import { makeFolder, writeTree, cleanUp } from '../support/workspace.ts';
import type { Tree } from '../support/workspace.ts';

hideDebugLines();

/** A directory with a workspace and, beside it, directories that are not the workspace. */
interface Places extends Scope {
  readonly root: string;
}

/** Makes places with these links: targets by path. A directory above them has the name of a hidden one. */
async function makePlaces(
  tree: Tree = {},
  links: Readonly<Record<string, string>> = {},
): Promise<Places> {
  const root = join(await makeFolder(), '.cache');
  await mkdir(join(root, 'workspace'), { recursive: true });
  await writeTree(root, tree);
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(target, join(root, path));
  }
  return { root, workspace: join(root, 'workspace'), includeHidden: false };
}

/** Opens a path as if it matched a pattern that names this directory. */
async function openPath(
  path: string,
  scope: Scope,
  directory = scope.workspace,
): Promise<OpenFile> {
  const file = await openScanFile({ path, input: 'files', directory }, scope);
  cleanUp(() => file.handle.close());
  return file;
}

/** Opens what a pattern matches without hidden names, and returns the paths that are displayed. */
async function openPattern(pattern: string, scope: Scope): Promise<readonly string[]> {
  const { files } = await select({ files: pattern }, { ...scope, includeHidden: false });
  const opening = files.map(({ path, directory }) => openPath(path, scope, directory));
  return (await Promise.all(opening)).map((file) => file.displayPath);
}

const RESIZED = "'in/scan.json' changed its size after it was inspected.";
const WRITTEN = "'in/scan.json' was written to after it was inspected.";
const REPLACED = "'in/scan.json' was replaced after it was inspected.";

type ClosedFile = Omit<OpenFile, 'handle'>;

/** An inspected file of 7 bytes, closed again. */
async function inspect(): Promise<{ readonly places: Places; readonly state: ClosedFile }> {
  const places = await makePlaces({ 'workspace/in/scan.json': '{"a":1}' });
  const path = join(places.workspace, 'in', 'scan.json');
  await utimes(path, 1_700_000_000, 1_700_000_000);
  const { handle, ...state } = await openPath(path, places);
  await handle.close();
  return { places, state };
}

async function reopen(state: ClosedFile): Promise<OpenFile> {
  const file = await reopenScanFile(state);
  cleanUp(() => file.handle.close());
  return file;
}

describe('openScanFile and reopenScanFile', () => {
  test('return path, size, time and identity of the file', async () => {
    const { places, state } = await inspect();
    const stats = await stat(state.path, { bigint: true });
    expect(state).toEqual({
      path: join(places.workspace, 'in', 'scan.json'),
      displayPath: 'in/scan.json',
      name: 'scan.json',
      size: 7,
      mtimeNs: 1_700_000_000_000_000_000n,
      identity: `${stats.dev}:${stats.ino}`,
      input: 'files',
      directory: places.workspace,
    });
    const { handle, ...again } = await reopen(state);
    expect(again).toEqual(state);
    expect(await handle.readFile('utf8')).toBe('{"a":1}');
  });

  test.each<[string, string, (state: ClosedFile) => Partial<ClosedFile>]>([
    ['device', REPLACED, ({ identity }) => ({ identity: `1${identity}` })],
    ['inode', REPLACED, ({ identity }) => ({ identity: identity.replace(':', ':1') })],
    ['size', RESIZED, ({ size }) => ({ size: size + 1 })],
    ['mtime', WRITTEN, ({ mtimeNs }) => ({ mtimeNs: mtimeNs + 1n })],
  ])('refuse a file with another %s', async (_, message, change) => {
    const { state } = await inspect();
    expect(await catchFileError(reopen({ ...state, ...change(state) }))).toBe(message);
  });

  test('compare the digest of what was sent, if all was inspected', async () => {
    const { state } = await inspect();
    const stats = await stat(state.path, { bigint: true });
    const check = (sent?: string, digest?: string) => () =>
      checkUnchanged({ ...state, ...(digest !== undefined && { digest }) }, stats, sent);
    expect(check(undefined, 'a')).not.toThrow();
    expect(check('a', 'a')).not.toThrow();
    expect(check('a')).not.toThrow();
    expect(check('b', 'a')).toThrow(
      expect.objectContaining({
        message: WRITTEN,
        fixes: ['Upload the file after the scan step has finished writing it.'],
      }),
    );
  });
});

describePosix('openScanFile of a path that cannot be sent', () => {
  // FIFOs, devices and unreadable files are tested in __tests__/faults/cases/files.test.ts.
  test('refuses a directory', async () => {
    const places = await makePlaces();
    await expect(openPath(places.workspace, places)).rejects.toMatchObject({
      message: `'${places.workspace}' cannot be opened (not a regular file).`,
      fixes: ['Name a regular file.'],
    });
  });

  // Which characters are invisible is tested in __tests__/redaction/show.test.ts.
  test.each(['a\nResult: accepted/scan.json', 'a\t.json', 'a\u200b.json', 'a\\.json'])(
    'refuses %j',
    async (name) => {
      const places = await makePlaces({ [`workspace/${name}`]: '' });
      const path = join(places.workspace, name);
      await expect(openPath(path, places)).rejects.toMatchObject({
        message: `The path '${path}' has a control character, an invisible character or a backslash.`,
        fixes: ['Rename the file or its directory.'],
      });
    },
  );

  test('accepts a backslash in the name of a directory, which is not sent', async () => {
    const places = await makePlaces({ 'workspace/b\\c/scan.json': '' });
    const path = join(places.workspace, 'b\\c', 'scan.json');
    expect((await openPath(path, places)).name).toBe('scan.json');
  });
});

const TREE = {
  'workspace/reports/a.json': '',
  'workspace/.env': '',
  'workspace/.git/config': '',
  'workspace/.scans/b.json': '',
  'workspace/.cache/b.json': '',
  'outside/secret.json': '',
  'temp/.env': '',
  'temp/.git/config': '',
  'temp/reports/a.json': '',
};
const LINKS = { linked: 'workspace', inner: 'workspace/reports' };

/** The path of a link, its target, a pattern in which `/` begins at the root, and what the file is outside of. */
type Link = readonly [path: string, target: string, pattern: string, outside?: string];

/** Makes the tree with a link, and makes a pattern absolute. */
async function makeLink([path, target, pattern]: Link) {
  const places = await makePlaces(TREE, { ...LINKS, [path]: target });
  return { places, pattern: pattern.replace(/^\//, `${places.root}/`) };
}

describePosix('openScanFile of a link', () => {
  test.each<Link>([
    ['workspace/link', 'reports/a.json', 'link'],
    ['workspace/link', 'reports', 'link/a*'],
    ['temp/reports/link', 'a.json', '/temp/reports/l*'],
    // Links to the workspace and into it.
    ['link', 'workspace', '/linked/reports/a.json'],
    ['link', 'workspace', '/linked/.scans/b.json'],
    ['workspace/in/.scans', '../.scans', 'in/.scans/b.json'],
    ['temp/.git/link', 'config', '/temp/.git/link'],
  ])('%s to %s may be matched by %s', async (...row) => {
    const { places, pattern } = await makeLink(row);
    expect(await openPattern(pattern, places)).toHaveLength(1);
  });

  test.each<Link>([
    ['workspace/link', '../outside/secret.json', 'link'],
    ['workspace/link', '../outside', 'link/secret.json'],
    ['workspace/reports/link', '../../outside', '/inner/link/*.json'],
    ['temp/scan/link', '../../workspace/reports/a.json', '/temp/scan/link', 'temp/scan'],
  ])('%s to %s may not be matched by %s', async (...row) => {
    const { places, pattern } = await makeLink(row);
    const opening = openPattern(pattern, places);
    const message = await catchFileError(opening);
    expect(message).toMatch(/\/link(?:\/.*)?' leads to '.*(?:secret|reports\/a)\.json', outside /);
    const outside = row[3] === undefined ? 'the workspace' : `'${join(places.root, row[3])}'`;
    expect(message).toContain(`, outside ${outside}, and is not uploaded.`);
    const fixes = ['Name the file itself, or copy it into the workspace.'];
    await expect(opening).rejects.toMatchObject({ fixes });
  });

  test.each<Link>([
    ['workspace/link', '.env', 'link'],
    ['workspace/link', '.cache/b.json', 'link'],
    ['workspace/in/.a.json', '../.scans/b.json', 'in/.a.json'],
    ['temp/link', '.env', '/temp/link'],
  ])('%s to the hidden %s is matched by %s only with such files', async (...row) => {
    const { places, pattern } = await makeLink(row);
    await expect(openPattern(pattern, places)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^'[^']*' is a link to the hidden '[^']*' and is not uploaded\.$/,
      ),
      fixes: ['Name the file itself, or set `include-hidden-files: true`.'],
    });
    expect(await openPattern(pattern, { ...places, includeHidden: true })).toHaveLength(1);
  });
});

test('checkBounds accepts a file below the root of an absolute pattern', async () => {
  const { workspace, ...scope } = await makePlaces({ 'temp/a.json': '' });
  const path = join(scope.root, 'temp', 'a.json');
  const found = { path, input: 'files', directory: parse(path).root };
  await expect(checkBounds(found, path, { ...scope, workspace })).resolves.toBeUndefined();
});

test.each([
  ['.scan.json', '.SCAN.json'],
  ['.\u00E9.json', '.e\u0301.json'],
])('checkBounds accepts the hidden %j if the pattern spells it %j', async (name, spelling) => {
  const { workspace, ...scope } = await makePlaces({
    [`workspace/${name}`]: '',
    'workspace/.other.json': '',
  });
  const path = join(workspace, spelling);
  if (!existsSync(path)) await link(join(workspace, name), path);
  const check = (real: string): Promise<void> => {
    const found = { path, input: 'files', directory: workspace };
    return checkBounds(found, join(workspace, real), { ...scope, workspace });
  };
  await check(name);
  expect(await catchFileError(check('.other.json'))).toMatch(/ hidden '[^']*\.other\.json' /);
});

describeLinux('openScanFile with /proc', () => {
  test('closes files that it refuses, and keeps open the file that it returns', async () => {
    const tree = { 'outside/secret.json': '', 'workspace/directory/.keep': '', 'workspace/a': '' };
    const places = await makePlaces(tree, { 'workspace/link': '../outside/secret.json' });
    execFileSync('mkfifo', [join(places.workspace, 'fifo')]);
    for (const name of ['link', 'fifo', 'directory']) {
      await catchFileError(openPath(join(places.workspace, name), places));
    }
    const path = join(places.workspace, 'a');
    const { handle: _, ...state } = await openPath(path, places);
    await catchFileError(reopen({ ...state, size: 1 }));
    expect(await listOpenFiles(places.root)).toEqual([path]);
  });
});

test('readSmallFile reads a file up to its limit, and refuses a larger one', async () => {
  const path = join(await makeFolder({ a: 'abc' }), 'a');
  expect(String(await readSmallFile(path, 3))).toBe('abc');
  await expect(readSmallFile(path, 2)).rejects.toThrow(/^too large$/);
});

test('readBytes reads on if the system returns less than it was asked for', async () => {
  const handle = await open(join(await makeFolder({ a: 'abcdefgh' }), 'a'));
  cleanUp(() => handle.close());
  const read = handle.read.bind(handle);
  Object.assign(handle, {
    read: (bytes: Buffer, offset: number, length: number, start: number) =>
      read(bytes, offset, Math.min(length, 3), start),
  });
  expect((await readBytes(handle, 1, 100)).toString()).toBe('bcdefgh');
});

test('explainReadError says of an error of the system who may read the file', () => {
  const error = explainReadError(Object.assign(new Error('a'), { code: 'EPERM' }), 'a.json');
  expect(error).toMatchObject({
    situation: 'files',
    message: "'a.json' cannot be read (EPERM).",
    fixes: [
      "Give the runner's user permission to read it (`EPERM`, `EACCES`), or upload it after the program that locks it has ended (`EBUSY`).",
    ],
  });
  const own = new Error('a');
  expect(explainReadError(own, 'a.json')).toBe(own);
});

describeWindows('openScanFile in a workspace on Windows', () => {
  test.each(SPELLINGS)('accepts a file if the workspace is written %s', async (_, spell) => {
    const root = await makeFolder({ 'My Repository/in/Report.json': '' });
    const real = join(root, 'My Repository');
    const given = spell(real);
    for (const [workspace, start] of [
      [given, ''],
      [given, `${real}\\`],
      [real, `${given}/`],
    ] as const) {
      for (const pattern of ['in/report.json', 'in\\R*.json', 'IN']) {
        const shown = await openPattern(`${start}${pattern}`, { workspace, includeHidden: false });
        expect(shown.map((path) => path.toLowerCase())).toEqual([
          expect.stringMatching(/in[/\\]report\.json$/),
        ]);
      }
    }
  });
});
