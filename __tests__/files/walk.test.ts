import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Dirent, Stats } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { CancelledError, StepError, errorMessage } from '../../src/errors.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describeLinux, describePosix, hideDebugLines } from '../support/files.ts';

const fs = { ...(await import('node:fs/promises')) };

/** The paths that were requested from the file system. */
const asked = { directories: [] as string[], paths: [] as string[] };
/** What happens before it responds; what these return is the response. */
const before = {
  readdir: async (_path: string, _withTypes: boolean): Promise<readonly Dirent[] | void> => {},
  stat: async (_path: string): Promise<Stats | void> => {},
  realpath: async (_path: string): Promise<string | void> => {},
};
const UNCHANGED = { ...before };

jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  readdir: async (path: string, options: { readonly withFileTypes: true }) => {
    asked.directories.push(path);
    return (await before.readdir(path, options.withFileTypes)) ?? fs.readdir(path, options);
  },
  stat: async (path: string) => {
    asked.paths.push(path);
    return (await before.stat(path)) ?? fs.stat(path);
  },
  realpath: async (path: string) => (await before.realpath(path)) ?? fs.realpath(path),
}));

const { searchInclude } = await import('../support/search.ts');

hideDebugLines();

let workspace = '';

beforeEach(async () => {
  workspace = await makeFolder(TREE);
  Object.assign(asked, { directories: [], paths: [] });
  Object.assign(before, UNCHANGED);
});

const reason = new CancelledError('SIGTERM');

const TREE = {
  'a.json': '',
  'x/a.json': '',
  'x/deep/a.json': '',
  'x/deep/b.json': '',
  'y/a.json': '',
  'node_modules/p/a.json': '',
  'y/node_modules/q/a.json': '',
  '.git/objects/a.json': '',
};

/** The matches of an include and its excludes, relative to the workspace. */
async function search(text: string, signal?: AbortSignal): Promise<readonly string[]> {
  const [include = '', ...excludes] = text.split('\n').map((line) => line.replace(/^!/, ''));
  const scope = { workspace, includeHidden: false };
  return (await searchInclude({ text: include, excludes }, scope, signal)).map(show);
}

function show(path: string): string {
  return relative(workspace, path).replaceAll('\\', '/');
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: made up, '${path}'`), { code });
}

/** Makes reading these directories fail. */
function closeDirectories(code: string, ...names: readonly string[]): void {
  before.readdir = async (path) => {
    if (names.includes(show(path))) throw systemError(code, path);
  };
}

function repeat(count = 0, entry?: Dirent): readonly Dirent[] {
  return entry === undefined ? [] : Array.from({ length: count }, () => entry);
}

async function link(path: string, target: string): Promise<void> {
  await fs.symlink(target, join(workspace, path));
}

/** All directories of TREE except hidden ones. */
const BELOW = 'node_modules node_modules/p x x/deep y y/node_modules y/node_modules/q'.split(' ');
const ALL = ['', ...BELOW];

describe('searchGlob in a tree', () => {
  test.each([
    ['*.json', ['']],
    ['*/a.json', ['', 'node_modules', 'x', 'y']],
    ['x/*.json', ['x']],
    ['x/**', ['x', 'x/deep']],
    ['**/deep/*.json', ALL],
    ['**/a.json\n!**/node_modules', ['', 'x', 'x/deep', 'y']],
    ['**/a.json\n!**/node_modules/**', ['', 'x', 'x/deep', 'y']],
    ['**/a.json\n!node_modules/\n!x\n!y/*', ['', 'y']],
    ['**/a.json\n!node_modules/*/a.json', ALL],
    ['**/a.json\n!**', []],
    ['x\n!x', []],
    ['**/.git/*.json', [...ALL, '.git']],
    ['.git', ['.git', '.git/objects']],
    ['missing/**', []],
  ])('reads only directories that may contain a match: %j', async (text, expected) => {
    await search(text);
    expect(asked.directories.map(show).toSorted()).toEqual(expected.toSorted());
  });

  test.each([
    ['x/deep/a.json', true],
    ['.git/objects/a.json', true],
    ['x/a.json/', false],
    ['x/a.json\n!x', false],
  ])('reads no directory for the path %j', async (text, isFound) => {
    const path = text.replace(/\/?(?:\n.*)?$/, '');
    for (const start of ['', `${workspace}/`, `${workspace}//`]) {
      expect(await search(start + text)).toEqual(isFound ? [path] : []);
    }
    expect(asked.paths.every((each) => each === join(workspace, path))).toBe(true);
    expect(asked.directories).toEqual([]);
  });

  test('reads no directory for a path below the home directory', async () => {
    const missing = `missing-${'x'.repeat(20)}`;
    expect(await search(`~/${missing}`)).toEqual([]);
    expect(asked).toEqual({ directories: [], paths: [join(homedir(), missing)] });
  });
});

