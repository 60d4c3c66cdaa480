import { describe, expect, test } from '@jest/globals';
import { parseTokenHeader, parseHeaders } from '../../src/inputs/request-headers.ts';
import type { Credential } from '../../src/service/auth.ts';
import { SECRET, catchTexts } from '../support/inputs.ts';

const TOKEN: Credential = { kind: 'token', header: 'Authorization', value: 'x' };
const NONE: Credential = { kind: 'none' };

/** Headers that the action or node:http sets, or that frame the message. */
const RESERVED =
  'Host Content-Type Content-Anything Transfer-Encoding Connection Keep-Alive Expect Upgrade TE Trailer Accept-Encoding Proxy-Authorization traceparent';
const NOT_A_NAME = ['', 'a b', 'a\tb', 'a(b)', 'a@b', 'a/b', 'a"b', 'naïve', 'a\0b', '\u200ba'];

describe('parseHeaders', () => {
  test.each<[string, ...(readonly [string, string])[]]>([
    [''],
    ['X-A:1', ['X-A', '1']],
    ['X-A: caf\u00e9\t!', ['X-A', 'caf\u00e9\t!']],
    ["!#$%&'*+.^_`|~09-aZ: ~", ["!#$%&'*+.^_`|~09-aZ", '~']],
    ['X-Hosts: 1:2\r\n \nX-B: 2\rX-C: 3', ['X-Hosts', '1:2'], ['X-B', '2'], ['X-C', '3']],
  ])('reads %j', (text, ...headers) => {
    const expected = headers.map(([name, value]) => ({ name, value }));
    expect(parseHeaders(text, TOKEN, false)).toEqual(expected);
  });

  test.each([NONE, { ...TOKEN, header: 'X-Key' }])('accepts Authorization beside %j', (other) => {
    expect(parseHeaders('Authorization: Basic abc', other, false)).toHaveLength(1);
  });

  test.each<[string, readonly string[]]>([
    [
      'must not be set: the action sets it',
      RESERVED.split(' ').map((name) => `${name}: ${SECRET}`),
    ],
    [
      'carries the token: use `token`, with `token-prefix` for its scheme',
      [`Authorization: ${SECRET}`, `authorization: ${SECRET}`],
    ],
    ['has no value (an empty secret?)', ['X-A:', 'X-A: \t']],
    [
      'has a character that a header cannot carry',
      Array.from('\0\v\x1b\x7f\u0100😀', (character) => `X-A: ${SECRET}${character}x`),
    ],
  ])('refuses a header that %s', async (problem, lines) => {
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':'));
      expect(await catchTexts(() => parseHeaders(line, TOKEN, false))).toEqual([
        `\`headers\`, line 1: ${name} ${problem}.`,
      ]);
    }
  });

  test.each(NOT_A_NAME)('refuses the name %j', async (name) => {
    expect(await catchTexts(() => parseHeaders(`${name}: ${SECRET}`, NONE, false))).toEqual([
      '`headers`, line 1: not of the form "Name: value".',
    ]);
  });

  test('reports each bad line with its number in the input, and never its value', async () => {
    const text = `\nhost: a\nX-A: 1\n\r${SECRET}\r\nx-a: \nBearer ${SECRET}`;
    expect(await catchTexts(() => parseHeaders(text, TOKEN, false))).toEqual([
      '`headers`, line 2: host must not be set: the action sets it.',
      '`headers`, line 5: not of the form "Name: value".',
      '`headers`, line 6: x-a has no value (an empty secret?).',
      '`headers`, line 7: not of the form "Name: value".',
    ]);
  });

  test('leaves out a header without a value in a dry run', () => {
    expect(parseHeaders('X-A:\nX-B: 1', NONE, true)).toEqual([{ name: 'X-B', value: '1' }]);
  });
});

test.each<[string, readonly string[]]>([
  ['must be the name of a header alone, such as X-Api-Key.', [`${SECRET} x`, 'X-A: 1', 'a\nb']],
  ['must not be Host: the action sets it.', ['Host']],
  ['must not be content-x: the action sets it.', ['content-x']],
])('parseTokenHeader refuses what %s', async (problem, names) => {
  for (const name of names) {
    expect(await catchTexts(() => parseTokenHeader(name))).toEqual([`\`token-header\` ${problem}`]);
  }
});

test.each(['Authorization', 'X_Key', 'Hosts', 'X-Host', 'X-Content-A', 'proxy'])(
  'parseTokenHeader accepts %s',
  (name) => {
    expect(parseTokenHeader(name)).toBe(name);
  },
);
