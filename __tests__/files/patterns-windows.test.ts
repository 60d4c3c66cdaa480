import { describe, expect, jest, test } from '@jest/globals';
import { win32 } from 'node:path';

// What the module asks of its system, as on Windows: its paths matter on other systems, too.
Object.defineProperty(process, 'platform', { value: 'win32' });
jest.unstable_mockModule('node:path', () => ({
  ...win32,
  // Where one stands on each drive.
  resolve: (root: string) => (/^c:/i.test(root) ? String.raw`C:\we[i]rd` : 'D:\\'),
}));
jest.unstable_mockModule('node:os', () => ({ homedir: () => String.raw`C:\Users\[me]` }));

const { isRelativePattern, makeAbsolute, splitSegments } =
  await import('../../src/files/patterns.ts');

const WORKSPACE = String.raw`D:\a\repo\repo`;

describe('isRelativePattern, on Windows', () => {
  test.each([
    ['a.json', true],
    [String.raw`.\a.json`, true],
    [String.raw`reports\*.json`, true],
    [String.raw`C:\a.json`, false],
    ['c:/a.json', false],
    ['C:a.json', false],
    ['C:', false],
    [String.raw`\a.json`, false],
    ['/a.json', false],
    [String.raw`\\server\share\a.json`, false],
    [String.raw`~\a.json`, false],
    ['~/a.json', false],
  ])('%s: %j', (text, expected) => {
    expect(isRelativePattern(text)).toBe(expected);
  });
});

describe('splitSegments, on Windows', () => {
  test('takes both separators', () => {
    expect(splitSegments(String.raw`.\a/b\\c\*.json`)).toEqual(['.', 'a', 'b', 'c', '*.json']);
  });
});

describe('makeAbsolute, on Windows', () => {
  test.each([
    ['a.json', `${WORKSPACE}/a.json`],
    [String.raw`.\reports\*.json`, `${WORKSPACE}/reports/*.json`],
    [String.raw`reports/deep\**`, `${WORKSPACE}/reports/deep/**`],
    [`reports\\`, `${WORKSPACE}/reports/`],
    ['reports/', `${WORKSPACE}/reports/`],
    ['.\\', WORKSPACE],
    [String.raw`C:\data\*.json`, String.raw`C:\data\*.json`],
    [String.raw`~\a.json`, String.raw`C:\Users\[[]me]\a.json`],
  ])('writes %s out', (text, absolute) => {
    expect(makeAbsolute(text, WORKSPACE)).toBe(absolute);
  });

  test('escapes wildcards in the workspace, but no separator', () => {
    expect(makeAbsolute('*.json', String.raw`D:\we[i]rd`)).toBe(String.raw`D:\we[[]i]rd/*.json`);
  });

  test.each([
    [String.raw`\data\*.json`, String.raw`D:\data\*.json`],
    ['/data/*.json', String.raw`D:\data/*.json`],
    ['C:a.json', String.raw`C:\we[[]i]rd\a.json`],
    ['c:', `C:\\we[[]i]rd\\`],
    [String.raw`C:\a.json`, String.raw`C:\a.json`],
    [String.raw`\\server\share\a.json`, String.raw`\\server\share\a.json`],
    ['//server/share/a.json', '//server/share/a.json'],
  ])('begins %s where one stands', (text, absolute) => {
    expect(makeAbsolute(text, WORKSPACE)).toBe(absolute);
  });
});
