import { describe, expect, jest, test } from '@jest/globals';
import { join } from 'node:path';
import type { Content } from '../../src/formats/content.ts';
import { MAX_PARSED_BYTES, HEAD_BYTES, inspectContent } from '../../src/formats/inspect.ts';
import { MAX_VALUES } from '../../src/formats/lookup.ts';
import { makeFolder } from '../support/directories.ts';
import { countSeverities } from '../support/documents.ts';
import { openFile } from '../support/files.ts';

const BOM_BYTES = Buffer.from([0xef, 0xbb, 0xbf]);
const MIB = 1024 * 1024;
const UNSTOPPED = new AbortController().signal;

/** Inspects a file with this content, whose size is taken for `size`. */
async function inspect(content: string | Buffer, size?: number): Promise<Content> {
  const bytes = Buffer.from(content);
  const directory = await makeFolder({ file: bytes });
  return inspectContent(await openFile(join(directory, 'file')), size ?? bytes.length, UNSTOPPED);
}

/** A text behind a byte order mark. */
function mark(text: string): Buffer {
  return Buffer.concat([BOM_BYTES, Buffer.from(text)]);
}

function encodeUtf16(text: string, byteOrder: 'LE' | 'BE'): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return byteOrder === 'LE' ? bytes : bytes.swap16();
}

/** Exactly so many bytes: two texts with `filling`, over and over, between them. */
function fill(bytes: number, start: string, filling: string, end: string): string {
  const room = bytes - Buffer.byteLength(start) - Buffer.byteLength(end);
  const count = Math.floor(room / filling.length);
  return start + filling.repeat(count) + ' '.repeat(room - count * filling.length) + end;
}

/** A CycloneDX document of exactly so many bytes, with one component. */
function makeBom(bytes: number): string {
  return fill(
    bytes,
    '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"name":"',
    'a',
    '"}]}',
  );
}

const FULL: Content = {
  format: 'cyclonedx',
  syntax: 'json',
  specVersion: '1.6',
  components: 1,
  vulnerabilities: 0,
  severities: countSeverities({}),
  inspected: 'full',
};
const PARTIAL: Content = {
  format: 'cyclonedx',
  syntax: 'json',
  specVersion: '1.6',
  inspected: 'partial',
};
const LARGE = MAX_PARSED_BYTES + MIB;

