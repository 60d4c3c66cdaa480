import { describe, expect, jest, test } from '@jest/globals';
import type { FileHandle } from 'node:fs/promises';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CancelledError } from '../../src/errors.ts';
import type { FoundFile } from '../../src/files/find.ts';
import type { Content } from '../../src/formats/content.ts';
import { inspectContent, readScanFiles } from '../../src/formats/inspect.ts';
import type { ReadFiles } from '../../src/formats/inspect.ts';
import { makeFolder } from '../support/directories.ts';
import { latin1, mark } from '../support/documents.ts';
import { catchFileError, describeLinux, listOpenFiles, openFile } from '../support/files.ts';
import { MIB, sha256 } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';

const MAX_PARSED_BYTES = 32 * MIB;
const END_BYTES = 64 * 1024;
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

const CYCLONEDX = { format: 'cyclonedx', syntax: 'json', specVersion: '1.6' } as const;
const LEFT = { inspected: 'partial' } as const;
const FULL: Content = { ...CYCLONEDX, components: 1, inspected: 'full' };

describe('inspectContent', () => {
  const BLANK = { format: 'empty', fault: 'empty', problem: 'contains only white space' };
  const NONE = { ...BLANK, problem: 'is empty (0 bytes)' };
  test.each<[string | Buffer, object, size?: number]>([
    ['', NONE],
    [' \r\n\t ', BLANK],
    [mark(''), BLANK],
    [mark(' {"a":1}'), { format: 'json', syntax: 'json' }],
    [mark('<a></a>'), { format: 'xml', syntax: 'xml' }],
    ['["pkg:npm/a"]', { format: 'json', isSbom: true }],
    // A file that changed its size after it was found.
    ['{"a":1}', { format: 'json', inspected: 'full' }, 100],
    ['', { format: 'empty' }, 100],
    ['{"a":', { problem: expect.stringMatching(/ at byte 5$/) }, 100],
    ['{"a":1}', { problem: expect.stringMatching(/ at byte 4$/) }, 4],
  ])('recognises file %#', async (...[content, expected, size]) => {
    expect(await inspect(content, size)).toMatchObject(expected);
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
});

describe('the first byte that is not UTF-8', () => {
  test.each([
    ['"\xff"', 1],
    ['["\xc3\xa9\xc3"]', 4],
    ['["a\xed\xa0\x80"]', 3],
    ['{"a":1}\n{"b":"\xe9"}\n', 14],
    ['<a>\xe9</a>', 3],
    ['"\xc3\xa9\xef\xbf\xbd"', undefined],
    ['caf\xe9', undefined],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', undefined],
  ])('of %j is at %j', async (text, place) => {
    expect((await inspect(latin1(text))).invalidByte).toBe(place);
    const marked = await inspect(latin1(`\xef\xbb\xbf${text}`));
    expect(marked.invalidByte).toBe(place && place + 3);
  });

  test('changes nothing else, and is not looked for in a large file', async () => {
    const text = latin1(`${BOM_START}{"name":"\xe9"}]}`);
    expect(await inspect(text)).toEqual({ ...FULL, invalidByte: text.length - 5 });
    expect(await inspect(text, MAX_PARSED_BYTES + MIB)).not.toHaveProperty('invalidByte');
  });
});

describe('inspectContent with large files', () => {
  test('parses and counts a file up to the limit, and reports what is malformed in it', async () => {
    const bytes = makeBom(MAX_PARSED_BYTES);
    const whole = await inspectContent(await openContent(bytes), bytes.length, UNSTOPPED);
    expect(whole).toEqual({ content: FULL, digest: sha256(bytes) });
    bytes.write('"', 12 * MIB);
    const { problem } = await inspect(bytes);
    expect(problem).toBe(`is not well-formed JSON (line 1, column ${12 * MIB + 2})`);
  });

  test('reads only 64 KiB at each end of a larger one', async () => {
    const size = MAX_PARSED_BYTES + 1;
    const handle = await openContent(makeBom(size));
    const read = jest.spyOn(handle, 'read');
    const ends = await inspectContent(handle, size, UNSTOPPED);
    expect(ends).toEqual({ content: { ...CYCLONEDX, ...LEFT } });
    expect(read.mock.calls.map((args) => args.slice(1) as unknown)).toEqual([
      [0, END_BYTES, 0],
      [0, END_BYTES, size - END_BYTES],
    ]);
  });

  // What the ends of a file say: inspect-json.test.ts and inspect-xml.test.ts.
  test.each<[string, Partial<Content>]>([
    ['<a><b></b>', { format: 'xml', syntax: 'xml' }],
    // Half a character.
    [`{"a":"x${'😀'.repeat(END_BYTES / 4)}`, { format: 'json', syntax: 'json' }],
    [' '.repeat(9), { format: 'unknown', kind: 'text' }],
    ['\0'.repeat(9), { format: 'unknown', kind: 'binary' }],
  ])('recognises file %# by its beginning, and counts nothing', async (text, expected) => {
    const content = await inspect(text, MAX_PARSED_BYTES + MIB);
    expect(content).toMatchObject({ ...expected, ...LEFT });
  });
});

function find(workspace: string, names: readonly string[]): readonly FoundFile[] {
  return names.map((name) => ({
    path: join(workspace, name),
    input: 'files',
    directory: workspace,
  }));
}

async function readAll(
  workspace: string,
  names: readonly string[],
  signal = UNSTOPPED,
): Promise<ReadFiles> {
  return readScanFiles(find(workspace, names), { workspace, includeHidden: false }, signal);
}

function makeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${index}.json`);
}

async function makeFiles(count: number): Promise<string> {
  return makeFolder(Object.fromEntries(makeNames(count).map((name) => [name, '{}'])));
}

describe('readScanFiles', () => {
  test.each([0, 10, 12])('given %i files, inspects the first ten', async (count) => {
    const workspace = await makeFiles(count);
    const { files, others } = await readAll(workspace, makeNames(count));
    expect(files.map(({ name }) => name)).toEqual(makeNames(count).slice(0, 10));
    expect(files.every(({ size, content }) => size === 2 && content.format === 'json')).toBe(true);
    expect(others).toEqual(find(workspace, makeNames(count).slice(10)));
  });

  test('names a file that the system cannot read', async () => {
    const workspace = await makeFiles(1);
    const handle = await openFile(join(workspace, '0.json'));
    // The prototype of all file handles.
    const prototype = Reflect.getPrototypeOf(handle) ?? {};
    const original: unknown = Reflect.get(prototype, 'read');
    cleanUp(() => void Object.assign(prototype, { read: original }));
    const error = Object.assign(new Error('i/o error'), { code: 'EIO' });
    Object.assign(prototype, { read: () => Promise.reject(error) });
    const problem = await catchFileError(readAll(workspace, ['0.json']));
    expect(problem).toBe("'0.json' cannot be read (EIO).");
  });

  test('refuses a file that cannot be opened, though there are others', async () => {
    const workspace = await makeFiles(2);
    const problem = await catchFileError(readAll(workspace, [...makeNames(2), 'missing.json']));
    expect(problem).toMatch(/missing\.json' cannot be opened/);
  });

  test('ends with the reason of its signal', async () => {
    const reason = new CancelledError('SIGINT');
    const workspace = await makeFiles(3);
    const reading = readAll(workspace, makeNames(3), AbortSignal.abort(reason));
    await expect(reading).rejects.toBe(reason);
  });

  describeLinux('with /proc', () => {
    test('closes all files, even if one is refused', async () => {
      const workspace = await makeFiles(2);
      expect((await readAll(workspace, makeNames(2))).files).toHaveLength(2);
      await symlink('/etc/hostname', join(workspace, 'link.json'));
      await catchFileError(readAll(workspace, ['0.json', 'link.json']));
      expect(await listOpenFiles(workspace)).toEqual([]);
    });
  });
});
