import { expect, test } from '@jest/globals';
import { findDefaultBranch, findFork, findRevision } from '../../src/inputs/event.ts';
import { isolateEnvironment, setEvent } from '../support/inputs.ts';
import { setEnvironment } from '../support/workspace.ts';

isolateEnvironment();

const EVENT = JSON.stringify({ repository: { default_branch: 'main' } });

test.each([
  ['push', 'refs/heads/main', EVENT, 'main'],
  ['push', 'refs/heads/other', EVENT, undefined],
  ['schedule', 'refs/heads/main', '{"schedule":"0 3 * * *"}', 'main'],
  ['pull_request', 'refs/heads/main', EVENT, undefined],
  ['push', 'refs/heads/undefined', '{}', undefined],
  ['push', 'refs/heads/undefined', 'no JSON', undefined],
])('findDefaultBranch knows of a %s of %s with %s: %s', async (name, ref, text, branch) => {
  await setEvent(text);
  setEnvironment({ GITHUB_EVENT_NAME: name, GITHUB_REF: ref });
  expect(await findDefaultBranch()).toBe(branch);
});

/** A pull request to `base/a`, which is a fork itself or not, from the repository with this name. */
function pull(name: string | null, fork = false): string {
  const repository = { full_name: 'base/a', fork };
  const head = { repo: name === null ? null : { full_name: name } };
  return JSON.stringify({ repository, pull_request: { head, base: { repo: repository } } });
}

const PUSH = JSON.stringify({ repository: { fork: true } });

test.each([
  ['a pull request from a fork', pull('me/a'), 'pull_request', 'head'],
  ['one from a fork that is deleted', pull(null), 'pull_request', 'head'],
  ['one from a branch of a fork', pull('base/a', true), 'pull_request', 'repository'],
  ['a push in a fork', PUSH, 'push', 'repository'],
  ['pull_request_target, which gets secrets', pull('me/a'), 'pull_request_target', undefined],
  ['a pull request from a branch', pull('base/a'), 'pull_request', undefined],
  ['a push of another shape', '[null]', 'push', undefined],
  ['no payload', '', 'push', undefined],
])('findFork knows of %s', async (_, event, name, fork) => {
  await setEvent(event);
  setEnvironment({ GITHUB_EVENT_NAME: name });
  expect(await findFork()).toBe(fork);
});

const HEAD = { sha: '9f8e7d6c', repo: { full_name: 'mallory/web' } };
const REPOSITORY = { full_name: 'acme/web' };
const PULL = { repository: REPOSITORY, pull_request: { number: 42, head: HEAD } };
const OWN = { ...PULL, pull_request: { number: 42, head: { ...HEAD, repo: REPOSITORY } } };
const MAIN = 'refs/heads/main';
const MERGE = 'refs/pull/42/merge';

const PULL_42 = 'pull request 42 of `mallory/web`';
const QUEUE = 'refs/heads/gh-readonly-queue/release/2/pr-104-1a2b3c4d';
const RUN = { repository: REPOSITORY, workflow_run: { pull_requests: [], head_branch: 'x' } };
const COMMENT = { issue: { number: 42, pull_request: {} } };

test.each<[name: string, ref: string, event: object, text: string]>([
  ['push', MAIN, { repository: REPOSITORY }, 'For `main`, commit `1a2b3c4`'],
  ['push', 'refs/heads/feature/x', {}, 'For `feature/x`, commit `1a2b3c4`'],
  ['push', 'refs/tags/v1.2', {}, 'For tag `v1.2`, commit `1a2b3c4`'],
  ['schedule', MAIN, {}, 'For `main`, commit `1a2b3c4`, started by schedule'],
  ['workflow_dispatch', MAIN, {}, 'For `main`, commit `1a2b3c4`, started by workflow dispatch'],
  [
    'merge_group',
    QUEUE,
    { merge_group: { base_ref: 'refs/heads/release/2', head_ref: QUEUE } },
    'For the merge queue of `release/2`, commit `1a2b3c4`',
  ],
  ['pull_request', MERGE, OWN, 'For pull request 42, commit `9f8e7d6`'],
  ['pull_request', MERGE, PULL, `For ${PULL_42}, commit \`9f8e7d6\``],
  ['pull_request_target', MAIN, PULL, `For \`main\`, commit \`1a2b3c4\`, started by ${PULL_42}`],
  ['issue_comment', MAIN, COMMENT, 'For `main`, commit `1a2b3c4`, started by pull request 42'],
  [
    'issue_comment',
    MAIN,
    { issue: { number: 42 } },
    'For `main`, commit `1a2b3c4`, started by issue comment',
  ],
  [
    'workflow_run',
    MAIN,
    { workflow_run: { ...RUN.workflow_run, pull_requests: [{ number: 42 }] } },
    'For `main`, commit `1a2b3c4`, started by pull request 42',
  ],
  [
    'workflow_run',
    MAIN,
    { ...RUN, workflow_run: { ...RUN.workflow_run, head_repository: HEAD.repo } },
    'For `main`, commit `1a2b3c4`, started by `x` of `mallory/web`',
  ],
])('findRevision knows what a run of %s for %s with %j is for', async (name, ref, event, text) => {
  await setEvent(JSON.stringify(event));
  const run = { ref, sha: '1a2b3c4d' };
  setEnvironment({ GITHUB_EVENT_NAME: name, GITHUB_REF: ref, GITHUB_SHA: run.sha });
  const pullRequest = text.includes('pull request') ? 42 : undefined;
  expect(await findRevision()).toEqual({ ...run, pullRequest, attempt: 1, text });
});

test('findRevision has the attempt of a re-run', async () => {
  setEnvironment({ GITHUB_REF: MAIN, GITHUB_SHA: '1a2b3c4d', GITHUB_RUN_ATTEMPT: '3' });
  const text = 'For `main`, commit `1a2b3c4`, attempt 3, started by schedule';
  setEnvironment({ GITHUB_EVENT_NAME: 'schedule' });
  expect(await findRevision()).toMatchObject({ attempt: 3, text });
});

test('findRevision knows nothing outside of a workflow', async () => {
  expect(await findRevision()).toBeUndefined();
});
