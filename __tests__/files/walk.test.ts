import type { Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import { catchFileError, describeLinux, describePosix, hideDebugLines } from '../support/files.ts';
import { makeFolder, makeTree } from '../support/workspace.ts';

const fs = { ...(await import('node:fs/promises')) };

/** The paths that were requested from the file system. */
const asked = { directories: [] as string[], paths: [] as string[] };
/** What happens before it responds; what these return is the response. */
const before = {
  readdir: async (_path: string): Promise<readonly Dirent[] | void> => {},
  stat: async (_path: string): Promise<void> => {},
};
const UNCHANGED = { ...before };

jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  readdir: async (path: string, options: { readonly withFileTypes: true }) => {
    asked.directories.push(path);
    return (await before.readdir(path)) ?? fs.readdir(path, options);
  },
  stat: async (path: string) => {
    asked.paths.push(path);
    await before.stat(path);
    return fs.stat(path);
  },
}));

const { searchText } = await import('../support/search.ts');

hideDebugLines();

let workspace = '';

beforeEach(async () => {
  workspace = await makeFolder(TREE);
  Object.assign(asked, { directories: [], paths: [] });
  Object.assign(before, UNCHANGED);
});

const reason = new CancelledError('SIGTERM');

const TREE = makeTree(
  'a.json x/a.json x/deep/a.json x/deep/b.json y/a.json node_modules/p/a.json y/node_modules/q/a.json .git/objects/a.json'.split(
    ' ',
  ),
);

/** The matches of a pattern and exclusions below it, relative to the workspace. */
async function search(text: string, signal?: AbortSignal): Promise<readonly string[]> {
  const scope = { workspace, includeHidden: false };
  return (await searchText(text, scope, signal)).map(show);
}

function show(path: string): string {
  return relative(workspace, path).replaceAll('\\', '/');
}

function makeDenial(path: string): Error {
  return Object.assign(new Error(`EACCES: made up, '${path}'`), { code: 'EACCES' });
}

/** Makes reading these directories fail. */
function closeDirectories(...names: readonly string[]): void {
  before.readdir = async (path) => {
    if (names.includes(show(path))) throw makeDenial(path);
  };
}

async function link(path: string, target: string): Promise<void> {
  await fs.symlink(target, join(workspace, path));
}

/** All directories of TREE except hidden ones. */
const BELOW = 'node_modules node_modules/p x x/deep y y/node_modules y/node_modules/q'.split(' ');
const ALL = ['', ...BELOW];

