import { expect, jest, test } from '@jest/globals';
import * as fs from 'node:fs/promises';
import { makeFolder } from '../support/directories.ts';
import { hideDebugLines } from '../support/files.ts';

// A file system that gives all files one inode number, as some network drives do, and no creation time.
jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  lstat: () => Promise.resolve({ dev: 1n, ino: 0n, birthtimeNs: 0n }),
}));

const { findFiles } = await import('../../src/files/find.ts');

hideDebugLines();

test('findFiles counts files with different names separately', async () => {
  const workspace = await makeFolder({ 'a.json': '', 'b.json': '' });
  const scope = { workspace, includeHidden: false };
  const finding = findFiles([{ input: 'scan-file', text: '*.json' }], scope);
  await expect(finding).rejects.toThrow('matches 2: ');
});
