import { expect, test } from '@jest/globals';
import { findDefaultBranch, findFork, findRevision } from '../../src/inputs/event.ts';
import { setEnvironment } from '../support/environment.ts';
import { isolateEnvironment, setEvent } from '../support/inputs.ts';

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

test.each<[name: string, ref: string, event: object, commit: string, startedBy: string]>([
  ['push', MAIN, { repository: REPOSITORY }, '1a2b3c4d', 'push'],
  ['schedule', MAIN, {}, '1a2b3c4d', 'schedule'],
  ['workflow_dispatch', MAIN, {}, '1a2b3c4d', 'workflow dispatch'],
  ['pull_request', MERGE, OWN, '9f8e7d6c', 'pull request 42'],
  ['pull_request', MERGE, PULL, '9f8e7d6c', 'pull request 42 of `mallory/web`'],
  ['pull_request_target', MAIN, PULL, '1a2b3c4d', 'pull request 42 of `mallory/web`'],
  [
    'issue_comment',
    MAIN,
    { issue: { number: 42, pull_request: {} } },
    '1a2b3c4d',
    'pull request 42',
  ],
  ['issue_comment', MAIN, { issue: { number: 42 } }, '1a2b3c4d', 'issue comment'],
  [
    'workflow_run',
    MAIN,
    { workflow_run: { pull_requests: [{ number: 42 }], head_branch: 'x' } },
    '1a2b3c4d',
    'pull request 42',
  ],
  [
    'workflow_run',
    MAIN,
    {
      repository: REPOSITORY,
      workflow_run: { pull_requests: [], head_branch: 'x', head_repository: HEAD.repo },
    },
    '1a2b3c4d',
    '`x` of `mallory/web`',
  ],
])(
  'findRevision knows what a run of %s for %s with %j is for',
  async (name, ref, event, commit, startedBy) => {
    await setEvent(JSON.stringify(event));
    const run = { ref, sha: '1a2b3c4d' };
    setEnvironment({
      GITHUB_EVENT_NAME: name,
      GITHUB_REF: ref,
      GITHUB_SHA: run.sha,
      GITHUB_RUN_ATTEMPT: '3',
    });
    const pullRequest = startedBy.startsWith('pull request') ? 42 : undefined;
    expect(await findRevision()).toEqual({ ...run, commit, pullRequest, attempt: 3, startedBy });
  },
);

test('findRevision knows nothing outside of a workflow', async () => {
  expect(await findRevision()).toBeUndefined();
});
