import { describe, expect, jest, test } from '@jest/globals';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../support/directories.ts';
import { cleanUp } from '../support/scope.ts';

const asked: string[] = [];
let openError: Error | undefined;

// Makes the module follow the rules of Windows on any system.
Object.defineProperty(process, 'platform', { value: 'win32' });
jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  realpath: async (path: string) => {
    asked.push(path);
    return fs.realpath(path);
  },
  open: async (path: string) => {
    if (openError !== undefined) throw openError;
    return fs.open(path);
  },
}));

const { READ_FIX } = await import('../../src/errors.ts');
const { openScanFile, reopenScanFile } = await import('../../src/files/open.ts');

describe('openScanFile on Windows', () => {
  test('requests the real paths of only the file and the workspace', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    const path = join(workspace, 'a.json');
    const found = { path, input: 'files', directory: workspace } as const;
    const { handle } = await openScanFile(found, { workspace, includeHidden: false });
    cleanUp(() => handle.close());
    expect(new Set(asked)).toEqual(new Set([path, workspace]));
  });

  test('opens a file again whose ctime a virus scanner has changed', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    const found = {
      path: join(workspace, 'a.json'),
      input: 'files',
      directory: workspace,
    } as const;
    const { handle, ...facts } = await openScanFile(found, { workspace, includeHidden: false });
    await handle.close();
    const again = await reopenScanFile({ ...facts, ctimeNs: facts.ctimeNs + 1n });
    cleanUp(() => again.handle.close());
    expect(again.path).toBe(found.path);
  });

  test.each(['EBUSY', 'EPERM', 'EACCES'])(
    'reports the error code of the system if a file cannot be opened: %s',
    async (code) => {
      openError = Object.assign(new Error(`${code}: resource busy or locked`), { code });
      const found = { path: '/ws/a.json', input: 'files', directory: '/ws' } as const;
      const opening = openScanFile(found, { workspace: '/ws', includeHidden: false });
      await expect(opening).rejects.toMatchObject({
        message: `'/ws/a.json' cannot be opened (${code}).`,
        fixes: [READ_FIX],
      });
    },
  );
});
