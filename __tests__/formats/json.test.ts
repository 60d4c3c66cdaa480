import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { parseDocuments } from '../../src/formats/parse-json.ts';
import { LARGE_SIZE, inspect, inspectAlone, inspectEnds, mark } from '../support/documents.ts';

const PLAIN: Content = { format: 'json', syntax: 'json', inspected: 'full' };
const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
/** A stream is recognised by its first documents. */
const STREAM: Content = { ...PARTIAL, syntax: 'ndjson' };
const TEXT: Content = { format: 'unknown', kind: 'text', inspected: 'full' };
const CYCLONEDX: Content = { ...PARTIAL, format: 'cyclonedx', specVersion: '1.5' };
const SARIF: Content = { ...PARTIAL, format: 'sarif', specVersion: '2.1.0' };
const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.5"';
const YARN = '{"type":"auditSummary","data":{"vulnerabilities":{}}}\n';
const LINES = '{}\n'.repeat(20);

function truncated(size: number): Pick<Content, 'fault' | 'problem'> {
  return { fault: 'truncated', problem: `is truncated: its JSON ends too early, at byte ${size}` };
}
function malformed(what: string): Pick<Content, 'fault' | 'problem'> {
  return { fault: 'malformed', problem: `is not well-formed JSON (${what})` };
}
function trailing(place: string): Pick<Content, 'fault' | 'problem'> {
  return { fault: 'trailing', problem: `has other text after its JSON (${place})` };
}

describe('inspectJson of a whole file', () => {
  test.each(
    "|nothing found|42 findings|42\n{}|\"text|tru|\u001f{}|}|[CRITICAL] shop: 1 problem|[+] done|[1] a|[0.000] a|{{ template }}|{'a': 1}|[2026-11-22] a|12 [HIGH] findings".split(
      '|',
    ),
  )('takes no other text for JSON: %j', (text) => {
    expect(inspect(text).syntax).toBeUndefined();
    expect(inspectEnds(text, 'end').syntax).toBeUndefined();
  });

  test.each<[string, Content['kind']]>([
    ['"text"', 'scalar'],
    [' -42.5\n', 'scalar'],
    ['true', 'scalar'],
    ['\ufeff7', 'scalar'],
    ['null', 'null'],
    ['{}', 'bare'],
    [' [ ]\n', 'bare'],
  ])('says what %j is', (text, kind) => {
    expect(inspect(text)).toEqual({ ...PLAIN, kind });
  });

  test.each<[string, Content]>([
    [' \r\n\t{"a":[1,{"b":null}]}\n', PLAIN],
    ['[1, 2]', PLAIN],
    ['{"a":1}\n{"b":2}\n', STREAM],
    ['[][]', STREAM],
    ['{\n  "a": [\n    "}\\"{"\n  ]\n}\r\n[2]\n', STREAM],
    [`${BOM},"components":[{}]}\n${YARN}`, { ...CYCLONEDX, syntax: 'ndjson' }],
    [`${YARN}${BOM}}\n`, { ...CYCLONEDX, syntax: 'ndjson' }],
    [`${'{}\n'.repeat(9)}${YARN}`, { ...STREAM, format: 'yarn-audit' }],
    [`${'{}\n'.repeat(10)}${YARN}`, STREAM],
    // The contents of a malformed document are not counted.
    [
      `${BOM},"components":[{}],}`,
      { ...CYCLONEDX, ...malformed('line 1, column 64: a comma before }') },
    ],
    [`${BOM},"components":[{},`, { ...CYCLONEDX, ...truncated(62) }],
  ])('recognises text %#', (text, content) => {
    expect(inspect(text)).toEqual(content);
  });

  test.each<[string, string]>([
    ['{"a":1,}', 'line 1, column 8: a comma before }'],
    ['[\n  {"id": 1},\n]', 'line 3, column 1: a comma before ]'],
    ['{"a":\n NaN}', "line 2, column 2: 'NaN'"],
    ['["a",-Infinity]', "line 1, column 6: '-Infinity'"],
    ['{"a":None}', "line 1, column 6: 'None'"],
    ['["when \\X is"]', "line 1, column 8: '\\X'"],
    ['{"a":"\\u12"}', "line 1, column 7: '\\u'"],
    ['{"a":"\t"}', 'line 1, column 7'],
    ['["a",1.]', "line 1, column 7: '.'"],
    ['{"a":01}', 'line 1, column 7'],
    ['{"a" 1}', 'line 1, column 6'],
    ['{"a":1 "Secret":"b"}', 'line 1, column 8'],
    ['{"a":Secret}', 'line 1, column 6'],
    ['{"a":[1}', "line 1, column 8: '}'"],
    ['["\u{1f511}",x]', 'line 1, column 7'],
    ['{}\n{"a" 1}', 'line 2, column 6'],
  ])('says where and what is malformed, without foreign words: row %#', (text, what) => {
    expect(inspect(text)).toMatchObject(malformed(what));
    expect(inspect(mark(text))).toMatchObject(malformed(what));
  });

  test.each([
    ['{} 7', 'line 1, column 4'],
    ['{"a":1}\nDone in 3.21s.\n\n', 'line 2, column 1'],
    ['{"a":1}\n{"b":2}\n \nDone\nBye', 'line 4, column 1'],
    ['{"a":1}\n[INFO] done', 'line 2, column 1'],
    ['{}]', 'line 1, column 3'],
    ['{},{"Secret":"a"}', 'line 1, column 3'],
    [`${LINES}Found 3, fixed 2.`, 'line 21, column 1'],
  ])('says where other text is: row %#', (text, place) => {
    expect(inspect(text)).toMatchObject(trailing(place));
  });

  test.each([
    '[[1,',
    '{"a":nul',
    '["\\u00',
    '["a',
    '[{"a":tru\n',
    '["a",1.\r\n',
    '{"a":1 \n',
    '{"a":"\n',
  ])('reports as truncated %j', (text) => {
    expect(inspect(text)).toMatchObject(truncated(text.length));
    expect(inspect(`{}\n${text}`)).toMatchObject({ ...STREAM, ...truncated(text.length + 3) });
  });

  const DENSE = '[],'.repeat(1_000_000);
  test.each<[string, string, Partial<Content>]>([
    ['fewer values than too many', `[${DENSE.slice(6)}0]`, PLAIN],
    ['brackets in a text', JSON.stringify({ a: `"${DENSE}` }), PLAIN],
    ['nothing but too many brackets', '['.repeat(2_000_000), truncated(2_000_000)],
    ['too many numbers', `[${'1,'.repeat(2_000_000)}1]`, PARTIAL],
    ['a report with too many', `${BOM},"a":[${DENSE}0]}`, CYCLONEDX],
    ['a stream with too many', '{}\n'.repeat(2_000_000), STREAM],
    ['a truncated report with too many', `${BOM},"a":[${DENSE}0`, truncated(3_000_051)],
    ['another text with too many', `a${DENSE}`, TEXT],
  ])('reads %s', (_, text, content) => {
    expect(inspect(text)).toMatchObject(content);
  });
});

