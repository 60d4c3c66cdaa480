import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import { conclude } from '../../src/formats/content.ts';
import type { Content } from '../../src/formats/content.ts';
import { readScanFiles } from '../../src/formats/inspect.ts';
import type { ReadFiles } from '../../src/formats/inspect.ts';
import { catchFileError, describeLinux, listOpenFiles, replaceRead } from '../support/files.ts';
import { makeFolder, MIB, sha256 } from '../support/workspace.ts';

const MAX_PARSED_BYTES = 32 * MIB;
const END_BYTES = 64 * 1024;
const UNSTOPPED = new AbortController().signal;
const NAMES = Array.from({ length: 12 }, (_, index) => `${index}.json`);

/** Makes the first of these files. */
async function makeFiles(count: number): Promise<string> {
  return makeFolder(Object.fromEntries(NAMES.slice(0, count).map((name) => [name, '{}'])));
}

/** Reads the first of these files. */
async function readFiles(directory: string, count: number, signal = UNSTOPPED): Promise<ReadFiles> {
  const found = NAMES.slice(0, count).map((name) => {
    return { path: join(directory, name), input: 'files', directory } as const;
  });
  return readScanFiles(found, { workspace: directory, includeHidden: false }, signal);
}

/** What is known of a file of this size with these texts at these places. */
async function inspect(size: number, texts: Readonly<Record<number, string>>) {
  const bytes = Buffer.alloc(size, 'a');
  for (const [place, text] of Object.entries(texts)) bytes.write(text, Number(place));
  const { files } = await readFiles(await makeFolder({ '0.json': bytes }), 1);
  const [{ content, digest } = {}] = files;
  return { content, isDigest: digest === sha256(bytes), digest };
}

describe('a large file', () => {
  const BOM = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"name":"';

  test('is parsed and counted up to the limit', async () => {
    const texts = { 0: BOM, [MAX_PARSED_BYTES - 4]: '"}]}' };
    expect(await inspect(MAX_PARSED_BYTES, texts)).toMatchObject({
      content: { format: 'cyclonedx', components: 1, inspected: 'full' },
      isDigest: true,
    });
    const { content } = await inspect(MAX_PARSED_BYTES, { ...texts, [12 * MIB]: '"' });
    expect(content?.problem).toBe(`is not well-formed JSON (line 1, column ${12 * MIB + 2})`);
  });

  // What the ends of a file say: inspect-json.test.ts and inspect-xml.test.ts.
  const SIZE = MAX_PARSED_BYTES + 1;
  const JSON_ENDS = { 0: '{"a":"', [SIZE - 2]: '"}' };
  const VERSION = '","spdxVersion":"SPDX-2.3","a":"';
  const PARTIAL = { format: 'json', syntax: 'json', inspected: 'partial' } as const;
  const SPDX = { ...PARTIAL, format: 'spdx', specVersion: 'SPDX-2.3' } as const;
  const TEXT = { format: 'unknown', kind: 'text', inspected: 'partial' } as const;

  test.each<[string, Readonly<Record<number, string>>, Content]>([
    ['the last word of the first', { ...JSON_ENDS, [END_BYTES - 32]: VERSION }, SPDX],
    ['the first word of the last', { ...JSON_ENDS, [SIZE - END_BYTES]: VERSION }, SPDX],
    ['no word after the first', { ...JSON_ENDS, [END_BYTES]: VERSION }, PARTIAL],
    ['no word before the last', { ...JSON_ENDS, [SIZE - END_BYTES - 32]: VERSION }, PARTIAL],
    ['half a character', { [END_BYTES - 1]: 'é' }, TEXT],
    ['only spaces', { 0: ' '.repeat(END_BYTES) }, TEXT],
  ])('is known by 64 KiB at each end: %s', async (_, texts, content) => {
    expect(await inspect(SIZE, texts)).toEqual({
      content: conclude(content),
      isDigest: false,
      digest: undefined,
    });
  });
});

describe('readScanFiles', () => {
  test.each([0, 10, 12])('given %i files, inspects the first ten', async (count) => {
    const { files, others } = await readFiles(await makeFiles(count), count);
    expect(files.map(({ name }) => name)).toEqual(NAMES.slice(0, Math.min(count, 10)));
    expect(files.every(({ size, content }) => size === 2 && content.format === 'json')).toBe(true);
    expect(others).toHaveLength(count - files.length);
  });

  test('names a file that the system cannot read', async () => {
    const workspace = await makeFiles(1);
    const error = Object.assign(new Error('i/o error'), { code: 'EIO' });
    await replaceRead(() => Promise.reject(error));
    const problem = await catchFileError(readFiles(workspace, 1));
    expect(problem).toBe("'0.json' cannot be read (EIO).");
  });

  test('ends with the reason of its signal', async () => {
    const reason = new CancelledError('SIGINT');
    const reading = readFiles(await makeFiles(1), 1, AbortSignal.abort(reason));
    await expect(reading).rejects.toBe(reason);
  });

  describeLinux('with /proc', () => {
    test('closes all files, even if one cannot be opened', async () => {
      const workspace = await makeFiles(2);
      expect((await readFiles(workspace, 2)).files).toHaveLength(2);
      const problem = await catchFileError(readFiles(workspace, 3));
      expect(problem).toMatch(/2\.json' cannot be opened/);
      expect(await listOpenFiles(workspace)).toEqual([]);
    });
  });
});
