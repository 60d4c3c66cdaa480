import { readSmallFile } from '../files/regular-file.ts';
import { findText, hasSign } from '../formats/values.ts';
import { tryJson } from '../json.ts';
import { joinTexts } from '../text.ts';
import { MAX_FILE_BYTES } from './fields.ts';

/** What a run is for. */
export interface Revision {
  /** As the runner names them: of a pull request, its merge commit. */
  readonly ref: string;
  readonly sha: string;
  /** The number of the pull request that started the run. */
  readonly pullRequest: number | undefined;
  /** Counts from 1, with each re-run. */
  readonly attempt: number;
  /** What people call it: ``For `main`, commit `1a2b3c4`, started by schedule``. */
  readonly text: string;
}

/** What this run is for; undefined outside a workflow. */
export async function findRevision(): Promise<Revision | undefined> {
  const { GITHUB_REF: ref = '', GITHUB_SHA: sha = '', GITHUB_RUN_ATTEMPT: run = '1' } = process.env;
  if (ref === '') return undefined;
  const event = await readEvent();
  // A pull request is an issue too; an issue has no such member.
  const issue = hasSign(event, 'issue/pull_request') ? ['issue/number'] : [];
  const paths = ['pull_request/number', 'workflow_run/pull_requests/number', ...issue];
  const number = findText(event, ...paths);
  const starter = nameStarter(event, number);
  const queue = findText(event, 'merge_group/base_ref');
  const place = queue === undefined ? nameRef(ref) : `the merge queue of ${nameRef(queue)}`;
  const [subject, commit = sha] = ref.startsWith('refs/pull/')
    ? [starter, findText(event, 'pull_request/head/sha')]
    : [place];
  const attempt = Number(run);
  const facts = [
    `For ${subject}`,
    `commit \`${commit.slice(0, 7)}\``,
    attempt > 1 ? `attempt ${attempt}` : '',
    ['push', 'merge group', subject].includes(starter) ? '' : `started by ${starter}`,
  ];
  const pullRequest = number === undefined ? undefined : Number(number);
  return { ref, sha, pullRequest, attempt, text: joinTexts(facts, ', ') };
}

/** A branch as code, or a tag: `refs/tags/v1.2` is ``tag `v1.2` ``. */
function nameRef(ref: string): string {
  const [, kind, ...rest] = ref.split('/');
  return `${kind === 'tags' ? 'tag ' : ''}\`${rest.join('/')}\``;
}

/** What started a run: a pull request, or another run's branch, with its repository if that is a fork; or the event. */
function nameStarter(event: unknown, number: string | undefined): string {
  const { GITHUB_EVENT_NAME: name = '' } = process.env;
  const branch = findText(event, 'workflow_run/head_branch');
  const start = (number && `pull request ${number}`) || (branch && `\`${branch}\``);
  const fork = findText(
    event,
    'pull_request/head/repo/full_name',
    'workflow_run/head_repository/full_name',
  );
  const isFork = fork !== undefined && fork !== findText(event, 'repository/full_name');
  return `${start ?? name.replaceAll('_', ' ')}${isFork ? ` of \`${fork}\`` : ''}`;
}

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
