import { describe, expect, test } from '@jest/globals';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { displayPath } from '../../src/files/paths.ts';
import { makeAbsolute, parsePatterns } from '../../src/files/patterns.ts';
import { describePosix } from '../support/files.ts';

/** Where an absolute pattern begins: on Windows, at the current drive. */
const ROOT = resolve('/');

describe('parsePatterns', () => {
  test.each([
    [' \n\t\r\n', []],
    ['!a.json', []],
    ['  a b.json\t', [['a b.json']]],
    ['a#b.json', [['a#b.json']]],
    ['!x\nb.json\n!a.json\n! c.json', [['b.json', 'a.json', 'c.json']]],
    [
      'a\r\n!b\rc\n!d',
      [
        ['a', 'b', 'd'],
        ['c', 'd'],
      ],
    ],
    ['a.json\n! ! !b.json', [['a.json', 'b.json']]],
  ])('reads %j as includes with excludes: %j', (lines, includes) => {
    const list = includes.map(([text, ...excludes]) => ({ text, excludes }));
    expect(parsePatterns(lines)).toEqual(list);
  });
});

describe('makeAbsolute', () => {
  test.each([
    ['a//b.json', '/ws/a//b.json'],
    ['.//', '/ws/'],
    ['..a', '/ws/..a'],
    ['~user', '/ws/~user'],
    ['/data/a.json', `${ROOT}data/a.json`],
    ['~/a/*.json', `${homedir()}/a/*.json`],
  ])('makes %j absolute', (text, absolute) => {
    expect(makeAbsolute(text, '/ws')).toBe(absolute);
  });

  test.each(['we[i]rd-2/a.json', 'wei/a.json'])(
    'does not escape /%s, which is outside the workspace',
    (text) => {
      expect(makeAbsolute(`/${text}`, '/we[i]rd')).toBe(ROOT + text);
    },
  );

  test.each([['/we[i]rd', '/we[[]i]rd/*.json']])(
    'escapes the workspace %j',
    (workspace, absolute) => {
      expect(makeAbsolute('*.json', workspace)).toBe(absolute);
      // At the start of an absolute pattern, the path of the workspace is literal.
      expect(makeAbsolute(`${workspace}/*.json`, workspace)).toBe(absolute);
    },
  );
});

describePosix('makeAbsolute where a backslash is no separator, and case matters', () => {
  test('escapes the next character in a pattern, and a backslash in the workspace', () => {
    expect(makeAbsolute(String.raw`a\*`, String.raw`/w\s`)).toBe(String.raw`/w\\s/a\*`);
  });

  test('takes no other spelling for the workspace', () => {
    for (const text of ['/We[i]rd/a', String.raw`\we[i]rd/a`]) {
      expect(makeAbsolute(text, '/we[i]rd')).not.toContain('/we[[]i]rd/a');
    }
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
