import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { inspectBytes } from '../../src/formats/inspect.ts';
import { LARGE_SIZE, countSeverities, inspectEnds } from '../support/documents.ts';

const PLAIN: Content = { format: 'json', syntax: 'json', inspected: 'full' };
const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.5"';
const MARK = Buffer.from('\ufeff');

const VALUES: Content = { format: 'unknown', syntax: 'ndjson', inspected: 'full' };

function describeValues(secondAt: number): string {
  return `several JSON values one after the other (NDJSON, the second at byte ${secondAt})`;
}

/** What is said of a file that was read whole. */
function inspect(content: string | Buffer): Content {
  return inspectBytes(Buffer.from(content));
}

/** What is wrong with a text that was read whole. */
function findFault(content: string | Buffer): string | undefined {
  return inspect(content).fault;
}

/** A text behind a byte order mark. */
function mark(text: string): Buffer {
  return Buffer.concat([MARK, Buffer.from(text)]);
}

describe('inspectJson, of a whole file', () => {
  test.each([
    '',
    ' ',
    'a',
    'nothing found',
    '42 findings',
    '42\n{}',
    '"text',
    'tru',
    '<a/>',
    '\u001f{}',
    '%PDF-1.7',
    '}',
    '\ufeff\ufeff{}',
  ])('does not take %j for JSON', (text) => {
    expect(inspect(text).syntax).not.toBe('json');
  });

  test.each([
    '"text"',
    ' -42.5\n',
    'null',
    'true',
    '\ufeff7',
    '{}',
    '[]',
    '[[[]]]',
    ' \r\n\t{"a":[1,{"b":null}]}\n',
  ])('takes %j for JSON', (text) => {
    expect(inspect(text)).toEqual(PLAIN);
  });

  test('finds JSON truncated at every byte, and says how much there is', () => {
    const text =
      '{"a": [1, -2.5e+3, true, false, null], "b\\"\\u00e9": {"c": "d\\\\é😀"}, "e": [[], {}] }';
    const bytes = Buffer.from(text);
    for (let end = 1; end < bytes.length; end += 1) {
      for (const marked of [Buffer.alloc(0), MARK]) {
        const truncated = Buffer.concat([marked, bytes.subarray(0, end)]);
        expect([end, inspect(truncated)]).toEqual([
          end,
          { ...PLAIN, fault: `is truncated: its JSON ends too early, at byte ${truncated.length}` },
        ]);
      }
    }
    expect(findFault(text)).toBeUndefined();
  });

  test.each([
    ['{"a" 1}', 5],
    ['{"é" 1}', 6],
    ['{"😀" 1}', 8],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['{"a":"\t"}', 6],
    [String.raw`{"a":"\x"}`, 7],
    [String.raw`["\u00g0"]`, 6],
    ['{}]', 2],
    ['{} // end', 3],
    ['{} 7', 3],
    ['[01]', 2],
    ['{"a":NaN}', 5],
    ['{"a":undefined}', 5],
    ['{"a":nul}', 8],
    ['[TRUE]', 1],
    ['[,]', 1],
    ['[1,]', 3],
    ['[1.]', 3],
    ['[.5]', 1],
    ['[+5]', 1],
    ['[1e]', 3],
    ['[-]', 2],
    ['["a":1]', 4],
    ['{"a"}', 4],
    ['{1:2}', 1],
    ['[}', 1],
    ['{"a":1]', 6],
    ['{}\u00a0', 2],
  ])('counts in bytes where %j is wrong', (text, offset) => {
    expect(findFault(text)).toBe(`is not well-formed JSON (at byte ${offset})`);
    expect(findFault(mark(text))).toBe(`is not well-formed JSON (at byte ${offset + 3})`);
  });

  test.each([
    ['{"a":1}\n{"b":2}\n', 8],
    ['{} []', 3],
    ['[][]', 2],
    ['{"a":1}\r\n[2]\n{}', 9],
    [`${BOM}}\n${BOM}}\n`, 46],
  ])('knows several values in %j', (text, offset) => {
    expect(inspect(text)).toEqual({ ...VALUES, kind: describeValues(offset) });
    expect(inspect(mark(text))).toEqual({ ...VALUES, kind: describeValues(offset + 3) });
  });

  test('says where several values are not UTF-8', () => {
    const text = Buffer.from('{"a":1}\n{"b":"\xe9"}\n', 'latin1');
    expect(inspect(text)).toEqual({
      ...VALUES,
      kind: describeValues(8),
      fault: 'is not valid UTF-8 (at byte 14)',
    });
  });

  test.each([
    ['[]{', 3],
    ['{"a":1}\n{"b":', 13],
    ['{"a":1}\n{"b":2}\n[', 17],
    [`${BOM}}\n{`, 47],
  ])('finds several values truncated that do not end with a bracket: %j', (text, size) => {
    expect(inspect(text)).toMatchObject({
      ...VALUES,
      fault: `is truncated: its JSON ends too early, at byte ${size}`,
    });
  });

  test('reads the last of several members of one name, as JSON.parse does', () => {
    const twice = '{"bomFormat":"x","bomFormat":"CycloneDX","specVersion":"1","specVersion":"1.5"}';
    expect(inspect(twice)).toMatchObject({ format: 'cyclonedx', specVersion: '1.5' });
  });

  test('says what a broken document is, and counts nothing in it', () => {
    expect(inspect(`${BOM},"components":[{},{}],}`)).toEqual({
      format: 'cyclonedx',
      syntax: 'json',
      specVersion: '1.5',
      inspected: 'full',
      fault: 'is not well-formed JSON (at byte 66)',
    });
  });

  test('says where a document is not UTF-8, and what else it is', () => {
    const text = Buffer.from(`${BOM},"components":[{"name":"\xe9"}]}`, 'latin1');
    expect(inspect(text)).toEqual({
      format: 'cyclonedx',
      syntax: 'json',
      specVersion: '1.5',
      components: 1,
      vulnerabilities: 0,
      severities: countSeverities({}),
      inspected: 'full',
      fault: 'is not valid UTF-8 (at byte 68)',
    });
  });

  test('says it of bytes that are missing at the very end', () => {
    const text = Buffer.from('{"a":"b"}\n\xe2\x82', 'latin1');
    expect(findFault(text)).toMatch(/at byte 10\)$/);
  });

  test('says where a lone text is not UTF-8', () => {
    expect(findFault(Buffer.from('"caf\xe9"', 'latin1'))).toBe('is not valid UTF-8 (at byte 4)');
  });

  test('says that it is not UTF-8 rather than not JSON, and that it is truncated rather than either', () => {
    expect(findFault(Buffer.from('{"\xe9" 1}', 'latin1'))).toBe('is not valid UTF-8 (at byte 2)');
    expect(findFault(Buffer.from('{"a":"\xc3', 'latin1'))).toMatch(/^is truncated: .* at byte 7$/);
  });

  test('finds what is wrong in a long text, and its place where V8 says it', () => {
    const long = `[${'1,'.repeat(600_000)}`;
    expect(findFault(`${long}1 2]`)).toBe(`is not well-formed JSON (at byte ${long.length + 2})`);
    expect(findFault(`${long}]`)).toBe('is not well-formed JSON');
    expect(findFault(long)).toMatch(/^is truncated/);
  });

  test('says what a long document is that is broken beyond its first million characters', () => {
    const long = `${BOM},"components":[${'{},'.repeat(400_000)}`;
    expect(inspect(`${long}{}} `)).toMatchObject({ format: 'cyclonedx', specVersion: '1.5' });
    expect(inspect(long)).toMatchObject({ format: 'cyclonedx', specVersion: '1.5' });
  });
});

