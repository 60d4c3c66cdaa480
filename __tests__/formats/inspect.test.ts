import { describe, expect, jest, test } from '@jest/globals';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../../src/formats/content.ts';
import { inspectContent } from '../../src/formats/inspect.ts';
import { makeFolder } from '../support/directories.ts';
import { mark } from '../support/documents.ts';
import { openFile } from '../support/files.ts';
import { MIB, sha256 } from '../support/samples.ts';

const MAX_PARSED_BYTES = 32 * MIB;
const LARGE = MAX_PARSED_BYTES + MIB;
const UNSTOPPED = new AbortController().signal;

async function openContent(content: string | Buffer): Promise<FileHandle> {
  return openFile(join(await makeFolder({ file: content }), 'file'));
}

/** Inspects a file with this content, as if it had this size. */
async function inspect(content: string | Buffer, size?: number): Promise<Content> {
  const bytes = Buffer.from(content);
  return (await inspectContent(await openContent(bytes), size ?? bytes.length, UNSTOPPED)).content;
}

/** A text of this many bytes: `start`, then `filling` repeated, then `end`. */
function fill(bytes: number, start: string, filling: string, end: string): string {
  const room = bytes - Buffer.byteLength(start) - Buffer.byteLength(end);
  const count = Math.floor(room / filling.length);
  return start + filling.repeat(count) + ' '.repeat(room - count * filling.length) + end;
}

