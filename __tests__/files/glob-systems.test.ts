import { describe, expect, jest, test } from '@jest/globals';
import { win32 } from 'node:path';
import * as path from 'node:path';

let system = 'linux';
Object.defineProperty(process, 'platform', { get: () => system });
jest.unstable_mockModule('node:path', () => (system === 'win32' ? win32 : path));
// It follows the rules of the system that it runs on.
jest.unstable_mockModule('@actions/glob', () => ({
  create: async () => ({ getSearchPaths: () => [''] }),
}));

/** Whether a pattern matches the file `name` in a directory, by the rules of a system. */
async function matches(on: string, pattern: string, directory: string, name: string) {
  system = on;
  jest.resetModules();
  const {
    begin,
    compileGlob,
    enter,
    matches: matchesName,
  } = await import('../../src/files/glob.ts');
  const glob = await compileGlob(pattern, on === 'win32' ? 'Z:\\none' : '/none', false);
  const names = directory.split(/[/\\]/);
  // A drive ends in an empty name.
  if (names.at(-1) === '') names.pop();
  return matchesName(names.reduce(enter, begin(glob)), name);
}

describe('compileGlob on Windows', () => {
  test.each([
    [String.raw`D:\a\repo/**/Bom.JSON`, String.raw`D:\a\repo\x`, 'bom.json', true],
    [String.raw`D:\a\repo/*.json`, String.raw`d:\A\Repo`, 'B.JSON', true],
    [String.raw`D:\a\repo\*.json`, String.raw`C:\a\repo`, 'b.json', false],
    [String.raw`D:\a\repo\*-*-*.json`, String.raw`D:\a\repo`, 'A-B-C.JSON', true],
    [String.raw`D:\*.json`, 'D:\\', 'b.json', true],
    ['D:\\', String.raw`D:\a`, 'b.json', true],
    [String.raw`\\server\share\*.json`, String.raw`\\server\share`, 'b.json', true],
    [String.raw`\\server\share\*.json`, String.raw`\\server\other`, 'b.json', false],
    ['D:\\a\\b.json\\', String.raw`D:\a`, 'b.json', false],
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

  test('distinguishes capital and small letters, as on Linux', async () => {
    expect(await matches('darwin', '/a/*.json', '/a', 'B.JSON')).toBe(false);
  });
});
