import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findFiles } from '../../src/files/find.ts';
import type { FoundFile } from '../../src/files/find.ts';
import { openScanFile } from '../../src/files/open.ts';
import type { OpenFile } from '../../src/files/open.ts';
import type { Scope } from '../../src/files/search.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import {
  catchFileError,
  describeLinux,
  describePosix,
  describeUnprivileged,
  hideDebugLines,
  listOpenFiles,
  openFile,
} from '../support/files.ts';
import { cleanUp } from '../support/scope.ts';

hideDebugLines();

/** A workspace, the runner's temporary directory, and a directory outside of both. */
interface Places extends Scope {
  readonly temp: string;
  readonly outside: string;
}

async function makePlaces(tree: Tree = {}): Promise<Places> {
  const root = await makeFolder(tree);
  const places = {
    workspace: join(root, 'workspace'),
    temp: join(root, 'temp'),
    outside: join(root, 'outside'),
  };
  for (const directory of Object.values(places)) await mkdir(directory, { recursive: true });
  return { ...places, includeHidden: false };
}

async function openFound(found: FoundFile, scope: Scope): Promise<OpenFile> {
  const file = await openScanFile(found, scope);
  cleanUp(() => file.handle.close());
  return file;
}

/** Opens a path that a relative pattern matched. */
async function openPath(path: string, scope: Scope): Promise<OpenFile> {
  return openFound({ path, input: 'files', directory: scope.workspace }, scope);
}

/** Opens all that a pattern matches, and tells their paths as an author would write them. */
async function openPattern(pattern: string, scope: Scope): Promise<readonly string[]> {
  const visible = { ...scope, includeHidden: false };
  const result = await findFiles([{ input: 'files', text: pattern }], visible);
  const found = result.kind === 'files' ? result.files : [];
  const files = await Promise.all(found.map(async (file) => openFound(file, scope)));
  return files.map((file) => file.displayPath);
}

/** A path that opens the file behind a descriptor, while its real path may be anything. */
async function removeOpened(places: Places): Promise<string> {
  const path = join(places.workspace, 'a.json');
  const handle = await openFile(path);
  await rm(path);
  return `/proc/self/fd/${handle.fd}`;
}

describe('openScanFile', () => {
  test('tells what it opened', async () => {
    const places = await makePlaces({ 'workspace/reports/scan.json': '{"a":1}' });
    const path = join(places.workspace, 'reports', 'scan.json');
    await utimes(path, 1_700_000_000, 1_700_000_000);
    const stats = await stat(path, { bigint: true });
    const directory = places.workspace;
    const file = await openFound({ path, input: 'scan-file', directory }, places);
    expect(file).toEqual({
      handle: expect.anything(),
      path,
      displayPath: 'reports/scan.json',
      name: 'scan.json',
      size: 7,
      mtimeNs: 1_700_000_000_000_000_000n,
      ctimeNs: stats.ctimeNs,
      identity: `${stats.dev}:${stats.ino}`,
      input: 'scan-file',
      directory,
    });
    expect(await file.handle.readFile('utf8')).toBe('{"a":1}');
  });

  test('takes an empty file', async () => {
    const places = await makePlaces({ 'workspace/a.json': '' });
    expect(await openPath(join(places.workspace, 'a.json'), places)).toMatchObject({ size: 0 });
  });

  test('knows two names of one file', async () => {
    const places = await makePlaces({ 'workspace/a.json': '', 'workspace/b.json': '' });
    const path = (name: string): string => join(places.workspace, name);
    await link(path('a.json'), path('c.json'));
    const [a, b, c] = await Promise.all(
      ['a.json', 'b.json', 'c.json'].map(async (name) => openPath(path(name), places)),
    );
    expect(c?.identity).toBe(a?.identity);
    expect(b?.identity).not.toBe(a?.identity);
  });

  test('shows an absolute path outside the workspace as it is', async () => {
    const places = await makePlaces({ 'temp/a.json': '' });
    const path = join(places.temp, 'a.json');
    expect(await openFound({ path, input: 'files', directory: places.temp }, places)).toMatchObject(
      {
        displayPath: path,
      },
    );
  });

  test('refuses what is not there any more', async () => {
    const places = await makePlaces();
    const path = join(places.workspace, 'gone.json');
    expect(await catchFileError(openPath(path, places))).toBe(
      `'${path}' cannot be opened (ENOENT).`,
    );
  });

  test.each([
    'scan.json',
    'my scan (1).json',
    "it's.json",
    'ünï-😀.json',
    '-a;b&c=d%20.json',
    '.env',
  ])('takes the name %s', async (name) => {
    const places = await makePlaces({ [`workspace/${name}`]: '' });
    expect(await openPath(join(places.workspace, name), places)).toMatchObject({ name });
  });
});

