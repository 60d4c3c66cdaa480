import { expect, test } from '@jest/globals';
import {
  MAX_HEADLINE_CHARACTERS,
  MAX_SHOWN_CHARACTERS,
  cutLines,
  cutSafe,
  joinSafe,
  replaceSafe,
  safe,
  showId,
  showJson,
  showPath,
  showText,
  showWord,
  splitSafe,
  toLine,
  writeJson,
} from '../../src/redaction/gate.ts';
import { hide } from '../../src/redaction/clean.ts';
import { findCommands } from '../support/report.ts';

test.each([
  ['::set-output name=a::b', ': :set-output name=a::b'],
  [' \t ::warning::x', ' \t : :warning::x'],
  ['\u00a0\u2003\u3000::warning::x', '\u00a0\u2003\u3000: :warning::x'],
  ['a\n\n  ::error::x\n::b::', 'a\n\n  : :error::x\n: :b::'],
  [':::error::', ': ::error::'],
  ['text ##[group]x ##[endgroup]', 'text ## [group]x ## [endgroup]'],
  ['###[error]x ##[##[y', '### [error]x ## [## [y'],
  // It appears without invisible characters.
  [':\u200b:error::x\u2028##\u001b[0m[y]', ': :error::x\n## [y]'],
  ...['a ::b:: c', 'std::vector', ': :x', '# [x]', '#[x]', 'http://[::1]/'].map((text) => [
    text,
    text,
  ]),
])('showText breaks the commands of %j', (text, shown) => {
  expect(showText(text)).toBe(shown);
  expect(findCommands(shown)).toEqual([]);
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
  expect(cutLines(lines, max)).toEqual(shown);
});

test('showText cuts long texts', () => {
  expect(showText('x'.repeat(5000))).toHaveLength(4000);
  expect([MAX_SHOWN_CHARACTERS, MAX_HEADLINE_CHARACTERS]).toEqual([4000, 1000]);
});

test('showText removes a secret before it breaks commands and cuts', () => {
  hide('::w##[correct-horse-battery');
  expect(showText('::w##[correct-horse-battery b')).toBe('*** b');
  const long = 'x'.repeat(3990);
  expect(showText(`${long}::w##[correct-horse`)).toBe(`${long}***`);
  // What stood around a secret is joined by its mask, which no command has.
  expect(showText(`:::w##[cor:error::a ##::w##[cor[b`)).toBe(':***:error::a ##***[b');
});

test('safe texts stay safe in sentences, joined, replaced, split and cut', () => {
  const [hash, colon] = [showText('a ##'), showText(':')];
  expect(safe`${hash}${showText('[error]b')}: ${3}`).toBe('a ## [error]b: 3');
  expect(joinSafe([colon, safe``, showText(':x')], safe``)).toBe(': :x');
  expect(joinSafe([colon, showText('x')], safe`:`)).toBe(': :x');
  expect(replaceSafe(showText('## x[y'), / x/g, () => safe``)).toBe('## [y');
  expect(splitSafe(showText('x,::a::'), /,/)).toEqual(['x', ': :a::']);
  expect(cutSafe(showText('one ##'), 3, (text, max) => text.slice(0, max))).toBe('one');
  expect(toLine(showText(' one\r\n  two\n\n'))).toBe('one two');
});

test('showPath, showId and showWord keep what a mask would make useless', () => {
  hide('3fa85f64-5717-4562-b3fc-2c963f66afa6');
  hide('accepted');
  expect(showId('3fa85f64-5717-4562-b3fc-2c963f66afa6')).toMatch(/^3fa8/);
  expect(showId('accepted-3fa85f64-5717-4562-b3fc-2c963f66afa6')).toBe('***-***');
  expect(showId('3fa85f64-5717-4562-b3fc-2c963f66afa6-accepted')).toBe('***-***');
  expect(showWord('accepted')).toBe('accepted');
  expect(showPath('::a accepted ##[b')).toBe('::a accepted ##[b');
});

test('JSON has no secrets and starts no commands', () => {
  hide('gH7kP2mQ9x');
  hide('4711471147');
  const foreign = { gH7kP2mQ9x: ['::a gH7kP2mQ9x ##[b', 4711471147, 1, null, true] };
  expect(showJson(foreign)).toBe(String.raw`{"***":["::a *** ##\u005bb","***",1,null,true]}`);
  const own = { path: showPath('a##[b'), list: [1, undefined], none: undefined };
  expect(writeJson(own)).toBe(String.raw`{"path":"a##\u005bb","list":[1,null],"none":null}`);
});
