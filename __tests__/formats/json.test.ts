import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import {
  LARGE_SIZE,
  countSeverities,
  findFault,
  inspect,
  inspectEnds,
  mark,
} from '../support/documents.ts';

const PLAIN: Content = { format: 'json', syntax: 'json', inspected: 'full' };
const VALUES: Content = { format: 'unknown', syntax: 'ndjson', inspected: 'full' };
const CYCLONEDX: Content = { ...PLAIN, format: 'cyclonedx', specVersion: '1.5' };
const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.5"';

function describeValues(secondAt: number): string {
  return `several JSON values one after the other (NDJSON, the second at byte ${secondAt})`;
}

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

  test.each(['"text"', ' -42.5\n', 'null', '\ufeff7', ' \r\n\t{"a":[1,{"b":null}]}\n'])(
    'recognises %j as JSON',
    (text) => {
      expect(inspect(text)).toEqual(PLAIN);
    },
  );

  test.each([
    ['{"😀" 1}', 8],
    ['{"a":1,}', 7],
    ['{"a":"\t"}', 6],
    ['{}]', 2],
    ['{} 7', 3],
    ['{"a":NaN}', 5],
    ['{"a":nul}', 8],
    ['[1.]', 3],
    ['{}\u00a0', 2],
  ])('reports the byte at which %j is malformed', (text, offset) => {
    expect(findFault(text)).toBe(`is not well-formed JSON (at byte ${offset})`);
    expect(findFault(mark(text))).toBe(`is not well-formed JSON (at byte ${offset + 3})`);
  });

  test.each([
    ['{"a":1}\n{"b":2}\n', 8],
    ['[][]', 2],
    ['{"a":1}\r\n[2]\n{}', 9],
    [`${BOM}}\n${BOM}}\n`, 46],
  ])('recognises multiple values: %j', (text, offset) => {
    expect(inspect(text)).toEqual({ ...VALUES, kind: describeValues(offset) });
    expect(inspect(mark(text))).toEqual({ ...VALUES, kind: describeValues(offset + 3) });
  });

  test.each(['[]{', '{"a":1}\n{"b":', `${BOM}}\n{`])(
    'reports multiple values that do not end with a bracket as truncated: %j',
    (text) => {
      expect(inspect(text)).toMatchObject({ ...VALUES, fault: describeTruncated(text.length) });
    },
  );

  test('recognises a malformed document without counting its contents', () => {
    expect(inspect(`${BOM},"components":[{},{}],}`)).toEqual({
      ...CYCLONEDX,
      fault: 'is not well-formed JSON (at byte 66)',
    });
  });

  test('recognises and counts a document that is not UTF-8', () => {
    expect(inspect(latin1(`${BOM},"components":[{"name":"\xe9"}]}`))).toEqual({
      ...CYCLONEDX,
      components: 1,
      vulnerabilities: 0,
      severities: countSeverities({}),
      fault: 'is not valid UTF-8 (at byte 68)',
    });
  });

  test.each([
    ['{"a":"b"}\n\xe2\x82', 10],
    ['"caf\xe9"', 4],
    ['{"a":1}\n{"b":"\xe9"}\n', 14],
    ['{"\xe9" 1}', 2],
  ])('reports the byte at which %j is not UTF-8, rather than that it is malformed', (text, at) => {
    expect(findFault(latin1(text))).toBe(`is not valid UTF-8 (at byte ${at})`);
  });

  test('reports that a file is truncated rather than that it is not UTF-8', () => {
    expect(findFault(latin1('{"a":"\xc3'))).toBe(describeTruncated(7));
  });

  test('reports where a long text is malformed only if V8 reports it', () => {
    const long = `[${'1,'.repeat(600_000)}`;
    expect(findFault(`${long}1 2]`)).toBe(`is not well-formed JSON (at byte ${long.length + 2})`);
    expect(findFault(`${long}]`)).toBe('is not well-formed JSON');
    expect(findFault(long)).toBe(describeTruncated(long.length));
  });

  test('recognises a document that is malformed or truncated after a million characters', () => {
    const long = `${BOM},"components":[${'{},'.repeat(400_000)}`;
    expect(inspect(`${long}{}} `)).toMatchObject(CYCLONEDX);
    expect(inspect(long)).toMatchObject(CYCLONEDX);
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
    expect(inspectEnds(head, tail)).toEqual({ ...content, fault: TRUNCATED });
  });

  test.each([
    ['{"a":[', ''],
    ['[', ' \r\n\t '],
    [`{"a":1}`, '  '],
  ])('reports no problem if the end is white space: %j … %j', (head, tail) => {
    expect(inspectEnds(head, tail)).toEqual(PARTIAL);
  });

  test('reports that the head is malformed or not UTF-8', () => {
    expect(inspectEnds(`${BOM},"components":[}`, ']}')).toEqual({
      ...LARGE,
      fault: 'is not well-formed JSON (at byte 59)',
    });
    expect(inspectEnds(latin1('["caf\xe9","'), '"]')).toEqual({
      ...PARTIAL,
      fault: 'is not valid UTF-8 (at byte 5)',
    });
  });

  test.each<[string, string | undefined]>([
    ['{"z":1}', undefined],
    ['}\n[2] ', undefined],
    ['"z', TRUNCATED],
    ['[1', TRUNCATED],
  ])('recognises multiple values that end with %j, and reports %j', (tail, fault) => {
    const kind = describeValues(8);
    const content = { ...VALUES, inspected: 'partial', kind, fault };
    expect(inspectEnds('{"a":1}\n[2]\n{"a"', tail)).toEqual(content);
  });
});