describe('inspectJson of both ends of a large file', () => {
  const TRUNCATED = truncated(LARGE_SIZE);

  test.each<[string, string, Content]>([
    ['[{"a":1},', '{"b":2}]\n', PARTIAL],
    ['[1,1,', '1]', PARTIAL],
    ['\ufeff{"results":["', '"]}', PARTIAL],
    [` ${BOM},"components":[{"name":"caf`, '\\"}]} \n', CYCLONEDX],
    ['{"components":[', '],"specVersion":"1.5","bomFormat":"CycloneDX"}', CYCLONEDX],
    [`${BOM},"components":[`, '],"bomFormat":"Other","specVersion":"2.0"}', CYCLONEDX],
    ['{"specFormat": "CycloneDX", "specVersion": "1.5", "components":[', ']}', CYCLONEDX],
    ['{"runs" : [{', '}],"version":"2.1.0","$schema":"https://x/sarif-2.1.0.json"}', SARIF],
    [
      '{"SchemaVersion":2,"ArtifactName":"a"',
      '}',
      { ...PARTIAL, format: 'trivy', specVersion: '2' },
    ],
    [
      '{"spdxVersion":"SPDX-2.3","packages":[',
      ']}',
      { ...PARTIAL, format: 'spdx', specVersion: 'SPDX-2.3' },
    ],
    [String.raw`{"a":"{\"bomFormat\":\"CycloneDX\",`, '"}', PARTIAL],
    ['{"a":[', '1,2', { ...PARTIAL, ...TRUNCATED }],
    ['{"a":[', '1]', { ...PARTIAL, ...TRUNCATED }],
    ['["a', 'a\u00a0}', { ...PARTIAL, ...TRUNCATED }],
    [`${BOM},"components":[`, '{"name":"a', { ...CYCLONEDX, ...TRUNCATED }],
    [`${BOM},"a":[],}`, '}', { ...CYCLONEDX, ...malformed('line 1, column 53: a comma before }') }],
    ['{"a":1}\n[2]\n{"a"', '{"z":1}', STREAM],
    ['{"a":1}\n[2]\n{"a"', '"z', { ...STREAM, ...TRUNCATED }],
    ['{"finding":{"osv":"a","trace":[]}}\n{}\n', '{}', { ...STREAM, format: 'govulncheck' }],
    ['{"n":1}\nINFO x\n', '{}', { ...PARTIAL, ...trailing('line 2, column 1') }],
    ['{"n":1}\n{}\n[INFO] done\n', '{}', { ...STREAM, ...trailing('line 3, column 1') }],
  ])('recognises head and tail %#', (head, tail, content) => {
    expect(inspectEnds(head, tail)).toEqual(content);
  });
});

test.each([
  ['{"a":1', 'truncated', 6],
  ['', 'truncated', 0],
  ['[x: 1]', 'malformed', 1],
  ['[] x', 'trailing', 3],
])('parseDocuments says of %j that it is %s', (text, kind, position) => {
  expect(parseDocuments(text).fault).toEqual({ kind, position });
});

test('inspectJson reads hostile texts in linear time', () => {
  const texts = [
    `'['.repeat(n) + ']'.repeat(n)`,
    `'['.repeat(n)`,
    `'['.repeat(n) + '}'`,
    `'[' + '[],'.repeat(n) + ']'`,
    `'[' + ' '.repeat(n) + 'x'`,
    `'["' + '\\\\'.repeat(n)`,
    `'{}{}' + ' '.repeat(n) + 'x'`,
    `'{"a"'.repeat(n)`,
    `'[],'.repeat(n)`,
  ];
  expect(inspectAlone(texts, 300_000)).toBe(texts.length);
});
