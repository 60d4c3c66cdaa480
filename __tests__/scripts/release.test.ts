import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, afterAll, describe, expect, test } from '@jest/globals';
import { REPOSITORY } from '../../scripts/repository.ts';
import { describeUnless } from '../support/files.ts';
import { readText } from '../support/repository.ts';
import { ACTION } from '../support/run-action.ts';
import { makeFolder, writeTree, TestScope } from '../support/workspace.ts';
import type { Tree } from '../support/workspace.ts';

const OWN = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GITHUB_ACTIONS: '' };

/** Runs a program, and returns its exit code and what it printed. */
function run(
  cwd: string,
  program: string,
  args: readonly string[],
  path = '',
  variables: Readonly<Record<string, string>> = {},
): [unknown, string] {
  const env = { ...process.env, ...OWN, ...variables, PATH: path + String(process.env.PATH) };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return [status, stdout + stderr];
}

const hasPrograms = ['git', 'bash'].every((name) => spawnSync(name, ['--version']).status === 0);
const describeGit = hasPrograms ? describe : describeUnless('git or bash is missing');

/** A new repository with one commit of these files and of `scripts/`. */
async function makeRepository(files: Tree, scope?: TestScope): Promise<string> {
  const directory = await makeFolder(files, scope);
  cpSync(join(ACTION, 'scripts'), join(directory, 'scripts'), { recursive: true, force: false });
  const user = ['config user.name Test', 'config user.email test@example.com'];
  for (const args of ['init -q -b main', ...user, 'add -A', 'commit -q -m One']) {
    expect(run(directory, 'git', args.split(' '))).toEqual([0, '']);
  }
  return directory;
}

/** gh for acme/uploads: two of its checks succeeded, and nothing is released. Fails in a way that `GH_FAILS` names. */
const GH = `#!/bin/sh
case "$GH_FAILS $*" in
  missing*) exit 127 ;;
  *"verify --help" | *--version) ;;
  unset*/environments/* | *releases/tags*) echo 'gh: Not Found (HTTP 404)' >&2; exit 1 ;;
  broken*/environments/*) echo 'gh: Bad Gateway (HTTP 502)' >&2; exit 1 ;;
  */environments/*) echo 1 ;;
  */check-runs*) printf 'Build\\nLint\\n' ;;
  *) echo acme/uploads ;;
esac`;
const NO_GH = 'This needs gh';
const NO_REVIEWERS = 'has no required reviewers';
const NOTES = '- [A](a.md), [b](d/b.md#c), [d](#e), [f](https://f.example).';
const LINK = 'https://github.com/acme/uploads/blob/v1.2.0';

describeGit('check-release.sh and move-major-tag.sh', () => {
  const scope = new TestScope();
  let directory = '';

  beforeAll(async () => {
    const checks = ['Build', 'Lint'].map((context) => `{ "context": "${context}" }\n`);
    directory = await makeRepository(
      {
        'package.json': '{\n  "version": "1.2.0",\n}',
        'CHANGELOG.md': `## [1.2.0] - 2026-01-02\n\n${NOTES}\n\n## [0.1.0] - 2026\n`,
        'scripts/repository.ts': "'acme/uploads'",
        'scripts/pin-upload.sh': 'true',
        '.github/rulesets/main.json': checks.join(''),
        'stubs/gh': GH,
      },
      scope,
    );
    chmodSync(join(directory, 'stubs', 'gh'), 0o755);
    run(directory, 'git', ['tag', 'v1.1.0']);
    const remote = await makeFolder({}, scope);
    run(remote, 'git', ['init', '-q', '--bare']);
    run(directory, 'git', ['remote', 'add', 'origin', remote]);
    run(directory, 'git', ['push', '-q', 'origin', 'main', 'v1.1.0']);
    run(directory, 'git', ['commit', '-q', '--allow-empty', '-m', 'Not merged']);
  });
  afterAll(() => scope.close());

  const linked = NOTES.replace('a.md', `${LINK}/a.md`).replace('d/b', `${LINK}/d/b`);

  test.each([
    ['v1.2.0', 'HEAD~1', 0, `\n${linked}\n`],
    ['v1.2.0', 'HEAD', 1, ' is not on main.\n'],
    ['v1.2.1', 'HEAD~1', 1, 'The tag is v1.2.1, package.json says 1.2.0.\n'],
    ['1.2.0', 'HEAD~1', 1, '1.2.0 is not vMAJOR.MINOR.PATCH.\n'],
  ])('of %s at %s exits with %i', (tag, commit, code, printed) => {
    const path = join(directory, 'stubs') + delimiter;
    const args = ['scripts/check-release.sh', tag, commit];
    expect(run(directory, 'bash', args, path)).toEqual([code, expect.stringContaining(printed)]);
  });

  test.each([
    ['check-release.sh', 'missing', NO_GH, NO_REVIEWERS],
    ['check-release.sh', 'unset', NO_REVIEWERS, NO_GH],
    ['check-release.sh', 'broken', 'Bad Gateway', NO_REVIEWERS],
    ['move-major-tag.sh', 'missing', NO_GH, 'no published release'],
    ['move-major-tag.sh', '', 'no published release', NO_GH],
  ])('says what is wrong: %s with gh %s', (script, fails, printed, other) => {
    const tag = script.startsWith('move') ? 'v1.1.0' : 'v1.2.0';
    const path = join(directory, 'stubs') + delimiter;
    const args = [`scripts/${script}`, tag, 'HEAD~1'];
    const [code, text] = run(directory, 'bash', args, path, { GH_FAILS: fails });
    expect([code, text]).toEqual([1, expect.stringContaining(printed)]);
    expect(text).not.toContain(other);
  });
});