describe('searchGlob, aborted', () => {
  test('requests nothing if it was aborted before it starts', async () => {
    await expect(search('**', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(asked).toEqual({ directories: [], paths: [] });
  });

  test('reads no further directory', async () => {
    const controller = new AbortController();
    before.readdir = async (path) => {
      if (path !== workspace) controller.abort(reason);
    };
    await expect(search('**', controller.signal)).rejects.toBe(reason);
    // The siblings of the first directory were requested with it.
    expect(asked.directories.map(show)).not.toContain('x/deep');
  });

  test('reads at most 64 directories before it is their turn', async () => {
    workspace = await makeFolder(
      Object.fromEntries(Array.from('abcdefghi').map((name) => [`${name}/x`, ''])),
    );
    const siblings = await fs.readdir(workspace, { withFileTypes: true });
    const controller = new AbortController();
    const depth = 20;
    before.readdir = async (path) => {
      if (show(path).split('/').length > depth) controller.abort(reason);
      return siblings;
    };
    await expect(search('**', controller.signal)).rejects.toBe(reason);
    expect(asked.directories.length).toBeGreaterThan(64);
    expect(asked.directories.length).toBeLessThanOrEqual(64 + depth + 2);
  });

  test('stops within a directory with many names', async () => {
    const [entry] = await fs.readdir(workspace, { withFileTypes: true });
    const controller = new AbortController();
    before.readdir = async () => {
      setImmediate(() => controller.abort(reason));
      return repeat(300, entry);
    };
    await expect(search('*', controller.signal)).rejects.toBe(reason);
  });

  test('rejects with the reason even if the current call fails', async () => {
    const controller = new AbortController();
    before.stat = async (path) => {
      controller.abort(reason);
      throw systemError('EIO', path);
    };
    await expect(search('a.json', controller.signal)).rejects.toBe(reason);
  });
});

describe('searchGlob of directories that cannot be read', () => {
  test.each(['EACCES', 'EPERM', 'EIO', 'ESTALE'])(
    'fails with %s if the directory could contain a match, even if there are other matches',
    async (code) => {
      closeDirectories(code, 'x');
      const path = join(workspace, 'x');
      await expect(search('**/a.json')).rejects.toMatchObject({
        message: `The pattern '**/a.json' cannot be searched: ${code}: made up, '${path}'.`,
        fixes: [
          expect.stringMatching(/^Give the runner's user permission/),
          'If no file is expected there, exclude it in a line below the pattern, such as `!dir/**`.',
        ],
      });
      expect(await search('**/a.json\n!x')).toHaveLength(4);
    },
  );

  test('ignores a directory that cannot contain a match', async () => {
    closeDirectories('EACCES', 'x', '.git', 'y/node_modules');
    expect(await search('*.json')).toEqual(['a.json']);
    expect(await search('y/*.json')).toEqual(['y/a.json']);
    expect(await search('x/deep/a.json')).toEqual(['x/deep/a.json']);
    expect(await search('x/deep')).toHaveLength(2);
    expect(await search('**/a.json\n!x/**\n!**/node_modules')).toHaveLength(2);
  });

  test('lists the first three', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    workspace = await makeFolder(Object.fromEntries(names.map((name) => [`${name}/a.json`, ''])));
    closeDirectories('EACCES', ...names);
    const message = await catchFileError(search('**'));
    expect(message).toMatch(/: EACCES: [^;]*'; EACCES: [^;]*'; EACCES: [^;]*'; and 2 more\.$/);
    expect(await search('**\n!a\n!b\n!c\n!d\n!e')).toEqual([]);
  });

  test.each(['ENOENT', 'ENOTDIR'])('ignores a removed directory (%s)', async (code) => {
    closeDirectories(code, 'x');
    expect(await search('**/b.json')).toEqual([]);
    expect(await search('y/**')).toHaveLength(2);
  });

  test('suggests no exclude for a directory that the pattern names', async () => {
    closeDirectories('EACCES', 'x');
    const fixes = [expect.stringMatching(/^Give the runner's user permission/)];
    await expect(search('x/*.json')).rejects.toMatchObject({ fixes });
  });

  test('reads a directory even if a file in it is missing by the time its type is requested', async () => {
    before.readdir = async (path, withTypes) => {
      if (withTypes && path !== workspace) throw systemError('ENOENT', join(path, 'gone'));
    };
    expect(await search('x/**')).toEqual(['x/a.json', 'x/deep/a.json', 'x/deep/b.json']);
    expect(await search('**/*.json\n!**/node_modules')).toHaveLength(5);
    workspace = await makeFolder({ 'x/\u00E9.json': '' });
    expect(await search('x/**')).toEqual(['x/\u00E9.json']);
  });
});

describePosix('searchGlob with links and unusual names', () => {
  test('searches from the root of the file system', async () => {
    expect(await search(`${workspace.replace(/^\/./, '/?')}/a.json`)).toEqual(['a.json']);
  });

  test('follows only links that may be or contain a match', async () => {
    await link('link.txt', 'a.json');
    await link('l.json', 'a.json');
    expect(await search('*.json')).toEqual(['a.json', 'l.json']);
    expect(await search('l*\n!*.json')).toEqual(['link.txt']);
    expect(asked.paths.map(show)).toEqual(['', 'l.json', '', 'link.txt']);
  });

  test('does not follow a link to a parent directory, directly or through another link', async () => {
    workspace = join(await makeFolder({ 'w/a/b.json': '' }), 'w');
    await link('a/up', '../..');
    expect(await search('**')).toEqual(['a/b.json']);
    await link('a/here', '.');
    expect(await search('**')).toEqual(['a/b.json']);
  });

  test('finds a file by its own path even if a link led to its directory before', async () => {
    workspace = await makeFolder({ 'v1/out/x.json': '' });
    await link('a', 'v1/out');
    expect(await search('**/out/*.json')).toEqual(['v1/out/x.json']);
    expect(await search('**/x.json')).toEqual(['a/x.json', 'v1/out/x.json']);
  });

  test('visits directories again up to 10,000 times, and reads a million names in them', async () => {
    workspace = await makeFolder({ 'z/a': '' });
    await link('l', 'z');
    const [linkEntry] = await fs.readdir(workspace, { withFileTypes: true });
    const [file] = await fs.readdir(join(workspace, 'z'), { withFileTypes: true });
    const stats = await fs.stat(workspace);
    before.stat = async () => stats;
    before.realpath = async (path) => (path === workspace ? path : join(workspace, 'z'));
    before.readdir = async (path) => (path === workspace ? repeat(20_000, linkEntry) : []);
    await expect(search('**/x.json')).rejects.toMatchObject({
      message: `The pattern '**/x.json' visited directories again more than 10000 times, because links lead to them: at last '${join(workspace, 'l')}'.`,
      fixes: [expect.stringMatching(/ exclude directories and links .* \(`!dir\/\*\*`\)\.$/)],
    });
    // The workspace, one visit of z, and those that are one too many.
    expect(asked.directories).toHaveLength(10_000 + 3);

    const counts = [2, 1, 1_000_000, 0];
    before.readdir = async (path) => repeat(counts.shift(), path === workspace ? linkEntry : file);
    expect(await search('**/x.json')).toEqual([]);
    counts.splice(0, 4, 3, 1, 1_000_000, 1);
    expect(await catchFileError(search('**/x.json'))).toContain(
      " read more than 1000000 names again, because links lead to them: at last '",
    );
  });

  test('ignores links without a target, unless they match', async () => {
    workspace = await makeFolder({ 'a.json': '' });
    await link('self', 'self');
    await link('through', 'a.json/b');
    await link('dangling', 'nowhere');
    expect(await search('**/*.json')).toEqual(['a.json']);
    expect(await catchFileError(search('*\n!through'))).toContain('ELOOP');
    expect(await catchFileError(search('*\n!self'))).toContain('ENOTDIR');
    expect(await search('*\n!self\n!through')).toEqual(['a.json']);
  });

  test('fails for a link that may match and whose target cannot be inspected', async () => {
    workspace = await makeFolder({ 'a.json': '' });
    await link('closed', '/');
    before.stat = async (path) => {
      if (path.endsWith('closed')) throw systemError('EACCES', path);
    };
    expect(await catchFileError(search('**/*.json'))).toMatch(/EACCES.*closed/);
    expect(await search('*.json')).toEqual(['a.json']);
  });

  test('finds names with line ends and with U+FFFD, and follows such links', async () => {
    workspace = await makeFolder({ 'a\nb.json': '', '\uFFFD!.json': '', '\uFFFDd/a.json': '' });
    await link('\uFFFDdangling', 'nowhere');
    await link('\uFFFDlink', '\uFFFD!.json');
    expect(await search('**')).toEqual([
      'a\nb.json',
      '\uFFFD!.json',
      '\uFFFDd/a.json',
      '\uFFFDlink',
    ]);
  });
});

describeLinux('searchGlob with names that are not UTF-8', () => {
  test('asks for the type of no other name in their directory', async () => {
    await fs.writeFile(Buffer.from(`${workspace}/\xE9.txt`, 'latin1'), '');
    await link('l.json', 'a.json');
    expect(await search('**/*.json\n!l*')).toHaveLength(7);
    expect(asked.paths).toHaveLength(2);
    expect(asked.directories.map(show).filter((path) => path === '')).toHaveLength(1);
  });

  test.each([
    ['*.json', ['\uFFFD.json', '\uFFFDlink.json']],
    ['**/a.json', ['\uFFFDdir', '\uFFFDlinkdir']],
    ['\uFFFD.json', ['\uFFFD.json']],
    ['\uFFFDdir/a.json', ['\uFFFDdir']],
    ['*.json\n!\uFFFD*', []],
    ['*/a.json\n!\uFFFDdir\n!\uFFFDlink*', []],
    ['*.txt', []],
  ])('fails for those that %j may mean', async (text, failing) => {
    workspace = await makeFolder({ 'a.json': '', 'b.txt': '', 'dir/b.json': '' });
    const locate = (name: string): Buffer => Buffer.from(`${workspace}/${name}`, 'latin1');
    await fs.writeFile(locate('\xE9.json'), '');
    await fs.mkdir(locate('\xE9dir'));
    await fs.symlink('b.txt', locate('\xE9link.json'));
    await fs.symlink('dir', locate('\xE9linkdir'));
    await fs.symlink('nowhere', locate('\xE9gone.json'));
    const paths = failing.map((name) => `'${join(workspace, name)}'`);
    const error: unknown = await search(text).catch((thrown: unknown) => thrown);
    const message = errorMessage(error);
    const fixes = error instanceof StepError ? error.fixes : [];
    expect(fixes.slice(0, 1)).toEqual(failing.length > 0 ? ['Rename it.'] : []);
    expect(message.match(/(?<=the name of ).*?(?= is not UTF-8)/g) ?? []).toEqual(paths);
  });
});
