import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '../peers/programs.ts';
import type { Tree } from '../support/directories.ts';
import { Scope, TEST_SCOPE } from '../support/scope.ts';
import { JOBS, listMembers } from '../support/workflows.ts';
import type { Repository, ScriptResult } from './release-repository.ts';
import {
  API,
  NAME,
  REQUIRED,
  RULESETS,
  describeGit,
  git,
  makeCheck,
  makeRepository,
  respond,
  runScript,
} from './release-repository.ts';

const LINK = `https://github.com/${NAME}/blob/v1.2.0`;
const [FIRST = '', ...OTHERS] = REQUIRED;
const PASSED = OTHERS.map((name) => makeCheck(name));
const FOREIGN = makeCheck(FIRST, 'success', 'x');

/** What differs from a commit that may be released as v1.2.0. */
interface Case {
  readonly files?: Tree;
  readonly tag?: string;
  readonly commit?: string;
  readonly released?: string;
  readonly checks?: object[];
  readonly rule?: object;
}

/** A repository of version 1.2.0 whose last release is the given one. */
async function prepare({ files, released }: Case, scope = TEST_SCOPE): Promise<Repository> {
  const repository = await makeRepository('1.2.0', files, scope);
  const { directory } = repository;
  git(directory, 'branch', 'elsewhere', git(directory, 'commit-tree', '-m', 'Two', 'HEAD^{tree}'));
  git(directory, 'tag', released ?? 'v1.1.0');
  return repository;
}

/** The repository of the cases that need no other. */
let usual: Repository;

async function check(different: Case): Promise<ScriptResult> {
  const isUsual = different.files === undefined && different.released === undefined;
  const { directory } = isUsual ? usual : await prepare(different);
  const responses = respond(directory, different.checks);
  const rule = { type: 'required_reviewers', prevent_self_review: true, reviewers: [{}] };
  const rules = [{}, { ...rule, ...different.rule }];
  responses[`${API}/environments/release`] = { protection_rules: rules };
  const { tag = 'v1.2.0', commit = 'HEAD' } = different;
  return runScript(directory, `bash scripts/check-release.sh ${tag} ${commit}`, responses);
}

describeGit(describeWith('jq'))('check-release.sh', () => {
  const scope = new Scope();
  beforeAll(async () => {
    usual = await prepare({}, scope);
  });
  afterAll(() => scope.close());

  test('prints the notes, with links that work on the page of the release', async () => {
    const { exitCode, stdout, stderr } = await check({});
    const links = `[A](${LINK}/a.md), [b](${LINK}/d/b.md#c), [d](#e), [f](https://f.example)`;
    expect([exitCode, stdout, stderr]).toEqual([0, `\n- ${links}.\n`, '']);
  });

  test.each<[string, Case, string]>([
    ['a tag that is no version', { tag: 'v1.2.0-rc.1' }, 'v1.2.0-rc.1 is not vMAJOR.MINOR.PATCH.'],
    ['another version', { tag: 'v1.2.1' }, 'The tag is v1.2.1, package.json says 1.2.0.'],
    ['an older version', { released: 'v1.10.0' }, 'v1.10.0 is newer than v1.2.0.'],
    ['an unknown commit', { commit: 'f00d' }, 'There is no commit f00d: run git fetch origin.'],
    ['a commit that is not on main', { commit: 'elsewhere' }, ' is not on main.'],
    ['placeholders', { files: { 'a.md': ['your', 'org'].join('-') } }, `npm run rename -- ${NAME}`],
    ['another name', { files: { 'scripts/repository.ts': "'a/b'" } }, `another name than ${NAME}.`],
    ['no required reviewers', { rule: { type: 'wait_timer' } }, 'has no required reviewers'],
    ['self-review', { rule: { prevent_self_review: false } }, 'does not prevent self-review'],
    ['a missing check', { checks: PASSED }, `Not successful for this commit: ${FIRST}. Run this`],
    ['a failed check', { checks: [...PASSED, makeCheck(FIRST, 'failure')] }, `: ${FIRST}. Run`],
    ["another app's check", { checks: [...PASSED, FOREIGN] }, `: ${FIRST}. Run`],
    ['no required checks', { files: { [`${RULESETS}/main.json`]: '{}' } }, 'requires no checks'],
    ['no entry in the changelog', { files: { 'CHANGELOG.md': '# 1.2.0\n' } }, 'has nothing below'],
  ])('refuses %s', async (_, deviation, message) => {
    const { exitCode, stdout, stderr } = await check(deviation);
    expect(stderr).toContain(message);
    expect([exitCode, stdout]).toEqual([1, '']);
  });
});

