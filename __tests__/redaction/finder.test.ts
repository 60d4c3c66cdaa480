import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Finder } from '../../src/redaction/finder.ts';

function find(text: string, known: readonly string[]): readonly string[] {
  const finder = new Finder();
  for (const each of known) finder.add(each);
  return Array.from(finder.find(text), (place) => place.join('-')).toSorted();
}

/** The longest known text at each place of a text. */
function findSlowly(text: string, known: readonly string[]): readonly string[] {
  return Array.from({ length: text.length }, (_, start) => {
    const here = known.filter((each) => text.startsWith(each, start));
    return here.length === 0
      ? []
      : [`${start}-${start + Math.max(...here.map(({ length }) => length))}`];
  })
    .flat()
    .toSorted();
}

describe('Finder', () => {
  test.each([
    ['nothing', 'abc', [], []],
    ['a text that is known twice', 'abc', ['b', 'b'], ['1-2']],
    ['nothing in an empty text', '', ['b'], []],
    ['a text at the end', 'abcdefghijk', ['bcdefghijk'], ['1-11']],
    [
      'no text that would end with the characters 0',
      'a\0\0\0\0\0\0\0\0',
      ['\0\0\0\0\0\0\0\0\0'],
      [],
    ],
    ['the whole text', 'abcdefghij', ['abcdefghij'], ['0-10']],
    ['the longest at a place', 'abcdefghijk', ['abcdefghi', 'abcdefghij'], ['0-10']],
    [
      'a shorter one if the longer one is elsewhere',
      'abcdefghiX',
      ['abcdefghi', 'abcdefghij'],
      ['0-9'],
    ],
    ['overlapping ones', 'abcdefghijklm', ['abcdefghij', 'defghijklm'], ['0-10', '3-13']],
    ['no text that goes on behind the end', 'abcdefgh', ['abcdefghi'], []],
    ['the character 0', 'a\0\0\0\0\0\0\0\0\0b', ['\0\0\0\0\0\0\0\0\0'], ['1-10']],
  ])('finds %s', (_, text, known, places) => {
    expect(find(text, known)).toEqual(places);
  });

  test('finds what a slow search finds', () => {
    const unit = fc.constantFrom('a', 'b', '\u{1f511}');
    const known = fc.array(fc.string({ unit, minLength: 1, maxLength: 20 }), { maxLength: 8 });
    const inserted = fc.string({ unit, maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(known, inserted, inserted, (texts, before, after) => {
        const text = `${before}${texts.join('')}${after}`;
        // Texts of up to 8 characters may be found besides a longer one at the same place.
        const longest = new Set(find(text, texts));
        for (const place of findSlowly(text, texts)) expect(longest).toContain(place);
        for (const place of longest) {
          const [start = 0, end] = place.split('-').map(Number);
          expect(texts).toContain(text.slice(start, end));
        }
      }),
      { numRuns: 500 },
    );
  });
});
