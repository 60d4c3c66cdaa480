import { create } from '@actions/glob';
import { describe, expect, test } from '@jest/globals';
import { resolve, sep } from 'node:path';
import { begin, compileGlob, enter, matches as matchesName } from '../../src/files/glob.ts';
import { makeAbsolute } from '../../src/files/patterns.ts';
import { evaluate } from '../support/evaluate.ts';
import { catchFileError, hideDebugLines } from '../support/files.ts';

hideDebugLines();

/** Whether a pattern matches the path of a file; both begin with `/`. */
async function matches(pattern: string, path: string, matchesHidden = false): Promise<boolean> {
  // On Windows an absolute path begins at the current drive.
  const glob = await compileGlob(resolve('/') + pattern.slice(1), resolve('/none'), matchesHidden);
  const names = resolve(path).split(sep);
  const name = names.pop() ?? '';
  return matchesName(names.reduce(enter, begin(glob)), name);
}

describe('compileGlob', () => {
  test.each([
    ['/w/*.json', true, true],
    ['/w', true, true],
    ['/x/*', true, false],
    ['/w/[.]*', false, true],
    ['/w/.*a*s*', false, true],
    ['/w/*a*s*', false, false],
    ['/**', false, false],
    ['/**/.a.json', false, true],
    ['/w/.a.json/**', false, false],
    // @actions/glob matches x/** against the file x.
    ['/w/.a.json/**', true, true],
    ['/w/.a.json/**/', true, false],
  ])(
    'matches %s, with hidden names: %s, against /w/.a.json: %s',
    async (pattern, hidden, isMatch) => {
      expect(await matches(pattern, '/w/.a.json', hidden)).toBe(isMatch);
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
    ['/a/\u00E9.json', '/a/e\u0301.json', process.platform === 'darwin'],
  ])('matches %s against the path %s: %s', async (pattern, path, isMatch) => {
    expect(await matches(pattern, path)).toBe(isMatch);
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
  ])('matches %s against the name %s: %s', async (pattern, name, isMatch) => {
    expect(await matches(`/w/${pattern}`, `/w/${name}`, true)).toBe(isMatch);
  });

  test('matches many wildcards against a hostile name in linear time', () => {
    const compiled = `m.compileGlob('/${'*a'.repeat(8)}*b', '/w', true)`;
    const expression = `${compiled}.then((glob) => m.matches(m.enter(m.begin(glob), ''), 'a'.repeat(250)))`;
    expect(evaluate('files/glob.ts', expression)).toMatch(/false$/);
  });

  const DOTS = "it must not contain '..', nor '.' after its start";

  test.each([
    ['..', DOTS],
    ['reports/../a.json', DOTS],
    ['reports/./a.json', DOTS],
    ['/data/x/../a.json', DOTS],
    ['~/../a.json', DOTS],
    ['[.][.]/a.json', DOTS],
    ['', 'it is empty'],
    // The class makes the pattern one for Unicode, in which @actions/glob must not escape the hyphen.
    ['./..x/a-[[:digit:]].json', 'write [0-9] instead of [[:digit:]]'],
  ])('refuses %j, as @actions/glob does', async (text, reason) => {
    const plain = create(text === '' ? '!' : makeAbsolute(text, resolve('/w')));
    await expect(plain).rejects.toThrow(/not allowed|empty|Invalid/);
    expect(await catchFileError(compileGlob(text, resolve('/w'), false))).toBe(
      `The pattern '${text}' is not valid (${reason}).`,
    );
  });
});
