import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isFilePath, readInputFile } from '../../src/inputs/text-file.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { catchLaterProblems } from '../support/inputs.ts';

async function makeWorkspace(): Promise<string> {
  const root = await makeFolder({ 'workspace/in/a.json': '1234', 'outside/..2026/a.json': '1234' });
  return join(root, 'workspace');
}

async function read(path: string, workspace: string): Promise<string> {
  return String(await readInputFile('scans', path, workspace, 4));
}

test.each(['in/a.json', './in/../in/a.json', '../outside/..2026/a.json'])(
  'readInputFile reads %s, relative or absolute',
  async (path) => {
    const workspace = await makeWorkspace();
    expect(await read(path, workspace)).toBe('1234');
    expect(await read(join(workspace, path), '/')).toBe('1234');
  },
);

test.each([
  ['in', 'cannot be read (not a regular file).'],
  ['a\0b', 'cannot be read (ERR_INVALID_ARG_VALUE).'],
  ['*.json', 'does not exist. Create it, or check out the repository, before this step.'],
])('readInputFile refuses %j', async (path, problem) => {
  expect(await catchLaterProblems(read(path, await makeWorkspace()))).toEqual([
    `\`scans\`: the file '${path}' ${problem}`,
  ]);
});

test('readInputFile refuses a file that is too large', async () => {
  const reading = readInputFile('scans', 'in/a.json', await makeWorkspace(), 3);
  expect(await catchLaterProblems(reading)).toEqual([
    "`scans`: the file 'in/a.json' cannot be read (too large).",
  ]);
});

describePosix('readInputFile with links', () => {
  test('follows them out of the workspace and to hidden names, as Kubernetes mounts secrets', async () => {
    const workspace = await makeWorkspace();
    await symlink('../outside/..2026/a.json', join(workspace, 'link'));
    expect(await read('link', workspace)).toBe('1234');
  });
});

test.each([
  ['ca.pem', true],
  ['/run/secrets/tls.p12', true],
  ['tls/key', false],
  ['eyJh.eyJz.c2lnbmF0dXJl', false],
  ['a\nb.pem', false],
])('isFilePath returns for %j %s', (text, expected) => {
  expect(isFilePath(text)).toBe(expected);
});