describe('inspectContent', () => {
  test.each<[string, string | Buffer, Omit<Content, 'inspected'>]>([
    ['an empty file', '', { format: 'empty', fault: 'is empty (0 bytes)' }],
    ['white space', ' \r\n\t ', { format: 'empty', fault: 'holds only white space' }],
    ['a byte order mark alone', BOM_BYTES, { format: 'empty', fault: 'holds only white space' }],
    ['a mark and white space', mark(' \n'), { format: 'empty', fault: 'holds only white space' }],
    ['JSON', '{"results":[]}', { format: 'json', syntax: 'json' }],
    ['JSON behind a mark', mark(' {"a":1}'), { format: 'json', syntax: 'json' }],
    ['XML', '<results></results>', { format: 'xml', syntax: 'xml' }],
    ['XML behind a mark', mark('<a></a>'), { format: 'xml', syntax: 'xml' }],
    ['a JSON string', '"no findings"', { format: 'json', syntax: 'json' }],
    [
      'one object per line',
      '{"a":1}\n{"b":2}\n',
      {
        format: 'unknown',
        syntax: 'ndjson',
        kind: 'several JSON values one after the other (NDJSON, the second at byte 8)',
      },
    ],
    [
      'JSON in another encoding',
      Buffer.from('{"a":"\xe9"}', 'latin1'),
      { format: 'json', syntax: 'json', fault: 'is not valid UTF-8 (at byte 6)' },
    ],
    [
      'truncated JSON behind a mark',
      mark('{"é"'),
      { format: 'json', syntax: 'json', fault: 'is truncated: its JSON ends too early, at byte 8' },
    ],
    [
      'truncated XML',
      '<a><b/>',
      { format: 'xml', syntax: 'xml', fault: 'is truncated: its XML ends too early, at byte 7' },
    ],
  ])('knows %s', async (_, content, expected) => {
    expect(await inspect(content)).toEqual({ ...expected, inspected: 'full' });
  });

  test('reads on where a read gives less than it was asked for', async () => {
    const text = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{}]}';
    const directory = await makeFolder({ file: text });
    const handle = await openFile(join(directory, 'file'));
    const read = handle.read.bind(handle);
    const short = (
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
    ): ReturnType<typeof read> => read(buffer, offset, Math.min(length, 5), position);
    Object.defineProperty(handle, 'read', { value: short });
    expect(await inspectContent(handle, text.length, UNSTOPPED)).toEqual(FULL);
  });

  test('takes a file that shrinks meanwhile for what there is', async () => {
    expect(await inspect('{"a":1}', 100)).toEqual({
      format: 'json',
      syntax: 'json',
      inspected: 'full',
    });
    expect(await inspect('', 100)).toMatchObject({ format: 'empty' });
    expect(await inspect('{"a":', 100)).toMatchObject({
      fault: 'is truncated: its JSON ends too early, at byte 5',
    });
    expect(await inspect('{"a":1}', 4)).toMatchObject({
      fault: expect.stringMatching(/truncated/),
    });
    expect(await inspect('{"a":1}', LARGE)).toEqual({
      format: 'json',
      syntax: 'json',
      inspected: 'partial',
    });
  });

  test('counts nothing where there is more than a scan has', async () => {
    const results = Array.from({ length: MAX_VALUES }, () => 1);
    const rules = [{ id: 'a', properties: { 'security-severity': '9.8' } }];
    const driver = { name: 'lint', rules };
    const sarif = { format: 'sarif', syntax: 'json', specVersion: '2.1.0', tool: 'lint' } as const;
    const write = (count: number): string =>
      JSON.stringify({
        version: '2.1.0',
        runs: [{ tool: { driver }, results: results.slice(0, count) }],
      });
    expect(await inspect(write(MAX_VALUES - 1))).toEqual({
      ...sarif,
      findings: MAX_VALUES - 1,
      severities: countSeverities({ unknown: MAX_VALUES - 1 }),
      inspected: 'full',
    });
    expect(await inspect(write(MAX_VALUES))).toEqual({ ...sarif, inspected: 'partial' });
    const bom = '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components>';
    const components = '<component/>'.repeat(500_000);
    expect(await inspect(`${bom}${components}</components></bom>`)).toEqual({
      format: 'cyclonedx',
      syntax: 'xml',
      specVersion: '1.6',
      inspected: 'partial',
    });
    expect(await inspect(`${bom}${components}</component></bom>`)).toMatchObject({
      fault: expect.stringMatching(/^is not well-formed XML/),
    });
    expect(await inspect(`${bom}${components}`)).toMatchObject({
      fault: expect.stringMatching(/^is truncated/),
    });
  });

  test('stops reading when its signal fires', async () => {
    const directory = await makeFolder({ file: '[]' });
    const handle = await openFile(join(directory, 'file'));
    const reason = new Error('enough');
    await expect(inspectContent(handle, 2, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('inspects what follows a mark and white space, however much there is', async () => {
    const space = ' \r\n\t'.repeat(100_000);
    const bom = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{}]}';
    for (const before of [space, `\ufeff${space}`]) {
      expect(await inspect(before + bom)).toEqual(FULL);
      expect(await inspect(`${before}<a></a>`)).toMatchObject({ format: 'xml', syntax: 'xml' });
      expect(await inspect(`${before}text`)).toMatchObject({ kind: 'text' });
      const at = Buffer.byteLength(before);
      expect(await inspect(`${before}[1 2]`)).toMatchObject({
        fault: `is not well-formed JSON (at byte ${at + 3})`,
      });
      expect(await inspect(`${before}{}\n{}`)).toMatchObject({
        kind: expect.stringMatching(new RegExp(`, the second at byte ${at + 3}\\)$`)),
      });
      expect(await inspect(`${before}<a></b>`)).toMatchObject({
        fault: `is not well-formed XML (read up to byte ${at + 7})`,
      });
      const invalid = Buffer.concat([Buffer.from(`${before}{"a":"`), Buffer.of(0xff, 0x22, 0x7d)]);
      expect(await inspect(invalid)).toMatchObject({
        fault: `is not valid UTF-8 (at byte ${at + 6})`,
      });
    }
  });

  test('leaves the handle where it was', async () => {
    const directory = await makeFolder({ file: '{"a":1}' });
    const handle = await openFile(join(directory, 'file'));
    await inspectContent(handle, 7, UNSTOPPED);
    expect(await handle.readFile('utf8')).toBe('{"a":1}');
  });
});

