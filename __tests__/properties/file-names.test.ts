import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { FileError } from '../../src/errors.ts';
import { openScanFile } from '../../src/files/open.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { frameBody } from '../../src/service/body.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { insertedInto, characterOf } from './arbitraries.ts';
import { UNSAFE_CHARACTERS, anyFileName, fileName } from './file-arbitraries.ts';
import { readWithBusboy, readWithNode } from './multipart.ts';

const KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const CONTENT = '{"a":1}';

/** Whether a name has a character that would reorder, hide or end something. */
function isUnsafe(name: string): boolean {
  return Array.from(name).some((character) => {
    const code = character.codePointAt(0) ?? 0;
    const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
    const isLineEnd = code === 0x2028 || code === 0x2029;
    const isHidden = /\p{Cf}|\p{Surrogate}/u.test(character);
    return isControl || isLineEnd || isHidden || character === '\\';
  });
}

/** Opens a file of this name; undefined where it is refused. The file is gone afterwards. */
async function openNamed(workspace: string, name: string): Promise<OpenFile | undefined> {
  const path = join(workspace, name);
  await writeFile(path, CONTENT);
  try {
    return await openScanFile(
      { path, input: 'files', directory: workspace },
      { workspace, includeHidden: false },
    );
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  } finally {
    await rm(path);
  }
}

/** The form's only file part as it goes out, in whole. */
function frame(file: OpenFile): { readonly contentType: string; readonly bytes: Buffer } {
  const { contentType, segments } = frameBody([{ part: 'ScanJsonFile', file }], KEY);
  const pieces = segments.map((each) => (Buffer.isBuffer(each) ? each : Buffer.from(CONTENT)));
  return { contentType, bytes: Buffer.concat(pieces) };
}

describePosix('a file name', () => {
  test('is taken exactly where every character of it can be sent', async () => {
    const workspace = await makeFolder();
    await fc.assert(
      fc.asyncProperty(anyFileName(), async (name) => {
        const file = await openNamed(workspace, name);
        await file?.handle.close();
        expect(file?.name).toBe(isUnsafe(name) ? undefined : name);
      }),
      { numRuns: 200 },
    );
  });

  test('is refused for one bad character anywhere in it', async () => {
    const workspace = await makeFolder();
    const bad = fc.constantFrom(...UNSAFE_CHARACTERS);
    const name = fc.string({ unit: characterOf('ab. "é扫🔍'), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        name.chain((good) => insertedInto(good, bad)),
        async (spoilt) => {
          fc.pre(spoilt.isWellFormed() || !/[\ud800-\udbff][\udc00-\udfff]/.test(spoilt));
          expect(await openNamed(workspace, spoilt)).toBeUndefined();
        },
      ),
      { numRuns: 150 },
    );
  });

  test('adds neither a line nor a parameter to the head of its part', async () => {
    const workspace = await makeFolder();
    await fc.assert(
      fc.asyncProperty(fileName(), async (name) => {
        const file = await openNamed(workspace, name);
        if (file === undefined) throw new Error(`Refused: ${name}`);
        await file.handle.close();
        const { contentType, bytes } = frame(file);
        const written = name.replaceAll('"', '%22');
        const head = `name="ScanJsonFile"; filename="${written}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
        expect(bytes.toString()).toContain(head);
        const [, part, ...others] = await readWithBusboy(contentType, bytes, bytes.length);
        expect(others).toEqual([]);
        expect([part?.name, part?.filename]).toEqual(['ScanJsonFile', written]);
        const [, same, ...more] = await readWithNode(contentType, bytes);
        expect(more).toEqual([]);
        expect([same?.name, same?.bytes.toString()]).toEqual(['ScanJsonFile', CONTENT]);
      }),
      { numRuns: 150 },
    );
  });
});
