import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeRef, findFork, findPushedDefault } from '../../src/inputs/event.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';

const EVENT = JSON.stringify({ repository: { default_branch: 'main' } });

test.each([
  ['refs/pull/12/merge', '1a2b3c4d5e6f7', 'For refs/pull/12/merge, commit 1a2b3c4'],
  ['refs/heads/main', undefined, 'For refs/heads/main, commit '],
  ['', '1a2b3c4d5e6f7', undefined],
])('describeRef names the ref %s and the beginning of the commit', (ref, commit, text) => {
  setEnvironment({ GITHUB_REF: ref, GITHUB_SHA: commit });
  expect(describeRef()).toBe(text);
});

test.each([
  ['push', 'refs/heads/main', EVENT, 'main'],
  ['push', 'refs/heads/other', EVENT, undefined],
  ['pull_request', 'refs/heads/main', EVENT, undefined],
  ['push', 'refs/heads/main', '{}', undefined],
  ['push', 'refs/heads/undefined', 'no JSON', undefined],
])(
  'findPushedDefault finds the default branch of a %s to %s: row %#',
  async (name, ref, text, branch) => {
    const path = join(await makeFolder({ 'event.json': text }), 'event.json');
    setEnvironment({ GITHUB_EVENT_NAME: name, GITHUB_REF: ref, GITHUB_EVENT_PATH: path });
    expect(await findPushedDefault()).toBe(branch);
  },
);

/** A pull request to `base/a`, which is a fork itself or not, from the repository with this name. */
function pull(name: string | null, fork = false): string {
  const repository = { full_name: 'base/a', fork };
  const head = { repo: name === null ? null : { full_name: name } };
  return JSON.stringify({ repository, pull_request: { head, base: { repo: repository } } });
}

test.each<[string, string, string | undefined]>([
  ['a pull request from a fork', pull('me/a'), 'pull request'],
  ['a pull request from a fork to a fork', pull('me/a', true), 'pull request'],
  ['a pull request from a branch', pull('base/a'), undefined],
  ['one from a branch of a fork', pull('base/a', true), 'repository'],
  ['one from a fork that is deleted', pull(null), 'pull request'],
  ['a push in a fork', '{"repository":{"fork":true}}', 'repository'],
  ['a push', '{"repository":{"fork":false}}', undefined],
  ['another shape', '[null]', undefined],
])('findFork reads %s', async (_, text, expected) => {
  const path = join(await makeFolder({ 'event.json': text }), 'event.json');
  setEnvironment({ GITHUB_EVENT_PATH: path, GITHUB_EVENT_NAME: 'pull_request' });
  expect(await findFork()).toBe(expected);
  // Such runs get secrets.
  setEnvironment({ GITHUB_EVENT_NAME: 'pull_request_target' });
  expect(await findFork()).not.toBe('pull request');
});

test('findFork knows nothing without an event', async () => {
  setEnvironment({ GITHUB_EVENT_PATH: undefined });
  expect(await findFork()).toBeUndefined();
});
