import { expect, test } from '@jest/globals';
import { findDefaultBranch, findFork } from '../../src/inputs/event.ts';
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
