import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { CancelledError } from '../../src/errors.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describePosix, hideDebugLines } from '../support/files.ts';

const fs = { ...(await import('node:fs/promises')) };

/** What was asked of the file system, and what happens before it responds. */
const asked = { directories: [] as string[], paths: [] as string[] };
const before = {
  readdir: async (_path: string, _withTypes: boolean): Promise<void> => {},
  stat: async (_path: string): Promise<void> => {},
};
/** What happens once it has responded. */
const after = { readdir: (): void => {} };

jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  readdir: async (path: string, options?: { readonly withFileTypes: true }) => {
    asked.directories.push(path);
    await before.readdir(path, options !== undefined);
    const entries = await (options === undefined ? fs.readdir(path) : fs.readdir(path, options));
    after.readdir();
    return entries;
  },
  stat: async (path: string) => {
    asked.paths.push(path);
    await before.stat(path);
    return fs.stat(path);
  },
}));

const { searchPattern } = await import('../../src/files/search.ts');

hideDebugLines();

beforeEach(() => {
  asked.directories = [];
  asked.paths = [];
  before.readdir = async () => {};
  before.stat = async () => {};
  after.readdir = () => {};
});

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

/** What lines of patterns find, relative to the workspace. */
async function search(
  text: string,
  workspace: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const [include = '', ...excludes] = text.split('\n').map((line) => line.replace(/^!/, ''));
  const scope = { workspace, includeHidden: false };
  const { paths } = await searchPattern({ text: include, excludes }, scope, signal);
  return paths.map((path) => show(path, workspace));
}

function show(path: string, workspace: string): string {
  return relative(workspace, path).replaceAll('\\', '/');
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: made up, '${path}'`), { code });
}

/** Lets directories fail to be read. */
function closeFolders(workspace: string, code: string, ...names: readonly string[]): void {
  before.readdir = async (path) => {
    if (names.includes(show(path, workspace))) throw systemError(code, path);
  };
}

async function link(workspace: string, path: string, target: string): Promise<void> {
  await fs.symlink(target, join(workspace, path));
}

describe('searchPattern, in a tree', () => {
  test.each([
    ['*.json', ['']],
    ['*/a.json', ['', 'node_modules', 'x', 'y']],
    ['x/*.json', ['x']],
    ['x/**', ['x', 'x/deep']],
    [
      '**/deep/*.json',
      [
        '',
        'node_modules',
        'node_modules/p',
        'x',
        'x/deep',
        'y',
        'y/node_modules',
        'y/node_modules/q',
      ],
    ],
    ['**/a.json\n!**/node_modules', ['', 'x', 'x/deep', 'y']],
    ['**/a.json\n!**/node_modules/**', ['', 'x', 'x/deep', 'y']],
    ['**/a.json\n!node_modules/\n!x\n!y/*', ['', 'y']],
    [
      '**/a.json\n!node_modules/*/a.json',
      [
        '',
        'node_modules',
        'node_modules/p',
        'x',
        'x/deep',
        'y',
        'y/node_modules',
        'y/node_modules/q',
      ],
    ],
    ['**/a.json\n!**', []],
    ['x\n!x', []],
    [
      '**/.git/*.json',
      [
        '',
        '.git',
        'node_modules',
        'node_modules/p',
        'x',
        'x/deep',
        'y',
        'y/node_modules',
        'y/node_modules/q',
      ],
    ],
    ['.git', ['.git', '.git/objects']],
    ['missing/**', []],
  ])('reads only directories that may hold a match: %j', async (text, expected) => {
    const workspace = await makeFolder(TREE);
    await search(text, workspace);
    expect(asked.directories.map((path) => show(path, workspace)).toSorted()).toEqual(expected);
  });

  test('reads no directory for a path', async () => {
    const workspace = await makeFolder(TREE);
    expect(await search('x/deep/a.json', workspace)).toEqual(['x/deep/a.json']);
    expect(await search(`${workspace}//y/a.json`, workspace)).toEqual(['y/a.json']);
    expect(await search('.git/objects/a.json', workspace)).toEqual(['.git/objects/a.json']);
    expect(await search('x/a.json/', workspace)).toEqual([]);
    expect(await search('x/a.json\n!x', workspace)).toEqual([]);
    const missing = `missing-${'x'.repeat(20)}`;
    expect(await search(`~/${missing}`, workspace)).toEqual([]);
    expect(asked.directories).toEqual([]);
    expect(asked.paths).toEqual([
      join(workspace, 'x', 'deep', 'a.json'),
      join(workspace, 'y', 'a.json'),
      join(workspace, '.git', 'objects', 'a.json'),
      join(workspace, 'x', 'a.json'),
      join(workspace, 'x', 'a.json'),
      join(homedir(), missing),
    ]);
  });

  test('reads what is below a directory, with and without a separator behind it', async () => {
    const workspace = await makeFolder(TREE);
    for (const text of ['x', './x', 'x/', `${workspace}/x`, `${workspace}//x/`]) {
      expect(await search(text, workspace)).toEqual(['x/a.json', 'x/deep/a.json', 'x/deep/b.json']);
    }
    expect(await search('x\n!x/deep', workspace)).toEqual(['x/a.json']);
  });

  test('finds in the order of the walk, and reads one directory at a time', async () => {
    const workspace = await makeFolder(TREE);
    let running = 0;
    before.readdir = async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    expect(await search('**/a.json', workspace)).toEqual([
      'a.json',
      'node_modules/p/a.json',
      'x/a.json',
      'x/deep/a.json',
      'y/a.json',
      'y/node_modules/q/a.json',
    ]);
  });

  test('writes nothing to the log', async () => {
    const workspace = await makeFolder(TREE);
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await search('**/*.json\n!y', workspace);
    expect(write).not.toHaveBeenCalled();
  });
});

