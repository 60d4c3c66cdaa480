import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { closeHead } from '../../src/formats/parse-json.ts';
import {
  LARGE_SIZE,
  findProblem,
  inspect,
  inspectAlone,
  inspectEnds,
  latin1,
  mark,
} from '../support/documents.ts';

const PLAIN: Content = { format: 'json', syntax: 'json', inspected: 'full' };
const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
/** A stream is recognised by its first documents. */
const STREAM: Content = { ...PARTIAL, syntax: 'ndjson' };
const TEXT: Content = { format: 'unknown', kind: 'text', inspected: 'full' };
const CYCLONEDX: Content = { ...PLAIN, format: 'cyclonedx', specVersion: '1.5' };
const CYCLONEDX_STREAM: Content = { ...CYCLONEDX, ...STREAM, format: 'cyclonedx' };
const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.5"';
const YARN = '{"type":"auditSummary","data":{"vulnerabilities":{}}}\n';
const MISENCODED = { problem: 'is not valid UTF-8', isMisencoded: true } as const;
const LINES = '{}\n'.repeat(20);

function truncated(size: number): { readonly problem: string } {
  return { problem: `is truncated: its JSON ends too early, at byte ${size}` };
}
function malformed(offset?: number): { readonly problem: string } {
  const place = offset === undefined ? '' : ` (at byte ${offset})`;
  return { problem: `is not well-formed JSON${place}` };
}
function trailing(offset: number, stray: string): Partial<Content> {
  return { problem: `has other text after its JSON (at byte ${offset})`, stray };
}

