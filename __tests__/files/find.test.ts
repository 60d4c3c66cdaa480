import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { link, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileInput } from '../../src/inputs/selection.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import { describeLinux, describePosix, hideDebugLines } from '../support/files.ts';
import { select } from '../support/search.ts';
import type { Selected } from '../support/search.ts';

hideDebugLines();

const TREE = { 'a.json': '', 'b.json': '', 'reports/c.json': '', 'reports/d.xml': '' };

/** Finds the files of these inputs, in the order of the inputs. */
async function find(
  texts: Readonly<Partial<Record<FileInput, string>>>,
  workspace: string,
): Promise<Selected> {
  const inputs = ['files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'] as const;
  const selection = inputs.flatMap((input) => {
    const text = texts[input];
    return text === undefined ? [] : [{ input, text }];
  });
  return select(selection, { workspace, includeHidden: false });
}

describe('findFiles', () => {
  test('returns the input that found a file, and the directory that its pattern names', async () => {
    const workspace = await makeFolder(TREE);
    const texts = { 'dependencies-file': 'reports/*.xml', 'vulnerabilities-file': './a.json' };
    const reports = join(workspace, 'reports');
    expect(await find(texts, workspace)).toEqual({
      files: [
        {
          path: join(reports, 'd.xml'),
          input: 'dependencies-file',
          directory: reports,
          chosenBy: 'wildcard',
        },
        { path: join(workspace, 'a.json'), input: 'vulnerabilities-file', directory: workspace },
      ],
    });
  });

  test.each([
    ['/a.json', '', 'undefined'],
    ['/*.json', '', 'wildcard'],
    ['/reports', '/reports', 'directory'],
    ['/reports/', '/reports', 'directory'],
    ['/reports/*.xml', '/reports', 'wildcard'],
    ['/reports/?.xml', '/reports', 'wildcard'],
    ['/reports/[cd].xml', '/reports', 'wildcard'],
    ['/reports/**', '/reports', 'wildcard'],
    ['/reports/d.xml', '/reports', 'undefined'],
    ['/**/d.xml', '', 'wildcard'],
  ])(
    'returns the directory of the absolute pattern %s, and what chose the file',
    async (pattern, directory, chosenBy) => {
      const workspace = await makeFolder(TREE);
      const { files } = await find({ files: `${workspace}${pattern}` }, workspace);
      const found = new Set(files.map((file) => `${file.directory} ${file.chosenBy}`));
      expect(found).toEqual(new Set([`${join(workspace, directory)} ${chosenBy}`]));
    },
  );

  test('keeps the order of the patterns and lists a file once', async () => {
    const workspace = await makeFolder(TREE);
    const files = 'reports/d.xml\n*.json\n# all\nreports\na.json';
    const paths = ['reports/d.xml', 'a.json', 'b.json', 'reports/c.json'];
    expect(await find({ files }, workspace)).toMatchObject({
      files: paths.map((path) => ({ path: join(workspace, path) })),
    });
    const result = await find({ 'scan-file': 'a.json\na.*' }, workspace);
    expect(result).toMatchObject({ files: [{ path: join(workspace, 'a.json') }] });
  });

  test('applies an exclude only to the patterns above it', async () => {
    const workspace = await makeFolder(TREE);
    const paths = ['a.json', 'b.json'].map((name) => ({ path: join(workspace, name) }));
    const files = '*.json\n!b.json\nb.json\n!c.json';
    expect(await find({ files }, workspace)).toMatchObject({ files: paths });
  });
});

describe('findFiles in a workspace with wildcards in its name', () => {
  // Windows allows only the first of these names.
  const names = process.platform === 'win32' ? ['we[i]rd'] : ['we[i]rd', 'wh?t', 'st*r'];
  test.each(names)('matches the path of %s in an absolute pattern literally', async (name) => {
    const root = await makeFolder({ 'weird/a.json': '', 'what/a.json': '', 'star/a.json': '' });
    const workspace = join(root, name);
    await writeTree(workspace, { 'a.json': '', 'b.json': '' });
    const files = `${workspace}/*.json\n!${workspace}/b.json`;
    expect(await find({ files }, workspace)).toMatchObject({
      files: [{ path: join(workspace, 'a.json') }],
    });
  });
});

