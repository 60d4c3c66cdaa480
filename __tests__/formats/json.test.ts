import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { closeHead } from '../../src/formats/parse-json.ts';
import {
  LARGE_SIZE,
  findProblem,
  inspect,
  inspectAlone,
  inspectEnds,
  mark,
} from '../support/documents.ts';

const PLAIN: Content = { format: 'json', syntax: 'json', inspected: 'full' };
/** A stream is recognised by its first documents. */
const STREAM: Content = { ...PLAIN, syntax: 'ndjson', inspected: 'partial' };
const CYCLONEDX: Content = { ...PLAIN, format: 'cyclonedx', specVersion: '1.5' };
const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.5"';

function describeTruncated(size: number): string {
  return `is truncated: its JSON ends too early, at byte ${size}`;
}

/** A text with one byte per character. */
function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

describe('inspectJson of a whole file', () => {
  test.each([
    '',
    'nothing found',
    '42 findings',
    '42\n{}',
    '"text',
    'tru',
    '<a/>',
    '\u001f{}',
    '}',
    '\ufeff\ufeff{}',
  ])('does not take %j for JSON', (text) => {
    expect(inspect(text).syntax).not.toBe('json');
  });

  test.each(['"text"', '""', ' -42.5\n', '0', 'true', '\ufeff7'])(
    'recognises %j as JSON that is a single value',
    (text) => {
      expect(inspect(text)).toEqual({ ...PLAIN, kind: 'scalar' });
    },
  );

  test('recognises JSON with white space around it', () => {
    expect(inspect(' \r\n\t{"a":[1,{"b":null}]}\n')).toEqual(PLAIN);
  });

  test.each([
    ['{"😀" 1}', 8],
    ['{"a":1,}', 7],
    ['{"a":"\t"}', 6],
    ['["a",1.]', 7],
    ['[1,2.]', 5],
    ['{}\n{"a" 1}', 8],
    ['{}]', 2],
    ['{},{"Secret":"a"}', 2],
    ['{}\n{}}', 5],
    ['{}: "a"', 2],
    ['{}ret", "Secret":"a"}', 2],
    ['{"a":1} {"b" ]} {}', 13],
    [`${'{}\n'.repeat(20)}}`, 60],
    [`${'{}\n'.repeat(20)}]`, 60],
    [`${'{}\n'.repeat(20)},{"Secret":"a"}`, 60],
  ])('reports the byte at which %j is malformed', (text, offset) => {
    expect(findProblem(text)).toBe(`is not well-formed JSON (at byte ${offset})`);
    expect(findProblem(mark(text))).toBe(`is not well-formed JSON (at byte ${offset + 3})`);
  });

  test.each([
    '{"a":1}\n{"b":2}\n',
    '[][]',
    '{"a":1}\r\n[2]\n{}',
    '{\n  "a": [\n    "}\\"{"\n  ]\n}\n{\n}\n',
    `${'{}\n'.repeat(500_000)}[1]`,
    `{}${' '.repeat(2000)}{${' '.repeat(2000)}}`.repeat(20),
  ])('recognises a stream: %j', (text) => {
    expect(inspect(text)).toEqual(STREAM);
    expect(inspect(mark(text))).toEqual(STREAM);
  });

  test.each([
    ['[]{', 1],
    ['{"a":1}\n{"b":', 1],
    [`${BOM}}\n{`, 1],
    ['{}{"a":"}', 1],
    ['{"a":{}}\n{"a":{}', 20],
    ['{}\n{"a":[1', 20],
  ])('reports a stream whose last value is cut as truncated: %j, %i times', (text, count) => {
    const cut = `${'{}\n'.repeat(count - 1)}${text}`;
    expect(inspect(cut)).toMatchObject({
      syntax: 'ndjson',
      problem: describeTruncated(cut.length),
    });
  });

  test.each([
    ['first', ''],
    ['after others', '{"level":"info"}\n{}\n'],
  ])('recognises the report in a stream that is %s, without counting it', (_, before) => {
    const text = `${before}${BOM},"components":[{}]}\n${BOM.replace('1.5', '1.6')}}\n`;
    expect(inspect(text)).toEqual({ ...CYCLONEDX, syntax: 'ndjson', inspected: 'partial' });
  });

  test.each([
    '[CRITICAL] shop: 1 problem',
    '[+] done',
    '{{ template }}',
    "{'a': 1}",
    '[2026-11-22] a',
    '12 [HIGH] findings',
  ])('takes %j, which was never JSON, for text', (text) => {
    expect(inspect(text)).toEqual({ format: 'unknown', kind: 'text', inspected: 'full' });
    const large = { format: 'unknown', kind: 'text', inspected: 'partial' };
    expect(inspectEnds(text, 'end')).toEqual(large);
  });

  test.each([
    ['null\n{"results":[]}\n', 'null'],
    ['"a"\n[]', '"a"'],
  ])('takes %j for JSON after other text', (text, stray) => {
    expect(inspect(text)).toEqual({ format: 'unknown', kind: 'text', inspected: 'full', stray });
  });

  test.each([
    ['{} 7', 3, '7'],
    ['{}\nlevel=info msg="done"\n"a":1', 3, 'level=info msg="done"'],
    ['{"a":1}\nDone in 3.21s.\n\n', 8, 'Done in 3.21s.'],
    ['{"a":1}\n{"b":2}\n \nDone\nBye', 18, 'Done'],
    ['{"a":1}\n[INFO] done', 8, '[INFO] done'],
    [`${'[{}]\n'.repeat(20)}[INFO] done in {}\n[INFO] bye`, 100, '[INFO] done in {}'],
    [`${'{}\n'.repeat(20)}Found 3, fixed 2.`, 60, 'Found 3, fixed 2.'],
  ])('reports the text after the JSON of %j', (text, offset, stray) => {
    const problem = `has other text after its JSON (at byte ${offset})`;
    expect(inspect(text)).toMatchObject({ format: 'json', problem, stray });
  });

  test.each([
    ['{"n":1}\nINFO x\n', 'INFO x'],
    ['[]\nINFO x\n', 'INFO x'],
    ['{"n":1}\n{}\n[INFO] done\n', '[INFO] done'],
  ])('reports the text between the documents %j and others of a large file', (text, stray) => {
    const position = text.indexOf(stray);
    expect(inspectEnds(text, '{}')).toMatchObject({
      problem: `has other text after its JSON (at byte ${position})`,
      stray,
    });
    expect(inspectEnds('{"n":1}\n', '{}')).not.toHaveProperty('problem');
  });

  test('recognises the report that was appended to a stream', () => {
    const yarn = '{"type":"auditSummary","data":{"vulnerabilities":{}}}\n';
    expect(inspect(yarn)).toMatchObject({ format: 'yarn-audit' });
    for (const text of [`${yarn}${BOM}}\n`, `${BOM}}\n${yarn}`]) {
      expect(inspect(text)).toMatchObject({ format: 'cyclonedx', syntax: 'ndjson' });
    }
    expect(inspect(`{}\n${yarn}`)).toMatchObject({ format: 'yarn-audit' });
  });

  test('recognises a malformed document without counting its contents', () => {
    expect(inspect(`${BOM},"components":[{},{}],}`)).toEqual({
      ...CYCLONEDX,
      problem: 'is not well-formed JSON (at byte 66)',
    });
  });

  test('recognises and counts a document that is not UTF-8', () => {
    expect(inspect(latin1(`${BOM},"components":[{"name":"\xe9"}]}`))).toEqual({
      ...CYCLONEDX,
      components: 1,
      problem: 'is not valid UTF-8',
      isMisencoded: true,
    });
  });

  test.each(['{"a":"b"}\n\xe2\x82', '"caf\xe9"', '{"a":1}\n{"b":"\xe9"}\n', '{"\xe9" 1}'])(
    'reports that %j is not UTF-8, rather than that it is malformed',
    (text) => {
      expect(findProblem(latin1(text))).toBe('is not valid UTF-8');
    },
  );

  test('reports that a file is truncated rather than that it is not UTF-8', () => {
    expect(findProblem(latin1('{"a":"\xc3'))).toBe(describeTruncated(7));
  });

  test.each([
    '{"a":NaN}',
    '["a",1.]',
    '["a", " in JSON at position 1"x]',
    `[${'1,'.repeat(600_000)}]`,
  ])('reports %j as malformed without a place that the parser does not report', (text) => {
    expect(findProblem(text)).toMatch(/^is not well-formed JSON( \(at byte \d+\))?$/);
  });

  test.each(['[1,', '{"a":nul', '["\\u00', '[tru\n', '[1.\r\n', '["\\ \n', '{"a":1 \n'])(
    'reports %j as truncated, wherever V8 reports an error',
    (text) => {
      expect(findProblem(text)).toBe(describeTruncated(text.length));
    },
  );

  test('recognises a malformed document by a part before an error of unknown place', () => {
    const text = `${BOM},"components":[${'{},'.repeat(100)}nope]}`;
    expect(inspect(text)).toEqual({ ...CYCLONEDX, problem: 'is not well-formed JSON' });
  });

  test('recognises a document that is malformed or truncated after a million characters', () => {
    const long = `${BOM},"components":[${'{},'.repeat(400_000)}`;
    expect(inspect(`${long}{}} `)).toMatchObject(CYCLONEDX);
    expect(inspect(long)).toMatchObject(CYCLONEDX);
  });
});