describeGit(describeWith('jq'))('the summary for the approver', () => {
  test('has the commit, the pull request, the changes and the digests', async () => {
    const { directory } = await makeRepository('1.2.0');
    const script = 'bash scripts/summarise-release.sh v1.2.0';
    const summarise = async (...pulls: readonly object[]): Promise<string> => {
      const path = `${API}/commits/${git(directory, 'rev-parse', 'HEAD')}/pulls`;
      return (await runScript(directory, script, { ...respond(directory), [path]: pulls })).stdout;
    };
    const first = await summarise({ number: 6, merged_at: null });
    expect(first).toContain('- Pull request: none, so nobody has reviewed this commit\n');
    expect(first).toContain('- Changes: this is the first release\n');
    git(directory, 'tag', 'v1.1.0');
    git(directory, 'commit', '--quiet', '--allow-empty', '--message=Two `](x)');
    const sha = git(directory, 'rev-parse', 'HEAD');
    const pull = { number: 7, html_url: 'https://x/7', user: { login: 'ann' }, merged_at: '2026' };
    const second = await summarise(pull);
    expect(second).toContain(`- Commit: [${sha}](https://github.com/${NAME}/commit/${sha})\n`);
    expect(second).toContain('- Pull request: [#7](https://x/7) by ann\n');
    expect(second).toContain(
      `[since v1.1.0](https://github.com/${NAME}/compare/v1.1.0...${sha})\n\n`,
    );
    expect(second).toContain(`\n\`\`\`text\n${sha.slice(0, 7)} Test: Two \`](x)\n\`\`\`\n`);
    expect(second).toMatch(/\n[0-9a-f]{64} {2}dist\/index\.js\n```\n$/);
  });
});

/** The script of a step of release.yml, by the step's name. */
function readStep(name: string): string {
  const steps = JOBS.flatMap((job) => listMembers(job, 'steps'));
  return String(steps.find((step) => step['name'] === name)?.['run']);
}

describeGit(describeWith('jq'))('release.yml', () => {
  const DRAFT = 'Draft the release, unless an earlier run has';

  test.each([
    ['drafts a release', 'view', '\ngh release create v1.2.0 --verify-tag --draft --title v1.2.0'],
    ['keeps the draft of an earlier run', 'create', 'gh release view v1.2.0\n'],
  ])('%s', async (_, failing, call) => {
    const { directory } = await makeRepository('1.2.0');
    const failure = { FAILS: `release ${failing}` };
    const environment = { TAG: 'v1.2.0', NOTES: '- One.', GITHUB_STEP_SUMMARY: '/dev/null' };
    const options = { ...environment, ...failure };
    const { exitCode, calls } = await runScript(directory, readStep(DRAFT), {}, options);
    expect([exitCode, calls]).toEqual([0, expect.stringContaining(call)]);
  });

  test('passes the notes on', async () => {
    const { directory } = await makeRepository('1.2.0');
    const environment = { TAG: 'v1.2.0', GITHUB_OUTPUT: 'output' };
    const script = `${readStep('The commit may be released as this tag')}\ncat output`;
    const { stdout } = await runScript(directory, script, undefined, environment);
    expect(stdout).toMatch(/^notes<<(\w{32})\n\n- \[A\][^]*\n\1\n$/);
  });
});
