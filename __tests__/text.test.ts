import { describe, expect, test } from '@jest/globals';
import { listMembers, mapJson, tryJson } from '../src/json.ts';
import * as text from '../src/text.ts';
import { evaluate } from './support/workspace.ts';

const ESC = '\u001b';
const MIB = 1024 ** 2;

test.each<[string, unknown, unknown]>([
  ['joins a text into one line', text.joinWhiteSpace(' a\u0085\r\n\tb  c\n'), 'a b c'],
  ['splits at the line ends of every system', text.splitLines('a\nb\rc\r\n'), ['a', 'b', 'c', '']],
  ['lists lines that are not blank', text.listLines(' a \r \n\tb'), ['a', 'b']],
  ['joins lines that only readers see', text.joinLines(' a\u2028\n\tb  c\r'), 'a b  c'],
  ['keeps a short text', [text.cutText('abcdef', 6), text.cutWhole('ab c', 4)], ['abcdef', 'ab c']],
  ['cuts a long text', text.cutText('abcdefg', 6), 'abcd …'],
  ['cuts no character in half', text.cutText('abc\u{1f511}defg', 6), 'abc …'],
  ['cuts a text of the author before a word', text.cutWhole(`ab ${'c'.repeat(200)}`, 150), 'ab …'],
  ['shows no part of the only word', text.cutWhole('secret-secret', 8), '…'],
  ['lists nothing', text.listSome([], 2), ''],
  ['lists some texts', text.listSome(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more'],
  ['takes any character of a header', text.isFieldValue('\t ~\u0080\u00ff'), true],
  ['takes no others', ['', 'a\nb', 'a\u007f', '\u0100', '\0'].some(text.isFieldValue), false],
])('%s', (_, value, expected) => {
  expect(value).toEqual(expected);
});

test('joinWhiteSpace takes linear time', () => {
  const spaces = "m.joinWhiteSpace('x' + ' '.repeat(1e6) + 'x')";
  expect(evaluate('text.ts', spaces)).toBe('x x');
});

describe('stripInvisible', () => {
  test.each([
    ['colours', `${ESC}[31mr${ESC}[38;2;1;2;3me${ESC}[md`, 'red'],
    ['cursor movement and private modes', `a${ESC}[2K${ESC}[1G${ESC}[?25lb`, 'ab'],
    ['a window title', `${ESC}]0;title\u0007text`, 'text'],
    ['a hyperlink', `${ESC}]8;;https://evil.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['the escape of a sequence without its end', `${ESC}]0;title\nError`, ']0;title\nError'],
    ['the escape before a body', `${ESC}{${ESC}[{${ESC}<`, '{{<'],
    ['C0 and C1 controls', 'a\0b\u0007c\bd\u000ee\u001ff\u007fg\u0080h\u009b31mi', 'abcdefgh31mi'],
    ['bidi marks', '\u202egnp.exe\u202c \u2066a\u2069 \u200eb\u200f', 'gnp.exe a b'],
    ['zero-width characters', 'a\u200bb\u200cc\u200dd\u2060e\ufefff', 'abcdef'],
    ['tags and variation selectors', 'a\u{e0041}b\u{e007f}c\ufe0fd\u{e0100}e', 'abcde'],
    ['lone surrogates', 'a\ud83db\udd0dc', 'abc'],
    ['no visible character', 'a\tb Prüfung 扫描 🔍 "q" `c`', 'a\tb Prüfung 扫描 🔍 "q" `c`'],
  ])('removes %s', (_, given, visible) => {
    expect(text.stripInvisible(given)).toBe(visible);
  });

  test('replaces each line end with a line feed', () => {
    const ends = ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'];
    expect(text.stripInvisible(ends.join('a'))).toBe(ends.map(() => '\n').join('a'));
  });
});

test.each([
  [text.formatPlace(''), 'line 1, column 1'],
  [text.formatPlace('a\r\n\n😀'), 'line 3, column 3'],
  [text.formatBytes(1023), '1023 bytes'],
  [text.formatBytes(1024), '1.0 KiB'],
  [text.formatBytes(MIB), '1.0 MiB'],
  [text.formatBytes(1.25 * 1024 ** 3), '1.3 GiB'],
  [text.formatBytes(5000 * 1024 ** 4), '5000.0 TiB'],
  [text.formatShare(1e6, 3e6), '1 of 2.9 MiB'],
  [text.formatShare(30 * MIB, 30 * MIB), '30 of 30 MiB'],
  [text.formatDuration(0.6), '1 ms'],
  [text.formatDuration(1000), '1.0 s'],
  [text.formatDuration(7549), '7.5 s'],
  [text.formatDuration(10_000), '10 s'],
  [text.formatDuration(86_400_000), '86400 s'],
  [text.formatDuration(86_401_000), 'over a day'],
  [text.formatMinutes(60_000), '1 minute'],
  [text.formatMinutes(60_001), '2 minutes'],
  [text.formatMinutes(86_400_000), '1440 minutes'],
  [text.formatMinutes(86_400_001), 'over a day'],
  [text.countOf(1, 'attempt'), '1 attempt'],
  [text.countOf(1204, 'attempt'), '1,204 attempts'],
])('formats for people: %s', (shown, expected) => {
  expect(shown).toBe(expected);
});

test('listMembers reads names that are spelled in any way, and tryJson no truncated text', () => {
  expect(listMembers({ Is_valid: 1, 'is-valid': { 'IS VALID': 2 } })).toEqual([
    ['isvalid', 1],
    ['isvalid', { 'IS VALID': 2 }],
  ]);
  expect([tryJson('{"a":1}'), tryJson('{"a":')]).toEqual([{ a: 1 }, undefined]);
});

function nest(levels: number, core: string): string {
  return '['.repeat(levels) + core + ']'.repeat(levels);
}

test.each([
  [
    '{"__proto__":[1,true,null],"a":{"b":"c"}}',
    '{":__proto__":["__proto__:1",true,null],":a":{":b":"b:c"}}',
  ],
  [nest(32, '1'), nest(32, '":1"')],
  [nest(33, '1'), nest(32, 'null')],
])('mapJson changes texts, numbers and names, down to 32 levels: %s', (json, changed) => {
  const mapped = mapJson(JSON.parse(json), (leaf, name) => `${name}:${leaf}`);
  expect(JSON.stringify(mapped)).toBe(changed);
});

test.each<[readonly string[], number, readonly string[]]>([
  [['one', 'two'], 7, ['one', 'two']],
  // The line break between them counts too.
  [['one', 'two'], 6, ['one']],
  [['x'.repeat(50), 'two'], 40, [`${'x'.repeat(38)} …`]],
  // A line of which fewer than twenty characters fit is left out.
  [['x'.repeat(20), 'y'.repeat(50), 'z'], 40, ['x'.repeat(20), 'z']],
  [['x'.repeat(19), 'y'.repeat(50)], 40, ['x'.repeat(19), `${'y'.repeat(18)} …`]],
])('cutLines shortens %j to %i characters', (lines, max, shown) => {
  expect(text.cutLines(lines, max)).toEqual(shown);
});
