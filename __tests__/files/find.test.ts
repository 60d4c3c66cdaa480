import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import type { Selection } from '../../src/inputs/selection.ts';
import { findFiles } from '../../src/files/find.ts';
import type { FindResult } from '../../src/files/find.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import { catchFileError, hideDebugLines } from '../support/files.ts';

hideDebugLines();

const TREE = { 'a.json': '', 'b.json': '', 'reports/c.json': '', 'reports/d.xml': '' };

async function find(selection: Selection, workspace: string): Promise<FindResult> {
  return findFiles(selection, { workspace, includeHidden: false });
}

async function findPatterns(text: string, workspace: string): Promise<FindResult> {
  return find([{ input: 'files', text: text }], workspace);
}

describe('findFiles', () => {
  test('names the input that found a file, and the directory that its pattern names', async () => {
    const workspace = await makeFolder(TREE);
    const selection: Selection = [
      { input: 'dependencies-file', text: 'reports/*.xml' },
      { input: 'vulnerabilities-file', text: './a.json' },
    ];
    expect(await find(selection, workspace)).toEqual({
      kind: 'files',
      files: [
        {
          path: join(workspace, 'reports', 'd.xml'),
          input: 'dependencies-file',
          directory: join(workspace, 'reports'),
        },
        { path: join(workspace, 'a.json'), input: 'vulnerabilities-file', directory: workspace },
      ],
    });
    expect(await find([{ input: 'scan-file', text: 'b.json' }], workspace)).toEqual({
      kind: 'files',
      files: [{ path: join(workspace, 'b.json'), input: 'scan-file', directory: workspace }],
    });
  });

  test.each([
    ['/a.json', ''],
    ['/*.json', ''],
    ['/reports', '/reports'],
    ['/reports/', '/reports'],
    ['/reports/*.xml', '/reports'],
    ['/reports/d.xml', '/reports'],
    ['/**/d.xml', ''],
  ])('names the directory of an absolute pattern: %s', async (pattern, directory) => {
    const workspace = await makeFolder(TREE);
    const result = await findPatterns(`${workspace}${pattern}`, workspace);
    const files = result.kind === 'files' ? result.files : [];
    const directories = files.map((file) => file.directory);
    expect(new Set(directories)).toEqual(new Set([join(workspace, directory)]));
  });

  test('keeps the order of the patterns and lists a file once', async () => {
    const workspace = await makeFolder(TREE);
    const text = 'reports/d.xml\n*.json\n# all\nreports\na.json';
    expect(await findPatterns(text, workspace)).toMatchObject({
      files: [
        { path: join(workspace, 'reports', 'd.xml') },
        { path: join(workspace, 'a.json') },
        { path: join(workspace, 'b.json') },
        { path: join(workspace, 'reports', 'c.json') },
      ],
    });
  });

  test('leaves a file in both roles to the plan', async () => {
    const workspace = await makeFolder(TREE);
    const selection: Selection = [
      { input: 'dependencies-file', text: 'a.json' },
      { input: 'vulnerabilities-file', text: 'a.json' },
    ];
    expect(await find(selection, workspace)).toMatchObject({
      files: [{ input: 'dependencies-file' }, { input: 'vulnerabilities-file' }],
    });
  });

  test('passes on whether hidden files count', async () => {
    const workspace = await makeFolder({ '.a.json': '' });
    const selection: Selection = [{ input: 'files', text: '*.json' }];
    expect(await findFiles(selection, { workspace, includeHidden: true })).toMatchObject({
      files: [{ path: join(workspace, '.a.json') }],
    });
    expect(await findFiles(selection, { workspace, includeHidden: false })).toMatchObject({
      kind: 'none',
    });
  });
});

