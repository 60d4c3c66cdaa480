import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Content } from '../../src/scan/content/content.ts';
import { MAX_PARSED_BYTES, inspectContent } from '../../src/scan/inspect.ts';
import { evaluate } from '../service/guarded.ts';
import { makeFolder, openFile } from './fixtures.ts';

const BOM_BYTES = Buffer.from([0xef, 0xbb, 0xbf]);
const MIB = 1024 * 1024;

/** Looks at a file with this content, whose size is taken for `size`. */
async function inspect(content: string | Buffer, size?: number): Promise<Content> {
  const bytes = Buffer.from(content);
  const folder = await makeFolder({ file: bytes });
  return inspectContent(await openFile(join(folder, 'file')), size ?? bytes.length);
}

/** A text behind a byte order mark. */
function mark(text: string): Buffer {
  return Buffer.concat([BOM_BYTES, Buffer.from(text)]);
}

function encodeUtf16(text: string, byteOrder: 'LE' | 'BE'): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return byteOrder === 'LE' ? bytes : bytes.swap16();
}

/** A CycloneDX document of exactly so many bytes. */
function makeBom(bytes: number): string {
  const start = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"name":"';
  const end = '"}]}';
  return start + 'a'.repeat(bytes - start.length - end.length) + end;
}

describe('inspectContent', () => {
  test.each<[string, string | Buffer, Content]>([
    ['an empty file', '', { format: 'empty', fault: 'is empty (0 bytes)' }],
    ['white space', ' \r\n\t ', { format: 'empty', fault: 'holds only white space' }],
    ['a byte order mark alone', BOM_BYTES, { format: 'empty', fault: 'holds only white space' }],
    ['JSON', '{"results":[]}', { format: 'json', syntax: 'json' }],
    ['XML', '<results></results>', { format: 'xml', syntax: 'xml' }],
    [
      'CycloneDX in JSON',
      '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{}]}',
      {
        format: 'cyclonedx',
        syntax: 'json',
        specVersion: '1.6',
        components: 1,
        vulnerabilities: 0,
      },
    ],
    [
      'CycloneDX in XML',
      '<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.5"></bom>',
      { format: 'cyclonedx', syntax: 'xml', specVersion: '1.5' },
    ],
    ['text', 'no findings\n', { format: 'unknown' }],
    ['a JSON string', '"no findings"', { format: 'json', syntax: 'json' }],
    ['CSV', 'id,severity\n1,high\n', { format: 'unknown' }],
    ['a web page', '<!DOCTYPE html><html>Sign in</html>', { format: 'unknown' }],
    ['gzip', gzipSync('{}'), { format: 'unknown' }],
    ['a ZIP file', Buffer.from('PK\x03\x04\0\0{}', 'latin1'), { format: 'unknown' }],
    ['bytes that are no text', Buffer.from([0xff, 0x00, 0xc3, 0x28]), { format: 'unknown' }],
    ['one byte', Buffer.from([0xff]), { format: 'unknown' }],
    [
      'one object per line',
      '{"a":1}\n{"b":2}\n',
      { format: 'json', syntax: 'json', fault: 'is not well-formed JSON (at byte 8)' },
    ],
    [
      'JSON in another encoding',
      Buffer.from('{"a":"\xe9"}', 'latin1'),
      { format: 'json', syntax: 'json', fault: 'is not valid UTF-8' },
    ],
    [
      'XML in another encoding',
      Buffer.from('<a>\xe9</a>', 'latin1'),
      { format: 'xml', syntax: 'xml' },
    ],
  ])('knows %s', async (_, content, expected) => {
    expect(await inspect(content)).toEqual(expected);
  });

  test.each<[string, string, Content]>([
    ['JSON', '{"a":1}', { format: 'json', syntax: 'json' }],
    ['XML', '<a></a>', { format: 'xml', syntax: 'xml' }],
  ])('reads %s behind a byte order mark', async (_, text, expected) => {
    expect(await inspect(mark(text))).toEqual(expected);
  });

  test('counts the byte order mark among the bytes', async () => {
    expect(await inspect(mark('{"é" 1}'))).toMatchObject({
      fault: 'is not well-formed JSON (at byte 9)',
    });
    expect(await inspect(mark('{"é"'))).toMatchObject({
      fault: 'is cut off: its JSON ends too early, at byte 8',
    });
  });

  test.each(['LE', 'BE'] as const)('knows UTF-16%s and who writes it', async (byteOrder) => {
    for (const text of ['{"a":1}', '<a></a>', '']) {
      const content = await inspect(encodeUtf16(text, byteOrder));
      expect(content.format).toBe('unknown');
      expect(content.fault).toMatch(/^is UTF-16 text, .* PowerShell's > .* -Encoding utf8$/);
    }
  });

  test('finds a fault wherever JSON is cut, inside of characters, too', async () => {
    const bytes = Buffer.from('{"é":["😀",1]}');
    for (let end = 1; end < bytes.length; end += 1) {
      const content = await inspect(bytes.subarray(0, end));
      expect([end, content.format, content.fault]).toEqual([
        end,
        'json',
        expect.stringMatching(/^(?:is cut off: .* at byte \d+|is not valid UTF-8)$/),
      ]);
    }
  });

  test('takes a file that shrinks meanwhile for what there is', async () => {
    expect(await inspect('{"a":1}', 100)).toEqual({ format: 'json', syntax: 'json' });
    expect(await inspect('', 100)).toMatchObject({ format: 'empty' });
    expect(await inspect('{"a":1}', 4)).toMatchObject({ fault: expect.stringMatching(/cut off/) });
  });

  test('leaves the handle where it was', async () => {
    const folder = await makeFolder({ file: '{"a":1}' });
    const handle = await openFile(join(folder, 'file'));
    await inspectContent(handle, 7);
    expect(await handle.readFile('utf8')).toBe('{"a":1}');
  });
});

describe('inspectContent, of large files', () => {
  const CYCLONEDX: Content = { format: 'cyclonedx', syntax: 'json', specVersion: '1.6' };

  test('parses and counts up to the limit, and looks at the ends beyond it', async () => {
    expect(MAX_PARSED_BYTES).toBe(4 * MIB);
    expect(await inspect(makeBom(MAX_PARSED_BYTES))).toEqual({
      ...CYCLONEDX,
      components: 1,
      vulnerabilities: 0,
    });
    expect(await inspect(makeBom(MAX_PARSED_BYTES + 1))).toEqual(CYCLONEDX);
  });

  test('finds what is broken up to the limit', async () => {
    const broken = Buffer.from(makeBom(MAX_PARSED_BYTES));
    broken.write('"', 2 * MIB);
    expect(await inspect(broken)).toMatchObject({
      fault: expect.stringMatching(/not well-formed/),
    });
  });

  test('looks 64 KiB far into it', async () => {
    const notes = 'a'.repeat(60 * 1024);
    const text = makeBom(5 * MIB).replace('{', `{"notes":"${notes}",`);
    expect(await inspect(text)).toEqual(CYCLONEDX);
  });

  test('sees that the end is missing beyond it', async () => {
    expect(await inspect(makeBom(5 * MIB).slice(0, -1))).toEqual({
      ...CYCLONEDX,
      fault: 'is cut off: the closing } of its JSON is missing',
    });
    expect(await inspect(`<a>${'b'.repeat(5 * MIB)}`)).toEqual({
      format: 'xml',
      syntax: 'xml',
      fault: 'is cut off: the closing </a> is missing',
    });
    expect(await inspect(`<a>${'b'.repeat(5 * MIB)}</a>\n`)).toEqual({
      format: 'xml',
      syntax: 'xml',
    });
  });

  test.each([
    ['a text that never ends', `'{"a":"' + '\\\\"'.repeat(2e6)`],
    ['texts that are cut at the edge', `'{' + '"\\\\'.repeat(2e6)`],
  ])('reads %s in linear time', (_, head) => {
    const sample = `{ head: ${head}, tail: '}', whole: false, validUtf8: true, bomBytes: 0 }`;
    expect(evaluate('scan/content/json.ts', `m.inspectJson(${sample}).format`)).toBe('json');
  });

  test.each([0, 1, 2, 3])(
    'does not mind a character across the edge of a read (%i)',
    async (shift) => {
      const text = `{"a":"${'x'.repeat(shift)}${'😀'.repeat((5 * MIB) / 4)}"}`;
      expect(await inspect(text)).toEqual({ format: 'json', syntax: 'json' });
    },
  );

  test.each([
    ['white space', ' '.repeat(5 * MIB)],
    ['text', 'a'.repeat(5 * MIB)],
    ['nothing but zeros', Buffer.alloc(5 * MIB)],
  ])('takes much %s for nothing it knows', async (_, content) => {
    expect(await inspect(content)).toEqual({ format: 'unknown' });
  });

  test('knows UTF-16 and a byte order mark', async () => {
    expect(await inspect(encodeUtf16(makeBom(3 * MIB), 'LE'))).toMatchObject({
      fault: expect.stringMatching(/^is UTF-16/),
    });
    expect(await inspect(mark(makeBom(5 * MIB)))).toEqual(CYCLONEDX);
  });
});
