import { expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { escapeCode, escapeWords, fence, makeTable } from '../../src/report/markdown.ts';

// summary-markup.test.ts tests that no text becomes markup or a link.

test.each([
  [' a\n b\t \u2028c ', '`a b c`'],
  ['a\u200b\\', '`a\\`'],
  ['', ''],
  ['a`<b', '<code>a&#96;&#60;b</code>'],
  ['a|b\\', '<code>a&#124;b&#92;</code>'],
])('escapeCode writes %j as %j', (text, code) => {
  expect(escapeCode(text)).toBe(code);
});

test.each([
  ["Check base-url (or the host's name): 'it' is not there.", []],
  ['In 30,000 bytes of version 1.2.3, 60 s', []],
  ['facade and decade', []],
  ['at www. or (WWW.', ['www', 'WWW']],
  ['defaced, deadbeef', ['defaced', 'deadbeef']],
  ['1234567 and 12345678.9', ['1234567', '12345678.9']],
  ['at https://a.example/b, or @c; see #1 (GH-2)', ['https://a.example/b', '@c', '#1', 'GH-2']],
  ['a  "_b_" \n c:d:', ['_b_', 'c:d']],
  ['', []],
  ['1. first', ['1. first']],
  ['12) first', ['12) first']],
])('escapeWords writes as code: %j', (text, code) => {
  const escaped = escapeWords(text);
  expect([...escaped.matchAll(/`(.*?)`/g)].map(([, inner = '']) => inner)).toEqual(code);
  expect(escaped.replaceAll('`', '')).toBe(text.replace(/\s+/g, ' '));
});

const INPUTS = 'Check `scan-key`, then (`base-url`); set `auth: none`.';
test.each([
  [INPUTS, INPUTS],
  ['(`files: out/a+b-1.json`),', '(`files: out/a+b-1.json`),'],
  ['`a`@b', '<code>&#96;a&#96;&#64;b</code>'],
  ['x(`a`', '<code>x&#40;&#96;a&#96;</code>'],
  ['` a `', '<code>&#96;</code> a <code>&#96;</code>'],
])('escapeWords keeps only inputs in backticks: %j', (text, escaped) => {
  expect(escapeWords(text)).toBe(escaped);
});

test('makeTable has the columns that have a text', () => {
  const columns = [
    ['A', ':---', 'a1', ''],
    ['B', ':---', '', ''],
    ['C', '---:', 'c1', 'c2'],
  ];
  expect(makeTable(columns)).toBe('| A | C |\n| :--- | ---: |\n| a1 | c1 |\n|  | c2 |');
  expect(makeTable([['A', ':---', '']])).toBe('');
});

test.each([
  ['one\u200b\ntwo', 'one\ntwo', 3],
  ['``', '``', 3],
  ['a\n```\nb', 'a\n```\nb', 4],
  ['`'.repeat(30), '`'.repeat(30), 31],
])('fence is longer than any run of backticks in %j', (text, shown, length) => {
  const marks = '`'.repeat(length);
  expect(fence(text)).toBe(`${marks}text\n${shown}\n${marks}`);
});

test('no secret appears where white space is joined', () => {
  hide('correct horse 4711');
  for (const space of ['\n', ' \t ', '\u00a0', '\u2028']) {
    const text = 'correct horse 4711'.replaceAll(' ', space);
    expect(escapeCode(text)).toBe('`***`');
    expect(escapeWords(`a ${text} b`)).toBe('a `***` b');
  }
});
