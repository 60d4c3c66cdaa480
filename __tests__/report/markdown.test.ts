import { describe, expect, test } from '@jest/globals';
import { escapeCode, escapeWords, fence, makeTable } from '../../src/report/markdown.ts';

// __tests__/properties/markdown.test.ts tests that no text becomes markup or a link.

describe('escapeCode', () => {
  test.each([
    ['a b', '`a b`'],
    [' a\n b ', '`a b`'],
    ['a\t \u2028b', '`a b`'],
    ['', ''],
    ['a\\', '`a\\`'],
    ['a`<b', '<code>a&#96;&#60;b</code>'],
    ['a|b\\', '<code>a&#124;b&#92;</code>'],
  ])('writes %j as %j', (text, code) => {
    expect(escapeCode(text)).toBe(code);
  });
});

describe('escapeWords', () => {
  test.each([
    ["Check base-url (or the host's name): 'it' is not there.", []],
    ['In 30,000 bytes of version 1.2.3, 60 s', []],
    ['facade and decade', []],
    ['defaced, deadbeef', ['defaced', 'deadbeef']],
    ['1234567 and 12345678.9', ['1234567', '12345678.9']],
    ['at https://a.example/b, or @c; see #1 (GH-2)', ['https://a.example/b', '@c', '#1', 'GH-2']],
    ['a  "_b_" \n c:d:', ['_b_', 'c:d']],
    ['', []],
    ['1. first', ['1. first']],
    ['12) first', ['12) first']],
  ])('writes as code everything except plain words in %j', (text, code) => {
    const escaped = escapeWords(text);
    expect([...escaped.matchAll(/`(.*?)`/g)].map(([, inner = '']) => inner)).toEqual(code);
    expect(escaped.replaceAll('`', '')).toBe(text.replace(/\s+/g, ' '));
  });

  test('keeps the names of inputs in backticks unchanged', () => {
    const text = 'Check `scan-key`, then (`base-url`); set `auth: none`.';
    expect(escapeWords(text)).toBe(text);
  });

  test.each([
    ['`a`@b', '<code>&#96;a&#96;&#64;b</code>'],
    ['x(`a`', '<code>x&#40;&#96;a&#96;</code>'],
    ['` a `', '<code>&#96;</code> a <code>&#96;</code>'],
  ])('does not take other text in backticks for an input: %j', (text, escaped) => {
    expect(escapeWords(text)).toBe(escaped);
  });
});

describe('makeTable', () => {
  test('has a row for each cell of its columns, without the empty columns', () => {
    const table = makeTable([
      ['A', ':---', 'a1', ''],
      ['B', ':---', '', ''],
      ['C', '---:', 'c1', 'c2'],
    ]);
    expect(table).toBe('| A | C |\n| :--- | ---: |\n| a1 | c1 |\n|  | c2 |');
    expect(makeTable([['A', ':---', '']])).toBe('');
  });
});

describe('fence', () => {
  test.each([
    ['one\ntwo', 3],
    ['``', 3],
    ['a\n```\nb', 4],
    ['`'.repeat(30), 31],
  ])('is longer than any run of backticks in %j: %i', (text, length) => {
    const marks = '`'.repeat(length);
    expect(fence(text)).toBe(`${marks}text\n${text}\n${marks}`);
  });
});