describe('inspectJson of a whole file', () => {
  test('takes no other text for JSON', () => {
    const texts = '|nothing found|42 findings|42\n{}|"text|tru|<a/>|\u001f{}|}|\ufeff\ufeff{}';
    for (const text of texts.split('|')) expect(inspect(text).syntax).not.toBe('json');
    const never =
      "[CRITICAL] shop: 1 problem|[+] done|{{ template }}|{'a': 1}|[2026-11-22] a|12 [HIGH] findings";
    for (const text of never.split('|')) {
      expect(inspect(text)).toEqual(TEXT);
      expect(inspectEnds(text, 'end')).toEqual({ ...TEXT, inspected: 'partial' });
    }
  });

  test.each(['"text"', '""', ' -42.5\n', '0', 'true', '\ufeff7'])('reads one value: %j', (text) => {
    expect(inspect(text)).toEqual({ ...PLAIN, kind: 'scalar' });
  });

  test.each<[string, Content]>([
    [' \r\n\t{"a":[1,{"b":null}]}\n', PLAIN],
    ['null\n{"results":[]}\n', { ...TEXT, stray: 'null' }],
    ['"a"\n[]', { ...TEXT, stray: '"a"' }],
    ['{"a":1}\n{"b":2}\n', STREAM],
    ['[][]', STREAM],
    ['{"a":1}\r\n[2]\n{}', STREAM],
    ['{\n  "a": [\n    "}\\"{"\n  ]\n}\n{\n}\n', STREAM],
    [`${BOM},"components":[{}]}\n${YARN}`, CYCLONEDX_STREAM],
    [`${YARN}${BOM}}\n`, CYCLONEDX_STREAM],
    [`{}\n${BOM}}\n${BOM.replace('1.5', '1.6')}}`, CYCLONEDX_STREAM],
    [`${'{}\n'.repeat(9)}${YARN}`, { ...STREAM, format: 'yarn-audit' }],
    [`${'{}\n'.repeat(10)}${YARN}`, STREAM],
    // The contents of a malformed document are not counted.
    [`${BOM},"components":[{}],}`, { ...CYCLONEDX, ...malformed(63) }],
    [`${BOM},"components":[${'{},'.repeat(100)}nope]}`, { ...CYCLONEDX, ...malformed() }],
  ])('recognises text %#', (text, content) => {
    expect(inspect(text)).toEqual(content);
  });

  test.each<[string, number]>([
    ['{"😀" 1}', 8],
    ['{"a":1,}', 7],
    ['{"a":"\t"}', 6],
    ['["a",1.]', 7],
    ['[1,2.]', 5],
    ['{}\n{"a" 1}', 8],
    ['{}]', 2],
    ['{},{"Secret":"a"}', 2],
    ['{}: "a"', 2],
    ['{}ret", "Secret":"a"}', 2],
    ['{"a":1} {"b" ]} {}', 13],
    [`${LINES}}`, 60],
    [`${LINES}]`, 60],
    [`${LINES},{"Secret":"a"}`, 60],
  ])('reports the byte of what is malformed: row %#', (text, offset) => {
    expect(inspect(text)).toMatchObject(malformed(offset));
    expect(inspect(mark(text))).toMatchObject(malformed(offset + 3));
  });

  test('reports what is malformed, at most with a place that the parser reports', () => {
    const texts = ['{"a":NaN}', '["a", " in JSON at position 1"x]', `[${'1,'.repeat(600_000)}]`];
    for (const text of texts) {
      expect(findProblem(text)).toMatch(/^is not well-formed JSON( \(at byte \d+\))?$/);
    }
  });

  test.each<[string, number, string]>([
    ['{} 7', 3, '7'],
    ['{}\nlevel=info msg="done"\n"a":1', 3, 'level=info msg="done"'],
    ['{"a":1}\nDone in 3.21s.\n\n', 8, 'Done in 3.21s.'],
    ['{"a":1}\n{"b":2}\n \nDone\nBye', 18, 'Done'],
    ['{"a":1}\n[INFO] done', 8, '[INFO] done'],
    [`${'[{}]\n'.repeat(20)}[INFO] done in {}\n[INFO] bye`, 100, '[INFO] done in {}'],
    [`${LINES}Found 3, fixed 2.`, 60, 'Found 3, fixed 2.'],
  ])('reports the text after JSON: row %#', (text, offset, stray) => {
    expect(inspect(text)).toMatchObject({ format: 'json', ...trailing(offset, stray) });
  });

  test('reports as truncated what ends inside of a value, wherever V8 reports an error', () => {
    const texts = ['[1,', '{"a":nul', '["\\u00', '[tru\n', '[1.\r\n', '["\\ \n', '{"a":1 \n'];
    for (const text of texts) expect(inspect(text)).toMatchObject(truncated(text.length));
    const streams = ['[]{', '{"a":1}\n{"b":', `${BOM}}\n{`, '{}{"a":"}', `${LINES}{"a":[1`];
    for (const text of streams) {
      expect(inspect(text)).toMatchObject({ syntax: 'ndjson', ...truncated(text.length) });
    }
    expect(inspect(latin1('{"a":"\xc3'))).toMatchObject(truncated(7));
  });

  test('reports what is not UTF-8, rather than that it is malformed, and counts it', () => {
    const texts = ['{"a":"b"}\n\xe2\x82', '"caf\xe9"', '{"a":1}\n{"b":"\xe9"}\n', '{"\xe9" 1}'];
    for (const text of texts) expect(inspect(latin1(text))).toMatchObject(MISENCODED);
    const bom = latin1(`${BOM},"components":[{"name":"\xe9"}]}`);
    expect(inspect(bom)).toEqual({ ...CYCLONEDX, components: 1, ...MISENCODED });
  });

  const DENSE = '[],'.repeat(1_000_000);
  const SPACES = ' '.repeat(2000);
  const LONG = `${BOM},"components":[${'{},'.repeat(400_000)}`;
  test.each<[string, string, Partial<Content>]>([
    ['a report that is malformed after a million characters', `${LONG}{}} `, CYCLONEDX],
    ['a report that is truncated after a million characters', LONG, CYCLONEDX],
    ['a stream of many documents', `${'{}\n'.repeat(500_000)}[1]`, STREAM],
    ['a stream with long documents', `{}${SPACES}{${SPACES}}`.repeat(9), STREAM],
    ['fewer values than too many', `[${DENSE.slice(6)}0]`, PLAIN],
    ['nothing but too many brackets', '['.repeat(2_000_000), { inspected: 'partial' }],
    ['brackets in a text', JSON.stringify({ a: DENSE }), PLAIN],
    ['a report with too many', `${BOM},"a":[${DENSE}0]}`, { ...CYCLONEDX, inspected: 'partial' }],
    ['a stream with too many', '{}\n'.repeat(2_000_000), STREAM],
    ['a truncated list with too many', `[${DENSE}0`, truncated(3_000_002)],
    ['another text with too many', `a${DENSE}`, TEXT],
  ])('reads %s', (_, text, content) => {
    expect(inspect(text)).toMatchObject(content);
  });
});

