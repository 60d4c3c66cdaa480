import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { describeWith } from '../peers/programs.ts';
import { ACTION } from '../support/run-action.ts';
import { REMOTE, git, makeRepository, runReleaseStep } from './workflow-step.ts';

const RULESET = readFileSync(join(ACTION, '.github', 'rulesets', 'main.json'), 'utf8');
const CHANGELOG =
  '# Changelog\n\n## [1.2.0] - 2026-01-02\n\n### Added\n\n- One.\n\n## [1.1.0] - 2026\n';

const REQUIRED = Array.from(RULESET.matchAll(/"context": "(.*?)"/g), ([, name = '']) => name);

let repository: Awaited<ReturnType<typeof makeRepository>>;
let sha = '';

/** A check run as the API returns it. */
function makeCheck(name: string, conclusion: string, slug: string): object {
  return { name, conclusion, app: { slug } };
}

function succeed(name: string): object {
  return makeCheck(name, 'success', 'github-actions');
}

/** GitHub's responses for the releases, of which v1.9.0 is a draft, and for its own metadata. */
function respond(...tags: readonly string[]): Readonly<Record<string, unknown>> {
  const releases = tags.map((tag) => ({ tag_name: tag, draft: tag === 'v1.9.0' }));
  return { [`repos/${REMOTE}/releases`]: releases, meta: { ssh_keys: ['ssh-ed25519 AAAA'] } };
}

beforeEach(async () => {
  repository = await makeRepository({
    'package.json': '{ "version": "1.2.0" }',
    'CHANGELOG.md': CHANGELOG,
    '.github/rulesets/main.json': RULESET,
  });
  sha = git(repository.directory, 'rev-parse', 'HEAD');
});

