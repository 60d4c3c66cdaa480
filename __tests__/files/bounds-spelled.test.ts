import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { catchFileError, describePosix } from '../support/files.ts';
import { makeFolder } from '../support/workspace.ts';

// A file system that ignores the case of `workspace`, and returns real paths in the requested case.
const access = (path: string): string => path.replace('/WORKSPACE', '/workspace');
const respell = (real: string, asked: string): string =>
  asked.includes('/WORKSPACE') ? real.replace('/workspace', '/WORKSPACE') : real;

jest.unstable_mockModule('node:fs/promises', () => ({
  ...promises,
  realpath: async (path: string) => respell(await promises.realpath(access(path)), path),
  stat: async (path: string) => promises.stat(access(path), { bigint: true }),
}));

const { checkBounds } = await import('../../src/files/bounds.ts');

describePosix('checkBounds where real paths have the requested case', () => {
  test.each([
    ['workspace', 'WORKSPACE'],
    ['WORKSPACE', 'workspace'],
  ])('refuses a link out of %s if the pattern spells it %s', async (given, spelling) => {
    const root = await makeFolder({ 'workspace/in/a.json': '[]', 'outside/secret.json': '[]' });
    await promises.symlink('../outside', join(root, 'workspace', 'planted'));
    const check = async (directory: string, name: string, real: string): Promise<void> => {
      const found = {
        path: join(root, directory, name),
        input: 'files',
        directory: join(root, directory),
      };
      return checkBounds(found, real, { workspace: join(root, given), includeHidden: false });
    };
    const secret = join(root, 'outside', 'secret.json');
    expect(await catchFileError(check(`${spelling}/planted`, 'secret.json', secret))).toContain(
      `leads to '${secret}', outside the workspace, `,
    );
    await check(`${spelling}/in`, 'a.json', join(root, spelling, 'in', 'a.json'));
  });
});
