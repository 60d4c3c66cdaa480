import { describe, expect, test } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileInput } from '../../src/inputs/selection.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { catchFileError, hideDebugLines } from '../support/files.ts';
import { select } from '../support/search.ts';
import type { Selected } from '../support/search.ts';

hideDebugLines();

const TREE = { 'a.json': '', 'b.json': '', 'reports/c.json': '', 'reports/d.xml': '' };

/** Finds the files of these inputs, in the order of the inputs. */
async function find(
  texts: Readonly<Partial<Record<FileInput, string>>>,
  workspace: string,
  includeHidden = false,
): Promise<Selected> {
  const inputs = ['files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'] as const;
  const selection = inputs.flatMap((input) => {
    const text = texts[input];
    return text === undefined ? [] : [{ input, text }];
  });
  return select(selection, { workspace, includeHidden });
}

describe('findFiles', () => {
  test('returns the input that found a file, and the directory that its pattern names', async () => {
    const workspace = await makeFolder(TREE);
    const texts = { 'dependencies-file': 'reports/*.xml', 'vulnerabilities-file': './a.json' };
    const reports = join(workspace, 'reports');
    expect(await find(texts, workspace)).toEqual({
      files: [
        { path: join(reports, 'd.xml'), input: 'dependencies-file', directory: reports },
        { path: join(workspace, 'a.json'), input: 'vulnerabilities-file', directory: workspace },
      ],
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
  ])('returns the directory of the absolute pattern %s', async (pattern, directory) => {
    const workspace = await makeFolder(TREE);
    const result = await find({ files: `${workspace}${pattern}` }, workspace);
    const files = result.files;
    const directories = files.map((file) => file.directory);
    expect(new Set(directories)).toEqual(new Set([join(workspace, directory)]));
  });

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

  test('matches hidden files if they are included', async () => {
    const workspace = await makeFolder({ '.a.json': '' });
    const texts = { files: '*.json' };
    expect((await find(texts, workspace, true)).files).toHaveLength(1);
    expect((await find(texts, workspace, false)).files).toEqual([]);
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

describe('findFiles with patterns that match nothing', () => {
  test.each([
    [
      { files: 'x.json\n y/*.json \n!a.json' },
      "`files`: no file matches 'x.json'. Did you mean 'a.json', 'b.json', 'reports/c.json'? `files`: no file matches 'y/*.json'. The directory 'y' does not exist.",
    ],
    [
      { 'dependencies-file': 'x', 'vulnerabilities-file': 'y' },
      "`dependencies-file`: no file matches 'x'. `vulnerabilities-file`: no file matches 'y'.",
    ],
    [{ 'scan-file': 'x' }, "`scan-file`: no file matches 'x'."],
    [
      { files: 'a.json\n!*.json' },
      "`files`: no file matches 'a.json'. Did you mean 'b.json', 'reports/c.json'?",
    ],
    [
      { files: 'empty\nmissing/' },
      "`files`: no file matches 'empty'. `files`: no file matches 'missing/'.",
    ],
    [
      { files: 'scan[1].json' },
      "`files`: no file matches 'scan[1].json'. A literal [ is written [[].",
    ],
  ])('lists every pattern of %j', async (texts, problem) => {
    const workspace = await makeFolder({ ...TREE, 'scan[1].json': '' });
    expect(await find(texts, workspace)).toEqual({ files: [], problem, fixes: [] });
  });

  test('describes ten patterns, and counts the others', async () => {
    const files = Array.from({ length: 12 }, (_, index) => `${index}.*`).join('\n');
    const result = await find({ files }, await makeFolder(TREE));
    const problem = result.problem ?? '';
    expect(problem.match(/no file matches/g)).toHaveLength(10);
    expect(problem).toMatch(/ matches '9\.\*'\. And 2 more patterns match no file\.$/);
  });

  test.each([
    [
      { files: 'a.json\nx.json' },
      "`files`: no file matches 'x.json'. Did you mean 'b.json', 'reports/c.json'?",
    ],
    [
      { files: 'x.json\na.json' },
      "`files`: no file matches 'x.json'. Did you mean 'b.json', 'reports/c.json'?",
    ],
    [
      { 'dependencies-file': 'a.json', 'vulnerabilities-file': 'x' },
      "`vulnerabilities-file`: no file matches 'x'.",
    ],
    [
      { 'dependencies-file': 'x', 'vulnerabilities-file': 'a.json' },
      "`dependencies-file`: no file matches 'x'.",
    ],
  ])('refuses a partial match: %j', async (texts, problem) => {
    await expect(find(texts, await makeFolder(TREE))).rejects.toMatchObject({
      situation: 'files',
      message: `${problem} Every pattern must match at least one file.`,
      fixes: [],
    });
  });

  test.each(['/home/runner/work/repo/repo/a.json', '/home/runner/work/repo/repo'])(
    'explains in a container job that %s is a path on the host',
    async (path) => {
      const workspace = join(await makeFolder(), '__w', 'repo', 'repo');
      await writeTree(workspace, { 'a.json': '' });
      const hint = `This is a path on the runner's host. In a container job the workspace is ${workspace}: write the path relative to it.`;
      expect(await find({ files: path }, workspace)).toEqual({
        files: [],
        problem: `\`files\`: no file matches '${path}'. ${hint}`,
        fixes: ['Correct the path.'],
      });
    },
  );

  test.each([
    ['a relative path', (): string => 'home/repo/repo/x.json'],
    ['a path in the workspace', (workspace: string): string => `${workspace}/x.json`],
    ['an unrelated path', (): string => '/data/x.json'],
    ['a directory with a longer name', (): string => '/data/repo/repository/x.json'],
    ['a path below home', (): string => `~/missing-${'x'.repeat(20)}.json`],
  ])('does not mention container jobs for %s', async (_, makePattern) => {
    const workspace = join(await makeFolder(), 'repo', 'repo');
    await writeTree(workspace, { 'a.json': '' });
    const pattern = makePattern(workspace);
    const found = await find({ files: pattern }, workspace);
    expect(found.files).toEqual([]);
    expect(found).not.toMatchObject({ problem: expect.stringContaining('container job') });
  });
});

describe('findFiles with a path that does not exist', () => {
  test.each([
    ['in/x.json', " The directory 'in' does not exist. Did you mean 'reports/x.json'?"],
    ['reports/y.json', " Did you mean 'reports/x.json'?"],
    ['reports/other.xml', ''],
    ['in/a/other.xml', " The directory 'in/a' does not exist."],
    ['in/*.json', " The directory 'in' does not exist."],
    ['reports/?.xml', ''],
    ['*.xml', ''],
  ])('explains %s with the hint "%s"', async (path, hint) => {
    const workspace = await makeFolder({ 'reports/x.json': '' });
    expect(await find({ 'scan-file': path }, workspace)).toEqual({
      files: [],
      problem: `\`scan-file\`: no file matches '${path}'.${hint}`,
      fixes: [],
    });
  });
});

describe('findFiles with a wildcard that matches no file', () => {
  const EMPTY = ' Download the artifact with the files first, or check out the repository.';
  const HIDDEN = " It matches hidden files ('.out/x.json') only with `include-hidden-files: true`.";

  test.each<[string, Tree, string]>([
    ['*.json', {}, ` The workspace is empty.${EMPTY}`],
    ['x.json', {}, ` The workspace is empty.${EMPTY}`],
    ['**/*.json', { '.out/x.json': '', '.env': '' }, HIDDEN],
    ['**/*.json\n!.out', { '.out/x.json': '', '.env': '' }, ''],
    ['*.json', { 'in/.x.json': '', '.git/config': '' }, ''],
  ])('says why for %j in %j', async (text, tree, hint) => {
    const { problem } = await find({ files: text }, await makeFolder(tree));
    expect(problem).toBe(`\`files\`: no file matches '${text.split('\n')[0]}'.${hint}`);
  });

  test('says that a directory is empty', async () => {
    const workspace = await makeFolder({ 'x.json': '' });
    await mkdir(join(workspace, 'in'));
    const { problem } = await find({ files: 'in/*' }, workspace);
    expect(problem).toMatch(/ The directory 'in' is empty\.$/);
  });
});

/** The problem and the fixes of a pattern in `in/scans.json`. */
async function explain(text: string): Promise<readonly unknown[]> {
  const tree = { 'in/x.json': '', 'in/out/y.json': '', 'in/both.json': '', 'both.json': '' };
  const workspace = await makeFolder(tree);
  const selection = [{ input: 'scan-file', text, writtenIn: join(workspace, 'in') }];
  const { problem, fixes } = await select(selection, { workspace, includeHidden: false });
  return [problem, fixes];
}

describe('findFiles with a pattern of a `scans` file', () => {
  test.each([
    ['./x.json', 'in/x.json'],
    ['out/y.json', 'in/out/y.json'],
  ])('says where %j starts, which is only beside the file', async (text, path) => {
    expect(await explain(text)).toEqual([
      `\`scan-file\`: no file matches '${text}'. Paths in \`scans\` start at the workspace, not at the directory of the file: write '${path}'.`,
      ['Correct the path.'],
    ]);
  });

  // The last one is in the workspace too, but excluded.
  test.each(['out', 'x*.json', 'missing.json', '/x.json', 'both.json\n!both.json'])(
    'explains %j as any pattern',
    async (text) => {
      const other = expect.not.stringContaining('start at');
      expect(await explain(text)).toEqual([other, []]);
    },
  );
});

describe('findFiles with multiple matches for an input that takes one file', () => {
  test.each([
    ['scan-file', {}],
    ['dependencies-file', { 'vulnerabilities-file': 'a.json' }],
    ['vulnerabilities-file', { 'dependencies-file': 'a.json' }],
  ])('lists the candidates for %s', async (input, others) => {
    const workspace = await makeFolder(TREE);
    await expect(find({ ...others, [input]: '*.json' }, workspace)).rejects.toMatchObject({
      situation: 'files',
      fixes: [expect.stringMatching(/^Make the pattern match one file\. /)],
      message: `\`${input}\` must match exactly one file, but matches 2: 'a.json', 'b.json'.`,
    });
    const single = await find({ ...others, [input]: '*.json\n!a.json' }, workspace);
    expect(single.files.filter((file) => file.input === input)).toHaveLength(1);
  });

  test.each([
    [10, /, '[^']*'\.$/],
    [11, / and 1 more\.$/],
    [25, / and 15 more\.$/],
  ])('lists at most ten of %i candidates', async (count, end) => {
    const names = Array.from({ length: count }, (_, index) => `${index}.json`);
    const workspace = await makeFolder(Object.fromEntries(names.map((name) => [name, ''])));
    const message = await catchFileError(find({ 'scan-file': '*' }, workspace));
    expect(message).toMatch(new RegExp(`^.scan-file. must match exactly one file, .* ${count}: `));
    expect(message.match(/\.json'/g)).toHaveLength(10);
    expect(message).toMatch(end);
  });
});
