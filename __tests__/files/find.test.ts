import { link, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { FoundFile } from '../../src/files/find.ts';
import { describePosix, hideDebugLines, describeUnless } from '../support/files.ts';
import { findTexts, select } from '../support/search.ts';
import { makeFolder } from '../support/workspace.ts';

hideDebugLines();

const TREE = { 'a.json': '', 'b.json': '', 'reports/c.json': '', 'reports/d.xml': '' };

/** Finds the files of these inputs, in their order. */
async function find(
  texts: Readonly<Record<string, string>>,
  workspace: string,
): Promise<readonly FoundFile[]> {
  return (await select(texts, { workspace, includeHidden: false })).files;
}

describe('findFiles', () => {
  test('returns the input that found a file, and the directory that its pattern names', async () => {
    const workspace = await makeFolder(TREE);
    const directory = join(workspace, 'reports');
    const path = join(directory, 'd.xml');
    expect(
      await find({ a: 'reports/*.xml', b: './a.json', c: 'reports/d.xml' }, workspace),
    ).toEqual([
      { path, input: 'a', directory, isUnnamed: true },
      { path: join(workspace, 'a.json'), input: 'b', directory: workspace, isUnnamed: false },
      { path, input: 'c', directory, isUnnamed: false },
    ]);
    const absolute = await find({ files: directory }, workspace);
    expect(absolute.map((file) => [file.directory, file.isUnnamed])).toEqual([
      [directory, true],
      [directory, true],
    ]);
  });

  test.each<[string, ...string[]]>([
    // In the order of the patterns, each file once.
    [
      'reports/d.xml\n*.json\n# all\nreports\na.json',
      'reports/d.xml',
      'a.json',
      '(b.json)',
      '(reports/c.json)',
    ],
    // A name says more than a wildcard that matches the file too.
    ['a.json\n*.json', 'a.json', '(b.json)'],
    // An exclude is for the patterns above it.
    ['*.json\n!b.json\nb.json\n!c.json', '(a.json)', 'b.json'],
  ])('finds the files of %j', async (files, ...paths) => {
    const workspace = await makeFolder(TREE);
    const found = (await find({ files }, workspace)).map(({ path, isUnnamed }) => {
      const shown = relative(workspace, path).replaceAll('\\', '/');
      return isUnnamed ? `(${shown})` : shown;
    });
    expect(found).toEqual(paths);
  });

  test('returns only the matches of an input that takes one file and has several', async () => {
    const workspace = await makeFolder(TREE);
    const count = async (text: string) =>
      (await find({ 'vulnerabilities-file': 'a.json', 'dependencies-file': text }, workspace))
        .length;
    expect(await count('*.json\nreports')).toBe(4);
    expect(await count('*.json\n!a.json')).toBe(2);
    expect(await find({ 'scan-file': 'a.json\na.*' }, workspace)).toHaveLength(1);
  });

  test('gives signals a turn before each pattern', async () => {
    const scope = { workspace: await makeFolder(TREE), includeHidden: false };
    const controller = new AbortController();
    setImmediate(() => controller.abort(new CancelledError('SIGTERM')));
    const finding = findTexts({ files: 'a.json\n!..' }, scope, controller.signal);
    // Not with an error about the last line.
    await expect(finding).rejects.toThrow('SIGTERM');
  });

  test('counts a hard link as another file', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    await link(join(workspace, 'a.json'), join(workspace, 'b.json'));
    expect(await find({ files: 'a.json\nb.json' }, workspace)).toHaveLength(2);
  });

  test('excludes a hidden file that another line names', async () => {
    const workspace = await makeFolder({ '.a.json': '', 'b.json': '' });
    const finding = find({ files: '.a.json\nb.json\n!*a.json' }, workspace);
    await expect(finding).rejects.toThrow("no file matches '.a.json'");
  });
});

describePosix('findFiles with links to a file', () => {
  test('counts all paths to it once, as the first of them', async () => {
    const workspace = await makeFolder({ 'v1/out/x.json': '' });
    await symlink('v1/out', join(workspace, 'latest'));
    const files = await find({ 'scan-file': 'latest/x.json\n**/x.json' }, workspace);
    expect(files.map(({ path }) => path)).toEqual([join(workspace, 'latest', 'x.json')]);
  });
});

const HAS_CASE = process.platform === 'linux' ? 'names have case' : undefined;

describeUnless(HAS_CASE)('findFiles on a file system without case', () => {
  test('counts another spelling once, as the named one', async () => {
    const workspace = await makeFolder({ 'Report.json': '' });
    const files = await find({ files: 'R*.json\nREPORT.json' }, workspace);
    expect(files.map(({ path }) => path)).toEqual([join(workspace, 'REPORT.json')]);
  });
});
