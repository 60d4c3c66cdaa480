import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { LARGE_SIZE, inspect, inspectAlone, inspectEnds } from '../support/documents.ts';

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

  test.each<[string, Pick<Content, 'fault' | 'problem'>]>([
    ['{"a":1,}', malformed('line 1, column 8: a comma before }')],
    ['[\n  {"id": 1},\n]', malformed('line 3, column 1: a comma before ]')],
    ['{"a":\n NaN}', malformed("line 2, column 2: 'NaN'")],
    ['["a",-Infinity]', malformed("line 1, column 6: '-Infinity'")],
    ['{"a":None}', malformed("line 1, column 6: 'None'")],
    ['["when \\X is"]', malformed("line 1, column 8: '\\X'")],
    ['{"a":"\\u12"}', malformed("line 1, column 7: '\\u'")],
    ['{"a":"\t"}', malformed('line 1, column 7')],
    ['["a",1.]', malformed("line 1, column 7: '.'")],
    ['{"a":01}', malformed('line 1, column 7')],
    ['{"a" 1}', malformed('line 1, column 6')],
    ['{"a":1 "Secret":"b"}', malformed('line 1, column 8')],
    ['{"a":Secret}', malformed('line 1, column 6')],
    ['{"a":[1}', malformed("line 1, column 8: '}'")],
    ['["\u{1f511}",x]', malformed('line 1, column 7')],
    ['{}\n{"a" 1}', malformed('line 2, column 6')],
    ['{} 7', trailing('line 1, column 4')],
    ['{"a":1}\n{"b":2}\n \nDone\nBye', trailing('line 4, column 1')],
    ['{"a":1}\n[INFO] done', trailing('line 2, column 1')],
    ['{},{"Secret":"a"}', trailing('line 1, column 3')],
    [`${LINES}Found 3, fixed 2.`, trailing('line 21, column 1')],
    ['[[1,', truncated(4)],
    ['{"a":nul', truncated(8)],
    ['["\\u00', truncated(6)],
    ['["a', truncated(3)],
    ['["a",1.\r\n', truncated(9)],
    ['{}\n{"a":1 \n', truncated(11)],
    ['{"a":"\n', truncated(7)],
  ])('says where and what is wrong, without foreign words: row %#', (text, problem) => {
    expect(inspect(text)).toMatchObject(problem);
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
