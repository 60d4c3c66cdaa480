import { describe, expect, test } from '@jest/globals';
import {
  MAX_HEADLINE_CHARACTERS,
  MAX_SHOWN_CHARACTERS,
  breakCommands,
  cutLines,
  showJson,
  showText,
  showTexts,
} from '../../src/redaction/gate.ts';
import { hide } from '../../src/redaction/clean.ts';
import { findCommands } from '../support/report.ts';

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
  const long = 'x'.repeat(3990);
  expect(showText(`${long}::w##[correct-horse`)).toBe(`${long}***`);
  // What stood around a secret is joined by its mask, which no command has.
  expect(showText(`:::w##[cor:error::a ##::w##[cor[b`)).toBe(':***:error::a ##***[b');
});

test('showJson removes secrets and commands from texts, but keeps paths, numbers and names', () => {
  hide('gH7kP2mQ9x');
  const text = '::a gH7kP2mQ9x ##[b';
  const date = new Date(0);
  const names = 'scanKey result reason operation part sha256 format inspected'.split(' ');
  const own = Object.fromEntries(names.map((name) => [name, text]));
  const json = showJson({
    gH7kP2mQ9x: [{ text, path: text, ...own }],
    date,
    number: 1,
    none: undefined,
  });
  expect(json).not.toContain('##[');
  expect(JSON.parse(json)).toEqual({
    gH7kP2mQ9x: [{ text: ': :a *** ## [b', path: '::a *** ##[b', ...own }],
    date: date.toJSON(),
    number: 1,
    none: null,
  });
});
