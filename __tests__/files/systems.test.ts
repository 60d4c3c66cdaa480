import { describe, expect, jest, test } from '@jest/globals';
import { win32 } from 'node:path';
import * as path from 'node:path';

// Makes the modules follow the rules of another system, once they are loaded again.
let system = 'linux';
Object.defineProperty(process, 'platform', { get: () => system });
jest.unstable_mockModule('node:path', () => (system === 'win32' ? WINDOWS : path));
jest.unstable_mockModule('node:os', () => ({ homedir: () => String.raw`C:\Users\[me]` }));
// It follows the rules of the system that it runs on.
jest.unstable_mockModule('@actions/glob', () => ({
  create: async () => ({ getSearchPaths: () => [''] }),
}));

const WINDOWS = {
  ...win32,
  // The current directory of each drive.
  resolve: (root: string) => (/^c:/i.test(root) ? String.raw`C:\we[i]rd` : 'D:\\'),
};
const WORKSPACE = String.raw`D:\a\repo\repo`;

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

async function makeAbsolute(text: string, workspace: string): Promise<string> {
  system = 'win32';
  jest.resetModules();
  return (await import('../../src/files/patterns.ts')).makeAbsolute(text, workspace);
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
    [String.raw`.\reports\*.json`, String.raw`${WORKSPACE}/reports\*.json`],
    [`reports\\`, `${WORKSPACE}/reports\\`],
    ['.\\', `${WORKSPACE}/`],
    [String.raw`~\a.json`, String.raw`C:\Users\[[]me]\a.json`],
    // Against the current directory of its drive.
    [String.raw`\data\*.json`, String.raw`D:\data\*.json`],
    ['/data/*.json', String.raw`D:\data/*.json`],
    ['C:a.json', String.raw`C:\we[[]i]rd\a.json`],
    [String.raw`C:\a.json`, String.raw`C:\a.json`],
    [String.raw`\\server\share\a.json`, String.raw`\\server\share\a.json`],
  ])('makes %s absolute', async (text, absolute) => {
    expect(await makeAbsolute(text, WORKSPACE)).toBe(absolute);
  });

  test.each(['d:/WE[i]rd/*.json', '*.json'])(
    'escapes wildcards in the workspace, but no separator: %s',
    async (text) => {
      const absolute = String.raw`D:\we[[]i]rd/*.json`;
      expect(await makeAbsolute(text, String.raw`D:\we[i]rd`)).toBe(absolute);
    },
  );

  test('finds the workspace in a pattern if its name is longer in lower case', async () => {
    const workspace = 'D:\\a\\\u0130zmir';
    const absolute = `${workspace}/in/*.json`;
    expect(await makeAbsolute('d:/A/\u0130ZMIR/in/*.json', workspace)).toBe(absolute);
    const other = 'D:/a/i\u0307zmir/in/*.json';
    expect(await makeAbsolute(other, workspace)).toBe(other);
  });
});
