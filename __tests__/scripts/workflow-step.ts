import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { load } from 'js-yaml';
import { makeFolder, writeTree } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { ACTION } from '../support/run-action.ts';

export const OWNER = 'acme';
export const REMOTE = `${OWNER}/uploads`;

/** Runs git in a directory, and returns its output. */
export function git(directory: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const options = {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, ...ISOLATED },
  } as const;
  return execFileSync('git', [...identity, ...args], options).trim();
}

const ISOLATED = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/** A repository with one commit of these files on main, and a bare copy of it, `origin`. */
export async function makeRepository(files: Tree): Promise<{ directory: string; origin: string }> {
  const directory = await makeFolder(files);
  const origin = join(await makeFolder(), `${REMOTE}.git`);
  git(directory, 'init', '--quiet', '--initial-branch=main');
  git(directory, 'add', '--all', '--force');
  git(directory, 'commit', '--quiet', '--message=One');
  git(directory, 'clone', '--quiet', '--bare', '.', origin);
  git(directory, 'remote', 'add', 'origin', origin);
  git(directory, 'fetch', '--quiet');
  return { directory, origin };
}

/** Stubs: gh, which responds with files, and ssh, which runs its command in the copy `origin`. */
const STUBS: Tree = {
  'bin/gh': `#!/usr/bin/env bash
printf 'gh %s\\n' "$*" >> "$STUBS/calls"
case $1 in
  api)
    [[ $2 == --paginate ]] && shift
    response=$STUBS/responses/$2
    if [[ ! -f $response ]]; then echo 'HTTP 404' >&2; exit 1; fi
    if [[ $2 == */releases && -n \${MEANWHILE:-} ]]; then eval "$MEANWHILE" > /dev/null; fi
    jq --raw-output "$4" "$response" ;;
  release) [[ $2 != view || -n \${IS_RELEASED:-} ]] ;;
esac
`,
  'bin/ssh': `#!/usr/bin/env bash
printf 'ssh %s\\n' "$*" >> "$STUBS/calls"
while [[ $1 != -i ]]; do shift; done
printf 'key %s %s\\n' "$(stat --format %a "$2")" "$(cat "$2")" >> "$STUBS/calls"
cd "$ORIGIN/../.." && eval "\${!#}"
`,
};

export interface StepResult {
  readonly exitCode: number | null;
  readonly printed: string;
  /** The calls of gh and ssh. */
  readonly calls: string;
  /** What the step wrote to GITHUB_OUTPUT and GITHUB_STEP_SUMMARY. */
  readonly written: string;
}

/** Runs the script of a step of release.yml as the runner does, with stubs for gh and ssh. */
export async function runReleaseStep(
  name: string,
  repository: { readonly directory: string; readonly origin: string },
  environment: Readonly<Record<string, string>>,
  responses: Readonly<Record<string, unknown>> = {},
): Promise<StepResult> {
  const contents = Object.entries(responses).map(([path, response]): [string, string] => [
    `responses/${path}`,
    JSON.stringify(response),
  ]);
  const stubs = await makeFolder({ ...STUBS, 'step.sh': readScript(name), calls: '', written: '' });
  await writeTree(stubs, Object.fromEntries(contents));
  for (const program of Object.keys(STUBS)) chmodSync(join(stubs, program), 0o755);
  const written = join(stubs, 'written');
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', join(stubs, 'step.sh')];
  const { status, stdout, stderr } = spawnSync('bash', args, {
    cwd: repository.directory,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...ISOLATED,
      PATH: [join(stubs, 'bin'), process.env.PATH].join(delimiter),
      STUBS: stubs,
      ORIGIN: repository.origin,
      RUNNER_TEMP: stubs,
      GITHUB_OUTPUT: written,
      GITHUB_STEP_SUMMARY: written,
      GITHUB_REPOSITORY: REMOTE,
      GITHUB_SHA: git(repository.directory, 'rev-parse', 'HEAD'),
      ...environment,
    },
  });
  const read = (file: string): string => readFileSync(join(stubs, file), 'utf8');
  const isKept = existsSync(join(stubs, 'key'));
  const calls = isKept ? `${read('calls')}known hosts ${read('known_hosts')}` : read('calls');
  return { exitCode: status, printed: `${stdout}${stderr}`, calls, written: read('written') };
}

/** The script of a step of release.yml, by the step's name. Throws if there is none. */
function readScript(name: string): string {
  const workflow = load(readFileSync(join(ACTION, '.github', 'workflows', 'release.yml'), 'utf8'));
  const found = listObjects(workflow).find((value) => Reflect.get(value, 'name') === name);
  const script: unknown = found && Reflect.get(found, 'run');
  if (typeof script !== 'string') throw new TypeError(`release.yml has no step "${name}"`);
  return script;
}

function listObjects(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(listObjects)];
}