const BOM_START = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[';

/** A CycloneDX document of this many bytes, with one component. */
function makeBom(bytes: number): string {
  return fill(bytes, `${BOM_START}{"name":"`, 'a', '"}]}');
}

const JSON_CONTENT = { format: 'json', syntax: 'json' } as const;
const XML_CONTENT = { format: 'xml', syntax: 'xml' } as const;
const CYCLONEDX = { format: 'cyclonedx', syntax: 'json', specVersion: '1.6' } as const;
const LEFT = { inspected: 'partial', uncounted: 'not counted: over 32 MiB' } as const;
const PARTIAL: Content = { ...CYCLONEDX, ...LEFT };
const FULL: Content = { ...CYCLONEDX, components: 1, inspected: 'full' };

describe('inspectContent', () => {
  const BLANK = { format: 'empty', problem: 'contains only white space' } as const;
  test.each<[string, string | Buffer, Omit<Content, 'inspected'>]>([
    ['an empty file', '', { format: 'empty', problem: 'is empty (0 bytes)' }],
    ['white space', ' \r\n\t ', BLANK],
    ['only a byte order mark', mark(''), BLANK],
    ['a byte order mark and white space', mark(' \n'), BLANK],
    ['JSON after a byte order mark', mark(' {"a":1}'), JSON_CONTENT],
    ['XML after a byte order mark', mark('<a></a>'), XML_CONTENT],
  ])('recognises %s', async (_, content, expected) => {
    expect(await inspect(content)).toEqual({ ...expected, inspected: 'full' });
  });

  test('continues after a short read', async () => {
    const text = `${BOM_START}{}]}`;
    const handle = await openContent(text);
    const read = handle.read.bind(handle);
    const short = (
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
    ): ReturnType<typeof read> => read(buffer, offset, Math.min(length, 5), position);
    Object.defineProperty(handle, 'read', { value: short });
    const { content } = await inspectContent(handle, text.length, UNSTOPPED);
    expect(content).toEqual(FULL);
  });

  test.each<[string, number, object]>([
    ['{"a":1}', 100, { ...JSON_CONTENT, inspected: 'full' }],
    ['', 100, { format: 'empty' }],
    ['{"a":', 100, { problem: expect.stringMatching(/ at byte 5$/) }],
    ['{"a":1}', 4, { problem: expect.stringMatching(/ at byte 4$/) }],
    ['{"a":1}', LARGE, { ...JSON_CONTENT, inspected: 'partial' }],
  ])('inspects %j if %i bytes are expected', async (text, size, found) => {
    expect(await inspect(text, size)).toMatchObject(found);
  });

  const ZEROS = '0,'.repeat(2_000_001).slice(0, -1);
  test.each([
    ['findings', 'sarif', `{"version":"2.1.0","runs":[{"results":[${ZEROS}]}]}`],
    [
      'ids of groups',
      'osv-scanner',
      `{"experimental_config":{},"results":[{"packages":[{"groups":[{"max_severity":"9","ids":[${ZEROS}]}]}]}]}`,
    ],
    [
      'severities of one finding',
      'cyclonedx',
      `${BOM_START}],"vulnerabilities":[{"ratings":[${ZEROS}]}]}`,
    ],
  ])('counts nothing in JSON with more %s than any scan has', async (_, format, text) => {
    const content = await inspect(text);
    expect(content).toMatchObject({ format, inspected: 'partial' });
    for (const fact of ['components', 'vulnerabilities', 'findings', 'severities']) {
      expect(content).not.toHaveProperty(fact);
    }
  });

  test('stops reading when its signal fires', async () => {
    const reason = new Error('enough');
    const inspection = inspectContent(await openContent('[]'), 2, AbortSignal.abort(reason));
    await expect(inspection).rejects.toBe(reason);
  });
});

describe('inspectContent with what is no report', () => {
  test.each<[string, object]>([
    ['null', { format: 'json', kind: 'null' }],
    ['"{\\"runs\\":[]}"\n', { format: 'json', kind: 'scalar' }],
    ['42', { format: 'json', kind: 'scalar' }],
    ['false', { format: 'json', kind: 'scalar' }],
    ['{}', { format: 'json', kind: 'bare' }],
    [' [ ]\n', { format: 'json', kind: 'bare' }],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:1\n', { kind: 'lfs' }],
    ['\nnpm warn old\nnpm warn x\n{\n  "a": 1}', { kind: 'text', stray: 'npm warn old' }],
    ['Found:\n[\n  {"a": 1}]', { kind: 'text', stray: 'Found:' }],
    [
      '{"ok":false,"error":"No\\n login.","path":"/"}',
      { problem: 'only states an error: No login' },
    ],
    ['{"type":"error","data":"No\\n network."}', { problem: 'only states an error: No network' }],
    ['{"status":"failed","error":"x","code":1}', { problem: 'only states an error: x' }],
    ['{"success":0,"errors":[],"error":"x","message":1}', { problem: 'only states an error: x' }],
    [
      '{"message":"Not Found","documentation_url":"https://a","status":"404"}',
      { problem: 'only states an error: Not Found' },
    ],
  ])('says what %j is', async (text, content) => {
    expect(await inspect(text)).toMatchObject(content);
  });

  test.each([
    '{"ok":true,"errors":[]}|{"error":"x","results":[]}|{"error":""}|{"error":" "}|[{"error":"x"}]',
    '{"ok":true,"error":0,"code":0}|{"error":null,"message":"x"}|{"type":"warning","data":"x"}',
    '{"type":"error","data":{"a":"x"}}|{"type":"error","data":"x","findings":[]}',
    '{"type":"error","data":"x"}\n{"type":"info","data":"y"}|[INFO] x\n[WARN] y\n|a\n[1] b',
  ])('says nothing more of other texts: %#', async (texts) => {
    for (const text of texts.split('|')) {
      const content = await inspect(text);
      expect([text, content]).not.toMatchObject([text, { problem: expect.anything() }]);
      expect(content).not.toHaveProperty('stray');
      expect(content.kind).not.toBe('bare');
    }
  });
});

describe('inspectContent with UTF-16', () => {
  const UTF_16 = {
    format: 'unknown',
    kind: 'utf-16',
    isMisencoded: true,
    problem: expect.stringMatching(/^is UTF-16 text, .* PowerShell's > .* -Encoding utf8$/),
  };

  test.each(['LE', 'BE'])('recognises UTF-16%s', async (byteOrder) => {
    const encode = (text: string): Buffer => {
      const bytes = Buffer.from(text, 'utf16le');
      return byteOrder === 'LE' ? bytes : bytes.swap16();
    };
    for (const text of ['\ufeff{"a":1}', '\ufeff', '\ufeff漢字', '{"a":1}', '[]', '<a/>']) {
      expect(await inspect(encode(text))).toEqual({ ...UTF_16, inspected: 'full' });
    }
    const large = await inspect(encode(makeBom(LARGE / 2)));
    expect(large).toEqual({ ...UTF_16, ...LEFT });
  });

  test.each([
    ['zeros', '00000000'],
    ['a zero', '7b00'],
    ['two characters of four bytes', '0000007b0000005b'],
    ['zeros at other places', '7b7b0000'],
  ])('does not take %s for UTF-16', async (_, digits) => {
    expect(await inspect(Buffer.from(digits, 'hex'))).not.toMatchObject({ kind: 'utf-16' });
  });
});

describe('inspectContent with large files', () => {
  test('parses and counts a file up to the limit, and inspects both ends of a larger one', async () => {
    const bytes = Buffer.from(makeBom(MAX_PARSED_BYTES));
    const whole = await inspectContent(await openContent(bytes), bytes.length, UNSTOPPED);
    expect(whole).toEqual({ content: FULL, digest: sha256(bytes) });
    const larger = makeBom(MAX_PARSED_BYTES + 1);
    const ends = await inspectContent(await openContent(larger), larger.length, UNSTOPPED);
    expect(ends).toEqual({ content: PARTIAL });
  });

  test('reports malformed JSON anywhere up to the limit, and in the head of a larger file', async () => {
    const bytes = Buffer.from(makeBom(MAX_PARSED_BYTES));
    bytes.write('"', 12 * MIB);
    expect((await inspect(bytes)).problem).toBe(
      `is not well-formed JSON (at byte ${12 * MIB + 1})`,
    );
    const large = Buffer.from(fill(LARGE, '{"a":[', '1,', '1]}'));
    large.write('x', MIB);
    expect(await inspect(large)).not.toHaveProperty('problem');
    large.write('x', MIB - 99);
    expect((await inspect(large)).problem).toBe(`is not well-formed JSON (at byte ${MIB - 99})`);
  });

  test('reads only one MiB at each end', async () => {
    const handle = await openContent(makeBom(LARGE));
    const read = jest.spyOn(handle, 'read');
    await inspectContent(handle, LARGE, UNSTOPPED);
    expect(read.mock.calls.map((args) => args.slice(1) as unknown)).toEqual([
      [0, MIB, 0],
      [0, MIB, LARGE - MIB],
    ]);
  });

  test.each<[string, () => string, Partial<Content>]>([
    ['CycloneDX', () => fill(LARGE, BOM_START, '{"name":"\\""},', '{}]}'), CYCLONEDX],
    ['XML', () => fill(LARGE, '<a>', '<b></b>', '</a>\n'), XML_CONTENT],
    [
      'JSON with a character across the end of the head',
      () => `{"a":"x${'😀'.repeat(LARGE / 4)}"}`,
      JSON_CONTENT,
    ],
    ['a stream', () => '{"a":1}\n'.repeat(LARGE / 8), { format: 'json', syntax: 'ndjson' }],
    ['JSON before white space', () => `{"a":1}${' '.repeat(LARGE)}`, JSON_CONTENT],
    ['XML before white space', () => `<a></a>${' '.repeat(LARGE)}`, XML_CONTENT],
    ['white space', () => ' '.repeat(LARGE), { format: 'unknown', kind: 'text' }],
    ['zeros', () => '\0'.repeat(LARGE), { format: 'unknown', kind: 'binary' }],
  ])('recognises %s by its first MiB, and counts nothing', async (_, write, expected) => {
    expect(await inspect(write())).toEqual({ ...expected, ...LEFT });
  });
});