describe('searchPattern, told to stop', () => {
  const reason = new CancelledError('SIGTERM');

  test('asks nothing if it is too late already', async () => {
    const workspace = await makeFolder(TREE);
    await expect(search('**', workspace, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(asked).toEqual({ directories: [], paths: [] });
  });

  test('reads no further directory', async () => {
    const workspace = await makeFolder(TREE);
    const controller = new AbortController();
    before.readdir = async (path) => {
      if (path !== workspace) controller.abort(reason);
    };
    await expect(search('**', workspace, controller.signal)).rejects.toBe(reason);
    // The workspace, and those in it that were begun in the same turn.
    expect(asked.directories).toHaveLength(2);
  });

  test('stops in the middle of a directory with many names', async () => {
    const names = Array.from({ length: 300 }, (_, index) => [`${index}.json`, ''] as const);
    const workspace = await makeFolder(Object.fromEntries(names));
    const controller = new AbortController();
    after.readdir = () => setImmediate(() => controller.abort(reason));
    await expect(search('*', workspace, controller.signal)).rejects.toBe(reason);
  });

  test('tells why even if the call that was under way fails', async () => {
    const workspace = await makeFolder(TREE);
    const controller = new AbortController();
    before.stat = async (path) => {
      controller.abort(reason);
      throw systemError('EIO', path);
    };
    await expect(search('a.json', workspace, controller.signal)).rejects.toBe(reason);
  });
});

describe('searchPattern, where a directory cannot be read', () => {
  test.each(['EACCES', 'EPERM', 'EIO', 'ESTALE'])(
    'fails with %s if a match may lie there, whatever it found',
    async (code) => {
      const workspace = await makeFolder(TREE);
      closeFolders(workspace, code, 'x');
      const problem = `The pattern '**/a.json' cannot be searched: ${code}: made up, '${join(workspace, 'x')}'.`;
      const advice =
        "If nothing is meant there, leave it out in a line of its own below the pattern: '!x'.";
      expect(await catchFileError(search('**/a.json', workspace))).toBe(`${problem} ${advice}`);
      expect(await search('**/a.json\n!x', workspace)).toHaveLength(4);
    },
  );

  test('takes no notice where no match can lie', async () => {
    const workspace = await makeFolder(TREE);
    closeFolders(workspace, 'EACCES', 'x', '.git', 'y/node_modules');
    expect(await search('*.json', workspace)).toEqual(['a.json']);
    expect(await search('y/*.json', workspace)).toEqual(['y/a.json']);
    expect(await search('x/deep/a.json', workspace)).toEqual(['x/deep/a.json']);
    expect(await search('x/deep', workspace)).toHaveLength(2);
    expect(await search('**/a.json\n!x/**\n!**/node_modules', workspace)).toHaveLength(2);
  });

  test('names the first directories in the order of the walk, as patterns', async () => {
    const names = ['[a]', 'b', 'c', 'd', 'e'];
    const workspace = await makeFolder(
      Object.fromEntries(names.map((name) => [`${name}/a.json`, ''])),
    );
    closeFolders(workspace, 'EACCES', ...names);
    const message = await catchFileError(search('**', workspace));
    expect(message).toMatch(/'[^']*\[a\]'; [^;]*b'; [^;]*c'; and 2 more\. If nothing/);
    expect(message).toMatch(/: '!\[\[\]a\]', '!b', '!c'\.$/);
    expect(await search('**\n![[]a]\n!b\n!c\n!d\n!e', workspace)).toEqual([]);
  });

  test('names a directory outside of the workspace by its whole path', async () => {
    const directory = await makeFolder({ 'w/a': '', 'data/closed/a': '' });
    const closed = join(directory, 'data', 'closed');
    closeFolders(directory, 'EACCES', 'data/closed');
    const message = await catchFileError(search(`${directory}/data/**`, join(directory, 'w')));
    expect(message).toContain(`'!${closed.replaceAll('\\', '/')}'`);
  });

  test.each(['ENOENT', 'ENOTDIR'])('takes one that is gone (%s) for empty', async (code) => {
    const workspace = await makeFolder(TREE);
    closeFolders(workspace, code, 'x');
    expect(await search('**/b.json', workspace)).toEqual([]);
    expect(await search('y/**', workspace)).toHaveLength(2);
  });

  test('fails where the directory that is named cannot be read', async () => {
    const workspace = await makeFolder(TREE);
    closeFolders(workspace, 'EACCES', 'x');
    expect(await catchFileError(search('x/*.json', workspace))).toBe(
      `The pattern 'x/*.json' cannot be searched: EACCES: made up, '${join(workspace, 'x')}'.`,
    );
  });

  test('is not misled by a file that is gone when the system is asked for its type', async () => {
    const workspace = await makeFolder(TREE);
    before.readdir = async (path, withTypes) => {
      if (withTypes && path !== workspace) throw systemError('ENOENT', join(path, 'gone'));
    };
    expect(await search('x/**', workspace)).toEqual(['x/a.json', 'x/deep/a.json', 'x/deep/b.json']);
    expect(await search('**/*.json\n!**/node_modules', workspace)).toHaveLength(5);
  });
});

describePosix('searchPattern, with links and odd names', () => {
  test('follows only links that may lead to a match', async () => {
    const workspace = await makeFolder(TREE);
    await link(workspace, 'link.txt', 'a.json');
    await link(workspace, 'l.json', 'a.json');
    expect(await search('*.json', workspace)).toEqual(['a.json', 'l.json']);
    expect(await search('l*\n!*.json', workspace)).toEqual(['link.txt']);
    expect(asked.paths.map((path) => show(path, workspace))).toEqual([
      '',
      'l.json',
      '',
      'link.txt',
    ]);
  });

  test('stops at a link that leads to a directory on the way, also behind another link', async () => {
    const workspace = join(await makeFolder({ 'w/a/b.json': '' }), 'w');
    await link(workspace, 'a/up', '../..');
    expect(await search('**', workspace)).toEqual(['a/b.json']);
    await link(workspace, 'a/here', '.');
    expect(await search('**', workspace)).toEqual(['a/b.json']);
  });

  test('passes over what leads nowhere, if it is not what is asked for', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    await link(workspace, 'self', 'self');
    await link(workspace, 'through', 'a.json/b');
    await link(workspace, 'dangling', 'nowhere');
    expect(await search('**/*.json', workspace)).toEqual(['a.json']);
    expect(await catchFileError(search('*\n!through', workspace))).toContain('ELOOP');
    expect(await catchFileError(search('*\n!self', workspace))).toContain('ENOTDIR');
    expect(await search('*\n!self\n!through', workspace)).toEqual(['a.json']);
  });

  test('fails for a link whose target it may not see', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    await link(workspace, 'closed', '/');
    before.stat = async (path) => {
      if (path.endsWith('closed')) throw systemError('EACCES', path);
    };
    expect(await catchFileError(search('**/*.json', workspace))).toMatch(/EACCES.*'!closed'/);
    expect(await search('*.json', workspace)).toEqual(['a.json']);
  });

  test('follows no further link once told to stop', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    for (const name of ['b.json', 'c.json', 'd.json']) await link(workspace, name, 'a.json');
    const controller = new AbortController();
    const reason = new CancelledError('SIGINT');
    before.stat = async (path) => {
      if (path !== workspace) controller.abort(reason);
    };
    await expect(search('*.json', workspace, controller.signal)).rejects.toBe(reason);
    expect(asked.paths.map((path) => show(path, workspace))).toEqual(['', 'b.json']);
  });

  test('finds names with line ends, and drops names that are no text', async () => {
    const workspace = await makeFolder({ 'a\nb.json': '', '\uFFFD!.json': '' });
    await fs.writeFile(Buffer.from(`${workspace}/\xE4.json`, 'latin1'), '');
    await fs.mkdir(Buffer.from(`${workspace}/\xE4`, 'latin1'));
    expect(await search('**', workspace)).toEqual(['a\nb.json', '\uFFFD!.json']);
  });
});
