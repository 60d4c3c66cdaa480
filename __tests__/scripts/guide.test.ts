import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '../peers/programs.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import { REPOSITORY } from '../../scripts/repository.ts';
import { Scope } from '../support/scope.ts';
import { readText } from '../support/workflows.ts';
import type { Repository, ScriptResult } from './release-repository.ts';
import {
  API,
  NAME,
  RULESETS,
  describeGit,
  git,
  listFiles,
  makeRepository,
  respond,
  runScript,
} from './release-repository.ts';

const GUIDE = readText('docs', 'maintenance.md');

/** The commands below a heading, one text for each block, indented as it is copied out of a list. */
function readBlocks(heading: string): readonly string[] {
  const [, chapter = ''] = GUIDE.split(new RegExp(`^##+ ${heading}\n`, 'm'));
  const blocks = chapter.split(/^##+ /m)[0]?.matchAll(/^ *```sh\n([^]*?)^ *```$/gm) ?? [];
  return Array.from(blocks, ([, text = '']) => text);
}

let repository: Repository;

/** Runs commands of the guide with values for its words in capitals. */
function follow(
  commands: string,
  version: string,
  others: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<ScriptResult> {
  const sha = git(repository.origin, 'rev-parse', 'main');
  const values = { OWNER: 'acme', REPO: 'uploads', 'X.Y.Z': version, 'A.B.C': '1.0.0', SHA: sha };
  const script = Object.entries(values).reduce((text, pair) => text.replaceAll(...pair), commands);
  const responses = { ...respond(repository.directory), ...others };
  return runScript(repository.directory, script, responses, environment);
}

/** Merges a version into main of `origin` as one new commit, as a squash does. Returns the commit. */
async function merge(version: string): Promise<string> {
  const clone = await makeFolder();
  git(clone, 'clone', '--quiet', repository.origin, '.');
  await writeTree(clone, listFiles(version));
  git(clone, 'commit', '--quiet', '--all', `--message=Release ${version}`);
  git(clone, 'push', '--quiet', 'origin', 'main');
  git(repository.directory, 'fetch', '--quiet');
  return git(clone, 'rev-parse', 'HEAD');
}

const [LOOK = '', TAG = '', MOVE = ''] = readBlocks('Release');
const [BACK = ''] = readBlocks('Back from a bad release');

/** What users run to verify a release, as SECURITY.md says: what the scripts call too. */
const VERIFY = (/^```sh\n([^]*?)\n```/m.exec(readText('SECURITY.md'))?.[1] ?? '')
  .replaceAll(/ \\\n */g, ' ')
  .replaceAll(REPOSITORY, NAME)
  .replace('gh attestation verify ', '');

/** The commit that a tag of `origin` points to. */
function locate(tag: string): string {
  return git(repository.origin, 'rev-parse', `${tag}^{commit}`);
}

describeGit(describeWith('jq'))('docs/maintenance.md', () => {
  test('leads from the first commit to a moved tag, and back', async () => {
    const placeholder = { 'scripts/repository.ts': "export const REPOSITORY = 'old/name';\n" };
    repository = await makeRepository('0.1.0', placeholder);
    const results: ScriptResult[] = [];
    for (const block of readBlocks('The first release')) results.push(await follow(block, '1.0.0'));
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(results.at(-1)?.stdout).toBe('true\n'.repeat(8));
    const calls = results.map((result) => result.calls).join('');
    expect(calls).toContain('reviewers[][id]=4711');
    for (const name of ['branches', 'main', 'release-tags', 'tags']) {
      expect(calls).toContain(`/rulesets --input ${RULESETS}/${name}.json`);
    }
    for (const version of ['1.0.0', '1.1.0']) {
      const sha = await merge(version);
      expect(await follow(LOOK, version)).toMatchObject({ exitCode: 0 });
      // Whatever is checked out, the merged commit gets the tag.
      git(repository.directory, 'checkout', '--quiet', '--detach');
      git(repository.directory, 'commit', '--quiet', '--allow-empty', '--message=Not merged');
      for (const commands of [TAG, MOVE]) {
        results.push(await follow(commands, version));
        expect(results.at(-1)).toMatchObject({ exitCode: 0 });
      }
      for (const line of VERIFY.replaceAll('v1.0.0', `v${version}`).split('\n')) {
        expect(results.at(-1)?.calls).toContain(line);
      }
      expect([locate(`v${version}`), locate('v1')]).toEqual([sha, sha]);
    }
    expect(await follow(BACK, '1.1.0')).toMatchObject({ exitCode: 0 });
    expect(locate('v1')).toBe(locate('v1.0.0'));
  });
});

describeGit(describeWith('jq'))('move-major-tag.sh', () => {
  const RELEASE = `${API}/releases/tags/v1.2.0`;
  const LIST = `${API}/releases`;
  const GOOD = { immutable: true, assets: [] };

  const scope = new Scope();
  beforeAll(async () => {
    repository = await makeRepository('1.1.0', {}, scope);
    await merge('1.2.0');
    await follow(TAG, '1.2.0');
  });
  afterAll(() => scope.close());

  test.each<[string, Record<string, unknown>, string, string?]>([
    ['a draft', { [RELEASE]: undefined }, 'There is no published release of v1.2.0'],
    ['a mutable release', { [RELEASE]: { ...GOOD, immutable: false } }, 'can be changed'],
    ['files that were not built', { [RELEASE]: { ...GOOD, assets: [{}] } }, 'not built'],
    ['a newer release', { [LIST]: [{ tag_name: 'v1.10.0' }] }, 'v1.10.0 is newer than v1.2.0.'],
    ['releases that cannot be listed', { [LIST]: undefined }, ''],
    ['dist/ without a signature', {}, 'dist/index.js of v1.2.0 is not signed', 'attestation'],
    ['a release without a signature', {}, 'GitHub has not signed', 'release verify'],
  ])('does not move v1 for %s', async (_, others, message, FAILS = '') => {
    const before = git(repository.origin, 'show-ref', '--tags');
    const { exitCode, stderr } = await follow(MOVE, '1.2.0', others, { FAILS });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(git(repository.origin, 'show-ref', '--tags')).toBe(before);
  });

  test('does not move v1 if somebody else moves it at the same time', async () => {
    const MEANWHILE = 'git push origin HEAD~1:refs/tags/v1';
    const { exitCode, stderr } = await follow(MOVE, '1.2.0', {}, { MEANWHILE });
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/\[rejected\][^]*ask them/)]);
    expect(locate('v1')).not.toBe(locate('v1.2.0'));
  });

  test('does not move v1 to what is not merged, or no version', async () => {
    const other = git(repository.directory, 'commit-tree', '-m', 'Three', 'HEAD^{tree}');
    git(repository.directory, 'push', '--quiet', 'origin', `${other}:refs/tags/v1.3.0`);
    const messages = { 'v1.3.0': 'v1.3.0 is not on main.', v1: 'v1 is not vMAJOR.MINOR.PATCH.' };
    for (const [tag, message] of Object.entries(messages)) {
      const { exitCode, stderr } = await follow(`bash scripts/move-major-tag.sh ${tag}`, '1.3.0');
      expect([exitCode, stderr]).toEqual([1, `${message}\nv1 has not moved.\n`]);
    }
  });

  test('ignores other lines, drafts and a list that is older than the release', async () => {
    const draft = { tag_name: 'v1.9.0', draft: true };
    const listed = ['v1.1.0', 'v2.0.0'].map((tag) => ({ tag_name: tag, draft: false }));
    expect(await follow(MOVE, '1.2.0', { [LIST]: [draft, ...listed] })).toMatchObject({
      exitCode: 0,
    });
    expect(locate('v1')).toBe(locate('v1.2.0'));
  });
});