describe('findFiles, with patterns that match nothing', () => {
  test('names all of them if nothing matched at all', async () => {
    const workspace = await makeFolder(TREE);
    expect(await findPatterns('x.json\n y/*.json \n!a.json', workspace)).toEqual({
      kind: 'none',
      problem: "No file matches 'x.json' (files), nor 'y/*.json' (files).",
    });
    const selection: Selection = [
      { input: 'dependencies-file', text: 'x' },
      { input: 'vulnerabilities-file', text: 'y' },
    ];
    expect(await find(selection, workspace)).toEqual({
      kind: 'none',
      problem: "No file matches 'x' (dependencies-file), nor 'y' (vulnerabilities-file).",
    });
    expect(await find([{ input: 'scan-file', text: 'x' }], workspace)).toEqual({
      kind: 'none',
      problem: "No file matches 'x' (scan-file).",
    });
  });

  test('refuses a partial match and names the unmatched pattern', async () => {
    const workspace = await makeFolder(TREE);
    const problem = "No file matches 'x.json' (files). Every pattern must match at least one file.";
    expect(await catchFileError(findPatterns('a.json\nx.json', workspace))).toBe(problem);
    expect(await catchFileError(findPatterns('x.json\na.json', workspace))).toBe(problem);
  });

  test('refuses one role without the other, whichever is missing', async () => {
    const workspace = await makeFolder(TREE);
    const inventory = { input: 'dependencies-file', text: 'a.json' } as const;
    const report = { input: 'vulnerabilities-file', text: 'a.json' } as const;
    const noReport = [inventory, { ...report, text: 'x' }];
    expect(await catchFileError(find(noReport, workspace))).toBe(
      "No file matches 'x' (vulnerabilities-file). Every pattern must match at least one file.",
    );
    const noInventory = [{ ...inventory, text: 'x' }, report];
    expect(await catchFileError(find(noInventory, workspace))).toBe(
      "No file matches 'x' (dependencies-file). Every pattern must match at least one file.",
    );
  });

  test('takes what was excluded for not matched', async () => {
    const workspace = await makeFolder(TREE);
    expect(await findPatterns('a.json\n!*.json', workspace)).toMatchObject({ kind: 'none' });
    expect(await findPatterns('!*.json\na.json', workspace)).toMatchObject({ kind: 'files' });
  });

  test('takes an empty directory and a missing one for nothing', async () => {
    const workspace = await makeFolder();
    expect(await findPatterns('.\nmissing/', workspace)).toMatchObject({ kind: 'none' });
  });

  test('gives a hint where brackets may be meant literally', async () => {
    const workspace = await makeFolder({ 'scan[1].json': '' });
    expect(await findPatterns('scan[1].json', workspace)).toEqual({
      kind: 'none',
      problem: "No file matches 'scan[1].json' (files) (a literal [ is written [[]).",
    });
    expect(await findPatterns('scan[[]1].json', workspace)).toMatchObject({ kind: 'files' });
  });

  test("says so where a path is the host's and the job runs in a container", async () => {
    const workspace = join(await makeFolder(), '__w', 'repo', 'repo');
    await writeTree(workspace, { 'a.json': '' });
    const host = '/home/runner/work/repo/repo';
    const hint = ` (a path on the runner's host: in a container job the workspace is ${workspace}, so write the path relative to it)`;
    expect(await findPatterns(`${host}/a.json`, workspace)).toEqual({
      kind: 'none',
      problem: `No file matches '${host}/a.json' (files)${hint}.`,
    });
    expect(await findPatterns(host, workspace)).toEqual({
      kind: 'none',
      problem: `No file matches '${host}' (files)${hint}.`,
    });
  });

  test.each([
    ['a relative path', (): string => 'home/repo/repo/x.json'],
    ['a path in the workspace', (workspace: string): string => `${workspace}/x.json`],
    ['an unrelated path', (): string => '/data/x.json'],
    ['a directory with a longer name', (): string => '/data/repo/repository/x.json'],
    ['a path below home', (): string => `~/missing-${'x'.repeat(20)}.json`],
  ])('gives no such hint for %s', async (_, makePattern) => {
    const workspace = join(await makeFolder(), 'repo', 'repo');
    await writeTree(workspace, { 'a.json': '' });
    const pattern = makePattern(workspace);
    expect(await findPatterns(pattern, workspace)).toEqual({
      kind: 'none',
      problem: `No file matches '${pattern}' (files).`,
    });
  });
});

describe('findFiles, with a role that several files would fill', () => {
  test.each<[string, (text: string) => Selection]>([
    ['scan-file', (text) => [{ input: 'scan-file', text: text }]],
    [
      'dependencies-file',
      (text) => [
        { input: 'dependencies-file', text: text },
        { input: 'vulnerabilities-file', text: 'a.json' },
      ],
    ],
    [
      'vulnerabilities-file',
      (text) => [
        { input: 'dependencies-file', text: 'a.json' },
        { input: 'vulnerabilities-file', text: text },
      ],
    ],
  ])('lists the candidates for %s', async (input, select) => {
    const workspace = await makeFolder(TREE);
    const candidates = [join(workspace, 'a.json'), join(workspace, 'b.json')];
    expect(await catchFileError(find(select('*.json'), workspace))).toBe(
      `${input} must match exactly one file and matches 2: '${candidates[0]}', '${candidates[1]}'.`,
    );
    expect(await find(select('*.json\n!a.json'), workspace)).toMatchObject({ kind: 'files' });
  });

  test.each([
    [10, /, '[^']*'\.$/],
    [11, / and 1 more\.$/],
    [25, / and 15 more\.$/],
  ])('lists ten of %i candidates at most', async (count, end) => {
    const names = Array.from({ length: count }, (_, index) => `${index}.json`);
    const workspace = await makeFolder(Object.fromEntries(names.map((name) => [name, ''])));
    const message = await catchFileError(find([{ input: 'scan-file', text: '*' }], workspace));
    expect(message).toMatch(new RegExp(`^scan-file must match exactly one file .* ${count}: `));
    expect(message.match(/\.json'/g)).toHaveLength(10);
    expect(message).toMatch(end);
  });

  test('counts a file that two lines match once', async () => {
    const workspace = await makeFolder(TREE);
    const selection: Selection = [{ input: 'scan-file', text: 'a.json\na.*' }];
    expect(await find(selection, workspace)).toMatchObject({
      files: [{ path: join(workspace, 'a.json') }],
    });
  });
});