describe('inspectContent, of UTF-16', () => {
  const UTF_16 = {
    format: 'unknown',
    kind: 'UTF-16 text',
    fault: expect.stringMatching(/^is UTF-16 text, .* PowerShell's > .* -Encoding utf8$/),
  };

  test.each(['LE', 'BE'] as const)('knows UTF-16%s and who writes it', async (byteOrder) => {
    for (const text of [
      '\ufeff{"a":1}',
      '\ufeff<a></a>',
      '\ufeff',
      '\ufeff漢字',
      '{"a":1}',
      '[]',
      '<a/>',
    ]) {
      expect(await inspect(encodeUtf16(text, byteOrder))).toEqual({
        ...UTF_16,
        inspected: 'full',
      });
    }
    expect(await inspect(encodeUtf16(makeBom(LARGE / 2), byteOrder))).toEqual({
      ...UTF_16,
      inspected: 'partial',
    });
  });

  test.each([
    ['zeros', '00000000'],
    ['a zero', '7b00'],
    ['two characters of four bytes', '0000007b0000005b'],
    ['zeros at other places', '7b7b0000'],
  ])('does not take %s for it', async (_, digits) => {
    expect(await inspect(Buffer.from(digits, 'hex'))).not.toMatchObject({ kind: 'UTF-16 text' });
  });
});

describe('inspectContent, of large files', () => {
  test('parses and counts up to the limit, and inspects the ends beyond it', async () => {
    expect(MAX_PARSED_BYTES).toBe(32 * MIB);
    expect(await inspect(makeBom(MAX_PARSED_BYTES))).toEqual(FULL);
    expect(await inspect(makeBom(MAX_PARSED_BYTES + 1))).toEqual(PARTIAL);
  });

  test('finds what is broken up to the limit, and in the head beyond it', async () => {
    const broken = Buffer.from(makeBom(MAX_PARSED_BYTES));
    broken.write('"', 12 * MIB);
    const fault = `is not well-formed JSON (at byte ${12 * MIB + 1})`;
    expect(await inspect(broken)).toMatchObject({ inspected: 'full', fault });
    const head = fill(LARGE, '{"bomFormat":"CycloneDX","specVersion":"1.6","a":[', '1,', '1]}');
    const bytes = Buffer.from(head);
    expect(await inspect(bytes)).toEqual(PARTIAL);
    bytes.write('x', HEAD_BYTES);
    expect(await inspect(bytes)).toEqual(PARTIAL);
    bytes.write('x', HEAD_BYTES - 100);
    expect(await inspect(bytes)).toMatchObject({
      inspected: 'partial',
      fault: `is not well-formed JSON (at byte ${HEAD_BYTES - 100})`,
    });
  });

  test('reads a MiB at both ends of it and nothing else', async () => {
    const directory = await makeFolder({ file: makeBom(LARGE) });
    const handle = await openFile(join(directory, 'file'));
    const read = jest.spyOn(handle, 'read');
    await inspectContent(handle, LARGE, UNSTOPPED);
    expect(HEAD_BYTES).toBe(MIB);
    expect(read.mock.calls.map((args) => args.slice(1) as unknown)).toEqual([
      [0, MIB, 0],
      [0, MIB, LARGE - MIB],
    ]);
  });

  test.each<[string, string, Content]>([
    [
      'Snyk',
      fill(LARGE, '{"vulnerabilities":[', '{"id":"SNYK-A-1"},', '{}],"ok":false}\n'),
      { format: 'snyk', syntax: 'json', inspected: 'partial' },
    ],
    [
      'Grype',
      fill(
        LARGE,
        '{"matches":[',
        '{"vulnerability":{"id":"]}"},"artifact":{}},',
        '{}],"descriptor":{"name":"grype","version":"1.2"}}',
      ),
      { format: 'grype', syntax: 'json', inspected: 'partial' },
    ],
    [
      'CycloneDX',
      fill(
        LARGE,
        '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[',
        '{"name":"\\""},',
        '{}]}',
      ),
      PARTIAL,
    ],
    [
      'CycloneDX in XML',
      fill(
        LARGE,
        '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components>',
        '<component/>',
        '</components></bom>',
      ),
      { ...PARTIAL, syntax: 'xml' },
    ],
  ])('recognises %s by its first MiB, and counts nothing', async (_, text, expected) => {
    expect(await inspect(text)).toEqual(expected);
  });

  test('finds that the end is missing', async () => {
    const json = makeBom(LARGE).slice(0, -1);
    expect(await inspect(json)).toEqual({
      ...PARTIAL,
      fault: `is truncated: its JSON ends too early, at byte ${json.length}`,
    });
    const xml = fill(LARGE, '<a>', '<b></b>', '');
    expect(await inspect(xml)).toEqual({
      format: 'xml',
      syntax: 'xml',
      inspected: 'partial',
      fault: `is truncated: its XML ends too early, at byte ${LARGE}`,
    });
    expect(await inspect(`${xml}</a>\n`)).toEqual({
      format: 'xml',
      syntax: 'xml',
      inspected: 'partial',
    });
  });

  test('knows a mark, and several values', async () => {
    expect(await inspect(mark(makeBom(LARGE)))).toEqual(PARTIAL);
    expect(await inspect('{"a":1}\n'.repeat(LARGE / 8))).toMatchObject({
      syntax: 'ndjson',
      inspected: 'partial',
    });
  });

  test('finds nothing wrong where only white space follows', async () => {
    expect(await inspect(`{"a":1}${' '.repeat(LARGE)}`)).toEqual({
      format: 'json',
      syntax: 'json',
      inspected: 'partial',
    });
    expect(await inspect(`<a></a>${' '.repeat(LARGE)}`)).toEqual({
      format: 'xml',
      syntax: 'xml',
      inspected: 'partial',
    });
  });

  test.each([0, 1, 2, 3])('accepts a character across the end of the head (%i)', async (shift) => {
    const text = `{"a":"${'x'.repeat(shift)}${'😀'.repeat(LARGE / 4)}"}`;
    expect(await inspect(text)).toEqual({ format: 'json', syntax: 'json', inspected: 'partial' });
  });

  test.each([
    ['white space', ' '.repeat(LARGE), 'text'],
    ['text', 'a'.repeat(LARGE), 'text'],
    ['nothing but zeros', Buffer.alloc(LARGE), 'binary data'],
  ])('takes much %s for nothing it knows', async (_, content, kind) => {
    expect(await inspect(content)).toEqual({ format: 'unknown', inspected: 'partial', kind });
  });
});
