import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Minimatch } from 'minimatch';
import { LinearMinimatch } from '../../src/files/matcher.ts';
import { evaluate } from '../service/guarded.ts';
import { describePosix } from './fixtures.ts';

const OPTIONS = { nobrace: true, nocomment: true, noext: true, nonegate: true };

/** What a pattern is made of, mostly of what its language gives a meaning. */
const PATTERN = fc
  .array(
    fc.constantFrom(
      '*',
      '*',
      '*',
      '?',
      'a',
      'b',
      '.',
      '-',
      '[ab]',
      '[!a]',
      '[a-c]',
      '[*]',
      '[',
      ']',
      '\\*',
      '(',
      '$',
      '^',
    ),
    { minLength: 4, maxLength: 9 },
  )
  .map((pieces) => pieces.join(''));
const NAME = fc.string({
  unit: fc.constantFrom(...Array.from('aabbc.-*[]($^')),
  minLength: 1,
  maxLength: 12,
});

describePosix('LinearMinimatch', () => {
  test.each([true, false])('matches what minimatch matches, with dot: %s', (dot) => {
    fc.assert(
      fc.property(PATTERN, NAME, fc.boolean(), (pattern, name, nocase) => {
        const options = { ...OPTIONS, dot, nocase };
        const glob = `/w/${pattern}/x`;
        const path = `/w/${nocase ? name.toUpperCase() : name}/x`;
        const expected = new Minimatch(glob, options).match(path);
        expect(new LinearMinimatch(glob, options).match(path)).toBe(expected);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['*a*b*c*', 'xaybzc', true],
    ['*a*b*c*', 'xaybz', false],
    ['a*b*b*c', 'abbc', true],
    ['a*b*b*c', 'abc', false],
    ['a*?*?*c', 'abc', false],
    ['a*?*?*c', 'abbc', true],
    ['*-*-*-*.json', 'a-b-c-d.json', true],
    ['*[0-9]*[0-9]*[0-9]*', 'v1.2.3', true],
    ['*[[:digit:]*]*a*b*', '1ab', true],
    ['*é*é*é*', 'éxéyé', true],
    ['***a***b***', 'ab', true],
  ])('%s and %s: %s', (pattern, name, expected) => {
    expect(new LinearMinimatch(pattern, OPTIONS).match(name)).toBe(expected);
    expect(new Minimatch(pattern, OPTIONS).match(name)).toBe(expected);
  });

  test.each(['*-*-*-*-*-*-*.json', '*[-]*[-]*[-]*[-]*[-]*.json', '*?*?*?*?*?*.json'])(
    'does not make a hostile name wait: %s',
    (pattern) => {
      const name = `'${'-'.repeat(250)}.jso'`;
      const expression = `new m.LinearMinimatch('${pattern}', { dot: true }).match(${name})`;
      expect(evaluate('files/matcher.ts', expression)).toBe('false');
    },
  );
});
