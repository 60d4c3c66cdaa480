import { describe, expect, test } from '@jest/globals';
import { parseHeaderName, parseHeaders } from '../../src/inputs/headers.ts';
import { SECRET, catchProblems } from '../support/inputs.ts';

/** Headers that the action or node:http sets, or that frame the message. */
const RESERVED = [
  'Host',
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'Content-Anything',
  'Transfer-Encoding',
  'Connection',
  'Keep-Alive',
  'Expect',
  'Upgrade',
  'TE',
  'Trailer',
  'Accept-Encoding',
  'Proxy-Authorization',
  'Proxy-Connection',
  'traceparent',
];

const NOT_A_NAME = ['', 'a b', 'a\tb', 'a(b)', 'a@b', 'a/b', 'a"b', 'naïve', 'a\0b', '\u200ba'];

describe('parseHeaders', () => {
  test.each([
    ['', []],
    ['X-A:1', [{ name: 'X-A', value: '1' }]],
    ['  X-A :  a:b: c  ', [{ name: 'X-A', value: 'a:b: c' }]],
    ['X-A: caf\u00e9\t!', [{ name: 'X-A', value: 'caf\u00e9\t!' }]],
    ["!#$%&'*+.^_`|~09-aZ: ~", [{ name: "!#$%&'*+.^_`|~09-aZ", value: '~' }]],
    [
      'X-A: 1\r\n\nX-B: 2\rX-C: 3',
      [
        { name: 'X-A', value: '1' },
        { name: 'X-B', value: '2' },
        { name: 'X-C', value: '3' },
      ],
    ],
  ])('reads %j', (text, headers) => {
    expect(parseHeaders(text, 'Authorization')).toEqual(headers);
  });

  test.each(['X-Key', undefined])('accepts Authorization if the token is in %s', (tokenHeader) => {
    const header = { name: 'Authorization', value: 'Basic abc' };
    expect(parseHeaders('Authorization: Basic abc', tokenHeader)).toEqual([header]);
  });

  test.each([
    ...RESERVED.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]).map((name) => [
      `${name}: ${SECRET}`,
      `${name} must not be set: the action sets it`,
    ]),
    ...['authorization', 'AUTHORIZATION'].map((name) => [
      `${name}: ${SECRET}`,
      `${name} carries the token: use \`token\``,
    ]),
    ...['X-A:', 'X-A: ', 'X-A:\t'].map((line) => [line, 'X-A has no value (an empty secret?)']),
    ...[SECRET, `Bearer ${SECRET}`, ...NOT_A_NAME.map((name) => `${name}: ${SECRET}`)].map(
      (line) => [line, 'not of the form "Name: value"'],
    ),
    ...Array.from('\0\v\x1b\x7f\u0100😀', (character) => [
      `X-A: ${SECRET}${character}x`,
      'X-A has a character that a header cannot carry',
    ]),
  ])('refuses the line %j: %s', (line, problem) => {
    expect(catchProblems(() => parseHeaders(line, 'Authorization'))).toEqual([
      `\`headers\`, line 1: ${problem}.`,
    ]);
  });

  test.each(['\n', '\r', '\r\n'])('reads a header after %j as another header', (lineBreak) => {
    const text = `X-A: 1${lineBreak}Host: evil.example`;
    expect(catchProblems(() => parseHeaders(text, 'Authorization'))).toEqual([
      '`headers`, line 2: Host must not be set: the action sets it.',
    ]);
  });

  test('reports each bad line with its number in the input', () => {
    const text = `\nHost: a\nx-a: 1\n\n${SECRET}\nX-A: 2\n`;
    expect(catchProblems(() => parseHeaders(text, 'Authorization'))).toEqual([
      '`headers`, line 2: Host must not be set: the action sets it.',
      '`headers`, line 5: not of the form "Name: value".',
      '`headers`, line 6: X-A is set twice.',
    ]);
  });
});

describe('parseHeaders with very many lines', () => {
  test('returns each header, and reports each invalid line', () => {
    const names = Array.from({ length: 150_000 }, (_, index) => `x-${index}`);
    const lines = names.map((name) => `${name}: a`).join('\n');
    expect(parseHeaders(lines, undefined)).toHaveLength(names.length);
    expect(catchProblems(() => parseHeaders(names.join('\n'), undefined))).toHaveLength(150_000);
  });
});

describe('parseHeaderName', () => {
  test.each(['Authorization', 'x-api-key', 'X_Key'])('accepts %s', (name) => {
    expect(parseHeaderName('token-header', name)).toBe(name);
  });

  test.each([
    ...[...NOT_A_NAME, `${SECRET} x`, 'X-A: 1', 'X-A\nX-B'].map((name) => [
      name,
      '`token-header` is not a valid header name.',
    ]),
    ...RESERVED.map((name) => [name, `\`token-header\` must not be ${name}: the action sets it.`]),
  ])('refuses %j: %s', (name, problem) => {
    expect(catchProblems(() => parseHeaderName('token-header', name))).toEqual([problem]);
  });
});
