import { describe, expect, test } from '@jest/globals';
import { compilePattern, createLiteral } from '../../src/files/walk-pattern.ts';
import { describePosix } from './fixtures.ts';

/** Whether a pattern takes a path for a file it means. */
function matches(pattern: string, path: string, matchesHidden: boolean): boolean {
  const compiled = compilePattern(pattern, matchesHidden);
  const cut = path.lastIndexOf('/');
  const below = compiled.matchesFile(compiled.reach(path.slice(0, cut)), path.slice(cut + 1));
  // A path is judged alike whether the walk comes to it or begins at it.
  expect(compiled.matchesHere(compiled.reach(path))).toBe(below);
  return below;
}

describePosix('compilePattern', () => {
  test.each([
    ['/w/*.json', true, true],
    ['/w', true, true],
    ['/w/', true, true],
    ['/w/*', true, true],
    ['/x/*', true, false],
    ['/w/[.]*', false, true],
    ['/w/[.]*a*s*', false, true],
    ['/w/\\.*a*s*', false, true],
    ['/w/.*a*s*', false, true],
    ['/w/*a*s*', false, false],
    ['/w/*a*s*', true, true],
    ['/w/?*a*s*', false, false],
    ['/**', false, false],
    ['/**', true, true],
    ['/**/.a.json', false, true],
  ])('of %s, hidden names %s, takes /w/.a.json: %s', (pattern, matchesHidden, expected) => {
    expect(matches(pattern, '/w/.a.json', matchesHidden)).toBe(expected);
  });

  test.each([
    ['/**/x/**/.a', '/w/x/.a', true],
    ['/**/x/**/.a', '/w/x/y/.a', true],
    ['/**/x/**/.a', '/w/.x/x/.a', false],
    ['/**/x/**/*', '/w/x/.a', false],
    ['/**/x/**/y/**/z', '/x/y/y/x/z', true],
    ['/**/x/**/y/**/z', '/y/x/z', false],
    ['/**/x/y', '/x/x/y', true],
    ['/**/x/y', '/x/z/y', false],
    ['/w/', '/w', false],
    ['/w/**', '/w', false],
    ['/w/**/', '/w', false],
    ['/w/**/', '/w/a', true],
    ['/w/**/**/a', '/w/a', true],
  ])('%s takes %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path, false)).toBe(expected);
  });

  test('takes x/** for the file x where hidden names count, as @actions/glob does', () => {
    expect(matches('/w/a/**', '/w/a', true)).toBe(true);
    expect(matches('/w/a/**/', '/w/a', true)).toBe(false);
  });

  test('comes to an end where nothing below can match', () => {
    const pattern = compilePattern('/w/a/*/x.json', false);
    expect(pattern.reach('/w/b')).toEqual([]);
    expect(pattern.reach('/w/a/.b')).toEqual([]);
    expect(pattern.reach('/w/a/b/y.json')).toEqual([]);
    expect(pattern.reach('/w/a/b')).not.toEqual([]);
  });

  test.each([
    ['/w/a', '/w', false],
    ['/w/a', '/w/a', true],
    ['/w/a', '/w/a/b', true],
    ['/w/**', '/w', true],
    ['/**/a', '/w/b', false],
    ['/**/a', '/w/b/a', true],
    ['/w/*/', '/w/a', true],
  ])('%s is inside at %s: %s', (text, path, expected) => {
    const pattern = compilePattern(text, true);
    expect(pattern.isInside(pattern.reach(path))).toBe(expected);
  });

  test('begins at the root', () => {
    const pattern = compilePattern('/*.json', false);
    expect(pattern.matchesFile(pattern.reach('/'), 'a.json')).toBe(true);
    const all = compilePattern('/', false);
    expect(all.isInside(all.reach('/'))).toBe(true);
  });
});

describe('createLiteral', () => {
  test.each([true, false])('stands for what lies below; hidden names: %s', (matchesHidden) => {
    const pattern = createLiteral({ matchesHidden, matchesFiles: true });
    const here = pattern.start();
    expect(pattern.matchesHere(here)).toBe(true);
    expect(pattern.matchesFile(here, 'a')).toBe(true);
    expect(pattern.matchesFile(here, '.a')).toBe(matchesHidden);
    expect(pattern.matchesFile(pattern.step(here, 'a'), 'b')).toBe(true);
    expect(pattern.step(here, '.a')).toHaveLength(matchesHidden ? 1 : 0);
  });

  test('is no file where only a folder is meant', () => {
    const pattern = createLiteral({ matchesHidden: false, matchesFiles: false });
    expect(pattern.matchesHere(pattern.start())).toBe(false);
    expect(pattern.matchesFile(pattern.start(), 'a')).toBe(true);
  });
});
