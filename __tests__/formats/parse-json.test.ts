import { describe, expect, test } from '@jest/globals';
import { closeHead, parseJson } from '../../src/formats/parse-json.ts';
import { evaluate } from '../support/evaluate.ts';

const MIB = 1024 * 1024;

describe('parseJson', () => {
  test.each(['{"a":[1,null,"é"]}', ' \r\n\t[] \n', '7', '"a"'])('parses %j', (text) => {
    const value: unknown = JSON.parse(text);
    expect(parseJson(text)).toEqual({ value });
  });

  test.each([
    '',
    ' ',
    '[',
    '[1,',
    '{"a',
    '{"a":nul',
    '[-',
    '["\\u00',
    '[tru\n',
    '[1.\r\n',
    '["\\ \n',
  ])('finds %j truncated, wherever V8 finds a fault in it', (text) => {
    expect(parseJson(text)).toEqual({ fault: { kind: 'truncated', position: text.length } });
  });

  test('says where a fault is in the first million characters, and beyond where V8 says it', () => {
    const start = `[${'1,'.repeat(MIB / 2 - 2)}`;
    expect(parseJson(`${start},${start}`).fault?.position).toBe(start.length);
    const long = `${start}1,1,`;
    expect(parseJson(`${long},1]`)).toEqual({ fault: { kind: 'malformed', position: undefined } });
    expect(parseJson(`${long}1 1]`).fault?.position).toBe(long.length + 2);
  });

  test('accepts no other white space at the end', () => {
    expect(parseJson('{}\u00a0')).toEqual({ fault: { kind: 'malformed', position: 2 } });
    expect(parseJson('\ufeff{}').fault?.kind).toBe('malformed');
  });

  test.each([
    ['{} {}', 'several', 3],
    ['[]\n[', 'several', 3],
    ['{} 7', 'malformed', 3],
    ['7 {}', 'several', 2],
  ])('knows whether another value follows: %j', (text, kind, position) => {
    expect(parseJson(text)).toEqual({ fault: { kind, position } });
  });

  test.each(['x at position 7', '[x, " in JSON at position 1"]'])(
    'takes no position from the text that V8 quotes: %j',
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
    ['{"a', '{}'],
    ['{"a":[', '{"a":[]}'],
    ['{"a":[1', '{"a":[]}'],
    ['{"a":[1,', '{"a":[1]}'],
    ['{"a":[1,2', '{"a":[1]}'],
    ['{"a":{"b":[]', '{"a":{"b":[]}}'],
    ['{"a":{"b":[]},"c":tr', '{"a":{"b":[]}}'],
    ['[{"a":",]}', '[{}]'],
    [String.raw`["\",","\\",1`, String.raw`["\",","\\"]`],
    [String.raw`["a\\\"]`, '[]'],
    ['{}\n{"a":1', '{}\n{}'],
    ['[1]}],2', '[1]}]'],
  ])('makes %j a whole text', (head, closed) => {
    expect(closeHead(head)).toBe(closed);
  });
});

describe('parseJson, of what was made to take long', () => {
  test.each([
    ['lists in lists', `'['.repeat(${MIB}) + ']'.repeat(${MIB})`, 'undefined'],
    ['lists in lists without an end', `'['.repeat(${MIB})`, 'truncated'],
    ['malformed lists in lists', `'['.repeat(${MIB / 2}) + '}'`, 'malformed'],
    ['a malformed list', `'[' + '[],'.repeat(${MIB / 4}) + ']'`, 'malformed'],
    ['white space before a fault', `'[' + ' '.repeat(${32 * MIB}) + 'x'`, 'malformed'],
  ])('is done with %s', (_, text, kind) => {
    expect(evaluate('formats/parse-json.ts', `m.parseJson(${text}).fault?.kind`)).toBe(kind);
  });

  test.each([
    ['lists in lists', `'['.repeat(${MIB})`],
    ['brackets that open and close', `'['.repeat(${MIB / 2}) + '],['.repeat(${MIB / 6})`],
    ['escapes', `'["' + '\\\\\\\\'.repeat(${MIB / 2})`],
  ])('has a head of %s closed at once', (_, text) => {
    expect(evaluate('formats/parse-json.ts', `typeof m.closeHead(${text})`)).toBe('string');
  });
});
