import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { CancelledError } from '../../src/errors.ts';
import type { FoundFile } from '../../src/files/find.ts';
import type { Content } from '../../src/formats/content.ts';
import { readScanFiles } from '../../src/formats/inspect.ts';
import type { ReadFiles } from '../../src/formats/inspect.ts';
import { makeFolder } from '../support/directories.ts';
import { catchFileError, describeLinux, listOpenFiles, openFile } from '../support/files.ts';
import { MIB, sha256 } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';

const MAX_PARSED_BYTES = 32 * MIB;
const END_BYTES = 64 * 1024;
const UNSTOPPED = new AbortController().signal;

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

/** What is known of a file of this size with these texts at these places. */
async function inspect(size: number, texts: Readonly<Record<number, string>>) {
  const bytes = Buffer.alloc(size, 'a');
  for (const [place, text] of Object.entries(texts)) bytes.write(text, Number(place));
  const { files } = await readAll(await makeFolder({ file: bytes }), ['file']);
  const [{ content, digest } = {}] = files;
  return { content, isDigest: digest === sha256(bytes), digest };
}

describe('a large file', () => {
  const START = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"name":"';
  const FULL: Content = {
    format: 'cyclonedx',
    syntax: 'json',
    specVersion: '1.6',
    components: 1,
    inspected: 'full',
  };

  test('is parsed and counted up to the limit', async () => {
    const whole = { 0: START, [MAX_PARSED_BYTES - 4]: '"}]}' };
    expect(await inspect(MAX_PARSED_BYTES, whole)).toMatchObject({ content: FULL, isDigest: true });
    const { content } = await inspect(MAX_PARSED_BYTES, { ...whole, [12 * MIB]: '"' });
    expect(content?.problem).toBe(`is not well-formed JSON (line 1, column ${12 * MIB + 2})`);
  });

  // What the ends of a file say: inspect-json.test.ts and inspect-xml.test.ts.
  const SIZE = MAX_PARSED_BYTES + 1;
  const JSON_ENDS = { 0: '{"a":"', [SIZE - 2]: '"}' };
  const VERSION = '","spdxVersion":"SPDX-2.3","a":"';
  const PARTIAL = { format: 'json', syntax: 'json', inspected: 'partial' } as const;
  const SPDX = { ...PARTIAL, format: 'spdx', specVersion: 'SPDX-2.3' } as const;

  test.each<[Readonly<Record<number, string>>, Content]>([
    [{ ...JSON_ENDS, [END_BYTES - 32]: VERSION }, SPDX],
    [{ ...JSON_ENDS, [SIZE - END_BYTES]: VERSION }, SPDX],
    [{ ...JSON_ENDS, [END_BYTES]: VERSION }, PARTIAL],
    [{ ...JSON_ENDS, [SIZE - END_BYTES - 32]: VERSION }, PARTIAL],
    // Half a character.
    [{ [END_BYTES - 1]: 'é' }, { format: 'unknown', kind: 'text', inspected: 'partial' }],
    [{ 0: ' '.repeat(END_BYTES) }, { format: 'unknown', kind: 'text', inspected: 'partial' }],
  ])('is known by 64 KiB at each end: row %#', async (texts, content) => {
    expect(await inspect(SIZE, texts)).toEqual({ content, isDigest: false, digest: undefined });
  });
});

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
      const problem = await catchFileError(readAll(workspace, ['0.json', 'missing.json']));
      expect(problem).toMatch(/missing\.json' cannot be opened/);
      expect(await listOpenFiles(workspace)).toEqual([]);
    });
  });
});
