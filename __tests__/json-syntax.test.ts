import { expect, test } from '@jest/globals';
import { isJsonLike, parseDocuments } from '../src/json-syntax.ts';
import type { JsonError } from '../src/json-syntax.ts';
import { formatPlace } from '../src/text.ts';

const LINES = '{}\n'.repeat(20);

test.each<[string, JsonError['type'], string]>([
  ['{"a":1,}', 'malformed', 'line 1, column 8'],
  ['{"a":\n NaN}', 'malformed', 'line 2, column 2'],
  ['["when \\X is"]', 'malformed', 'line 1, column 8'],
  ['{"a":"\\u12"}', 'malformed', 'line 1, column 7'],
  ['["a",1.]', 'malformed', 'line 1, column 7'],
  ['{"a":01}', 'malformed', 'line 1, column 7'],
  ['[1e+,2]', 'malformed', 'line 1, column 3'],
  ['{"a" 1}', 'malformed', 'line 1, column 6'],
  ['{1:2}', 'malformed', 'line 1, column 2'],
  ['{"a":1 "b":2}', 'malformed', 'line 1, column 8'],
  ['{"a":[1}', 'malformed', 'line 1, column 8'],
  ['[{"a":1]', 'malformed', 'line 1, column 8'],
  ['["\u{1f511}",x]', 'malformed', 'line 1, column 7'],
  ['{}\n{"a" 1}', 'malformed', 'line 2, column 6'],
  ['{}}', 'trailing', 'line 1, column 3'],
  ['{"a":1}\n{"b":2}\n \nDone\nBye', 'trailing', 'line 4, column 1'],
  ['{"a":1}\n[INFO] done', 'trailing', 'line 2, column 1'],
  [`${LINES}Found 3, fixed 2.`, 'trailing', 'line 21, column 1'],
  ['', 'truncated', 'line 1, column 1'],
  ['{"a":nul', 'truncated', 'line 1, column 6'],
  [`["\\u00${' '.repeat(9)}\n`, 'truncated', 'line 1, column 3'],
  ['["a', 'truncated', 'line 1, column 4'],
  ['["a",1.\r\n', 'truncated', 'line 1, column 7'],
  ['{}\n{"a":1 \n', 'truncated', 'line 3, column 1'],
  ['{"a":"\n', 'truncated', 'line 1, column 7'],
])('parseDocuments(%j) is %s at %s', (text, kind, place) => {
  const { error } = parseDocuments(text);
  expect(error).toMatchObject({ type: kind });
  expect(formatPlace(text.slice(0, error?.position))).toBe(place);
});

test.each<[string, readonly unknown[]]>([
  [' \r\n\t{"a":[1,{"b":null}]}\n', [{ a: [1, { b: null }] }]],
  ['[][ ]', [[], []]],
  [
    '{"a":["}\\"{"]}\r\n[-2.5e1, true, false,{"\\u00e9\u007f":{}}]',
    [{ a: ['}"{'] }, [-25, true, false, { 'é\u007f': {} }]],
  ],
  [LINES, Array.from({ length: 10 }, () => ({}))],
])('parseDocuments(%j) returns the first ten documents', (text, documents) => {
  expect(parseDocuments(text)).toEqual({ documents, error: undefined });
});

test.each([
  [['{"a', '{}', '\n { ', '[{', '[[', '["a', '[]', '[ '], true],
  [['', '}', '42', '"a', '{a', "{'a'", '{{ a }}', '[1] a', '[INFO] a', '[+] a', 'a {}'], false],
])('isJsonLike(%j) is %j', (texts, isLike) => {
  expect(texts.map(isJsonLike)).toEqual(texts.map(() => isLike));
});