describePosix('openScanFile, of what is no regular file', () => {
  test.each([
    ['a directory', async (path: string): Promise<unknown> => mkdir(path)],
    [
      'a FIFO, without waiting for its writer',
      async (path: string) => execFileSync('mkfifo', [path]),
    ],
    ['a link to a device', async (path: string) => symlink('/dev/null', path)],
  ])('refuses %s', async (_, make) => {
    const places = await makePlaces();
    const path = join(places.workspace, 'a.json');
    await make(path);
    expect(await catchFileError(openPath(path, places))).toBe(`'${path}' is not a regular file.`);
  });

  test('refuses a socket', async () => {
    const places = await makePlaces();
    const path = join(places.workspace, 's');
    const server = createServer().listen(path);
    await once(server, 'listening');
    cleanUp(async () => {
      await server[Symbol.asyncDispose]();
    });
    expect(await catchFileError(openPath(path, places))).toMatch(/cannot be opened \(\w+\)\.$/);
  });
});

describeUnprivileged('openScanFile, without permission', () => {
  test('refuses an unreadable file', async () => {
    const places = await makePlaces({ 'workspace/a.json': '' });
    const path = join(places.workspace, 'a.json');
    await chmod(path, 0);
    expect(await catchFileError(openPath(path, places))).toBe(
      `'${path}' cannot be opened (EACCES).`,
    );
  });
});

describePosix('openScanFile, of names that cannot be sent', () => {
  test.each([
    'a\nb.json',
    'a\rb.json',
    'a\tb.json',
    '\x01.json',
    'a\x7f.json',
    'a\x85.json',
    'a\u200bb.json',
    'a\u202ejson',
    'a\u2066.json',
    'a\u2028.json',
    'a\u2029.json',
    '\ufeffa.json',
    'a\u00ad.json',
    'a\\b.json',
    '\\',
  ])('refuses %j', async (name) => {
    const places = await makePlaces({ [`workspace/${name}`]: '' });
    const path = join(places.workspace, name);
    expect(await catchFileError(openPath(path, places))).toBe(
      `The name of '${path}' has a character that is not sent (control, invisible or backslash): rename the file.`,
    );
  });

  test('minds only the name of the file, which is what is sent', async () => {
    const places = await makePlaces({ 'workspace/a\nb\\c/scan.json': '' });
    const path = join(places.workspace, 'a\nb\\c', 'scan.json');
    expect(await openPath(path, places)).toMatchObject({ name: 'scan.json' });
  });
});

describePosix('openScanFile, from a relative pattern', () => {
  test('follows a link that stays in the workspace', async () => {
    const places = await makePlaces({ 'workspace/reports/a.json': '' });
    await symlink('reports/a.json', join(places.workspace, 'link.json'));
    await symlink(join(places.workspace, 'reports'), join(places.workspace, 'linked'));
    expect(await openPattern('link.json\nlinked/*', places)).toEqual([
      'link.json',
      'linked/a.json',
    ]);
  });

  test('takes a workspace that is itself reached by a link', async () => {
    const places = await makePlaces({ 'workspace/a.json': '' });
    const workspace = join(places.outside, 'workspace');
    await symlink(places.workspace, workspace);
    for (const pattern of ['*', `${workspace}/*`, `${workspace}/a.json`]) {
      expect(await openPattern(pattern, { ...places, workspace })).toEqual(['a.json']);
    }
  });

  test.each([
    ['a link to a file', 'outside/secret.json', 'link', 'link'],
    ['a link to a file, found by a wildcard', 'outside/secret.json', 'link', '*'],
    ['a link to a directory', 'outside', 'link', 'link/secret.json'],
    ['a link to a directory, found by a wildcard', 'outside', 'link', '**/*.json'],
    ["a link to the runner's temporary directory", 'temp/secret.json', 'link', 'link'],
    ['a link to a directory whose name begins alike', 'workspace-2/secret.json', 'link', 'link'],
    ['a link to a directory below', 'outside', 'reports/link', 'reports'],
  ])('refuses %s', async (_, target, name, pattern) => {
    const places = await makePlaces({
      'outside/secret.json': '',
      'temp/secret.json': '',
      'workspace-2/secret.json': '',
      'workspace/reports/.keep': '',
    });
    await symlink(join(places.workspace, '..', target), join(places.workspace, name));
    expect(await catchFileError(openPattern(pattern, places))).toMatch(
      /^'[^']*link[^']*' leads to '[^']*secret\.json', outside the workspace, and is not uploaded\. /,
    );
  });

  test('refuses a link with a relative way out', async () => {
    const places = await makePlaces({ 'outside/secret.json': '' });
    const path = join(places.workspace, 'a.json');
    await symlink('../outside/secret.json', path);
    expect(await catchFileError(openPattern('a.json', places))).toBe(
      `'${path}' leads to '${join(places.outside, 'secret.json')}', outside the workspace, and is not uploaded. ` +
        'Name the file itself, or copy it into the workspace.',
    );
  });

  test('refuses a chain of links that ends outside', async () => {
    const places = await makePlaces({ 'outside/secret.json': '' });
    await symlink('b.json', join(places.workspace, 'a.json'));
    await symlink('../outside/secret.json', join(places.workspace, 'b.json'));
    expect(await catchFileError(openPattern('a.json', places))).toMatch(/outside the workspace/);
  });
});

