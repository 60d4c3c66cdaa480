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

const BOM_START = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[';

/** A CycloneDX document of this many bytes, with one component. */
function makeBom(bytes: number): Buffer {
  const bom = Buffer.alloc(bytes, 'a');
  bom.write(`${BOM_START}{"name":"`);
  bom.write('"}]}', bytes - 4);
  return bom;
}

const JSON_CONTENT = { format: 'json', syntax: 'json' } as const;
const XML_CONTENT = { format: 'xml', syntax: 'xml' } as const;
const CYCLONEDX = { format: 'cyclonedx', syntax: 'json', specVersion: '1.6' } as const;
const LEFT = { inspected: 'partial', uncounted: 'not counted: over 32 MiB' } as const;
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
    const short = (buffer: Buffer, offset: number, length: number, position: number) =>
      read(buffer, offset, Math.min(length, 5), position);
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
  ])('says what %j is', async (text, content) => {
    expect(await inspect(text)).toMatchObject(content);
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
    expect(await inspect(encode('[]'), LARGE)).toEqual({ ...UTF_16, ...LEFT });
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
  test('parses and counts a file up to the limit, and reports what is malformed in it', async () => {
    const bytes = makeBom(MAX_PARSED_BYTES);
    const whole = await inspectContent(await openContent(bytes), bytes.length, UNSTOPPED);
    expect(whole).toEqual({ content: FULL, digest: sha256(bytes) });
    bytes.write('"', 12 * MIB);
    const { problem } = await inspect(bytes);
    expect(problem).toBe(`is not well-formed JSON (at byte ${12 * MIB + 1})`);
  });

  test('reads only one MiB at each end of a larger one', async () => {
    const size = MAX_PARSED_BYTES + 1;
    const handle = await openContent(makeBom(size));
    const read = jest.spyOn(handle, 'read');
    const ends = await inspectContent(handle, size, UNSTOPPED);
    expect(ends).toEqual({ content: { ...CYCLONEDX, ...LEFT } });
    expect(read.mock.calls.map((args) => args.slice(1) as unknown)).toEqual([
      [0, MIB, 0],
      [0, MIB, size - MIB],
    ]);
  });

  // What the ends of a file say: json.test.ts and xml.test.ts.
  test.each<[string, string, Partial<Content>]>([
    ['XML', '<a><b></b>', XML_CONTENT],
    ['half a character', `{"a":"x${'😀'.repeat(MIB / 4)}`, JSON_CONTENT],
    ['a stream', '{"a":1}\n'.repeat(9), { format: 'json', syntax: 'ndjson' }],
    ['white space', ' '.repeat(9), { format: 'unknown', kind: 'text' }],
    ['zeros', '\0'.repeat(9), { format: 'unknown', kind: 'binary' }],
  ])('recognises a file that begins with %s, and counts nothing', async (_, text, expected) => {
    expect(await inspect(text, LARGE)).toEqual({ ...expected, ...LEFT });
  });
});
