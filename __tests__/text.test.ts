import { describe, expect, test } from '@jest/globals';
import { isFieldValue, listSome, splitLines } from '../src/text.ts';

describe('splitLines', () => {
  test('ends a line where any system does', () => {
    expect(splitLines('a\nb\rc\r\n\nd')).toEqual(['a', 'b', 'c', '', 'd']);
  });
});

describe('listSome', () => {
  test.each([
    [[], ''],
    [['a', 'b'], 'a, b'],
    [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
  ])('%j: %j', (texts, expected) => {
    expect(listSome(texts, 2)).toBe(expected);
  });
});

describe('isFieldValue', () => {
  test.each([
    ['a', true],
    ['a b\tc', true],
    ['~!"\\', true],
    ['\u00ff', true],
    ['', false],
    ['a\n', false],
    ['a\r', false],
    ['a\0', false],
    ['\x7f', false],
    ['\u0100', false],
  ])('%j: %j', (value, expected) => {
    expect(isFieldValue(value)).toBe(expected);
  });
});
