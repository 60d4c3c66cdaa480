import { expect, test } from '@jest/globals';
import { compilePattern } from '../../src/files/walk-pattern.ts';
import { describePosix } from '../support/files.ts';

/** Whether a pattern takes a path for a file it means. */
function matches(pattern: string, path: string, matchesHidden: boolean): boolean {
  const compiled = compilePattern(pattern, matchesHidden);
  const cut = path.lastIndexOf('/');
  const below = compiled.reach(path.slice(0, cut)).matchesFile(path.slice(cut + 1));
  // A path is judged alike whether the walk comes to it or begins at it.
  expect(compiled.reach(path).matchesHere()).toBe(below);
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
    expect(pattern.reach('/w/b').mayMatch()).toBe(false);
    expect(pattern.reach('/w/a/.b').mayMatch()).toBe(false);
    expect(pattern.reach('/w/a/b/y.json').mayMatch()).toBe(false);
    expect(pattern.reach('/w/a/b').mayMatch()).toBe(true);
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
    expect(pattern.reach(path).isInside()).toBe(expected);
  });

  test('begins at the root', () => {
    const pattern = compilePattern('/*.json', false);
    expect(pattern.reach('/').matchesFile('a.json')).toBe(true);
    const all = compilePattern('/', false);
    expect(all.reach('/').isInside()).toBe(true);
  });
});
