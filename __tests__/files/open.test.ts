import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { openScanFile } from '../../src/files/open.ts';
import type { OpenFile } from '../../src/files/open.ts';
import type { Scope } from '../../src/files/search.ts';
import {
  catchFileError,
  describeLinux,
  describePosix,
  hideDebugLines,
  listOpenFiles,
  openFile,
} from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';
import { makeFolder } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { select } from '../support/search.ts';

hideDebugLines();

/** The targets of links by their paths, all relative to the root. */
type Links = Readonly<Record<string, string>>;

/** A directory with a workspace and, beside it, directories that are not the workspace. */
interface Places extends Scope {
  readonly root: string;
}

async function makePlaces(tree: Tree = {}, links: Links = {}): Promise<Places> {
  const root = await makeFolder(tree);
  await mkdir(join(root, 'workspace'), { recursive: true });
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

/** Opens all matches of a pattern, and returns the paths that are displayed. */
async function openPattern(pattern: string, scope: Scope): Promise<readonly string[]> {
  const visible = { ...scope, includeHidden: false };
  const result = await select([{ input: 'files', text: pattern }], visible);
  const found = result.files;
  const files = await Promise.all(
    found.map(async ({ path, directory }) => openPath(path, scope, directory)),
  );
  return files.map((file) => file.displayPath);
}

/** Replaces a leading `/` of a pattern by the root of the places. */
function anchor(pattern: string, { root }: Places): string {
  return pattern.replace(/^\//, `${root}/`);
}

describe('openScanFile', () => {
  test('returns path, size, times and identity of the file', async () => {
    const places = await makePlaces({ 'workspace/reports/scan.json': '{"a":1}' });
    const path = join(places.workspace, 'reports', 'scan.json');
    await utimes(path, 1_700_000_000, 1_700_000_000);
    const stats = await stat(path, { bigint: true });
    const { handle, ...facts } = await openPath(path, places);
    expect(facts).toEqual({
      path,
      displayPath: 'reports/scan.json',
      name: 'scan.json',
      size: 7,
      mtimeNs: 1_700_000_000_000_000_000n,
      ctimeNs: stats.ctimeNs,
      identity: `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`,
      input: 'files',
      directory: places.workspace,
    });
    expect(await handle.readFile('utf8')).toBe('{"a":1}');
  });

  test('returns the same identity for two names of a file', async () => {
    const places = await makePlaces({ 'workspace/a.json': '', 'workspace/b.json': '' });
    const paths = ['a.json', 'b.json', 'c.json'].map((name) => join(places.workspace, name));
    await link(String(paths[0]), String(paths[2]));
    const [a, b, c] = await Promise.all(paths.map(async (path) => openPath(path, places)));
    expect(c?.identity).toBe(a?.identity);
    expect(b?.identity).not.toBe(a?.identity);
  });

  test('refuses a missing file', async () => {
    const places = await makePlaces();
    const path = join(places.workspace, 'gone.json');
    const message = `'${path}' cannot be opened (ENOENT).`;
    expect(await catchFileError(openPath(path, places))).toBe(message);
  });
});

// FIFOs, devices and unreadable files are tested in __tests__/faults/cases/unusable-files.ts.
describePosix('openScanFile of a path that is not a regular file', () => {
  test('refuses a directory', async () => {
    const { workspace, ...places } = await makePlaces();
    const message = `'${workspace}' cannot be opened (not a regular file).`;
    const opening = openPath(workspace, { ...places, workspace });
    await expect(opening).rejects.toMatchObject({ message, fixes: ['Name a regular file.'] });
  });

  test('refuses a socket', async () => {
    const places = await makePlaces();
    const path = join(places.workspace, 's');
    const server = createServer().listen(path);
    await once(server, 'listening');
    cleanUp(async () => server[Symbol.asyncDispose]());
    expect(await catchFileError(openPath(path, places))).toMatch(/cannot be opened \(\w+\)\.$/);
  });
});

describePosix('openScanFile of names that cannot be sent', () => {
  // Which characters are invisible is tested in __tests__/report/clean.test.ts.
  test('refuses a name with a line feed', async () => {
    const places = await makePlaces({ 'workspace/a\nb.json': '' });
    const path = join(places.workspace, 'a\nb.json');
    expect(await catchFileError(openPath(path, places))).toBe(
      `The path '${path}' has a control character, an invisible character or a backslash (U+000A).`,
    );
  });

  test.each([
    ['\\', 'U+005C'],
    ['\u{e0001}', 'U+E0001'],
  ])('names the character of a name with %j', async (character, code) => {
    const places = await makePlaces({ [`workspace/a${character}.json`]: '' });
    const opening = openPath(join(places.workspace, `a${character}.json`), places);
    expect(await catchFileError(opening)).toContain(`(${code})`);
  });

  test('accepts a directory name that can be shown, because it is not sent', async () => {
    const places = await makePlaces({ 'workspace/a\nb\\c/scan.json': '' });
    const path = join(places.workspace, 'a\nb\\c', 'scan.json');
    expect(await openPath(path, places)).toMatchObject({ name: 'scan.json' });
  });
});

const TREE = {
  'workspace/reports/a.json': '',
  'workspace/.env': '',
  'workspace/.git/config': '',
  'workspace/.git/x.json': '',
  'workspace/.scans/b.json': '',
  'workspace-2/secret.json': '',
  'outside/secret.json': '',
  'temp/secret.json': '',
  'temp/.env': '',
  'temp/.git/config': '',
  'temp/other/c.json': '',
  'temp/reports/a.json': '',
  'temp/reports/deep/b.json': '',
};

describePosix('openScanFile of links that stay within the workspace or the named directory', () => {
  test.each([
    ['a file', 'workspace/link', 'reports/a.json', 'link'],
    ['a directory', 'workspace/link', 'reports', 'link/*'],
    ['a file, by an absolute path', 'workspace/link', 'reports/a.json', '/workspace/link'],
    ['a file beside it', 'workspace/reports/link', 'a.json', '/workspace/reports/link'],
    ['a directory, by an absolute pattern', 'workspace/link', 'reports', '/workspace/link/a.*'],
    ['a file elsewhere', 'temp/reports/link', 'a.json', '/temp/reports/l*'],
    ['a directory elsewhere', 'temp/reports/link', 'deep', '/temp/reports/l*/b.json'],
    ['the directory that a wildcard names', 'temp/link', 'reports', '/temp/link/*.json'],
    ['the directory that an absolute path names', 'temp/link', 'reports', '/temp/link/a.json'],
    ['the workspace', 'link', 'workspace', '/link/reports/*'],
    ['the workspace, to a hidden name', 'link', 'workspace', '/link/.scans/b.json'],
    [
      'a hidden name that the pattern contains',
      'workspace/.scans/link',
      'b.json',
      '**/.scans/link',
    ],
    ['a hidden name that an absolute path contains', 'temp/.git/link', 'config', '/temp/.git/link'],
  ])('accepts a link to %s: %s to %s, found by %s', async (_, path, target, pattern) => {
    const places = await makePlaces(TREE, { [path]: target });
    expect(await openPattern(anchor(pattern, places), places)).toHaveLength(1);
  });

  test('displays paths in the workspace relative to it, and others as they are', async () => {
    const places = await makePlaces(TREE);
    const elsewhere = `${places.root}/temp/reports/a.json`;
    const pattern = `${places.workspace}/reports/*\n${elsewhere}`;
    expect(await openPattern(pattern, places)).toEqual(['reports/a.json', elsewhere]);
  });

  test('accepts a workspace that is a link, even into a hidden directory', async () => {
    for (const target of ['../workspace', '../.work/ws']) {
      const tree = { 'workspace/a.json': '', '.work/ws/a.json': '' };
      const places = await makePlaces(tree, { 'outside/workspace': target });
      const workspace = join(places.root, 'outside', 'workspace');
      for (const pattern of ['*', `${workspace}/*`, `${workspace}/a.json`]) {
        expect(await openPattern(pattern, { ...places, workspace })).toEqual(['a.json']);
      }
    }
  });
});

describePosix('openScanFile of links that leave the workspace', () => {
  test.each([
    ['a file', '../outside/secret.json', 'link'],
    ['a file, by a wildcard', '../outside/secret.json', '*'],
    ['a directory', '../outside', 'link/secret.json'],
    ['a directory, by a wildcard', '../outside', '**/*.json'],
    ['a directory whose name begins like that of the workspace', '../workspace-2', 'link'],
    ['another link', 'reports/other', 'link'],
    ['a file, by its directory', '.', 'reports'],
    ['a file, by an absolute path', '../temp/secret.json', '/workspace/link'],
    ['a directory, by an absolute path', '../outside', '/workspace/link/secret.json'],
    ['a directory, by an absolute wildcard', '../outside', '/workspace/link/*.json'],
    ['a directory that an absolute pattern names', '../outside', '/workspace/link'],
    ['a file, by a wildcard above the workspace', '../temp/secret.json', '/*/link'],
  ])('refuses a link to %s: to %s, found by %s', async (_, target, pattern) => {
    const places = await makePlaces(TREE, {
      'workspace/link': target,
      'workspace/reports/other': '../../outside/secret.json',
    });
    expect(await catchFileError(openPattern(anchor(pattern, places), places))).toMatch(
      /^'[^']*' leads to '[^']*secret\.json', outside the workspace, and is not uploaded\.$/,
    );
  });

  test('reports where the link leads', async () => {
    const places = await makePlaces(TREE, { 'workspace/a.json': '../outside/secret.json' });
    const [path, real] = ['workspace/a.json', 'outside/secret.json'].map((name) =>
      join(places.root, name),
    );
    expect(await catchFileError(openPattern('a.json', places))).toBe(
      `'${path}' leads to '${real}', outside the workspace, and is not uploaded.`,
    );
  });

  test('recognises the workspace by its real path, by links to it and into it', async () => {
    const { root } = await makePlaces(
      { 'outside/secret.json': '', 'workspace/in/a.json': '' },
      { linked: 'workspace', inner: 'workspace/in', 'workspace/in/planted': '../../outside' },
    );
    const linked = join(root, 'linked');
    for (const workspace of [linked, join(root, 'workspace')]) {
      for (const start of [`${linked}/in`, `${root}/workspace/in`, `${root}/inner`]) {
        const scope = { workspace, includeHidden: false };
        expect(await openPattern(`${start}/a.json`, scope)).toHaveLength(1);
        for (const pattern of ['secret.json', '*.json', '']) {
          const opening = openPattern(`${start}/planted/${pattern}`, scope);
          expect(await catchFileError(opening)).toMatch(
            /' leads to '[^']*secret\.json', outside the workspace/,
          );
        }
      }
    }
  });
});

describePosix('openScanFile of links that leave the directory of an absolute pattern', () => {
  test.each<[string, string, string, string]>([
    ['to a file elsewhere', '../../outside/secret.json', '/temp/scan/link', 'temp/scan'],
    [
      'to a file elsewhere, by a wildcard',
      '../../outside/secret.json',
      '/temp/scan/*',
      'temp/scan',
    ],
    ['to a directory elsewhere', '../../outside', '/temp/scan/*/secret.json', 'temp/scan'],
    ['to a file above', '../secret.json', '/temp/scan/link', 'temp/scan'],
    ['to a file above, by its directory', '../secret.json', '/temp/scan/', 'temp/scan'],
    ['to a hidden file above', '../.env', '/temp/scan/link', 'temp/scan'],
    ['to a directory beside it', '../other', '/temp/scan/*/c.json', 'temp/scan'],
    ['to a file elsewhere, by **', '../../outside/secret.json', '/temp/**/link', 'temp'],
    ['into the workspace', '../../workspace/reports/a.json', '/temp/scan/link', 'temp/scan'],
    ['into a hidden directory of it', '../../workspace/.git', '/temp/scan/**/*.json', 'temp/scan'],
  ])('refuses a link %s', async (_, target, pattern, directory) => {
    const places = await makePlaces(TREE, { 'temp/scan/link': target });
    const message = await catchFileError(openPattern(anchor(pattern, places), places));
    expect(message).toContain(`, outside '${join(places.root, directory)}', and is not uploaded.`);
  });
});

describePosix('openScanFile of links to hidden files', () => {
  test.each([
    ['link.json', '.env'],
    ['link.json', '.git/config'],
    ['*.json', '.git/config'],
    ['/workspace/link.json', '.env'],
    ['/workspace/link.json/config', '.git'],
    ['/*/link.json', '.git/config'],
    ['/temp/link.json', '.env'],
    ['/temp/link.json/config', '.git'],
    ['/temp/**/*', '.git'],
  ])('refuses %s, a link to %s, unless hidden files are included', async (text, to) => {
    const directory = text.startsWith('/temp') ? 'temp' : 'workspace';
    const tree = { [`${directory}/.env`]: '', [`${directory}/.git/config`]: '' };
    const places = await makePlaces(tree, { [`${directory}/link.json`]: to });
    const pattern = anchor(text, places);
    expect(await catchFileError(openPattern(pattern, places))).toMatch(
      /^'[^']*link\.json[^']*' is a link to the hidden '[^']*' and is not uploaded\.$/,
    );
    expect(await openPattern(pattern, { ...places, includeHidden: true })).toHaveLength(1);
  });

  test('refuses a link in the workspace that is found through a link to the workspace', async () => {
    const places = await makePlaces(TREE, {
      alias: 'workspace',
      'workspace/link': '.scans/b.json',
    });
    expect(await catchFileError(openPattern(`${places.root}/alias/link`, places))).toMatch(
      /is a link to the hidden '[^']*b\.json'/,
    );
  });
});

describeLinux('openScanFile with /proc', () => {
  test('refuses a path out of the workspace if the pattern starts in /proc', async () => {
    const tree = { 'outside/secret.json': '', 'workspace/a.json': '' };
    const places = await makePlaces(tree, { 'workspace/planted': '../outside' });
    const alias = `/proc/self/fd/${(await openFile(places.workspace)).fd}`;
    expect(await openPattern(`${alias}/a.json`, places)).toEqual([`${alias}/a.json`]);
    expect(await catchFileError(openPattern(`${alias}/planted/secret.json`, places))).toMatch(
      /' leads to '[^']*secret\.json', outside the workspace/,
    );
  });

  test('refuses a file that was removed, even if another file has its name', async () => {
    const places = await makePlaces({ 'workspace/a.json': 'first' });
    const path = join(places.workspace, 'a.json');
    const opened = `/proc/self/fd/${(await openFile(path)).fd}`;
    await rm(path);
    const missing = `'${opened}' cannot be opened (ENOENT).`;
    expect(await catchFileError(openPath(opened, places))).toBe(missing);
    // The kernel's name for a removed file.
    await writeFile(`${path} (deleted)`, 'second');
    const replaced = `'${opened}' cannot be opened (replaced while it was being opened).`;
    expect(await catchFileError(openPath(opened, places))).toBe(replaced);
    expect(await openPath(`${path} (deleted)`, places)).toMatchObject({ size: 6 });
  });

  test('closes files that it refuses, and keeps open the file that it returns', async () => {
    const tree = { 'outside/secret.json': '', 'workspace/directory/.keep': '', 'workspace/a': '' };
    const places = await makePlaces(tree, { 'workspace/link': '../outside/secret.json' });
    execFileSync('mkfifo', [join(places.workspace, 'fifo')]);
    for (const name of ['link', 'fifo', 'directory']) {
      await catchFileError(openPath(join(places.workspace, name), places));
    }
    const path = join(places.workspace, 'a');
    await openPath(path, places);
    expect(await listOpenFiles(places.root)).toEqual([path]);
  });
});