describe('searchGlob in a tree', () => {
  test.each([
    ['*/a.json', ['', 'node_modules', 'x', 'y']],
    ['x/**', ['x', 'x/deep']],
    ['**/a.json\n!**/node_modules', ['', 'x', 'x/deep', 'y']],
    ['**/a.json\n!node_modules/\n!x\n!y/*', ['', 'y']],
    ['**/.git/*.json', [...ALL, '.git', '.git/objects']],
  ])('reads only directories that may contain a match: %j', async (text, expected) => {
    await search(text);
    expect(asked.directories.map(show).toSorted()).toEqual(expected.toSorted());
  });

  test.each([
    ['x/deep/a.json', true],
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

  test('lets a signal end a large directory', async () => {
    const controller = new AbortController();
    before.readdir = async (path) => {
      const entries = await fs.readdir(path, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      setImmediate(() => controller.abort(reason));
      return Array.from({ length: 1001 }, () => files).flat();
    };
    await expect(search('*', controller.signal)).rejects.toBe(reason);
  });

  test('rejects with the reason even if the current call fails', async () => {
    const controller = new AbortController();
    before.stat = async (path) => {
      controller.abort(reason);
      throw makeDenial(path);
    };
    await expect(search('a.json', controller.signal)).rejects.toBe(reason);
  });
});

test('searchGlob reads at most 64 directories at a time', async () => {
  workspace = await makeFolder(makeTree(Array.from({ length: 70 }, (_, index) => `${index}/x`)));
  let [underWay, most] = [0, 0];
  before.readdir = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
  };
  expect(await search('**')).toHaveLength(70);
  expect(most).toBe(64);
});

test('searchGlob finds at most 100,000 paths', async () => {
  const entries = await fs.readdir(join(workspace, 'x', 'deep'), { withFileTypes: true });
  let all = Array.from({ length: 50_000 }, () => entries).flat();
  before.readdir = async () => all;
  expect(await search('*')).toHaveLength(100_000);
  all = [...all, ...entries];
  expect(await catchFileError(search('*'))).toBe("The pattern '*' matches more than 100000 paths.");
});

describe('searchGlob of directories that cannot be read', () => {
  test('fails if the directory could contain a match, even if there are other matches', async () => {
    closeDirectories('x');
    const path = join(workspace, 'x');
    await expect(search('**/a.json')).rejects.toMatchObject({
      message: `The pattern '**/a.json' cannot be searched: EACCES: made up, '${path}'.`,
      fixes: [
        'If no scan is there, add to the lines below the pattern: `!x/**`.',
        expect.stringMatching(/^Give the runner's user permission/),
      ],
    });
    for (const exclude of ['!x', '!x/**']) {
      expect(await search(`**/a.json\n${exclude}`)).toHaveLength(4);
    }
  });

  test('ignores a directory that cannot contain a match', async () => {
    closeDirectories('x', '.git', 'y/node_modules');
    expect(await search('*.json')).toEqual(['a.json']);
    expect(await search('x/deep')).toHaveLength(2);
    expect(await search('**/a.json\n!x/**\n!**/node_modules')).toHaveLength(2);
  });

  test('lists the first three', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    workspace = await makeFolder(makeTree(names.map((name) => `${name}/a.json`)));
    closeDirectories(...names);
    const found = search('**');
    await expect(found).rejects.toThrow(/: EACCES[^,]*, '\S*a', EACC.* and 2 more\.$/);
    const lines = '`!a/**`, `!b/**`, `!c/**`';
    const fix = `If no scan is there, add to the lines below the pattern: ${lines}.`;
    await expect(found).rejects.toMatchObject({ fixes: [fix, expect.anything()] });
  });
});

describePosix('searchGlob with links and unusual names', () => {
  test('follows only links that may be or contain a match', async () => {
    await link('link.txt', 'a.json');
    await link('l.json', 'a.json');
    expect(await search('*.json')).toEqual(['a.json', 'l.json']);
    expect(asked.paths.map(show)).toEqual(['', 'l.json']);
    expect(await search('l*\n!*.json')).toEqual(['link.txt']);
  });

  test('does not follow a link to a directory above, directly or through another link', async () => {
    workspace = join(await makeFolder({ 'w/a/b.json': '' }), 'w');
    await link('a/up', '../..');
    await link('a/here', '.');
    await link('a/root', '/');
    expect(await search('**')).toEqual(['a/b.json']);
    // The pattern names it.
    expect(await search('a/up/w/*/b.json')).toEqual(['a/up/w/a/b.json']);
  });

  test('follows the first of several links with the same name and target', async () => {
    workspace = await makeFolder({ 'v/out/x.json': '', 'a/x': '', 'b/x': '' });
    for (const path of ['a/l', 'b/l', 'other']) await link(path, join(workspace, 'v', 'out'));
    // The order of a real directory depends on the file system.
    const entries = await fs.readdir(workspace, { withFileTypes: true });
    const sorted = entries.toSorted((one, other) => one.name.localeCompare(other.name));
    for (const [listed, first] of [
      [sorted, 'a/l/x.json'],
      [sorted.toReversed(), 'b/l/x.json'],
    ] as const) {
      before.readdir = async (path) => (path === workspace ? listed : undefined);
      expect(await search('**/x.json')).toEqual([first, 'other/x.json', 'v/out/x.json']);
    }
    expect(await search('a/l/x.json')).toEqual(['a/l/x.json']);
    expect(await search('*/l/x.json\n!b/l')).toEqual(['a/l/x.json']);
  });

  test('ends in a graph of links', async () => {
    const names = Array.from('abcdefgh');
    workspace = await makeFolder(makeTree(names.map((name) => `${name}/x.json`)));
    for (const from of names) for (const to of names) await link(`${from}/to-${to}`, `../${to}`);
    const found = await search('**/x.json');
    expect(found.length).toBeGreaterThanOrEqual(names.length);
    expect(asked.directories.length).toBeLessThanOrEqual(1 + names.length + names.length ** 2);
  });

  test('ignores links without a target', async () => {
    workspace = await makeFolder({ 'a.json': '' });
    await link('self', 'self');
    await link('through', 'a.json/b');
    await link('dangling', 'nowhere');
    expect(await search('*')).toEqual(['a.json']);
  });

  test('fails for a link that may match and whose target cannot be inspected', async () => {
    workspace = await makeFolder({ 'a.json': '' });
    await link('closed', '/');
    before.stat = async (path) => {
      if (path.endsWith('closed')) throw makeDenial(path);
    };
    expect(await catchFileError(search('**/*.json'))).toMatch(/EACCES.*closed/);
    for (const text of ['*.json', '**/*.json\n!closed/**']) {
      expect(await search(text)).toEqual(['a.json']);
    }
  });
});

describeLinux('searchGlob with names that are not UTF-8', () => {
  test('skips them, and reads their directory', async () => {
    workspace = await makeFolder({ 'in/a.json': '', 'in/deep/b.json': '' });
    const locate = (name: string): Buffer => Buffer.from(`${workspace}/in/${name}`, 'latin1');
    await fs.writeFile(locate('\xE9.json'), '');
    await fs.mkdir(locate('\xE9dir'));
    await fs.symlink('a.json', locate('\xE9link.json'));
    expect(await search('**')).toEqual(['in/a.json', 'in/deep/b.json']);
  });

  test('finds names with the character that stands for such bytes', async () => {
    workspace = await makeFolder({ 'a.json': '', '\uFFFD/b\uFFFD.json': '' });
    await link('\uFFFDl.json', 'a.json');
    expect(await search('**')).toEqual(['a.json', '\uFFFD/b\uFFFD.json', '\uFFFDl.json']);
  });
});
