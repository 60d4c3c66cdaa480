import { readSmallFile } from '../files/regular-file.ts';
import { findText, hasSign } from '../formats/values.ts';
import { tryJson } from '../json.ts';
import { MAX_FILE_BYTES } from './fields.ts';

/** The name of the default branch if the run is for a push to it, or for a schedule. */
export async function findDefaultBranch(): Promise<string | undefined> {
  const { GITHUB_EVENT_NAME: event, GITHUB_REF: ref = '' } = process.env;
  // A schedule is always of the default branch. Its payload does not name the repository.
  if (event === 'schedule') return ref.replace('refs/heads/', '');
  if (event !== 'push') return undefined;
  const name = findText(await readEvent(), 'repository/default_branch');
  return ref === `refs/heads/${name}` ? name : undefined;
}

/** What is a fork, so that the run gets no secrets: the head of a pull request, or the repository itself. */
export async function findFork(): Promise<'head' | 'repository' | undefined> {
  const event = await readEvent();
  const [head, base] = ['head', 'base'].map((end) =>
    findText(event, `pull_request/${end}/repo/full_name`),
  );
  // Other events have neither. Runs for `pull_request_target` get secrets.
  if (head !== base && process.env.GITHUB_EVENT_NAME !== 'pull_request_target') return 'head';
  return hasSign(event, 'repository/fork=true') ? 'repository' : undefined;
}

/** The payload of the event that started the run; undefined if there is none. */
async function readEvent(): Promise<unknown> {
  const { GITHUB_EVENT_PATH: path = '' } = process.env;
  return tryJson(String(await readSmallFile(path, MAX_FILE_BYTES).catch(() => '')));
}
