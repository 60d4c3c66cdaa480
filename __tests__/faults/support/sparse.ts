import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../support/directories.ts';

/**
 * A workspace whose `scan.json` has `bytes` bytes, more than are parsed, and takes up next to no room:
 * it begins and ends like a JSON array, which is what is inspected of a large file.
 */
export async function makeSparseWorkspace(bytes: number): Promise<string> {
  const workspace = await makeFolder();
  const file = await open(join(workspace, 'scan.json'), 'w');
  try {
    await file.truncate(bytes);
    await file.write(`["${'x'.repeat(1024 * 1024)}`, 0);
    await file.write('"]', bytes - 2);
  } finally {
    await file.close();
  }
  return workspace;
}
