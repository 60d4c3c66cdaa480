import { expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { show, showForeign } from '../../src/redaction/show.ts';
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
])('show breaks the commands of %j', (text, shown) => {
  expect(show(text)).toBe(shown);
  expect(findCommands(shown)).toEqual([]);
});

test('show removes a secret before it breaks commands and cuts', () => {
  hide('::w##[correct-horse-battery');
  expect(show('::w##[correct-horse-battery b')).toBe('*** b');
  const long = 'x'.repeat(3990);
  expect(show(`${long}::w##[correct-horse`)).toBe(`${long}***`);
  expect(show(`${long}${long}`)).toHaveLength(4000);
  expect(show('xxx xxx xxx', 5)).toBe('xxx …');
  // What stood around a secret is joined by its mask, which no command has.
  expect(show(`:::w##[cor:error::a ##::w##[cor[b`)).toBe(':***:error::a ##***[b');
});

test('showForeign removes secrets from the texts, names and numbers of JSON, and keeps all else', () => {
  hide('gH7kP2mQ9x');
  hide('4711471147');
  const numbers = [4711471147, 14711471147, Number.MAX_SAFE_INTEGER];
  const foreign = { gH7kP2mQ9x: ['::a gH7kP2mQ9x ##[b', ...numbers, null, true] };
  const shown = ['::a *** ##[b', '***', '1***', Number.MAX_SAFE_INTEGER, null, true];
  expect(showForeign(foreign)).toEqual({ '***': shown });
});
