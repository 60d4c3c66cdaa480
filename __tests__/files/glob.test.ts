import { dirname, resolve } from 'node:path';
import { create } from '@actions/glob';
import { describe, expect, test } from '@jest/globals';
import { compileGlob } from '../../src/files/glob.ts';
import { makeAbsolute } from '../../src/files/patterns.ts';
import { hideDebugLines } from '../support/files.ts';
import { evaluate } from '../support/workspace.ts';

hideDebugLines();

/** Whether a pattern matches the path of a file; both begin with `/`. */
async function matches(pattern: string, path: string, matchesHidden = false): Promise<boolean> {
  // On Windows an absolute path begins at the current drive.
  const glob = await compileGlob(resolve('/') + pattern.slice(1), resolve('/none'), matchesHidden);
  // A search reads no directory that may not have a match.
  if (!glob.mayMatchBelow(dirname(resolve(path)))) return false;
  return glob.matches(resolve(path)) || glob.matchesAbove(resolve(path));
}

describe('compileGlob', () => {
  test.each([
    ['/w/[.]*', false, true],
    ['/w/.a.json/**', true, false],
    ['/w/.a.json/**/', true, false],
  ])(
    'matches %s, with hidden names: %s, against /w/.a.json: %s',
    async (pattern, hidden, isMatch) => {
      expect(await matches(pattern, '/w/.a.json', hidden)).toBe(isMatch);
    },
  );

  test.each([
    ['/**/x/**/.a', '/w/.x/x/.a', false],
    ['/**/x/**/y/**/z', '/x/y/y/x/z', true],
    ['/**/x/**/y/**/z', '/y/x/z', false],
    ['/w/', '/w', false],
    ['/a/\u00E9.json', '/a/e\u0301.json', process.platform === 'darwin'],
  ])('matches %s against the path %s: %s', async (pattern, path, isMatch) => {
    expect(await matches(pattern, path)).toBe(isMatch);
  });

  test.each([
    ['*a*b', 'aba', false],
    ['a*ab*b', 'ab', false],
    ['*ab*abc', 'ababc', true],
    ['?*?*?', 'abc', true],
    ['*[ab]*[!b]*c', 'bbbc', false],
    ['*[[:digit:]a]*[[:alpha:]]*', '-1-é-', true],
    ['*[[:graph:] ]*[[:graph:]-]*.x', '  a.x', true],
    [String.raw`*\**\**c*`, 'a*b*c', process.platform !== 'win32'],
  ])('matches %s against the name %s: %s', async (pattern, name, isMatch) => {
    expect(await matches(`/w/${pattern}`, `/w/${name}`, true)).toBe(isMatch);
  });

  test('matches eight wildcards against a hostile name in linear time', () => {
    const compiled = `m.compileGlob('/${'*a'.repeat(7)}*b', '/w', true)`;
    const expression = `${compiled}.then((glob) => glob.matches('/' + 'a'.repeat(250)))`;
    expect(evaluate('files/glob.ts', expression)).toMatch(/false$/);
  });

  test.each([
    '..',
    'reports/./a.json',
    '~/../a.json',
    '',
    // The class makes the pattern one for Unicode, in which @actions/glob must not escape the hyphen.
    './x/a-[[:digit:]].json',
  ])('refuses %j, as @actions/glob does', async (text) => {
    const plain = create(text === '' ? '!' : makeAbsolute(text, resolve('/w')));
    await expect(plain).rejects.toThrow(/not allowed|empty|Invalid/);
    await expect(compileGlob(text, resolve('/w'), false)).rejects.toMatchObject({
      message: `The pattern '${text}' is not valid.`,
      fixes: [
        "Write a path from the workspace, or an absolute one, such as `${{ runner.temp }}/report.json`, without '.' and '..' in it.",
      ],
    });
  });
});
