import { describe, expect, test } from '@jest/globals';
import {
  escapeCode,
  escapeText,
  escapeWords,
  fence,
  makeTable,
} from '../../src/report/markdown.ts';

/** What a browser shows of character references. */
function decode(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

const HOSTILE = [
  'a | b',
  '\\|',
  '<img src=x onerror=alert(1)>',
  '</code><script>alert(1)</script>',
  '<!-- comment',
  '![image](https://evil.example/x.png)',
  '[link](javascript:alert(1))',
  '[ref]: https://evil.example',
  '<https://evil.example>',
  'https://evil.example/x',
  'www.evil.example',
  '**bold** _em_ ~~gone~~ `code` ``more``',
  '# heading',
  '> quote',
  '1. item',
  '* item',
  '+ item',
  '@someone #12 GH-12',
  '&lt;b&gt; &amp; &#60;',
  ':smile: $x^2$ {{ x }} %20',
];

describe('escapeText', () => {
  test.each(HOSTILE)('leaves no markup of %s, and shows it as it is', (text) => {
    const escaped = escapeText(text);
    expect(escaped.replace(/&#\d+;/g, '')).not.toMatch(/[!#$%&()*+./:;<=>?@[\\\]^_`{|}~]/);
    expect(decode(escaped)).toBe(text);
  });

  test('keeps what is harmless', () => {
    expect(escapeText('Prüfung 1-2, "final" 扫描 🔍')).toBe('Prüfung 1-2, "final" 扫描 🔍');
  });

  test.each([' a\n b ', 'a\r\n\r\nb', 'a\t \u2028b'])('makes one line of %j', (text) => {
    expect(escapeText(text)).toBe('a b');
  });
});

describe('escapeCode', () => {
  test.each(HOSTILE)('is one element of code around %s', (text) => {
    expect(escapeCode(text)).toBe(`<code>${escapeText(text)}</code>`);
    expect(escapeCode(text).match(/</g)).toHaveLength(2);
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
  test('is a block of text', () => {
    expect(fence('one\ntwo')).toBe('```text\none\ntwo\n```');
  });

  test.each([
    ['`', 3],
    ['``', 3],
    ['```', 4],
    ['a\n```\nb', 4],
    ['```` and ```', 5],
    ['`'.repeat(30), 31],
  ])('is longer than any run of backticks in %j: %i', (text, length) => {
    const marks = '`'.repeat(length);
    expect(fence(text)).toBe(`${marks}text\n${text}\n${marks}`);
  });
});
