import { readSmallFile } from '../files/regular-file.ts';
import { isObject, tryJson } from '../json.ts';

/** Events have a few hundred KiB at most. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** Why a run has no secrets: it is for a pull request from a fork, or in a fork. */
export type Fork = 'pull request' | 'repository';

/** What the step runs for: `For refs/pull/12/merge, commit 1a2b3c4`; undefined outside a workflow. */
export function describeRef(): string | undefined {
  const { GITHUB_REF: ref = '', GITHUB_SHA: commit = '' } = process.env;
  return ref === '' ? undefined : `For ${ref}, commit ${commit.slice(0, 7)}`;
}

/** The name of the default branch if the run is for a push to it. */
export async function findPushedDefault(): Promise<string | undefined> {
  const { GITHUB_EVENT_NAME: event, GITHUB_REF: ref } = process.env;
  if (event !== 'push') return undefined;
  const name = readMember(await readEvent(), 'repository', 'default_branch');
  return typeof name === 'string' && ref === `refs/heads/${name}` ? name : undefined;
}

/** What the run has to do with a fork; undefined if nothing is known of one. */
export async function findFork(): Promise<Fork | undefined> {
  const event = await readEvent();
  const [head, base] = ['head', 'base'].map((end) =>
    readMember(event, 'pull_request', end, 'repo', 'full_name'),
  );
  // Runs for `pull_request_target` get secrets.
  const { GITHUB_EVENT_NAME: name } = process.env;
  if (head !== base && name !== 'pull_request_target') return 'pull request';
  return readMember(event, 'repository', 'fork') === true ? 'repository' : undefined;
}

/** The payload of the event that started the run; undefined if there is none. */
async function readEvent(): Promise<unknown> {
  const { GITHUB_EVENT_PATH: path = '' } = process.env;
  return tryJson(String(await readSmallFile(path, MAX_EVENT_BYTES).catch(() => '')));
}

function readMember(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((at, name) => (isObject(at) ? Reflect.get(at, name) : undefined), value);
}