describe('inspectJson of a text with more values than any scan', () => {
  const DENSE = '[],'.repeat(1_000_000);

  test.each<[string, string, Partial<Content>]>([
    ['fewer values', `[${DENSE.slice(6)}0]`, { inspected: 'full' }],
    ['such a list', `[${DENSE}0]`, { inspected: 'partial' }],
    ['brackets in a text', JSON.stringify({ a: DENSE }), { inspected: 'full' }],
    [
      'a report with such a list',
      `${BOM},"a":[${DENSE}0]}`,
      { ...CYCLONEDX, inspected: 'partial' },
    ],
    ['a stream', '{}\n'.repeat(2_000_000), { syntax: 'ndjson', inspected: 'partial' }],
    ['a truncated list', `[${DENSE}0`, { problem: describeTruncated(3_000_002) }],
    ['another text', `a${DENSE}`, { format: 'unknown', inspected: 'full' }],
  ])('reads %s by its ends', (_, text, content) => {
    expect(inspect(text)).toMatchObject(content);
  });
});

describe('inspectJson of both ends of a large file', () => {
  const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
  const LARGE: Content = { ...CYCLONEDX, inspected: 'partial' };
  const TRUNCATED = describeTruncated(LARGE_SIZE);

  test.each<[string, string, Content]>([
    ['[{"a":1},', '{"b":2}]\n', PARTIAL],
    ['\ufeff{"results":["', '"]}', PARTIAL],
    ['{', '}', PARTIAL],
    ['{"a":"\\"[{', '}', PARTIAL],
    ['{"error":"x","path":"', '"}', PARTIAL],
    [` ${BOM},"components":[{"name":"caf`, '\\"}]} \n', LARGE],
    ['{"bomFormat":"CycloneDX","components":[],"specVersion":"1.5","a":{"b', '}', LARGE],
    [`${BOM},"components":[`, '],"bomFormat":"Other","specVersion":"2.0"}', LARGE],
    [
      '{"matches":[{"vulnerability":{"id":"a"},"artifact":{"name"',
      '],"descriptor":{"name":"grype","version":"1"}}',
      { ...PARTIAL, format: 'grype' },
    ],
    ['[{"vulnerabilities":[{"id":"SNYK-A-1"},', ']}]', { ...PARTIAL, format: 'snyk' }],
    ['{"metadata":{"bomFormat":"CycloneDX"},', '}', PARTIAL],
    ['{"bomFormat":"Other","a":"CycloneDX",', '}', PARTIAL],
    ['{"bomFormat":"CycloneDX', '"}', PARTIAL],
    [String.raw`{"a":"{\"bomFormat\":\"CycloneDX\",",`, '}', PARTIAL],
  ])('recognises %s … %s by its head', (head, tail, content) => {
    expect(inspectEnds(head, tail)).toEqual(content);
  });

  test.each(['42', '42,', '"text"', 'null', 'text'])(
    'does not recognise a large file that begins with %s as JSON',
    (text) => {
      expect(inspectEnds(text, text).syntax).toBeUndefined();
    },
  );

  test.each<[string, string, Content]>([
    ['{"a":[', '1,2', PARTIAL],
    ['{"a":[', '1]', PARTIAL],
    ['[{"a":', '1}', PARTIAL],
    ['["a', 'a\u00a0', PARTIAL],
    [`${BOM},"components":[`, '{"name":"a', LARGE],
  ])('reports %s … %j as truncated', (head, tail, content) => {
    expect(inspectEnds(head, tail)).toEqual({ ...content, problem: TRUNCATED });
  });

  test.each([
    ['{"a":[', ''],
    ['[', ' \r\n\t '],
    [`{"a":1}`, '  '],
  ])('reports no problem if the end is white space: %j … %j', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual(PARTIAL);
  });

  test('reports that the head is malformed or not UTF-8', () => {
    expect(inspectEnds(`${BOM},"components":[],}`, ']}')).toEqual({
      ...LARGE,
      problem: 'is not well-formed JSON (at byte 61)',
    });
    expect(inspectEnds(latin1('["caf\xe9","'), '"]')).toEqual({
      ...PARTIAL,
      problem: 'is not valid UTF-8',
      isMisencoded: true,
    });
  });

  test('does not count the findings of a stream', () => {
    const line = '{"finding":{"osv":"GO-1","trace":[]}}\n';
    const content = { ...STREAM, format: 'govulncheck', inspected: 'partial' };
    expect(inspectEnds(line + line, line)).toEqual(content);
  });

  test.each<[string, string | undefined]>([
    ['{"z":1}', undefined],
    ['}\n[2] ', undefined],
    ['"z', TRUNCATED],
    ['[1', TRUNCATED],
  ])('recognises a stream that ends with %j, and reports %j', (tail, problem) => {
    const content = { ...STREAM, inspected: 'partial', problem };
    expect(inspectEnds('{"a":1}\n[2]\n{"a"', tail)).toEqual(content);
    expect(inspectEnds('{"a":1}\n[2]\n{"a"', tail)).toEqual(content);
  });
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
    ['[1]}],2', '[1]'],
    ['{}\n[] [INFO] {', '{}\n[]'],
  ])('closes %j', (head, closed) => {
    expect(closeHead(head)).toBe(closed);
  });
});

test('inspectJson reads hostile texts in linear time', () => {
  const MIB = 1024 * 1024;
  const texts = [
    `'['.repeat(${MIB}) + ']'.repeat(${MIB})`,
    `'['.repeat(${MIB})`,
    `'['.repeat(${MIB / 2}) + '}'`,
    `'[' + '[],'.repeat(${MIB / 4}) + ']'`,
    `'[' + ' '.repeat(${32 * MIB}) + 'x'`,
    `'['.repeat(${MIB / 2}) + '],['.repeat(${MIB / 6})`,
    `'["' + '\\\\'.repeat(${MIB / 2})`,
    `'{}{}' + ' '.repeat(${MIB}) + 'x'`,
  ];
  expect(inspectAlone(texts)).toBe(texts.length);
});
