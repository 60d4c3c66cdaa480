import { expect, jest, test } from '@jest/globals';
import * as fs from 'node:fs/promises';
import { makeFolder } from '../support/directories.ts';
import { hideDebugLines } from '../support/files.ts';

// A file system that numbers all files alike, as some network drives do.
jest.unstable_mockModule('node:fs/promises', () => ({
  ...fs,
  lstat: async (path: string) => {
    const { size, mtimeNs } = await fs.lstat(path, { bigint: true });
    return { dev: 1n, ino: 0n, size, mtimeNs };
  },
}));

const { findFiles } = await import('../../src/files/find.ts');

hideDebugLines();

test.each([
  ['sizes', '', '{}', 1, 1],
  ['times', '', '', 1, 2],
])('takes files of different %s for different files', async (_, a, b, timeA, timeB) => {
  const workspace = await makeFolder({ 'a.json': a, 'b.json': b });
  await fs.utimes(`${workspace}/a.json`, timeA, timeA);
  await fs.utimes(`${workspace}/b.json`, timeB, timeB);
  const scope = { workspace, includeHidden: false };
  const finding = findFiles([{ input: 'scan-file', text: '*.json' }], scope);
  await expect(finding).rejects.toThrow('matches 2: ');
});