describe('inspectJson, of the ends of a large file', () => {
  const PARTIAL: Content = { ...PLAIN, inspected: 'partial' };
  const CYCLONEDX: Content = {
    format: 'cyclonedx',
    syntax: 'json',
    specVersion: '1.5',
    inspected: 'partial',
  };
  const TRUNCATED = `is truncated: its JSON ends too early, at byte ${LARGE_SIZE}`;

  test.each<[string, string, Content]>([
    ['{"results":[', ']}', PARTIAL],
    ['[{"a":1},', '{"b":2}]\n', PARTIAL],
    ['\ufeff{"results":["', '"]}', PARTIAL],
    ['{', '}', PARTIAL],
    ['{"a":"\\"[{', '}', PARTIAL],
    [`${BOM},"components":[{},{},`, '{}]}', CYCLONEDX],
    [` ${BOM},"components":[{"name":"caf`, '\\"}]} \n', CYCLONEDX],
    ['{"bomFormat":"CycloneDX","components":[],"specVersion":"1.5","a":{"b', '}', CYCLONEDX],
    [`${BOM},"components":[`, '],"bomFormat":"Other","specVersion":"2.0"}', CYCLONEDX],
    [
      '{"matches":[{"vulnerability":{"id":"a"},"artifact":{"name"',
      '],"descriptor":{"name":"grype","version":"1"}}',
      { format: 'grype', syntax: 'json', inspected: 'partial' },
    ],
    [
      '[{"vulnerabilities":[{"id":"SNYK-A-1"},',
      ']}]',
      { format: 'snyk', syntax: 'json', inspected: 'partial' },
    ],
  ])('says what %s … %s is by its head', (head, tail, content) => {
    expect(inspectEnds(head, tail)).toEqual(content);
  });

  test.each([
    ['{"metadata":{"bomFormat":"CycloneDX"},', '}'],
    ['[{"bomFormat":"CycloneDX"},', ']'],
    ['["bomFormat","CycloneDX",', ']'],
    ['{"bomFormat":{"b":"CycloneDX"},', '}'],
    ['{"bomFormat":"Other","a":"CycloneDX",', '}'],
    ['{"bomFormat":"CycloneDX', '"}'],
    [String.raw`{"a":"{\"bomFormat\":\"CycloneDX\",",`, '}'],
  ])('does not take %s … %s for CycloneDX', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual(PARTIAL);
  });

  test.each(['42', '42,', '"text"', 'null', 'true', 'text'])(
    'does not take a large file that begins with %s for JSON',
    (text) => {
      expect(inspectEnds(text, text).syntax).toBeUndefined();
    },
  );

  test.each([
    ['{"a":[', '1,2'],
    ['{"a":[', '1]'],
    ['[{"a":', '1}'],
    ['["a', 'a\u00a0'],
  ])('finds %j … %j truncated', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual({ ...PARTIAL, fault: TRUNCATED });
  });

  test.each([
    ['{"a":[', ''],
    ['[', ' \r\n\t '],
    [`{"a":1}`, '  '],
  ])('finds nothing wrong where white space hides the end: %j … %j', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual(PARTIAL);
  });

  test('says what a truncated document is', () => {
    expect(inspectEnds(`${BOM},"components":[`, '{"name":"a')).toEqual({
      ...CYCLONEDX,
      fault: TRUNCATED,
    });
  });

  test('finds what is malformed or not UTF-8 in the head', () => {
    expect(inspectEnds(`${BOM},"components":[}`, ']}')).toEqual({
      ...CYCLONEDX,
      fault: 'is not well-formed JSON (at byte 59)',
    });
    expect(inspectEnds(Buffer.from('["caf\xe9","', 'latin1'), '"]')).toEqual({
      ...PARTIAL,
      fault: 'is not valid UTF-8 (at byte 5)',
    });
  });

  test.each([1, 2, 3])('accepts a head that ends %i bytes into a character', (bytes) => {
    const head = Buffer.concat([Buffer.from('["'), Buffer.from('😀').subarray(0, bytes)]);
    expect(inspectEnds(head, '"]')).toEqual(PARTIAL);
  });

  test.each(['{"z":1}', '[1]', '}\n[2] '])('knows several values that end with %j', (tail) => {
    expect(inspectEnds('{"a":1}\n[2]\n{"a"', tail)).toEqual({
      ...VALUES,
      inspected: 'partial',
      kind: describeValues(8),
    });
  });

  test.each(['{"z":1', '"z', '[1', ','])('finds several values truncated: … %j', (tail) => {
    expect(inspectEnds('{"a":1}\n{"a"', tail)).toEqual({
      ...VALUES,
      inspected: 'partial',
      kind: describeValues(8),
      fault: TRUNCATED,
    });
  });
});