describePosix('openScanFile, from an absolute pattern in the workspace', () => {
  test.each([
    ['a file beside it', 'reports/link.json'],
    ['a file elsewhere in the workspace', 'link.json'],
    ['a file in a linked directory', 'linked/a.json'],
    ['a file in a linked directory, by a wildcard', 'linked/a.*'],
  ])('takes a link to %s', async (_, name) => {
    const places = await makePlaces({ 'workspace/reports/a.json': '', 'workspace/deep/.keep': '' });
    await symlink('a.json', join(places.workspace, 'reports', 'link.json'));
    await symlink('reports/a.json', join(places.workspace, 'link.json'));
    await symlink('reports', join(places.workspace, 'linked'));
    expect(await openPattern(`${places.workspace}/${name}`, places)).toEqual([
      name.replace('*', 'json'),
    ]);
  });

  test.each(['reports/secret.json', 'reports/*.json', 'reports', 'reports/'])(
    'refuses %s, if that directory is a link to somewhere else',
    async (pattern) => {
      const places = await makePlaces({ 'outside/secret.json': '' });
      await symlink(places.outside, join(places.workspace, 'reports'));
      expect(await catchFileError(openPattern(`${places.workspace}/${pattern}`, places))).toMatch(
        /' leads to '[^']*secret\.json', outside the workspace/,
      );
    },
  );

  test('refuses a link into the temporary directory', async () => {
    const places = await makePlaces({ 'temp/event.json': '' });
    await symlink(join(places.temp, 'event.json'), join(places.workspace, 'scan.json'));
    expect(await catchFileError(openPattern(`${places.workspace}/scan.json`, places))).toMatch(
      /' leads to '[^']*event\.json', outside the workspace/,
    );
  });

  test('knows the workspace by its real path, by links to it and into it', async () => {
    const places = await makePlaces({ 'outside/secret.json': '', 'workspace/in/a.json': '' });
    const linked = join(places.outside, 'linked');
    const inner = join(places.outside, 'inner');
    await symlink(places.workspace, linked);
    await symlink(join(places.workspace, 'in'), inner);
    await symlink(places.outside, join(places.workspace, 'in', 'planted'));
    for (const workspace of [linked, places.workspace]) {
      for (const start of [`${linked}/in`, `${places.workspace}/in`, inner]) {
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

describePosix('openScanFile, from an absolute pattern elsewhere', () => {
  test.each([
    ['a file', 'a.json'],
    ['a directory', ''],
    ['a wildcard', '**/*.json'],
  ])('takes %s', async (_, pattern) => {
    const places = await makePlaces({ 'outside/a.json': '' });
    const path = join(places.outside, 'a.json');
    expect(await openPattern(`${places.outside}/${pattern}`, places)).toEqual([path]);
  });

  test('takes links to what lies below the directory that is named', async () => {
    const places = await makePlaces({ 'temp/reports/a.json': '' });
    await symlink('reports', join(places.temp, 'linked'));
    await symlink('reports/a.json', join(places.temp, 'link.json'));
    expect(await openPattern(`${places.temp}/**`, places)).toEqual([
      join(places.temp, 'link.json'),
      join(places.temp, 'linked', 'a.json'),
      join(places.temp, 'reports', 'a.json'),
    ]);
  });

  test('takes a directory that is named by a link', async () => {
    const places = await makePlaces({ 'outside/data/reports/a.json': '' });
    await symlink('data', join(places.outside, 'current'));
    const path = join(places.outside, 'current', 'reports', 'a.json');
    for (const pattern of ['current/reports/*', 'current/**', 'current/reports/a.json']) {
      expect(await openPattern(`${places.outside}/${pattern}`, places)).toEqual([path]);
    }
  });

  test.each([
    ['a file that is itself a link', 'outside', 'link.json'],
    ['a link in the directory that is named', 'outside', '*.json'],
    ['a link below the directory that is named', 'outside', 'deep/**/*.json'],
    ['a linked directory below the one that is named', 'outside', 'directory/*/secret.json'],
    ["a link in the runner's temporary directory", 'temp', 'link.json'],
  ])('refuses %s', async (_, place, pattern) => {
    const places = await makePlaces({
      'elsewhere/secret.json': '',
      'outside/deep/er/.keep': '',
      'outside/directory/.keep': '',
    });
    const elsewhere = join(places.workspace, '..', 'elsewhere');
    const secret = join(elsewhere, 'secret.json');
    const start = join(places.workspace, '..', place);
    await symlink(secret, join(start, 'link.json'));
    await symlink(secret, join(places.outside, 'deep', 'er', 'link.json'));
    await symlink(elsewhere, join(places.outside, 'directory', 'linked'));
    expect(await catchFileError(openPattern(`${start}/${pattern}`, places))).toMatch(
      /' leads to '[^']*secret\.json', outside '[^']*(?:outside|deep|directory|temp)', and is not uploaded\. /,
    );
  });

  test.each([
    ['above', '../credentials.json', 'link.json'],
    ['above, by a wildcard', '../credentials.json', '*'],
    ['above, by its directory', '../credentials.json', ''],
    ['that is hidden above', '../.env', 'link.json'],
    ['of the workspace', '../../workspace/a.json', 'link.json'],
    ['in a directory aside', '../other', '*/c.json'],
    ['in a hidden directory of the workspace', '../../workspace/.git', '**/*.json'],
  ])('refuses a link to a file %s', async (_, to, pattern) => {
    const places = await makePlaces({
      'workspace/.git/x.json': '',
      'workspace/a.json': '',
      'temp/.env': '',
      'temp/credentials.json': '',
      'temp/other/c.json': '',
      'temp/scan/.keep': '',
    });
    await symlink(to, join(places.temp, 'scan', 'link.json'));
    expect(await catchFileError(openPattern(`${places.temp}/scan/${pattern}`, places))).toMatch(
      /' leads to '[^']*', outside '[^']*scan', and is not uploaded/,
    );
  });

  test.each([
    ['a hidden file', '.git/config', /is a link to the hidden '[^']*config'/],
    ['a file outside', '../temp/event.json', /' leads to '[^']*event\.json', outside the work/],
  ])('refuses a link of the workspace to %s, found from above', async (_, to, message) => {
    const places = await makePlaces({ 'workspace/.git/config': '', 'temp/event.json': '' });
    await symlink(to, join(places.workspace, 'link.json'));
    const pattern = join(places.workspace, '..', '*', 'link.json');
    expect(await catchFileError(openPattern(pattern, places))).toMatch(message);
  });
});

describePosix('openScanFile, of a hidden file', () => {
  test.each([
    ['', 'link.json', '.env'],
    ['', 'link.json', '.git/config'],
    ['', '*.json', '.git/config'],
    ['workspace/', 'link.json', '.env'],
    ['workspace/', 'link.json/config', '.git'],
    ['temp/', 'link.json', '.env'],
    ['temp/', 'link.json/config', '.git'],
    ['temp/', '**/*', '.git'],
  ])('refuses %s%s, a link to %s, unless hidden files are included', async (place, name, to) => {
    const tree = { '.env': '', '.git/config': '' };
    const places = await makePlaces();
    for (const directory of [places.workspace, places.temp]) {
      await writeTree(directory, tree);
      await symlink(to, join(directory, 'link.json'));
    }
    const pattern = place === '' ? name : join(places.workspace, '..', place, name);
    expect(await catchFileError(openPattern(pattern, places))).toMatch(
      /^'[^']*link\.json[^']*' is a link to the hidden '[^']*' and is not uploaded\. /,
    );
    expect(await openPattern(pattern, { ...places, includeHidden: true })).toHaveLength(1);
  });

  test.each(['.scans/a.json', '.scans/link.json', '.scans/*.json', '**/.scans/a.json'])(
    'takes %s, which names it',
    async (pattern) => {
      const places = await makePlaces({ 'workspace/.scans/a.json': '', 'temp/.scans/a.json': '' });
      await symlink('a.json', join(places.workspace, '.scans', 'link.json'));
      await symlink('a.json', join(places.temp, '.scans', 'link.json'));
      const count = pattern === '.scans/*.json' ? 2 : 1;
      for (const start of ['', `${places.workspace}/`, `${places.temp}/`]) {
        expect(await openPattern(`${start}${pattern}`, places)).toHaveLength(count);
      }
    },
  );

  test('takes any file of a workspace below a hidden directory, also by a link to it', async () => {
    const places = await makePlaces({
      'workspace/.work/ws/a.json': '',
      'workspace/.work/b.json': '',
    });
    const linked = join(places.outside, 'linked');
    await symlink(join(places.workspace, '.work', 'ws'), linked);
    const scope = { workspace: linked, includeHidden: false };
    expect(await openPattern(`a.json\n${linked}/*.json`, scope)).toEqual(['a.json']);
  });

  test('takes by a link to the workspace hidden files by their names, and no others', async () => {
    const places = await makePlaces({ 'workspace/a.json': '', 'workspace/.scans/b.json': '' });
    const alias = join(places.outside, 'alias');
    await symlink(places.workspace, alias);
    await symlink('.scans/b.json', join(places.workspace, 'link.json'));
    for (const name of ['a.json', '.scans/b.json']) {
      expect(await openPattern(`${alias}/${name}`, places)).toEqual([join(alias, name)]);
    }
    expect(await catchFileError(openPattern(`${alias}/link.json`, places))).toMatch(
      /is a link to the hidden '[^']*b\.json'/,
    );
  });
});

describePosix('openScanFile, of what changes later', () => {
  test('keeps what was opened, whatever becomes of the path', async () => {
    const places = await makePlaces({ 'workspace/a.json': 'first' });
    const path = join(places.workspace, 'a.json');
    const file = await openPath(path, places);
    await rm(path);
    await writeFile(path, 'second');
    expect(await file.handle.readFile('utf8')).toBe('first');
  });
});

describeLinux('openScanFile, from a pattern that starts in /proc', () => {
  test('refuses a way out of the workspace', async () => {
    const places = await makePlaces({ 'outside/secret.json': '', 'workspace/a.json': '' });
    await symlink(places.outside, join(places.workspace, 'planted'));
    const alias = `/proc/self/fd/${(await openFile(places.workspace)).fd}`;
    expect(await openPattern(`${alias}/a.json`, places)).toEqual([`${alias}/a.json`]);
    expect(await catchFileError(openPattern(`${alias}/planted/secret.json`, places))).toMatch(
      /' leads to '[^']*secret\.json', outside the workspace/,
    );
  });
});

describeLinux('openScanFile, of what changes meanwhile', () => {
  test('refuses a file that another has taken the place of', async () => {
    const places = await makePlaces({ 'workspace/a.json': 'first' });
    const path = await removeOpened(places);
    // What the kernel calls a removed file; by now another may have that name.
    await writeTree(places.workspace, { 'a.json (deleted)': 'second' });
    expect(await catchFileError(openPath(path, places))).toBe(
      `'${path}' was replaced while it was being opened.`,
    );
  });

  test('takes a file whose name ends as that of a removed one does', async () => {
    const places = await makePlaces({ 'workspace/a.json (deleted)': '' });
    const path = join(places.workspace, 'a.json (deleted)');
    expect(await openPath(path, places)).toMatchObject({ path });
  });

  test('refuses a file that was removed', async () => {
    const places = await makePlaces({ 'workspace/a.json': 'first' });
    const path = await removeOpened(places);
    expect(await catchFileError(openPath(path, places))).toBe(
      `'${path}' cannot be opened (ENOENT).`,
    );
  });

  test('leaves nothing open that it refused', async () => {
    const places = await makePlaces({ 'outside/secret.json': '', 'workspace/directory/.keep': '' });
    const planted = join(places.workspace, 'link.json');
    const fifo = join(places.workspace, 'fifo');
    await symlink('../outside/secret.json', planted);
    execFileSync('mkfifo', [fifo]);
    for (const path of [planted, fifo, join(places.workspace, 'directory')]) {
      await catchFileError(openPath(path, places));
    }
    expect(await listOpenFiles(join(places.workspace, '..'))).toEqual([]);
  });

  test('keeps open what it took', async () => {
    const places = await makePlaces({ 'workspace/a.json': '' });
    const path = join(places.workspace, 'a.json');
    await openPath(path, places);
    expect(await listOpenFiles(places.workspace)).toEqual([path]);
  });
});
