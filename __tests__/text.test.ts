import { describe, expect, test } from '@jest/globals';
import { joinWhiteSpace, listSome, measureDistance, splitLines } from '../src/text.ts';

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

describe('measureDistance', () => {
  test.each([
    ['scan', 'scan', 0],
    ['scan', 'sacn', 2],
    ['scan', 'scans', 1],
    ['scan', 'scan-1.json', Infinity],
    ['scan', 'plot', Infinity],
  ])('counts the different characters of %s and %s, up to a limit: %d', (from, to, distance) => {
    expect(measureDistance(from, to, 2)).toBe(distance);
  });
});