describe('findFiles with multiple matches for an input that takes one file', () => {
  test.each([
    ['scan-file', {}],
    ['dependencies-file', { 'vulnerabilities-file': 'a.json' }],
    ['vulnerabilities-file', { 'dependencies-file': 'a.json' }],
  ])('returns only these: %s', async (input, others) => {
    const workspace = await makeFolder(TREE);
    const texts = { 'dependencies-file': 'no.json', 'vulnerabilities-file': 'no.json' };
    const { files } = await find({ ...others, [input]: '*.json' }, workspace);
    expect(files).toMatchObject(
      ['a.json', 'b.json'].map((name) => ({ path: join(workspace, name), input })),
    );
    const pair = input === 'scan-file' ? {} : texts;
    expect(await find({ ...pair, [input]: '*.json' }, workspace)).toMatchObject({
      files: [{ input }, { input }],
    });
    const single = await find({ ...others, [input]: '*.json\n!a.json' }, workspace);
    expect(single.files.filter((file) => file.input === input)).toHaveLength(1);
  });
});

describe('findFiles with two names of one file', () => {
  test.each(['Report.json\nREPORT.json', 'Report.json\n**/REPORT.json', 'REPORT.json\nR*.json'])(
    'counts another spelling once, as the first of them: %j',
    async (files) => {
      const workspace = await makeFolder({ 'Report.json': '', 'in/a.json': '' });
      const other = join(workspace, 'REPORT.json');
      // A hard link, unless the file system ignores case.
      if (!existsSync(other)) await link(join(workspace, 'Report.json'), other);
      const path = join(workspace, files.split('\n')[0] ?? '');
      const expected = { files: [{ path, input: 'files', directory: workspace }] };
      expect(await find({ files }, workspace)).toEqual(expected);
    },
  );

  test.each(['a.json', 'in/Report.json'])(
    'counts a hard link as another file: %s',
    async (name) => {
      const workspace = await makeFolder({ 'Report.json': '', 'in/x': '' });
      await link(join(workspace, 'Report.json'), join(workspace, name));
      expect((await find({ files: `Report.json\n${name}` }, workspace)).files).toHaveLength(2);
    },
  );

  test('excludes a hidden file that another line names', async () => {
    const workspace = await makeFolder({ '.a.json': '', 'b.json': '' });
    expect(await find({ files: '.a.json\nb.json\n!*a.json' }, workspace).catch(String)).toContain(
      "no file matches '.a.json'",
    );
  });

  test('counts files of the same content and time twice', async () => {
    const workspace = await makeFolder({ 'a.json': '{}', 'b.json': '{}' });
    for (const name of ['a.json', 'b.json']) await utimes(join(workspace, name), 1, 1);
    expect((await find({ files: 'a.json\nb.json' }, workspace)).files).toHaveLength(2);
  });
});

describePosix('findFiles with links to a file', () => {
  test.each([
    ['a.json\nb.json', 'a.json'],
    ['c.json\nb.json', 'c.json'],
    ['latest/x.json\n**/x.json', 'latest/x.json'],
    ['v1/out/x.json\n**/x.json', 'v1/out/x.json'],
  ])('counts all paths to it once, as the first of them: %j', async (text, first) => {
    const workspace = await makeFolder({ 'a.json': '', 'v1/out/x.json': '' });
    for (const name of ['b.json', 'c.json']) await symlink('a.json', join(workspace, name));
    await symlink('v1/out', join(workspace, 'latest'));
    const { files } = await find({ 'scan-file': text }, workspace);
    expect(files.map(({ path }) => path)).toEqual([join(workspace, first)]);
  });
});

describeLinux('findFiles on a file system with case', () => {
  test('counts files whose names differ in case alone twice', async () => {
    const workspace = await makeFolder({ 'a.json': '', 'A.json': '' });
    expect((await find({ files: '*.json' }, workspace)).files).toHaveLength(2);
  });
});
