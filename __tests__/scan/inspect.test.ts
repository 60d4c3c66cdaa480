import { describe, expect, jest, test } from '@jest/globals';
import { join } from 'node:path';
import type { Content } from '../../src/scan/content/content.ts';
import { MAX_PARSED_BYTES, PIECE_BYTES, inspectContent } from '../../src/scan/inspect.ts';
import { makeFolder, openFile } from './fixtures.ts';
import { countSeverities } from './formats/documents.ts';

const BOM_BYTES = Buffer.from([0xef, 0xbb, 0xbf]);
const MIB = 1024 * 1024;
const UNSTOPPED = new AbortController().signal;

/** Looks at a file with this content, whose size is taken for `size`. */
async function inspect(content: string | Buffer, size?: number): Promise<Content> {
  const bytes = Buffer.from(content);
  const folder = await makeFolder({ file: bytes });
  return inspectContent(await openFile(join(folder, 'file')), size ?? bytes.length, UNSTOPPED);
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

const WHOLE: Content = {
  format: 'cyclonedx',
  syntax: 'json',
  specVersion: '1.6',
  components: 1,
  vulnerabilities: 0,
  severities: countSeverities({}),
  inspected: 'whole',
};
const ENDS: Content = {
  format: 'cyclonedx',
  syntax: 'json',
  specVersion: '1.6',
  inspected: 'ends',
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
      'JSON that was cut behind a mark',
      mark('{"é"'),
      { format: 'json', syntax: 'json', fault: 'is cut off: its JSON ends too early, at byte 8' },
    ],
    [
      'XML that was cut',
      '<a><b/>',
      { format: 'xml', syntax: 'xml', fault: 'is cut off: its XML ends too early, at byte 7' },
    ],
  ])('knows %s', async (_, content, expected) => {
    expect(await inspect(content)).toEqual({ ...expected, inspected: 'whole' });
  });

  test('reads on where a read gives less than it was asked for', async () => {
    const text = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{}]}';
    const folder = await makeFolder({ file: text });
    const handle = await openFile(join(folder, 'file'));
    const read = handle.read.bind(handle);
    const short = (
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
    ): ReturnType<typeof read> => read(buffer, offset, Math.min(length, 5), position);
    Object.defineProperty(handle, 'read', { value: short });
    expect(await inspectContent(handle, text.length, UNSTOPPED)).toEqual(WHOLE);
  });

  test('takes a file that shrinks meanwhile for what there is', async () => {
    expect(await inspect('{"a":1}', 100)).toEqual({
      format: 'json',
      syntax: 'json',
      inspected: 'whole',
    });
    expect(await inspect('', 100)).toMatchObject({
      format: 'empty',
      fault: 'holds only white space',
    });
    expect(await inspect('{"a":', 100)).toMatchObject({
      fault: expect.stringMatching(/cut off/),
    });
    expect(await inspect('{"a":1}', 4)).toMatchObject({ fault: expect.stringMatching(/cut off/) });
    expect(await inspect('{"a":1}', LARGE)).toEqual({
      format: 'json',
      syntax: 'json',
      inspected: 'ends',
    });
  });

  test('looks for the end of what is not read up to it', async () => {
    const long = { format: 'xml', syntax: 'xml', inspected: 'ends' } as const;
    const size = 5 * MIB;
    expect(await inspect(fill(size, '<a>', 'b', '</a>\n<!-- end -->'))).toEqual(long);
    expect(await inspect(fill(size, '<a>', 'b', '</b>'))).toEqual({
      ...long,
      fault: `is cut off: its XML ends too early, at byte ${size}`,
    });
  });

  test('counts nothing where there is more than can be kept', async () => {
    const rules = Array.from({ length: 50_000 }, (_, index) => ({
      id: `rule ${index}`,
      properties: { 'security-severity': '9.8' },
    }));
    const results = [{ ruleId: 'rule 1' }];
    const runs = [{ tool: { driver: { name: 'lint', rules } }, results }];
    const sarif = { format: 'sarif', syntax: 'json', specVersion: '2.1.0', tool: 'lint' } as const;
    expect(await inspect(JSON.stringify({ version: '2.1.0', runs }))).toEqual({
      ...sarif,
      inspected: 'ends',
    });
    const bom = '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><vulnerabilities>';
    const vulnerabilities = rules.map(
      ({ id }) =>
        `<vulnerability><ratings><rating><severity>${id}</severity></rating></ratings></vulnerability>`,
    );
    expect(await inspect(`${bom}${vulnerabilities.join('')}</vulnerabilities></bom>`)).toEqual({
      format: 'cyclonedx',
      syntax: 'xml',
      specVersion: '1.6',
      inspected: 'ends',
    });
  });

  test('stops where it is told to', async () => {
    const text = `[${' '.repeat(2 * PIECE_BYTES)}]`;
    const folder = await makeFolder({ file: text });
    const handle = await openFile(join(folder, 'file'));
    const reason = new Error('enough');
    await expect(inspectContent(handle, text.length, AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
    const stop = new AbortController();
    const read = handle.read.bind(handle);
    const stopping = (...args: Parameters<typeof read>): ReturnType<typeof read> => {
      stop.abort(reason);
      return read(...args);
    };
    Object.defineProperty(handle, 'read', { value: stopping });
    await expect(inspectContent(handle, text.length, stop.signal)).rejects.toBe(reason);
  });

  test('looks behind a mark and white space, however much there is', async () => {
    const space = ' \r\n\t'.repeat(PIECE_BYTES / 3);
    const bom = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{}]}';
    for (const before of [space, `\ufeff${space}`]) {
      expect(await inspect(before + bom)).toEqual(WHOLE);
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

  test.each([
    [
      'JSON',
      '{"bomFormat":"CycloneDX","specVersion":"1.6","metadata":{"a":"',
      '","tools":[{"name":"é😀\\n漢","version":"1"}]}}',
    ],
    [
      'XML',
      '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><!--',
      '--><metadata><tools>\r\n<tool><name>é😀&lt;漢</name></tool></tools></metadata></bom>',
    ],
  ])('reads on over the edge between two reads, of %s', async (_, start, end) => {
    for (let shift = 0; shift < Buffer.byteLength(end); shift += 1) {
      const before = 'b'.repeat(PIECE_BYTES - Buffer.byteLength(start) - shift);
      const { format, tool, fault } = await inspect(start + before + end);
      expect([shift, format, tool, fault]).toEqual([
        shift,
        'cyclonedx',
        end.startsWith('"') ? 'é😀 漢 1' : 'é😀<漢',
        undefined,
      ]);
    }
  });

  test('leaves the handle where it was', async () => {
    const folder = await makeFolder({ file: '{"a":1}' });
    const handle = await openFile(join(folder, 'file'));
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
        inspected: 'whole',
      });
    }
    expect(await inspect(encodeUtf16(makeBom(LARGE / 2), byteOrder))).toEqual({
      ...UTF_16,
      inspected: 'ends',
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
  test('parses and counts up to the limit, and looks at the ends beyond it', async () => {
    expect(MAX_PARSED_BYTES).toBe(32 * MIB);
    expect(await inspect(makeBom(MAX_PARSED_BYTES))).toEqual(WHOLE);
    expect(await inspect(makeBom(MAX_PARSED_BYTES + 1))).toEqual(ENDS);
  });

  test('finds what is broken up to the limit, and in the head beyond it', async () => {
    const broken = Buffer.from(makeBom(MAX_PARSED_BYTES));
    broken.write('"', 12 * MIB);
    const fault = `is not well-formed JSON (at byte ${12 * MIB + 1})`;
    expect(await inspect(broken)).toMatchObject({ inspected: 'whole', fault });
    const head = Buffer.from(makeBom(LARGE));
    head.write('"', PIECE_BYTES - 2);
    expect(await inspect(head)).toEqual({
      ...ENDS,
      fault: `is not well-formed JSON (at byte ${PIECE_BYTES - 1})`,
    });
    head.write('aa"', PIECE_BYTES - 2);
    expect(await inspect(head)).toEqual(ENDS);
  });

  test('reads both ends of it and nothing else', async () => {
    const folder = await makeFolder({ file: makeBom(LARGE) });
    const handle = await openFile(join(folder, 'file'));
    const read = jest.spyOn(handle, 'read');
    await inspectContent(handle, LARGE, UNSTOPPED);
    const asked = read.mock.calls.map((args) => JSON.stringify(args.slice(2)));
    expect([...new Set(asked)].toSorted()).toEqual(
      [`[${PIECE_BYTES},0]`, `[${PIECE_BYTES},${LARGE - PIECE_BYTES}]`].toSorted(),
    );
  });

  test.each<[string, string, Content]>([
    [
      'Snyk',
      fill(
        LARGE,
        '{"vulnerabilities":[',
        '{"title":"a"},',
        '{}],"ok":false,"dependencyCount":5,"org":"a"}\n',
      ),
      { format: 'snyk', syntax: 'json', inspected: 'ends' },
    ],
    [
      'Grype',
      fill(
        LARGE,
        '{"matches":[',
        '{"a":"]}"},',
        '{}],"source":{"a":[]},"descriptor":{"name":"grype","version":"1.2"}}',
      ),
      { format: 'grype', syntax: 'json', tool: 'grype 1.2', inspected: 'ends' },
    ],
    [
      'CycloneDX',
      fill(
        LARGE,
        '{"components":[',
        '{"name":"\\""},',
        '{}],"bomFormat":"CycloneDX","specVersion":"1.6"}',
      ),
      ENDS,
    ],
  ])('knows %s by what it says at its end', async (_, text, expected) => {
    expect(await inspect(text)).toEqual(expected);
  });

  test('sees that the end is missing', async () => {
    const json = makeBom(LARGE).slice(0, -1);
    expect(await inspect(json)).toEqual({
      ...ENDS,
      fault: `is cut off: its JSON ends too early, at byte ${json.length}`,
    });
    const nested = fill(
      LARGE,
      '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[',
      '{"a":1},',
      '{"a":1}',
    );
    expect(await inspect(nested)).toMatchObject({
      fault: expect.stringMatching(/^is cut off: its JSON/),
    });
    const xml = fill(LARGE, '<a>', '<b></b>', '');
    expect(await inspect(xml)).toEqual({
      format: 'xml',
      syntax: 'xml',
      inspected: 'ends',
      fault: `is cut off: its XML ends too early, at byte ${LARGE}`,
    });
    expect(await inspect(`${xml}</a>\n`)).toEqual({
      format: 'xml',
      syntax: 'xml',
      inspected: 'ends',
    });
  });

  test('knows a mark, and several values', async () => {
    expect(await inspect(mark(makeBom(LARGE)))).toEqual(ENDS);
    expect(await inspect('{"a":1}\n'.repeat(LARGE / 8))).toMatchObject({
      syntax: 'ndjson',
      inspected: 'ends',
    });
  });

  test('knows that all is there where only white space follows', async () => {
    expect(await inspect(`{"a":1}${' '.repeat(LARGE)}`)).toEqual({
      format: 'json',
      syntax: 'json',
      inspected: 'ends',
    });
    expect(await inspect(`<a></a>${' '.repeat(LARGE)}`)).toEqual({
      format: 'xml',
      syntax: 'xml',
      inspected: 'ends',
    });
  });

  test.each([0, 1, 2, 3])('minds no character across the edge of a read (%i)', async (shift) => {
    const text = `{"a":"${'x'.repeat(shift)}${'😀'.repeat(LARGE / 4)}"}`;
    expect(await inspect(text)).toEqual({ format: 'json', syntax: 'json', inspected: 'ends' });
  });

  test.each([
    ['white space', ' '.repeat(LARGE), 'text'],
    ['text', 'a'.repeat(LARGE), 'text'],
    ['nothing but zeros', Buffer.alloc(LARGE), 'binary data'],
  ])('takes much %s for nothing it knows', async (_, content, kind) => {
    expect(await inspect(content)).toEqual({ format: 'unknown', inspected: 'ends', kind });
  });
});
