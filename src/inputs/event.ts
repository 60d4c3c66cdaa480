import { readSmallFile } from '../files/regular-file.ts';
import { select } from '../formats/values.ts';
import { tryJson } from '../json.ts';

/** Events have a few hundred KiB at most. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** The payload of the event that started the run; undefined if there is none. */
export async function readEvent(): Promise<unknown> {
  const { GITHUB_EVENT_PATH: path = '' } = process.env;
  return tryJson(String(await readSmallFile(path, MAX_EVENT_BYTES).catch(() => '')));
}

/** What the step runs for: `For refs/pull/12/merge, commit 1a2b3c4`; undefined outside a workflow. */
export function describeRef(): string | undefined {
  const { GITHUB_REF: ref = '', GITHUB_SHA: commit = '' } = process.env;
  return ref === '' ? undefined : `For ${ref}, commit ${commit.slice(0, 7)}`;
}

/** The name of the default branch if the run is for a push to it. */
export async function findPushedDefault(): Promise<string | undefined> {
  const { GITHUB_EVENT_NAME: event, GITHUB_REF: ref } = process.env;
  if (event !== 'push') return undefined;
  const [name] = select(await readEvent(), 'repository/default_branch');
  return typeof name === 'string' && ref === `refs/heads/${name}` ? name : undefined;
}
