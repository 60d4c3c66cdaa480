import { describe, expect, test } from '@jest/globals';
import { link, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { makeFolder } from '../support/directories.ts';
import { describePosix, hideDebugLines } from '../support/files.ts';
import { select } from '../support/search.ts';
import { describeUnless } from '../support/skip.ts';
import type { Selected } from '../support/search.ts';

hideDebugLines();

const TREE = { 'a.json': '', 'b.json': '', 'reports/c.json': '', 'reports/d.xml': '' };

/** Finds the files of these inputs, in the order of the inputs. */
async function find(texts: Readonly<Record<string, string>>, workspace: string): Promise<Selected> {
  const inputs = ['files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'] as const;
  const selection = inputs.flatMap((input) => {
    const text = texts[input];
    return text === undefined ? [] : [{ input, text }];
  });
  return select(selection, { workspace, includeHidden: false });
}

/** The paths of the files of these inputs in TREE. */
async function list(texts: Readonly<Record<string, string>>) {
  const workspace = await makeFolder(TREE);
  const { files } = await find(texts, workspace);
  return files.map(({ path }) => relative(workspace, path).replaceAll('\\', '/'));
}

describe('findFiles', () => {
  test('returns the input that found a file, and the directory that its pattern names', async () => {
    const workspace = await makeFolder(TREE);
    const [sbom, report] = ['dependencies-file', 'vulnerabilities-file'] as const;
    const directory = join(workspace, 'reports');
    const path = join(directory, 'd.xml');
    expect(await find({ [sbom]: 'reports/*.xml', [report]: './a.json' }, workspace)).toEqual({
      files: [
        { path, input: sbom, directory, isUnnamed: true },
        { path: join(workspace, 'a.json'), input: report, directory: workspace },
      ],
    });
  });

  test.each([
    ['/a.json', '', undefined],
    ['/reports', '/reports', true],
    ['/reports/d.xml', '/reports', undefined],
    ['/**/d.xml', '', true],
  ])(
    'returns the directory of the absolute pattern %s, and whether it names the file',
    async (pattern, directory, isUnnamed) => {
      const workspace = await makeFolder(TREE);
      const { files } = await find({ files: `${workspace}${pattern}` }, workspace);
      const found = new Set(files.map((file) => `${file.directory} ${file.isUnnamed}`));
      expect(found).toEqual(new Set([`${join(workspace, directory)} ${isUnnamed}`]));
    },
  );

  test('keeps the order of the patterns and lists a file once', async () => {
    const files = 'reports/d.xml\n*.json\n# all\nreports\na.json';
    expect(await list({ files })).toEqual(['reports/d.xml', 'a.json', 'b.json', 'reports/c.json']);
    expect(await list({ 'scan-file': 'a.json\na.*' })).toEqual(['a.json']);
  });

  test.each(['a.json\n*.json', '*.json\na.json'])(
    'names a file that a wildcard matches too: %j',
    async (text) => {
      const { files } = await find({ files: text }, await makeFolder(TREE));
      expect(files.map(({ isUnnamed }) => isUnnamed)).toEqual([undefined, true]);
    },
  );

  test('applies an exclude only to the patterns above it', async () => {
    expect(await list({ files: '*.json\n!b.json\nb.json\n!c.json' })).toEqual(['a.json', 'b.json']);
  });
});

test('findFiles returns only the matches of an input that takes one file and has several', async () => {
  const others = { 'vulnerabilities-file': 'a.json' };
  expect(await list({ ...others, 'dependencies-file': '*.json' })).toEqual(['a.json', 'b.json']);
  const single = { ...others, 'dependencies-file': '*.json\n!a.json' };
  expect(await list(single)).toEqual(['b.json', 'a.json']);
});

describe('findFiles with two names of one file', () => {
  test('counts a hard link as another file', async () => {
    const workspace = await makeFolder({ 'a.json': '' });
    await link(join(workspace, 'a.json'), join(workspace, 'b.json'));
    expect((await find({ files: 'a.json\nb.json' }, workspace)).files).toHaveLength(2);
  });

  test('excludes a hidden file that another line names', async () => {
    const workspace = await makeFolder({ '.a.json': '', 'b.json': '' });
    const finding = find({ files: '.a.json\nb.json\n!*a.json' }, workspace);
    await expect(finding).rejects.toThrow("no file matches '.a.json'");
  });
});

describePosix('findFiles with links to a file', () => {
  test.each([
    ['a.json\nb.json', 'a.json'],
    ['latest/x.json\n**/x.json', 'latest/x.json'],
  ])('counts all paths to it once, as the first of them: %j', async (text, first) => {
    const workspace = await makeFolder({ 'a.json': '', 'v1/out/x.json': '' });
    await symlink('a.json', join(workspace, 'b.json'));
    await symlink('v1/out', join(workspace, 'latest'));
    const { files } = await find({ 'scan-file': text }, workspace);
    expect(files.map(({ path }) => path)).toEqual([join(workspace, first)]);
  });
});

const HAS_CASE = process.platform === 'linux' ? 'names have case' : undefined;

describeUnless(HAS_CASE)('findFiles on a file system without case', () => {
  test.each(['Report.json\n**/REPORT.json', 'REPORT.json\nR*.json'])(
    'counts another spelling once, as the first of them: %j',
    async (files) => {
      const workspace = await makeFolder({ 'Report.json': '', 'in/a.json': '' });
      const path = join(workspace, files.split('\n')[0] ?? '');
      const expected = { files: [{ path, input: 'files', directory: workspace }] };
      expect(await find({ files }, workspace)).toEqual(expected);
    },
  );
});
