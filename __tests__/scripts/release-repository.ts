import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';
import { makeFolder, writeTree } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { ACTION } from '../support/run-action.ts';
import { TEST_SCOPE } from '../support/scope.ts';
import { describeUnless } from '../support/skip.ts';
import type { Describe } from '../support/skip.ts';
import { readText } from '../support/workflows.ts';

export const NAME = 'acme/uploads';
/** The repository in paths of the API: gh replaces the placeholders. */
export const API = 'repos/{owner}/{repo}';
export const RULESETS = '.github/rulesets';
const TEAM = 'orgs/acme/teams/scan-upload-maintainers';

const CONTEXTS = readText(RULESETS, 'main.json').matchAll(/"context": "(.*?)"/g);
/** The names of the checks that main requires. */
export const REQUIRED = Array.from(CONTEXTS, ([, name = '']) => name);

const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GITHUB_ACTIONS: '',
};

const HAS_GIT = spawnSync('git', ['--version']).status === 0;

/** `describeHere` for tests that make repositories; without git they are skipped. */
export function describeGit(describeHere: Describe = describe): Describe {
  return HAS_GIT ? describeHere : describeUnless('git is missing');
}

/** Runs git in a directory, and returns its output. Throws if it fails. */
export function git(directory: string, ...args: readonly string[]): string {
  const options = { cwd: directory, encoding: 'utf8', env: ENVIRONMENT } as const;
  const { status, stdout, stderr } = spawnSync('git', args, options);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** What a commit that may be released as this version has, besides scripts and rulesets. */
export function listFiles(version: string): Tree {
  const scripts = { rename: 'node scripts/rename.ts', generate: 'echo', format: 'echo' };
  const manifest = { version, type: 'module', scripts };
  return {
    'package.json': JSON.stringify(manifest, undefined, 2),
    'CHANGELOG.md': `## [${version}] - 2026-01-02\n\n- [A](a.md), [b](d/b.md#c), [d](#e), [f](https://f.example).\n\n## [0.1.0] - 2026\n`,
    'scripts/repository.ts': `export const REPOSITORY = '${NAME}';\n`,
    'dist/index.js': `run('${version}');\n`,
  };
}

export interface Repository {
  readonly directory: string;
  /** A bare copy. */
  readonly origin: string;
}

/** A repository with one commit of a version on main, and its remote. */
export async function makeRepository(
  version: string,
  files: Tree = {},
  scope = TEST_SCOPE,
): Promise<Repository> {
  const [directory, origin] = [await makeFolder({}, scope), await makeFolder({}, scope)];
  for (const path of ['scripts', RULESETS]) {
    cpSync(join(ACTION, path), join(directory, path), { recursive: true });
  }
  await writeTree(directory, { ...listFiles(version), ...files });
  git(directory, 'init', '--quiet', '--initial-branch=main');
  git(directory, 'add', '--all', '--force');
  git(directory, 'commit', '--quiet', '--message=One');
  git(directory, 'clone', '--quiet', '--bare', '.', origin);
  git(directory, 'remote', 'add', 'origin', origin);
  git(directory, 'fetch', '--quiet');
  return { directory, origin };
}

/** A check run as the API returns it. */
export function makeCheck(name: string, conclusion = 'success', slug = 'github-actions'): object {
  return { name, conclusion, app: { slug } };
}

/** Responses of GitHub when everything is set up and all checks of all commits succeeded. */
export function respond(
  directory: string,
  checks = REQUIRED.map((name) => makeCheck(name)),
): Record<string, unknown> {
  const commits = git(directory, 'rev-list', '--all').split('\n');
  const versions = git(directory, 'tag', '--list', 'v*.*.*').split('\n');
  const rule = { type: 'required_reviewers', prevent_self_review: true, reviewers: [{}] };
  const policy = { type: 'tag', name: 'v*.*.*' };
  const release = { immutable: true, assets: [] };
  const runs = { check_runs: checks };
  const rulesets = ['a', 'b', 'c', 'd'].map((name) => ({ name, enforcement: 'active' }));
  return {
    [API]: { full_name: NAME, html_url: `https://github.com/${NAME}` },
    [TEAM]: { id: 4711 },
    [`${TEAM}/members`]: [{}, {}],
    [`${API}/codeowners/errors`]: { errors: [] },
    [`${API}/immutable-releases`]: { enabled: true },
    [`${API}/environments/release`]: { can_admins_bypass: false, protection_rules: [{}, rule] },
    [`${API}/environments/release/deployment-branch-policies`]: { branch_policies: [policy] },
    [`${API}/rulesets?includes_parents=false`]: rulesets,
    [`${API}/code-scanning/default-setup`]: { state: 'not-configured' },
    [`${API}/releases`]: versions.map((tag) => ({ tag_name: tag, draft: false })),
    ...Object.fromEntries(versions.map((tag) => [`${API}/releases/tags/${tag}`, release])),
    ...Object.fromEntries(
      commits.map((sha) => [`${API}/commits/${sha}/check-runs?per_page=100`, runs]),
    ),
  };
}

/** gh: responds to requests with files, and succeeds for commands unless they match FAILS. */
const GH = `#!/usr/bin/env bash
printf 'gh %s\\n' "$*" >> "$STUBS/calls"
if [[ -n \${FAILS:-} && "$*" =~ $FAILS ]]; then exit 1; fi
[[ $1 == api && $2 != --method ]] || exit 0
[[ $2 == --paginate ]] && shift
response=$STUBS/responses/$2.json
if [[ ! -f $response ]]; then echo '{"message":"Not Found"}'; exit 1; fi
if [[ $2 == */releases && -n \${MEANWHILE:-} ]]; then eval "$MEANWHILE" > /dev/null; fi
jq --raw-output "$4" "$response"
`;

/** `calls` are those of gh, one per line. */
export type ScriptResult = Readonly<Record<'stdout' | 'stderr' | 'calls', string>> & {
  readonly exitCode: number | null;
};

/** Runs a bash script in a repository, with responses of GitHub by their paths; others are 404. */
export async function runScript(
  directory: string,
  script: string,
  responses: Readonly<Record<string, unknown>> = respond(directory),
  environment: Readonly<Record<string, string>> = {},
): Promise<ScriptResult> {
  const stubs = await makeFolder({ gh: GH, calls: '' });
  chmodSync(join(stubs, 'gh'), 0o755);
  for (const [path, response] of Object.entries(responses)) {
    const file = { [`responses/${path}.json`]: JSON.stringify(response) };
    if (response !== undefined) await writeTree(stubs, file);
  }
  const path = [stubs, process.env.PATH].join(delimiter);
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
  const env = { ...ENVIRONMENT, PATH: path, STUBS: stubs, ...environment };
  const options = { cwd: directory, encoding: 'utf8', env } as const;
  const { status, stdout, stderr } = spawnSync('bash', args, options);
  return { exitCode: status, stdout, stderr, calls: readFileSync(join(stubs, 'calls'), 'utf8') };
}
