import { describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { advance, compilePattern, isWanted } from '../../src/files/walk-pattern.ts';
import { evaluate } from '../support/evaluate.ts';

/** Where an absolute path begins: on Windows, at the current drive. */
const ROOT = resolve('/');

/** Whether a pattern matches the path of a file; both begin with `/`. */
function matches(pattern: string, path: string, matchesHidden: boolean): boolean {
  const include = compilePattern(ROOT + pattern.slice(1), matchesHidden);
  return isWanted(advance({ include, excludes: [] }, resolve(path)));
}

describe('compilePattern', () => {
  test.each([
    ['/w/*.json', true, true],
    ['/w', true, true],
    ['/x/*', true, false],
    ['/w/[.]*', false, true],
    ['/w/.*a*s*', false, true],
    ['/w/*a*s*', false, false],
    ['/**', false, false],
    ['/**/.a.json', false, true],
  ])(
    'matches %s, with hidden names: %s, against /w/.a.json: %s',
    (pattern, matchesHidden, expected) => {
      expect(matches(pattern, '/w/.a.json', matchesHidden)).toBe(expected);
    },
  );

  test.each([
    ['/**/x/**/.a', '/w/x/.a', true],
    ['/**/x/**/.a', '/w/x/y/.a', true],
    ['/**/x/**/.a', '/w/.x/x/.a', false],
    ['/**/x/**/*', '/w/x/.a', false],
    ['/**/x/**/y/**/z', '/x/y/y/x/z', true],
    ['/**/x/**/y/**/z', '/y/x/z', false],
    ['/w/', '/w', false],
    ['/w/**', '/w', false],
    ['/w/**/', '/w', false],
    ['/w/**/', '/w/a', true],
  ])('matches %s against the path %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path, false)).toBe(expected);
  });

  test.each([
    ['*a*b*', 'xaxbx', true],
    ['*a*b', 'abab', true],
    ['*a*b', 'aba', false],
    ['a*ab*b', 'ab', false],
    ['a*ab*b', 'aabb', true],
    ['*ab*abc', 'ababc', true],
    ['*a*?', 'aa', true],
    ['*a*?', 'a', false],
    ['?*?*?', 'ab', false],
    ['?*?*?', 'abc', true],
    ['*[ab]*[!b]*c', 'bbac', true],
    ['*[ab]*[!b]*c', 'bbbc', false],
    ['*[[:digit:]a]*[[:alpha:]]*', '-1-é-', true],
    ['*[[:digit:]a]*[[:alpha:]]*', '-é-1-', false],
    ['*[[:graph:] ]*[[:graph:]-]*.x', '  a.x', true],
    ['*.*.*.*.*.json', '1.2.3.4.5.json', true],
    ['*.*.*.*.*.json', '1.2.3.4.json', false],
    [String.raw`*\**\**c*`, 'a*b*c', process.platform !== 'win32'],
  ])('matches %s against the name %s: %s', (pattern, name, expected) => {
    expect(matches(`/w/${pattern}`, `/w/${name}`, true)).toBe(expected);
  });

  test('matches x/** against the file x if hidden names are included, as @actions/glob does', () => {
    expect(matches('/w/a/**', '/w/a', true)).toBe(true);
    expect(matches('/w/a/**/', '/w/a', true)).toBe(false);
  });

  test('matches many wildcards against a hostile name in linear time', () => {
    const expression = `m.compilePattern('/${'*a'.repeat(8)}*b', true).step('').step('a'.repeat(250)).matches()`;
    expect(evaluate('files/walk-pattern.ts', expression)).toBe('false');
  });
});