describeWith('jq')('the checks before a release is built', () => {
  const NAMED = 'The repository has its name';
  const REVIEWED = "The commit has been reviewed, and its version is the tag's";
  const CHECKED = "The commit's required checks have succeeded";

  test('require that the placeholder for the repository has been replaced', async () => {
    expect(await runReleaseStep(NAMED, repository, {})).toMatchObject({ exitCode: 0, printed: '' });
    const placeholder = ['your', 'org'].join('-');
    const named = await makeRepository({ 'README.md': `uses: ${placeholder}/uploads@v1` });
    const { exitCode, printed } = await runReleaseStep(NAMED, named, {});
    expect(exitCode).toBe(1);
    expect(printed).toContain(`README.md:1:uses: ${placeholder}`);
    expect(printed).toContain(`npm run rename -- ${REMOTE}`);
  });

  test.each([
    ['v1.2.0', 0, ''],
    ['v1.2.1', 1, 'The tag is v1.2.1, package.json says 1.2.0.'],
    ['v1.2.0-rc.1', 1, 'v1.2.0-rc.1 is not vMAJOR.MINOR.PATCH.'],
  ])('require that the tag matches package.json: %s', async (TAG, code, message) => {
    const environment = { TAG, DEFAULT_BRANCH: 'main' };
    const { exitCode, printed } = await runReleaseStep(REVIEWED, repository, environment);
    expect([exitCode, printed.trim()]).toEqual([code, message && `::error::${message}`]);
  });

  test('require that the commit is on the default branch', async () => {
    git(repository.directory, 'commit', '--quiet', '--allow-empty', '--message=Two');
    const environment = { TAG: 'v1.2.0', DEFAULT_BRANCH: 'main' };
    const { exitCode, printed } = await runReleaseStep(REVIEWED, repository, environment);
    expect([exitCode, printed]).toEqual([1, '::error::v1.2.0 is not on main.\n']);
  });

  test.each([
    ['all succeeded', [], undefined],
    ['one is missing', ['Workflows'], undefined],
    ['one failed', ['Packages'], makeCheck('Packages', 'failure', 'github-actions')],
    ['one belongs to another app', ['Packages'], makeCheck('Packages', 'success', 'other')],
    ['none has run', REQUIRED.toSorted(), undefined],
  ])('require that the required checks have succeeded: %s', async (_, missing, other) => {
    const checks = REQUIRED.filter((name) => !missing.includes(name)).map(succeed);
    const path = `repos/${REMOTE}/commits/${sha}/check-runs?per_page=100`;
    const response = { check_runs: other === undefined ? checks : [...checks, other] };
    const run = await runReleaseStep(CHECKED, repository, {}, { [path]: response });
    expect(run.exitCode).toBe(missing.length === 0 ? 0 : 1);
    const message = `::error::Not successful for this commit: ${missing.join(', ')}. Run this job again`;
    expect(run.printed.startsWith(message)).toBe(missing.length > 0);
  });

  test('fail for an unknown commit and for a ruleset without checks', async () => {
    expect((await runReleaseStep(CHECKED, repository, {})).exitCode).toBe(1);
    const bare = await makeRepository({ '.github/rulesets/main.json': '{ "rules": [] }' });
    expect((await runReleaseStep(CHECKED, bare, {})).exitCode).toBe(4);
  });

  test('require that the changelog has the version', async () => {
    const name = 'The changelog has the version';
    const { written } = await runReleaseStep(name, repository, { TAG: 'v1.2.0' });
    expect(written).toMatch(/^notes<<(\w+)\n\n### Added\n\n- One\.\n\1\n$/);
    expect((await runReleaseStep(name, repository, { TAG: 'v1.1.0' })).exitCode).toBe(1);
  });
});

describeWith('jq')('a release', () => {
  test('is drafted once', async () => {
    const name = 'Draft the release, unless an earlier run has';
    const environment = { TAG: 'v1.2.0', NOTES: '- One.' };
    const { calls } = await runReleaseStep(name, repository, environment);
    expect(calls).toContain('gh release create v1.2.0 --verify-tag --draft');
    const again = await runReleaseStep(name, repository, { ...environment, IS_RELEASED: 'yes' });
    expect([again.exitCode, again.calls]).toEqual([0, 'gh release view v1.2.0\n']);
  });

  test.each([
    ['published', { immutable: true }, undefined, ''],
    ['a draft', undefined, undefined, 'There is no published release'],
    ['not immutable', { immutable: false }, undefined, 'The release of v1.2.0 can be changed'],
    ['of another commit', { immutable: true }, 'f00d', 'v1.2.0 is f00d, but this run built'],
  ])('must be the one that was built: %s', async (_, release, commit, message) => {
    const { exitCode, printed } = await runReleaseStep(
      'The published release is what this run built',
      repository,
      { TAG: 'v1.2.0' },
      {
        ...(release && { [`repos/${REMOTE}/releases/tags/v1.2.0`]: release }),
        [`repos/${REMOTE}/commits/tags/v1.2.0`]: { sha: commit ?? sha },
      },
    );
    expect([exitCode, printed]).toEqual([message === '' ? 0 : 1, expect.stringContaining(message)]);
  });
});

describeWith('jq')('the major tag', () => {
  const MOVE = 'Move the major tag with the deploy key, unless a newer release of the line is out';
  const environment = { TAG: 'v1.2.0', DEPLOY_KEY: 'the deploy key' };

  test.each([
    ['is created', undefined],
    ['moves', 'One'],
  ])('%s with the deploy key', async (_, before) => {
    if (before !== undefined) git(repository.origin, 'tag', 'v1');
    git(repository.directory, 'commit', '--quiet', '--allow-empty', '--message=Two');
    const releases = respond('v1.1.0', 'v1.2.0', 'v2.0.0', 'v1.9.0');
    const run = await runReleaseStep(MOVE, repository, environment, releases);
    expect(run.printed).toContain('v1');
    expect(run.exitCode).toBe(0);
    expect(run.written).toBe('v1 is v1.2.0 now.\n');
    const head = git(repository.directory, 'rev-parse', 'HEAD');
    expect(git(repository.origin, 'rev-parse', 'refs/tags/v1')).toBe(head);
    expect(run.calls).toMatch(/^key 600 the deploy key$/m);
    expect(run.calls).toMatch(
      /-o IdentitiesOnly=yes -o UserKnownHostsFile=\S+\/known_hosts -o Strict/,
    );
    expect(run.calls).toContain('known hosts github.com ssh-ed25519 AAAA\n');
  });

  test('does not move if a newer release exists', async () => {
    const run = await runReleaseStep(MOVE, repository, environment, respond('v1.10.0', 'v1.2.0'));
    expect([run.exitCode, run.written]).toEqual([
      0,
      'v1 stays where it is: v1.10.0 is newer than v1.2.0.\n',
    ]);
    expect(git(repository.origin, 'tag', '--list')).toBe('');
  });

  test.each([[[]], [['v1.1.0']]])(
    'moves if the list of releases does not contain the release yet: %j',
    async (tags) => {
      const run = await runReleaseStep(MOVE, repository, environment, respond(...tags));
      expect([run.exitCode, run.written]).toEqual([0, 'v1 is v1.2.0 now.\n']);
    },
  );

  test('does not move if the releases cannot be listed', async () => {
    const { meta } = respond();
    expect((await runReleaseStep(MOVE, repository, environment, { meta })).exitCode).toBe(1);
    expect(git(repository.origin, 'tag', '--list')).toBe('');
  });

  test('does not move if another run moves it at the same time', async () => {
    const MEANWHILE = 'git --git-dir "$ORIGIN" tag v1';
    git(repository.directory, 'commit', '--quiet', '--allow-empty', '--message=Two');
    const race = { ...environment, MEANWHILE };
    const run = await runReleaseStep(MOVE, repository, race, respond('v1.2.0'));
    expect(run.printed).toContain('[rejected]');
    expect(run.exitCode).toBe(1);
    expect(git(repository.origin, 'rev-parse', 'refs/tags/v1')).toBe(sha);
  });
});
