import { describe, expect, test } from '@jest/globals';
import {
  MAX_HEADLINE_CHARACTERS,
  MAX_SHOWN_CHARACTERS,
  breakCommands,
  cutLines,
  showText,
  showTexts,
  showValue,
} from '../../src/redaction/gate.ts';
import { hide } from '../../src/redaction/clean.ts';
import { cutText, cutWhole, joinLines, stripInvisible } from '../../src/text.ts';
import { evaluate } from '../support/evaluate.ts';
import { findCommands } from '../support/report.ts';

const ESC = '\u001b';

describe('stripInvisible', () => {
  test.each([
    ['colours', `${ESC}[31mr${ESC}[38;2;1;2;3me${ESC}[md`, 'red'],
    ['cursor movement and private modes', `a${ESC}[2K${ESC}[1G${ESC}[?25lb`, 'ab'],
    ['a window title', `${ESC}]0;title\u0007text`, 'text'],
    ['a hyperlink', `${ESC}]8;;https://evil.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['a character set, and a lone escape', `${ESC}(Btext${ESC}`, 'Btext'],
    ['escapes in a row', `${ESC}${ESC}[31mtext`, '[31mtext'],
    ['C0 and C1 controls', 'a\0b\u0007c\bd\u000ee\u001ff\u007fg\u0080h\u009b31mi', 'abcdefgh31mi'],
    ['bidi marks', '\u202egnp.exe\u202c \u2066a\u2069 \u200eb\u200f', 'gnp.exe a b'],
    ['zero-width characters', 'a\u200bb\u200cc\u200dd\u2060e\ufefff', 'abcdef'],
    ['soft hyphens, joiners, vowels', 'a\u00adb\u034fc\u17b4d\u180be', 'abcde'],
    ['tags and variation selectors', 'a\u{e0041}b\u{e007f}c\ufe0fd\u{e0100}e', 'abcde'],
    ['hangul fillers, annotations', 'a\u115fb\u1160c\u3164d\uffa0e\ufff9f\ufffbg', 'abcdefg'],
    ['lone surrogates', 'a\ud83db\udd0dc', 'abc'],
    [
      'no visible character',
      'a\tb Prüfung 扫描 🔍 "q" `c` <b>',
      'a\tb Prüfung 扫描 🔍 "q" `c` <b>',
    ],
  ])('removes %s', (_, text, visible) => {
    expect(stripInvisible(text)).toBe(visible);
  });

  test('replaces each line end with a line feed', () => {
    const ends = ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'];
    expect(stripInvisible(ends.join('a'))).toBe(ends.map(() => '\n').join('a'));
  });
});

describe('breakCommands', () => {
  test.each([
    ['::set-output name=a::b', ': :set-output name=a::b'],
    [' \t ::warning::x', ' \t : :warning::x'],
    ['\u00a0\u2003\u3000::warning::x', '\u00a0\u2003\u3000: :warning::x'],
    ['a\n\n  ::error::x\n::b::', 'a\n\n  : :error::x\n: :b::'],
    [':::error::', ': ::error::'],
    ['text ##[group]x ##[endgroup]', 'text ## [group]x ## [endgroup]'],
    ['###[error]x ##[##[y', '### [error]x ## [## [y'],
  ])('breaks %j', (text, broken) => {
    expect(breakCommands(text)).toBe(broken);
    expect(findCommands(broken)).toEqual([]);
  });

  test.each(['a ::b:: c', 'std::vector', ': :x', '# [x]', '#[x]', 'http://[::1]/'])(
    'keeps %j',
    (text) => {
      expect(breakCommands(text)).toBe(text);
    },
  );
});

test.each([
  ['abcdefg', 7, 'abcdefg'],
  ['abcdefgh', 7, 'abcde …'],
  ['abc🔍fgh', 7, 'abc🔍 …'],
  ['abcd🔍fgh', 7, 'abcd …'],
  ['', 0, ''],
])('cutText cuts %j to at most %i characters', (text, max, shown) => {
  expect(cutText(text, max)).toBe(shown);
});

test.each([
  ['no file matches secret-secret', 20, 'no file matches …'],
  ['no file matches secret', 22, 'no file matches secret'],
  ['secret-secret', 8, '…'],
])('cutWhole shows no part of a word of %j', (text, max, shown) => {
  expect(cutWhole(text, max)).toBe(shown);
});

test.each<[readonly string[], number, readonly string[]]>([
  [['one', 'two'], 7, ['one', 'two']],
  // The line break between them counts too.
  [['one', 'two'], 6, ['one']],
  [['x'.repeat(50), 'two'], 40, [`${'x'.repeat(38)} …`]],
  // A line of which fewer than twenty characters fit is left out.
  [['x'.repeat(20), 'y'.repeat(50), 'z'], 40, ['x'.repeat(20), 'z']],
  [['x'.repeat(19), 'y'.repeat(50)], 40, ['x'.repeat(19), `${'y'.repeat(18)} …`]],
])('cutLines shortens row %#', (lines, max, shown) => {
  expect(cutLines(lines, max)).toEqual(shown);
});

test('showText breaks commands that appear without invisible characters, and cuts long texts', () => {
  expect(showText(':\u200b:error::x\u2028##\u001b[0m[y]')).toBe(': :error::x\n## [y]');
  expect(showText('x'.repeat(5000))).toHaveLength(4000);
  expect([MAX_SHOWN_CHARACTERS, MAX_HEADLINE_CHARACTERS]).toEqual([4000, 1000]);
});

test('showText removes a secret before it breaks commands and cuts', () => {
  hide('::w##[correct-horse-battery');
  expect(showTexts(['::w##[correct-horse-battery b', '::c'])).toEqual(['*** b', ': :c']);
});

test('showValue removes secrets and commands from texts, but keeps paths, numbers and names of members', () => {
  hide('gH7kP2mQ9x');
  const text = '::a gH7kP2mQ9x ##[b';
  const date = new Date(0);
  const names = [
    'scanKey',
    'result',
    'reason',
    'operation',
    'part',
    'sha256',
    'format',
    'inspected',
  ];
  const own = Object.fromEntries(names.map((name) => [name, text]));
  const value = { gH7kP2mQ9x: [{ text, path: text, ...own }], date, number: 1, none: undefined };
  const shown = ': :a *** ## [b';
  expect(showValue(value)).toEqual({
    gH7kP2mQ9x: [{ text: shown, path: '::a *** ##[b', ...own }],
    date,
    number: 1,
    none: undefined,
  });
});

test('joinLines makes one line, in linear time, with the spaces within it', () => {
  expect(joinLines(' one  two \n\n\t three\n')).toBe('one  two three');
  const spaces = "m.joinLines('x' + ' '.repeat(1e6) + 'x').length";
  expect(evaluate('text.ts', spaces)).toBe('1000002');
});
