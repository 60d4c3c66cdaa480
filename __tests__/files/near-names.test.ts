import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';

let directoriesRead = 0;
jest.unstable_mockModule('node:fs/promises', () => ({
  ...promises,
  readdir: (path: string, options: { withFileTypes: true }) => {
    directoriesRead += 1;
    return promises.readdir(path, options);
  },
}));

const { findNearNames } = await import('../../src/files/near-names.ts');

async function find(path: string, names: readonly string[]): Promise<readonly string[]> {
  const workspace = await makeFolder(Object.fromEntries(names.map((name) => [name, ''])));
  return findNearNames(join(workspace, path), { workspace, includeHidden: false }, new Set());
}

describe('findNearNames', () => {
  test.each([
    ['the same name in another directory', 'scan.json', ['out/scan.json'], ['out/scan.json']],
    ['a name with one more character', 'scan.json', ['scans.json'], ['scans.json']],
    ['a name with one character less', 'scan.json', ['scn.json'], ['scn.json']],
    ['a name with another character', 'scan.json', ['scam.json'], ['scam.json']],
    ['a name with two swapped characters', 'scan.json', ['sacn.json'], ['sacn.json']],
    ['another name of one character', 'a', ['b'], ['b']],
    ['nothing if the names differ too much', 'scan.json', ['report.json', 'plan.txt', 's'], []],
    ['nothing if only the path itself matches', 'scan.json', ['scan.json', 'out/other.json'], []],
    ['no directory', 'scan', ['scans/x.json'], []],
    ['no hidden name', 'scan.json', ['.git/scan.json', '.scan.json', 'a/.b/scan.json'], []],
    [
      'nothing in node_modules',
      'scan.json',
      ['node_modules/scan.json', 'a/node_modules/scan.json'],
      [],
    ],
  ])('finds %s', async (_, path, names, expected) => {
    expect(await find(path, names)).toEqual(expected);
  });

  test('finds at most three: the same name first, then the fewest differences, then the same directory', async () => {
    const names = ['in/scan1.json', 'scan12.json', 'scan2.json', 'b/scan.json', 'in/scan34.json'];
    expect(await find('in/scan.json', names)).toEqual([
      'b/scan.json',
      'in/scan1.json',
      'scan2.json',
    ]);
  });

  test('finds nothing if there is no workspace', async () => {
    const scope = { workspace: '/missing', includeHidden: false };
    expect(await findNearNames('/missing/scan.json', scope, new Set())).toEqual([]);
  });

  test('searches for at most one second for all missing files of a step', async () => {
    const workspace = await makeFolder({ 'a/scan.json': '' });
    const scope = { workspace, includeHidden: false };
    const path = join(workspace, 'scan.json');
    // Before any turn of the process, so that none is due.
    let now = -1e6;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 150));
    try {
      expect(await findNearNames(path, scope, new Set())).toEqual(['a/scan.json']);
      expect(await findNearNames(path, scope, new Set())).toEqual(['a/scan.json']);
      expect(await findNearNames(path, scope, new Set())).toEqual([]);
      directoriesRead = 0;
      expect(await findNearNames(path, scope, new Set())).toEqual([]);
      expect(directoriesRead).toBe(0);
      expect(await findNearNames(path, { ...scope }, new Set())).toEqual(['a/scan.json']);
    } finally {
      jest.restoreAllMocks();
    }
  });
});
