import { describe, expect, jest, test } from '@jest/globals';
import { posix, win32 } from 'node:path';

// Makes the modules follow the rules of another system, once they are loaded again.
let system = 'linux';
Object.defineProperty(process, 'platform', { get: () => system });
jest.unstable_mockModule('node:path', () => (system === 'win32' ? WINDOWS : posix));
let findHome = (): string => String.raw`C:\Users\[me]`;
jest.unstable_mockModule('node:os', () => ({ homedir: () => findHome() }));
// It follows the rules of the system that it runs on.
jest.unstable_mockModule('@actions/glob', () => ({
  create: async () => ({ getSearchPaths: () => [''] }),
}));

// The current drive is D:.
const WINDOWS = {
  ...win32,
  resolve: (root: string) => (root === '/' ? 'D:\\' : win32.resolve(root)),
};

/** Whether a pattern matches the file `name` in a directory, by the rules of a system. */
async function matches(on: string, pattern: string, directory: string, name: string) {
  system = on;
  jest.resetModules();
  const glob = await import('../../src/files/glob.ts');
  const compiled = await glob.compileGlob(pattern, on === 'win32' ? 'Z:\\none' : '/none', false);
  const above = directory.replace(/\\$/, '');
  const file = `${above}${on === 'win32' ? '\\' : '/'}${name}`;
  // The search reads no directory that may not have a match.
  if (!compiled.mayMatchBelow(above)) return false;
  return compiled.matches(file) || compiled.matchesAbove(file);
}

describe('compileGlob on Windows', () => {
  test.each([
    [String.raw`D:\a\repo/**/Bom.JSON`, String.raw`D:\a\repo\x`, 'bom.json', true],
    [String.raw`D:\a\repo\*.json`, String.raw`C:\a\repo`, 'b.json', false],
    [String.raw`D:\a\repo\*-*-*.json`, String.raw`D:\a\repo`, 'A-B-C.JSON', true],
    [String.raw`D:\*.json`, 'D:\\', 'b.json', true],
    [String.raw`\\server\share\*.json`, String.raw`\\server\share`, 'b.json', true],
  ])('matches %s in the directory %s against %s: %s', async (pattern, directory, name, isMatch) => {
    expect(await matches('win32', pattern, directory, name)).toBe(isMatch);
  });
});

describe('compileGlob on macOS', () => {
  const [COMPOSED, DECOMPOSED] = ['\u00E9', 'e\u0301'];

  test.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ])('matches %j in a pattern with %j in a name', async (written, listed) => {
    const pattern = `/a/${written}/*-${written}/${written}.json`;
    const directory = `/a/${listed}/b-${listed}`;
    expect(await matches('darwin', pattern, directory, `${listed}.json`)).toBe(true);
    expect(await matches('darwin', pattern, directory, 'e.json')).toBe(false);
  });
});

describe('makeAbsolute on Windows', () => {
  test.each([
    [String.raw`.\reports\*.json`, 'D:/a/[[]r]/reports/*.json'],
    ['.\\', 'D:/a/[[]r]/'],
    // A drive without a root is no start.
    ['C:a.json', 'D:/a/[[]r]/C:a.json'],
    [String.raw`~\a.json`, 'C:/Users/[[]me]/a.json'],
    [String.raw`\data\*.json`, 'D:/data/*.json'],
    [String.raw`C:\a.json`, 'C:/a.json'],
    [String.raw`\\server\share\a.json`, '//server/share/a.json'],
  ])('makes %s absolute', async (text, absolute) => {
    system = 'win32';
    jest.resetModules();
    const { makeAbsolute } = await import('../../src/files/patterns.ts');
    expect(makeAbsolute(text, String.raw`D:\a\[r]`)).toBe(absolute);
  });
});

function failToFindHome(): never {
  throw new Error('uv_os_homedir returned ENOENT');
}

describe('makeAbsolute for a user without a home directory', () => {
  test.each([
    ['an empty name', () => ''],
    ['a relative name', () => '.'],
    ['an error', failToFindHome],
  ])('refuses ~ if the system has %s', async (_, home) => {
    system = 'linux';
    findHome = home;
    jest.resetModules();
    const { makeAbsolute } = await import('../../src/files/patterns.ts');
    expect(() => makeAbsolute('~/a.json', '/ws')).toThrow(
      expect.objectContaining({
        message:
          "The pattern '~/a.json' begins with ~, but the user of this step has no home directory.",
        fixes: ['Write an absolute path, or set the environment variable `HOME`.'],
      }),
    );
  });
});