describe('inspectJson of both ends of a large file', () => {
  const LARGE: Content = { ...CYCLONEDX, inspected: 'partial' };
  const TRUNCATED = truncated(LARGE_SIZE);
  const FINDING = '{"finding":{"osv":"GO-1","trace":[]}}\n';

  test.each<[string, string, Content]>([
    ['[{"a":1},', '{"b":2}]\n', PARTIAL],
    ['\ufeff{"results":["', '"]}', PARTIAL],
    ['{"a":"\\"[{', '}', PARTIAL],
    ['{"error":"x","path":"', '"}', PARTIAL],
    [` ${BOM},"components":[{"name":"caf`, '\\"}]} \n', LARGE],
    ['{"bomFormat":"CycloneDX","components":[],"specVersion":"1.5","a":{"b', '}', LARGE],
    [`${BOM},"components":[`, '],"bomFormat":"Other","specVersion":"2.0"}', LARGE],
    ['{"matches":[{"vulnerability":{"id":"a"},"artifact":{', ']}', { ...PARTIAL, format: 'grype' }],
    ['[{"vulnerabilities":[{"id":"SNYK-A-1"},', ']}]', { ...PARTIAL, format: 'snyk' }],
    [String.raw`{"a":"{\"bomFormat\":\"CycloneDX\",",`, '}', PARTIAL],
    // An end of white space says nothing.
    ['{"a":[', '', PARTIAL],
    ['[', ' \r\n\t ', PARTIAL],
    ['{"a":1}', '  ', PARTIAL],
    ['{"a":[', '1,2', { ...PARTIAL, ...TRUNCATED }],
    ['{"a":[', '1]', { ...PARTIAL, ...TRUNCATED }],
    ['[{"a":', '1}', { ...PARTIAL, ...TRUNCATED }],
    ['["a', 'a\u00a0', { ...PARTIAL, ...TRUNCATED }],
    [`${BOM},"components":[`, '{"name":"a', { ...LARGE, ...TRUNCATED }],
    [`${BOM},"a":[],}`, '}', { ...LARGE, ...malformed(52) }],
    ['{"a":1}\n[2]\n{"a"', '{"z":1}', STREAM],
    ['{"a":1}\n[2]\n{"a"', '"z', { ...STREAM, ...TRUNCATED }],
    ['{"a":1}\n[2]\n{"a"', '[1', { ...STREAM, ...TRUNCATED }],
    [`${FINDING}${FINDING}`, FINDING, { ...STREAM, format: 'govulncheck' }],
    ['{"n":1}\n', '{}', PARTIAL],
    ['{"n":1}\nINFO x\n', '{}', { ...PARTIAL, ...trailing(8, 'INFO x') }],
    ['[]\nINFO x\n', '{}', { ...PARTIAL, ...trailing(3, 'INFO x') }],
    ['{"n":1}\n{}\n[INFO] done\n', '{}', { ...STREAM, ...trailing(11, '[INFO] done') }],
  ])('recognises head and tail %#', (head, tail, content) => {
    expect(inspectEnds(head, tail)).toEqual(content);
  });

  test('does not recognise JSON that is one value, and reports what is not UTF-8', () => {
    for (const text of ['42', '42,', '"text"', 'null', 'text']) {
      expect(inspectEnds(text, text).syntax).toBeUndefined();
    }
    expect(inspectEnds(latin1('["caf\xe9","'), '"]')).toEqual({ ...PARTIAL, ...MISENCODED });
  });
});

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
  ['[1]}],2', '[1]'],
  ['{}\n[] [INFO] {', '{}\n[]'],
])('closeHead closes %j', (head, closed) => {
  expect(closeHead(head)).toBe(closed);
});

test('inspectJson reads hostile texts in linear time', () => {
  const texts = [
    `'['.repeat(n) + ']'.repeat(n)`,
    `'['.repeat(n)`,
    `'['.repeat(n) + '}'`,
    `'[' + '[],'.repeat(n) + ']'`,
    `'[' + ' '.repeat(n) + 'x'`,
    `'['.repeat(n) + '],['.repeat(n)`,
    `'["' + '\\\\'.repeat(n)`,
    `'{}{}' + ' '.repeat(n) + 'x'`,
  ];
  expect(inspectAlone(texts, 300_000)).toBe(texts.length);
});
