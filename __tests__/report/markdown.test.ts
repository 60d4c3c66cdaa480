import { describe, expect, test } from '@jest/globals';
import { escapeCode, escapeText, fence } from '../../src/report/markdown.ts';

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
