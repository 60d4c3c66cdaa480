import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { StepError } from '../../src/errors.ts';
import { openScanFile } from '../../src/files/open.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { describePosix } from '../support/files.ts';
import { makeFolder } from '../support/directories.ts';
import { CODE_POINT, CONCEALED } from './arbitraries.ts';

/** Characters that reorder or hide text, or end a line. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2028\u2029\\]/u;

/** Any base name at all. */
const NAME = fc
  .array(fc.oneof(fc.constantFrom('a', 'é', ' ', '"', '\\', ...CONCEALED), CODE_POINT), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => pieces.join('').replace(/[/\0]/g, '_'))
  .filter((name) => name !== '.' && name !== '..');

/** Opens a file with this name, and removes it. Returns undefined if it is refused. */
async function openNamed(workspace: string, name: string): Promise<OpenFile | undefined> {
  const path = join(workspace, name);
  await writeFile(path, '{}');
  try {
    return await openScanFile(
      { path, input: 'files', directory: workspace },
      { workspace, includeHidden: false },
    );
  } catch (error) {
    if (error instanceof StepError) return undefined;
    throw error;
  } finally {
    await rm(path);
  }
}

describePosix('openScanFile', () => {
  test('accepts a name if, and only if, every character of it can be sent', async () => {
    const workspace = await makeFolder();
    await fc.assert(
      fc.asyncProperty(NAME, async (name) => {
        const file = await openNamed(workspace, name);
        await file?.handle.close();
        expect(file?.name).toBe(UNSAFE.test(name) ? undefined : name);
      }),
      { numRuns: 150 },
    );
  });
});
