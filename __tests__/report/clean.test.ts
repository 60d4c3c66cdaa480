import { describe, expect, test } from '@jest/globals';
import {
  MAX_SHOWN_CHARACTERS,
  breakCommands,
  cutLines,
  joinLines,
  showText,
  cutWhole,
} from '../../src/report/clean.ts';
import { cutText } from '../../src/text.ts';
import { stripInvisible } from '../../src/text.ts';
import { evaluate } from '../support/evaluate.ts';
import { findCommands } from '../support/report.ts';

const ESC = '\u001b';

describe('stripInvisible', () => {
  test.each([
    ['colours', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['colours with many parameters', `${ESC}[38;2;1;2;3mred${ESC}[m`, 'red'],
    ['cursor movement', `a${ESC}[2K${ESC}[1Gb`, 'ab'],
    ['private modes', `${ESC}[?25lhidden`, 'hidden'],
    ['a window title', `${ESC}]0;title\u0007text`, 'text'],
    ['a hyperlink', `${ESC}]8;;https://evil.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['a character set', `${ESC}(Btext`, 'Btext'],
    ['a lone escape', `text${ESC}`, 'text'],
    ['escapes in a row', `${ESC}${ESC}[31mtext`, '[31mtext'],
    ['C0 controls', 'a\u0000b\u0001c\u0007d\u0008e\u000ef\u001fg', 'abcdefg'],
    ['DEL and C1 controls', 'a\u007fb\u0080c\u009b31md\u009f', 'abc31md'],
    ['bidi marks', '\u202egnp.exe\u202c \u2066a\u2069 \u200eb\u200f', 'gnp.exe a b'],
    ['zero-width characters', 'a\u200bb\u200cc\u200dd\u2060e\ufefff', 'abcdef'],
    ['soft hyphens', 'a\u00adb', 'ab'],
    ['tag characters', 'a\u{e0041}\u{e007f}b', 'ab'],
    ['variation selectors', 'a\ufe0fb\u{e0100}c', 'abc'],
    ['joiners and vowels that are invisible', 'a\u034fb\u17b4c\u180bd', 'abcd'],
    ['hangul fillers', 'a\u115fb\u1160c\u3164d\uffa0e', 'abcde'],
    ['interlinear annotations', 'a\ufff9b\ufffbc', 'abc'],
    ['a lone high surrogate', 'a\ud83db', 'ab'],
    ['a lone low surrogate', 'a\udd0db', 'ab'],
  ])('removes %s', (_, text, visible) => {
    expect(stripInvisible(text)).toBe(visible);
  });

  test.each(['a\tb', 'Prüfung 扫描 🔍', '"quoted" `code` <b>', 'a b'])('keeps %j', (text) => {
    expect(stripInvisible(text)).toBe(text);
  });

  test.each(['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
    'replaces the line end %j with a line feed',
    (end) => {
      expect(stripInvisible(`a${end}b`)).toBe('a\nb');
    },
  );
});

describe('breakCommands', () => {
  test.each([
    ['::error::x', ': :error::x'],
    ['::set-output name=a::b', ': :set-output name=a::b'],
    [' \t ::warning::x', ' \t : :warning::x'],
    ['\u00a0\u2003\u3000::warning::x', '\u00a0\u2003\u3000: :warning::x'],
    ['a\n::error::x', 'a\n: :error::x'],
    ['a\n\n  ::error::x\n::b::', 'a\n\n  : :error::x\n: :b::'],
    [':::error::', ': ::error::'],
    ['::', ': :'],
    ['##[error]x', '## [error]x'],
    ['text ##[group]x ##[endgroup]', 'text ## [group]x ## [endgroup]'],
    ['###[error]x', '### [error]x'],
    ['##[##[error]', '## [## [error]'],
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

describe('cutText', () => {
  test('keeps a text that is short enough', () => {
    expect(cutText('a'.repeat(MAX_SHOWN_CHARACTERS), MAX_SHOWN_CHARACTERS)).toBe(
      'a'.repeat(MAX_SHOWN_CHARACTERS),
    );
    expect(cutText('', 0)).toBe('');
  });

  test('truncates a longer text to exactly the limit, and marks it', () => {
    expect(cutText('abcdefgh', 7)).toBe('abcde …');
    expect(cutText('a'.repeat(MAX_SHOWN_CHARACTERS + 1), MAX_SHOWN_CHARACTERS)).toHaveLength(
      MAX_SHOWN_CHARACTERS,
    );
    // The runner truncates annotations at 4096 characters.
    expect(MAX_SHOWN_CHARACTERS).toBeLessThan(4096);
  });

  test('does not cut inside a character', () => {
    expect(cutText('abcd🔍fgh', 7)).toBe('abcd …');
    expect(cutText('abc🔍fgh', 7)).toBe('abc🔍 …');
  });
});

describe('cutWhole', () => {
  test('shows no part of the word in which the text is cut', () => {
    expect(cutWhole('no file matches secret-secret', 20)).toBe('no file matches …');
    expect(cutWhole('no file matches secret', 22)).toBe('no file matches secret');
    expect(cutWhole('secret-secret', 8)).toBe('…');
  });
});

describe('cutLines', () => {
  test.each<[readonly string[], number, readonly string[]]>([
    [['one', 'two'], 7, ['one', 'two']],
    // The line break between them counts too.
    [['one', 'two'], 6, ['one']],
    [['x'.repeat(50), 'two'], 40, [`${'x'.repeat(38)} …`]],
    // A line of which fewer than twenty characters fit is left out.
    [['x'.repeat(20), 'y'.repeat(50), 'z'], 40, ['x'.repeat(20), 'z']],
    [['', '', '', ''], 2, ['', '', '']],
  ])('shortens %j to at most %i characters', (lines, max, shown) => {
    expect(cutLines(lines, max)).toEqual(shown);
  });
});

test('showText breaks commands that appear only after invisible characters are removed', () => {
  expect(showText(':\u200b:error::x\u2028##\u001b[0m[y]')).toBe(': :error::x\n## [y]');
});

describe('joinLines', () => {
  test.each([
    ['one', 'one'],
    ['one\ntwo', 'one two'],
    [' one \n\n\t two\n', 'one two'],
    ['one  two', 'one  two'],
    ['\n', ''],
  ])('makes one line of %j', (text, line) => {
    expect(joinLines(text)).toBe(line);
  });

  test('takes linear time for white space without a line end', () => {
    expect(evaluate('report/clean.ts', "m.joinLines('x' + ' '.repeat(1e6) + 'x').length")).toBe(
      '1000002',
    );
  });
});
