import { describe, expect, test } from '@jest/globals';

// Makes the modules follow the rules of Windows on any system.
Object.defineProperty(process, 'platform', { value: 'win32' });

const { advance, compilePattern, isWanted, step } = await import('../../src/files/walk-pattern.ts');

describe('compilePattern on Windows', () => {
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
  ])(
    'matches %s in the directory %s against the name %s: %s',
    (text, directory, name, expected) => {
      const filter = { include: compilePattern(text, false), excludes: [] };
      expect(isWanted(step(advance(filter, directory), name))).toBe(expected);
    },
  );
});
