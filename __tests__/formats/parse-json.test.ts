import { describe, expect, test } from '@jest/globals';
import { closeHead, parseJson } from '../../src/formats/parse-json.ts';
import { evaluate } from '../support/evaluate.ts';

const MIB = 1024 * 1024;

describe('parseJson', () => {
  test.each(['', ' ', '[1,', '{"a":nul', '["\\u00', '[tru\n', '[1.\r\n', '["\\ \n'])(
    'reports %j as truncated, wherever V8 reports an error',
    (text) => {
      expect(parseJson(text)).toEqual({ fault: { kind: 'truncated', position: text.length } });
    },
  );

  test.each(['x at position 7', '[x, " in JSON at position 1"]'])(
    'ignores a position in the text that V8 quotes: %j',
    (text) => {
      expect(parseJson(text)).toEqual({
        fault: { kind: 'malformed', position: text.indexOf('x') },
      });
    },
  );
});

describe('closeHead', () => {
  test.each([
    ['', ''],
    ['{', '{}'],
    ['{"a":[', '{"a":[]}'],
    ['{"a":[1,', '{"a":[1]}'],
    ['{"a":[1,2', '{"a":[1]}'],
    ['{"a":{"b":[]},"c":tr', '{"a":{"b":[]}}'],
    ['[{"a":",]}', '[{}]'],
    [String.raw`["\",","\\",1`, String.raw`["\",","\\"]`],
    [String.raw`["a\\\"]`, '[]'],
    ['{}\n{"a":1', '{}\n{}'],
    ['[1]}],2', '[1]}]'],
  ])('closes %j', (head, closed) => {
    expect(closeHead(head)).toBe(closed);
  });
});

describe('parseJson of hostile text', () => {
  test.each([
    ['lists in lists', `'['.repeat(${MIB}) + ']'.repeat(${MIB})`, 'undefined'],
    ['unclosed lists in lists', `'['.repeat(${MIB})`, 'truncated'],
    ['malformed lists in lists', `'['.repeat(${MIB / 2}) + '}'`, 'malformed'],
    ['a malformed list', `'[' + '[],'.repeat(${MIB / 4}) + ']'`, 'malformed'],
    ['white space before an error', `'[' + ' '.repeat(${32 * MIB}) + 'x'`, 'malformed'],
  ])('parses %s in linear time', (_, text, kind) => {
    expect(evaluate('formats/parse-json.ts', `m.parseJson(${text}).fault?.kind`)).toBe(kind);
  });

  test.each([
    ['lists in lists', `'['.repeat(${MIB})`],
    ['brackets that open and close', `'['.repeat(${MIB / 2}) + '],['.repeat(${MIB / 6})`],
    ['escapes', `'["' + '\\\\\\\\'.repeat(${MIB / 2})`],
  ])('closes a head of %s in linear time', (_, text) => {
    expect(evaluate('formats/parse-json.ts', `typeof m.closeHead(${text})`)).toBe('string');
  });
});
