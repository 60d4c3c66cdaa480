import { describe, expect, test } from '@jest/globals';
import { parseHeaderName, parseHeaders } from '../../src/inputs/headers.ts';
import { SECRET, catchProblems } from '../support/inputs.ts';

/** What the action or node:http sets, or what frames the message. */
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
    ['\n \n\t\r\n', []],
    ['X-A: 1', [{ name: 'X-A', value: '1' }]],
    ['X-A:1', [{ name: 'X-A', value: '1' }]],
    ['  X-A :  a b  ', [{ name: 'X-A', value: 'a b' }]],
    ['X-A: a:b: c', [{ name: 'X-A', value: 'a:b: c' }]],
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

  test.each(RESERVED.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]))(
    'does not let anyone set %s',
    (name) => {
      expect(catchProblems(() => parseHeaders(`${name}: ${SECRET}`, 'Authorization'))).toEqual([
        `headers, line 1: ${name} must not be set, the action sets it itself.`,
      ]);
    },
  );

  test.each([
    ['authorization', 'Authorization'],
    ['AUTHORIZATION', 'Authorization'],
    ['x-key', 'X-Key'],
  ])('does not let %s stand beside the token in %s', (name, tokenHeader) => {
    expect(catchProblems(() => parseHeaders(`${name}: ${SECRET}`, tokenHeader))).toEqual([
      `headers, line 1: ${name} carries the token, use the token input.`,
    ]);
  });

  test('takes Authorization where the token goes elsewhere', () => {
    expect(parseHeaders('Authorization: Basic abc', 'X-Key')).toEqual([
      { name: 'Authorization', value: 'Basic abc' },
    ]);
  });

  test('takes Authorization where there is no token', () => {
    expect(parseHeaders('Authorization: Basic abc', undefined)).toEqual([
      { name: 'Authorization', value: 'Basic abc' },
    ]);
  });

  test('refuses a name that is set twice, whatever its case', () => {
    const text = `X-A: 1\nx-a: ${SECRET}\nX-B: 2`;
    expect(catchProblems(() => parseHeaders(text, 'Authorization'))).toEqual([
      'headers, line 2: x-a is set twice.',
    ]);
  });

  test.each(['X-A:', 'X-A: ', 'X-A:\t'])(
    'tells an empty value from an empty secret: %j',
    (text) => {
      expect(catchProblems(() => parseHeaders(text, 'Authorization'))).toEqual([
        'headers, line 1: X-A has no value (an empty secret?).',
      ]);
    },
  );

  test.each([SECRET, `Bearer ${SECRET}`, ...NOT_A_NAME.map((name) => `${name}: ${SECRET}`)])(
    'refuses the line %j without repeating it',
    (line) => {
      expect(catchProblems(() => parseHeaders(line, 'Authorization'))).toEqual([
        'headers, line 1: not of the form "Name: value".',
      ]);
    },
  );

  test.each(['\0', '\x01', '\x08', '\v', '\f', '\x1b', '\x7f', '\u0100', '\u2028', '😀'])(
    'refuses a value with %j',
    (character) => {
      const text = `X-A: ${SECRET}${character}x`;
      expect(catchProblems(() => parseHeaders(text, 'Authorization'))).toEqual([
        'headers, line 1: X-A has a character that a header cannot carry.',
      ]);
    },
  );

  test.each(['\n', '\r', '\r\n'])('cannot be tricked into another header by %j', (lineBreak) => {
    const text = `X-A: 1${lineBreak}Host: evil.example`;
    expect(catchProblems(() => parseHeaders(text, 'Authorization'))).toEqual([
      'headers, line 2: Host must not be set, the action sets it itself.',
    ]);
  });

  test('names every bad line, by its number in the input', () => {
    const text = `\nHost: a\nX-A: 1\n\n${SECRET}\nX-A: 2\n`;
    expect(catchProblems(() => parseHeaders(text, 'Authorization'))).toEqual([
      'headers, line 2: Host must not be set, the action sets it itself.',
      'headers, line 5: not of the form "Name: value".',
      'headers, line 6: X-A is set twice.',
    ]);
  });
});

describe('parseHeaderName', () => {
  test.each(['Authorization', 'x-api-key', 'X_Key'])('takes %s', (name) => {
    expect(parseHeaderName('token-header', name)).toBe(name);
  });

  test.each([...NOT_A_NAME, `${SECRET} x`, 'X-A: 1', 'X-A\nX-B'])('refuses %j', (name) => {
    expect(catchProblems(() => parseHeaderName('token-header', name))).toEqual([
      'token-header is not a valid header name.',
    ]);
  });

  test.each(RESERVED)('refuses %s, which the action sets', (name) => {
    expect(catchProblems(() => parseHeaderName('token-header', name))).toEqual([
      `token-header must not be ${name}: the action sets it.`,
    ]);
  });
});