/** gh that has no team yet, and prints its arguments to a file. */
const RECORDING_GH = `#!/bin/sh
case "$*" in
  *--version) ;;
  *"maintainers --jq .id"*) echo 'gh: Not Found (HTTP 404)' >&2; exit 1 ;;
  *.visibility) echo "$VISIBILITY" ;;
  *.full_name) echo acme/uploads ;;
  *'POST orgs/'*) echo 7 ;;
esac
echo "$*" >> calls`;

describeGit('set-up-repository.sh', () => {
  test.each([
    ['public', 'private-vulnerability-reporting', 'actions/permissions/access'],
    [
      'internal',
      'actions/permissions/access -f access_level=organization',
      'private-vulnerability',
    ],
  ])('of a repository that is %s', async (visibility, expected, other) => {
    const directory = await makeFolder({ 'stubs/gh': RECORDING_GH });
    cpSync(join(ACTION, 'scripts'), join(directory, 'scripts'), { recursive: true });
    chmodSync(join(directory, 'stubs', 'gh'), 0o755);
    const path = join(directory, 'stubs') + delimiter;
    const args = ['scripts/set-up-repository.sh'];
    const set = run(directory, 'bash', args, path, { VISIBILITY: visibility });
    expect(set).toEqual([0, expect.stringContaining('acme/uploads is set up')]);
    const calls = readFileSync(join(directory, 'calls'), 'utf8');
    expect(calls).toContain(`PUT repos/acme/uploads/${expected}`);
    expect(calls).not.toContain(other);
    expect(calls).toMatch(
      /environments\/release .*reviewers\[\]\[id\]=7 -F prevent_self_review=true/,
    );
    expect(calls).toContain('deployment-branch-policies -f name=v*.*.* -f type=tag');
  });
});

describeGit('npm run rename', () => {
  test('replaces the repository and its owner', async () => {
    const directory = await makeRepository({
      'package.json': '{"type":"module","scripts":{"generate":"echo","format":"echo"}}',
      'scripts/repository.ts': "export const REPOSITORY = 'old/scan';\n",
      'README.md': 'uses: old/scan@v1, by @old/scan-upload-maintainers',
      'node_modules/.gitignore': '',
    });
    const args = ['scripts/rename.ts', 'o/scan-upload'];
    const [code, printed] = run(directory, process.execPath, args);
    expect([code, printed]).toEqual([0, expect.stringContaining('o/scan-upload now, in 2 files')]);
    const text = readFileSync(join(directory, 'README.md'), 'utf8');
    expect(text).toBe('uses: o/scan-upload@v1, by @o/scan-upload-maintainers');
  });

  test('says in one line that a directory is no clone, and that a name is missing', async () => {
    const directory = await makeFolder({ 'package.json': '{"type":"module"}' });
    cpSync(join(ACTION, 'scripts'), join(directory, 'scripts'), { recursive: true });
    const rename = (...args: readonly string[]): [unknown, string] =>
      run(directory, process.execPath, ['scripts/rename.ts', ...args]);
    expect(rename('o/a')).toEqual([1, expect.stringMatching(/^.* is no clone with .*\n$/)]);
    expect(rename()).toEqual([1, expect.stringMatching(/^Name the repository: .*\n$/)]);
  });
});

describeGit('pin-upload.sh', () => {
  test('pins a commit with the same dist/, and accepts no other', async () => {
    const path = '.github/workflows/upload.yml';
    const tree = { [path]: readText(path), 'dist/index.js': 'one', 'action.yml': 'one' };
    const directory = await makeRepository(tree);
    const git = (args: string): string => run(directory, 'git', args.split(' '))[1].trim();
    const commit = async (changed: Tree = {}): Promise<string> => {
      await writeTree(directory, changed);
      git('add -A');
      git('commit -q -m One');
      return git('rev-parse HEAD');
    };
    const pin = (...args: readonly string[]): unknown =>
      run(directory, 'bash', ['scripts/pin-upload.sh', 'v1.2.3', ...args])[0];
    const parent = git('rev-parse HEAD');
    git('update-ref refs/remotes/origin/main HEAD');
    expect(pin(parent)).toBe(1);
    expect(pin()).toBe(0);
    const pinned = `- uses: ${REPOSITORY}@`;
    const text = readText(path).replace(new RegExp(`${pinned}.*`), `${pinned}${parent} # v1.2.3`);
    expect(readFileSync(join(directory, path), 'utf8')).toBe(text);
    expect(pin(await commit())).toBe(0);
    expect(pin(await commit({ 'dist/index.js': 'two' }))).toBe(1);
    const other = text.replace('v1.2.3', 'v1.2.2');
    expect(pin(await commit({ 'dist/index.js': 'one', [path]: other }))).toBe(1);
  });
});
