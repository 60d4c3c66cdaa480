import { describe, expect, test } from '@jest/globals';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { displayPath } from '../../src/files/paths.ts';
import { makeAbsolute, parsePatterns } from '../../src/files/patterns.ts';
import { describePosix } from '../support/files.ts';

/** Where an absolute pattern begins: on Windows, at the current drive. */
const ROOT = resolve('/').replaceAll('\\', '/');

test.each([
  [' \n\t\r\n', []],
  ['  a #b.json\t\n # c', [['a #b.json', false]]],
  [
    'a\r\n! b\rc\n!!d',
    [
      ['a', false],
      ['b', true],
      ['c', false],
      ['!d', true],
    ],
  ],
])('parsePatterns reads %j', (lines, patterns) => {
  const list = patterns.map(([text, isExclusion]) => ({ text, isExclusion }));
  expect(parsePatterns(lines)).toEqual(list);
});

describe('makeAbsolute', () => {
  test.each([
    ['a//b.json', '/ws/a//b.json'],
    ['.//', '/ws/'],
    ['..a', '/ws/..a'],
    ['~user', '/ws/~user'],
    ['/data/a.json', `${ROOT}data/a.json`],
    ['~/a/*.json', `${homedir().replaceAll('\\', '/')}/a/*.json`],
    ['.', '/ws/'],
  ])('makes %j absolute', (text, absolute) => {
    expect(makeAbsolute(text, '/ws')).toBe(absolute);
  });

  test('escapes wildcards in the workspace, but not in another absolute pattern', () => {
    expect(makeAbsolute('*.json', '/we[i]rd')).toBe('/we[[]i]rd/*.json');
    expect(makeAbsolute('/we[i]rd/./*.json', '/we[i]rd')).toBe('/we[[]i]rd/*.json');
    expect(makeAbsolute('/we[i]rd/*.json', '/ws')).toBe(`${ROOT}we[i]rd/*.json`);
  });
});

describePosix('makeAbsolute where a backslash is no separator', () => {
  test('escapes the next character in a pattern, and a backslash in the workspace', () => {
    expect(makeAbsolute(String.raw`a\*`, String.raw`/w\s`)).toBe(String.raw`/w\\s/a\*`);
  });
});

const REPOSITORY = resolve('/checkout/repo');

describe('displayPath', () => {
  test.each([
    ['a.json', 'a.json'],
    ['a/b.json', 'a/b.json'],
    ['..x/a.json', '..x/a.json'],
    ['.', REPOSITORY],
    ['..', resolve('/checkout')],
    ['../repo-2/a.json', resolve('/checkout/repo-2/a.json')],
  ])('shows %s in the workspace as %s', (path, shown) => {
    expect(displayPath(join(REPOSITORY, path), REPOSITORY)).toBe(shown);
  });
});
