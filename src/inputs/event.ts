import { InputError } from '../errors.ts';
import { readSmallFile } from '../files/regular-file.ts';
import { isObject, tryJson } from '../json.ts';
import { MAX_FILE_BYTES, readInput } from './fields.ts';

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

/** Throws an InputError if a run for a fork got no credential: what else is empty follows from this. */
export async function refuseFork(): Promise<void> {
  const auth = readInput('auth', 'token');
  const { ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken = '' } = process.env;
  const credential = auth === 'oidc' ? requestToken : readInput('token');
  if (auth === 'none' || credential !== '') return;
  const event = await readEvent();
  const [head, base] = ['head', 'base'].map((end) =>
    readMember(event, 'pull_request', end, 'repo', 'full_name'),
  );
  // Runs for `pull_request_target` get secrets.
  if (head !== base && process.env.GITHUB_EVENT_NAME !== 'pull_request_target') {
    throw new InputError('This run is for a pull request from a fork.', [
      'Such runs get no secrets, no variables and no OIDC token, unless the repository sends them: set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`.',
    ]);
  }
  if (auth === 'oidc' || readMember(event, 'repository', 'fork') !== true) return;
  throw new InputError(
    '`token` is empty: this repository is a fork, which has none of the secrets and variables of its parent.',
    [
      "To upload in the parent only, add `if: github.repository == 'OWNER/REPO'` to the job. To upload here too, save them in this repository.",
    ],
  );
}

/** The payload of the event that started the run; undefined if there is none. */
async function readEvent(): Promise<unknown> {
  const { GITHUB_EVENT_PATH: path = '' } = process.env;
  return tryJson(String(await readSmallFile(path, MAX_FILE_BYTES).catch(() => '')));
}

function readMember(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((at, name) => (isObject(at) ? Reflect.get(at, name) : undefined), value);
}
