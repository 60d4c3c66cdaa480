import { describe, expect, jest, test } from '@jest/globals';
import { win32 } from 'node:path';

// Makes the module follow the rules of Windows on any system.
Object.defineProperty(process, 'platform', { value: 'win32' });
jest.unstable_mockModule('node:path', () => ({
  ...win32,
  // The current directory of each drive.
  resolve: (root: string) => (/^c:/i.test(root) ? String.raw`C:\we[i]rd` : 'D:\\'),
}));
jest.unstable_mockModule('node:os', () => ({ homedir: () => String.raw`C:\Users\[me]` }));

const { makeAbsolute } = await import('../../src/files/patterns.ts');

const WORKSPACE = String.raw`D:\a\repo\repo`;

describe('makeAbsolute on Windows', () => {
  test.each([
    ['a.json', `${WORKSPACE}/a.json`],
    [String.raw`.\reports\*.json`, String.raw`${WORKSPACE}/reports\*.json`],
    [String.raw`reports/deep\**`, String.raw`${WORKSPACE}/reports/deep\**`],
    [`reports\\`, `${WORKSPACE}/reports\\`],
    ['reports/', `${WORKSPACE}/reports/`],
    ['.\\', `${WORKSPACE}/`],
    [String.raw`C:\data\*.json`, String.raw`C:\data\*.json`],
    [String.raw`~\a.json`, String.raw`C:\Users\[[]me]\a.json`],
  ])('makes %s absolute', (text, absolute) => {
    expect(makeAbsolute(text, WORKSPACE)).toBe(absolute);
  });

  test.each([String.raw`D:\we[i]rd\*.json`, 'd:/WE[i]rd/*.json', '*.json'])(
    'escapes wildcards in the workspace, but no separator: %s',
    (text) => {
      expect(makeAbsolute(text, String.raw`D:\we[i]rd`)).toBe(String.raw`D:\we[[]i]rd/*.json`);
    },
  );

  test('finds the workspace in a pattern if its name is longer in lower case', () => {
    const workspace = 'D:\\a\\\u0130zmir';
    expect(makeAbsolute('d:/A/\u0130ZMIR/in/*.json', workspace)).toBe(`${workspace}/in/*.json`);
    const other = 'D:/a/i\u0307zmir/in/*.json';
    expect(makeAbsolute(other, workspace)).toBe(other);
  });

  test.each([
    [String.raw`\data\*.json`, String.raw`D:\data\*.json`],
    ['/data/*.json', String.raw`D:\data/*.json`],
    ['C:a.json', String.raw`C:\we[[]i]rd\a.json`],
    ['c:', `C:\\we[[]i]rd\\`],
    [String.raw`C:\a.json`, String.raw`C:\a.json`],
    [String.raw`\\server\share\a.json`, String.raw`\\server\share\a.json`],
    ['//server/share/a.json', '//server/share/a.json'],
  ])('resolves %s against the current directory of its drive', (text, absolute) => {
    expect(makeAbsolute(text, WORKSPACE)).toBe(absolute);
  });
});
