import { describe, expect, test } from '@jest/globals';
import { escapeText, escapeWords, fence, makeTable } from '../../src/report/markdown.ts';

// That no markup and no link come of any text is tested in __tests__/properties/markdown.test.ts.

/** What a browser shows of character references. */
function decode(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

describe('escapeText', () => {
  test('keeps what is harmless', () => {
    expect(escapeText('Prüfung 1-2, "final" 扫描 🔍')).toBe('Prüfung 1-2, "final" 扫描 🔍');
  });

  test.each([' a\n b ', 'a\r\n\r\nb', 'a\t \u2028b'])('makes one line of %j', (text) => {
    expect(escapeText(text)).toBe('a b');
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
  ])('puts into code what is no plain word of %j', (text, code) => {
    const escaped = escapeWords(text);
    const found = [...escaped.matchAll(/<code>(.*?)<\/code>/g)].map(([, inner = '']) =>
      decode(inner),
    );
    expect(found).toEqual(code);
    expect(decode(escaped).replace(/<\/?code>/g, '')).toBe(text.replace(/\s+/g, ' '));
  });
});

describe('makeTable', () => {
  test('has a row for each cell of its columns, without the empty columns', () => {
    const table = makeTable([
      { heading: 'A', cells: ['a1', ''] },
      { heading: 'B', cells: ['', ''] },
      { heading: 'C', align: 'right', cells: ['c1', 'c2'] },
    ]);
    expect(table).toBe('| A | C |\n| :--- | ---: |\n| a1 | c1 |\n|  | c2 |');
  });
});

describe('fence', () => {
  test.each([
    ['one\ntwo', 3],
    ['``', 3],
    ['a\n```\nb', 4],
    ['```` and ```', 5],
    ['`'.repeat(30), 31],
  ])('is longer than any run of backticks in %j: %i', (text, length) => {
    const marks = '`'.repeat(length);
    expect(fence(text)).toBe(`${marks}text\n${text}\n${marks}`);
  });
});
