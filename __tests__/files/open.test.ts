import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findFiles } from '../../src/files/find.ts';
import type { FoundFile } from '../../src/files/find.ts';
import { openScanFile } from '../../src/files/open.ts';
import type { Roots } from '../../src/files/bounds.ts';
import type { OpenFile } from '../../src/files/open.ts';
import {
  catchFileError,
  cleanUp,
  describeLinux,
  describePosix,
  describeUnprivileged,
  hideDebugLines,
  listOpenFiles,
  makeFolder,
  openFile,
  writeTree,
} from './fixtures.ts';
import type { Tree } from './fixtures.ts';

hideDebugLines();

/** A workspace, the runner's temporary folder, and a folder outside of both. */
interface Places extends Roots {
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
  for (const folder of Object.values(places)) await mkdir(folder, { recursive: true });
  return places;
}

async function openFound(found: FoundFile, roots: Roots): Promise<OpenFile> {
  const file = await openScanFile(found, roots);
  cleanUp(() => file.handle.close());
  return file;
}

/** Opens a path that a relative pattern matched. */
async function openPath(path: string, roots: Roots): Promise<OpenFile> {
  return openFound({ path, input: 'files', folder: undefined }, roots);
}

/** Opens all that a pattern matches, and tells their paths as an author would write them. */
async function openPattern(pattern: string, roots: Roots): Promise<readonly string[]> {
  const options = { workspace: roots.workspace, includeHidden: false };
  const result = await findFiles([{ input: 'files', text: pattern }], options);
  const found = result.kind === 'files' ? result.files : [];
  const files = await Promise.all(found.map(async (file) => openFound(file, roots)));
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
    const file = await openFound({ path, input: 'scan-file', folder: undefined }, places);
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
    expect(await openFound({ path, input: 'files', folder: places.temp }, places)).toMatchObject({
      displayPath: path,
    });
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
    ['a folder', async (path: string): Promise<unknown> => mkdir(path)],
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
    expect(await openPattern('*', { workspace, temp: places.temp })).toEqual(['a.json']);
    expect(await openPattern(`${workspace}/*`, { workspace, temp: places.temp })).toEqual([
      'a.json',
    ]);
  });

  test.each([
    ['a link to a file', 'outside/secret.json', 'link', 'link'],
    ['a link to a file, found by a wildcard', 'outside/secret.json', 'link', '*'],
    ['a link to a folder', 'outside', 'link', 'link/secret.json'],
    ['a link to a folder, found by a wildcard', 'outside', 'link', '**/*.json'],
    ["a link to the runner's temporary folder", 'temp/secret.json', 'link', 'link'],
    ['a link to a folder whose name begins alike', 'workspace-2/secret.json', 'link', 'link'],
    ['a link to a folder below', 'outside', 'reports/link', 'reports'],
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

describePosix('openScanFile, from an absolute pattern', () => {
  test.each([
    ['a file', 'a.json'],
    ['a folder', ''],
    ['a wildcard', '**/*.json'],
  ])('takes %s anywhere, if there is no link below the folder named', async (_, pattern) => {
    const places = await makePlaces({ 'outside/a.json': '' });
    const path = join(places.outside, 'a.json');
    expect(await openPattern(`${places.outside}/${pattern}`, places)).toEqual([path]);
    expect(
      await openPattern(`${places.outside}/${pattern}`, { ...places, temp: undefined }),
    ).toEqual([path]);
  });

  test('takes what the runner keeps in its temporary folder, links included', async () => {
    const places = await makePlaces({ 'temp/reports/a.json': '' });
    await symlink('reports', join(places.temp, 'linked'));
    expect(await openPattern(`${places.temp}/*/a.json`, places)).toEqual([
      join(places.temp, 'linked', 'a.json'),
      join(places.temp, 'reports', 'a.json'),
    ]);
  });

  test('takes links within the workspace', async () => {
    const places = await makePlaces({ 'workspace/reports/a.json': '' });
    await symlink('reports/a.json', join(places.workspace, 'b.json'));
    expect(await openPattern(`${places.workspace}/b.json`, places)).toEqual(['b.json']);
  });

  test('takes a folder that is reached by a link above the one named', async () => {
    const places = await makePlaces({ 'outside/data/reports/a.json': '' });
    await symlink('data', join(places.outside, 'current'));
    const path = join(places.outside, 'current', 'reports', 'a.json');
    expect(await openPattern(`${places.outside}/current/reports/*`, places)).toEqual([path]);
  });

  test.each([
    ['a file that is itself a link', 'outside', 'link.json'],
    ['a link in the folder named', 'outside', '*.json'],
    ['a link below the folder named', 'outside', 'deep/**/*.json'],
    ['a linked folder below the folder named', 'outside', 'folder/*/secret.json'],
    ['a link in the workspace', 'workspace', 'link.json'],
    ["a link in the runner's temporary folder", 'temp', 'link.json'],
  ])('refuses %s', async (_, place, pattern) => {
    const places = await makePlaces({
      'elsewhere/secret.json': '',
      'outside/deep/er/.keep': '',
      'outside/folder/.keep': '',
    });
    const elsewhere = join(places.workspace, '..', 'elsewhere');
    const secret = join(elsewhere, 'secret.json');
    const folder = join(places.workspace, '..', place);
    await symlink(secret, join(folder, 'link.json'));
    await symlink(secret, join(places.outside, 'deep', 'er', 'link.json'));
    await symlink(elsewhere, join(places.outside, 'folder', 'linked'));
    expect(await catchFileError(openPattern(`${folder}/${pattern}`, places))).toMatch(
      /' leads to '[^']*secret\.json', outside the folder that is named, and is not uploaded\. /,
    );
  });

  test.each(['reports/secret.json', 'reports/*.json', 'reports', 'reports/'])(
    'refuses %s in the workspace, if that folder is a link to somewhere else',
    async (pattern) => {
      const places = await makePlaces({ 'outside/secret.json': '' });
      await symlink(places.outside, join(places.workspace, 'reports'));
      expect(await catchFileError(openPattern(`${places.workspace}/${pattern}`, places))).toMatch(
        /' leads to '[^']*secret\.json', outside /,
      );
    },
  );

  test('refuses a link of the workspace that leads into the temporary folder', async () => {
    const places = await makePlaces({ 'temp/event.json': '' });
    await symlink(join(places.temp, 'event.json'), join(places.workspace, 'scan.json'));
    expect(await catchFileError(openPattern(`${places.workspace}/scan.json`, places))).toMatch(
      /' leads to '[^']*event\.json', outside the folder that is named/,
    );
  });

  test.each(['scan.json', '*.json'])('refuses a link to a hidden file: %s', async (pattern) => {
    const places = await makePlaces({ 'workspace/.git/config': '' });
    await symlink('.git/config', join(places.workspace, 'scan.json'));
    expect(await catchFileError(openPattern(pattern, places))).toMatch(
      /is a link to the hidden '[^']*config'/,
    );
    expect(await openPattern(pattern, { ...places, includeHidden: true })).toHaveLength(1);
  });

  test.each([
    ['a hidden file', '.git/config', /is a link to the hidden '[^']*config'/],
    ['the temporary folder', '../temp/event.json', /' leads to '[^']*event\.json', outside /],
  ])('refuses a link of the workspace to %s, found from a folder above', async (_, to, message) => {
    const places = await makePlaces({ 'workspace/.git/config': '', 'temp/event.json': '' });
    await symlink(to, join(places.workspace, 'link.json'));
    const pattern = join(places.workspace, '..', '*', 'link.json');
    expect(await catchFileError(openPattern(pattern, places))).toMatch(message);
  });

  test('takes a link from anywhere that leads into the workspace', async () => {
    const places = await makePlaces({ 'workspace/a.json': '' });
    const path = join(places.outside, 'link.json');
    await symlink(join(places.workspace, 'a.json'), path);
    expect(await openPattern(path, places)).toEqual([path]);
  });

  test('knows the temporary folder by its real path and by a link to it', async () => {
    const places = await makePlaces({ 'outside/secret.json': '', 'temp/reports/a.json': '' });
    const linked = join(places.workspace, '..', 'linked');
    await symlink(places.temp, linked);
    await symlink(places.outside, join(places.temp, 'planted'));
    await symlink('reports', join(places.temp, 'own'));
    const roots = { workspace: places.workspace, temp: linked };
    for (const temp of [linked, places.temp]) {
      expect(await openPattern(`${temp}/own/a.json`, roots)).toHaveLength(1);
      expect(await catchFileError(openPattern(`${temp}/planted/secret.json`, roots))).toMatch(
        /' leads to '[^']*secret\.json', outside the folder that is named/,
      );
    }
  });

  test('knows the workspace by its real path and by a link to it', async () => {
    const places = await makePlaces({ 'outside/secret.json': '', 'workspace/a.json': '' });
    const linked = join(places.workspace, '..', 'linked');
    await symlink(places.workspace, linked);
    await symlink(places.outside, join(places.workspace, 'planted'));
    const roots = { workspace: linked, temp: places.temp };
    for (const workspace of [linked, places.workspace]) {
      expect(await openPattern(`${workspace}/a.json`, roots)).toHaveLength(1);
      expect(await catchFileError(openPattern(`${workspace}/planted/secret.json`, roots))).toMatch(
        /' leads to '[^']*secret\.json', outside the folder that is named/,
      );
    }
  });

  test.each(['scan.json', '.scans/scan.json'])('takes a link to %s', async (name) => {
    const places = await makePlaces({
      'workspace/scan.json': '',
      'workspace/.scans/scan.json': '',
    });
    await symlink(name, join(places.workspace, 'link.json'));
    const roots = { ...places, includeHidden: name.startsWith('.') };
    for (const pattern of ['link.json', `${places.workspace}/link.json`]) {
      expect(await openPattern(pattern, roots)).toEqual(['link.json']);
    }
  });

  test('lets a hidden file be named as such, in a workspace that is itself linked', async () => {
    const places = await makePlaces({ 'workspace/.scans/a.json': '' });
    const linked = join(places.outside, 'linked');
    await symlink(places.workspace, linked);
    const roots = { workspace: linked, temp: places.temp };
    const paths = [`${linked}/.scans/a.json`, `${places.workspace}/.scans/a.json`];
    for (const path of paths) expect(await openPattern(path, roots)).toHaveLength(1);
  });

  test.each([
    ['a hidden file above', '../.env', 'link.json', /outside the folder that is named/],
    ['another file of it', '../credentials.json', 'link.json', /outside the folder that is named/],
    ['another file of it, by a wildcard', '../credentials.json', '*', /outside the folder/],
    ['another file of it, by its folder', '../credentials.json', '', /outside the folder/],
    ['the folder above', '..', 'link.json/credentials.json', /outside the folder/],
    ['the folder above, by a wildcard', '..', 'link.json/*.json', /outside the folder/],
    ['a folder aside', '../other', 'link.json/*.json', /outside the folder/],
    ['a hidden folder of the workspace', '../../workspace/.git', '**/*.json', /outside the folder/],
    ['a file of the workspace', '../../workspace/a.json', 'link.json', /outside the folder/],
    ['a hidden file beside it', '.env', 'link.json', /is a link to the hidden '[^']*\.env'/],
    ['a hidden folder beside it', '.cache', 'link.json/b.json', /is a link to the hidden '/],
  ])('refuses a link of the temporary folder to %s', async (_, to, pattern, message) => {
    const places = await makePlaces({
      'workspace/.git/x.json': '',
      'workspace/a.json': '',
      'temp/.env': '',
      'temp/credentials.json': '',
      'temp/other/c.json': '',
      'temp/scan/.env': '',
      'temp/scan/.cache/b.json': '',
    });
    await symlink(to, join(places.temp, 'scan', 'link.json'));
    expect(await catchFileError(openPattern(`${places.temp}/scan/${pattern}`, places))).toMatch(
      message,
    );
  });

  test('takes a link of the temporary folder to a file beside it', async () => {
    const places = await makePlaces({ 'temp/scan/a.json': '', 'temp/scan/.cache/b.json': '' });
    await symlink('a.json', join(places.temp, 'scan', 'link.json'));
    await symlink('.cache/b.json', join(places.temp, 'scan', 'hidden.json'));
    const paths = ['link.json', 'hidden.json'].map((name) => join(places.temp, 'scan', name));
    expect(await openPattern(paths[0] ?? '', places)).toEqual(paths.slice(0, 1));
    const roots = { ...places, includeHidden: true };
    expect(await openPattern(paths.join('\n'), roots)).toEqual(paths);
  });

  test('refuses a link from anywhere to a hidden file of the workspace', async () => {
    const places = await makePlaces({ 'workspace/.git/config': '' });
    await symlink('../workspace/.git/config', join(places.outside, 'link.json'));
    const pattern = join(places.outside, 'link.json');
    expect(await catchFileError(openPattern(pattern, places))).toMatch(/is a link to the hidden '/);
    expect(await openPattern(pattern, { ...places, includeHidden: true })).toEqual([pattern]);
  });

  test('refuses a link from anywhere into the temporary folder', async () => {
    const places = await makePlaces({ 'temp/credentials.json': '' });
    await symlink('../temp/credentials.json', join(places.outside, 'link.json'));
    expect(await catchFileError(openPattern(`${places.outside}/*`, places))).toMatch(
      /' leads to '[^']*credentials\.json', outside the folder that is named/,
    );
  });

  test.each([
    ['the workspace', 'workspace', 'reports/planted'],
    ['a folder of the workspace', 'workspace/reports', 'planted'],
  ])('refuses a way out by a link that leads to %s', async (_, target, planted) => {
    const places = await makePlaces({ 'outside/secret.json': '', 'workspace/reports/a.json': '' });
    const alias = join(places.workspace, '..', 'alias');
    await symlink(join(places.workspace, '..', target), alias);
    await symlink(places.outside, join(alias, planted));
    for (const pattern of ['secret.json', '*.json', '']) {
      expect(await catchFileError(openPattern(`${alias}/${planted}/${pattern}`, places))).toMatch(
        /' leads to '[^']*secret\.json', outside the folder that is named/,
      );
    }
  });

  test('takes by a link to the workspace what lies in it, hidden files by their names', async () => {
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

  test("does without a temporary folder that isn't there", async () => {
    const places = await makePlaces({ 'outside/a.json': '' });
    const roots = { workspace: places.workspace, temp: join(places.temp, 'missing') };
    expect(await openPattern(`${places.outside}/a.json`, roots)).toEqual([
      join(places.outside, 'a.json'),
    ]);
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
      /' leads to '[^']*secret\.json', outside the folder that is named/,
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
      `'${path}' was removed while it was being opened.`,
    );
  });

  test('leaves nothing open that it refused', async () => {
    const places = await makePlaces({ 'outside/secret.json': '', 'workspace/folder/.keep': '' });
    const planted = join(places.workspace, 'link.json');
    const fifo = join(places.workspace, 'fifo');
    await symlink('../outside/secret.json', planted);
    execFileSync('mkfifo', [fifo]);
    for (const path of [planted, fifo, join(places.workspace, 'folder')]) {
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
