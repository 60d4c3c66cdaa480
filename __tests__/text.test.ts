import { describe, expect, test } from '@jest/globals';
import { joinWhiteSpace, listSome, splitLines } from '../src/text.ts';

// isFieldValue is tested in __tests__/properties/inputs.test.ts.

describe('joinWhiteSpace', () => {
  test('joins a text into one line', () => {
    expect(joinWhiteSpace(' a\u0085\r\n\tb  c\n')).toBe('a b c');
  });
});

describe('splitLines', () => {
  test('splits at the line ends of every system', () => {
    expect(splitLines('a\nb\rc\r\n\nd')).toEqual(['a', 'b', 'c', '', 'd']);
  });
});

describe('listSome', () => {
  test.each([
    [[], ''],
    [['a', 'b'], 'a, b'],
    [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
  ])('returns for %j: %j', (texts, expected) => {
    expect(listSome(texts, 2)).toBe(expected);
  });
});
