import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeRef, findPushedDefault, refuseFork } from '../../src/inputs/event.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import { SECRET, catchTexts, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';

isolateEnvironment();

async function setEvent(text: string, name: string): Promise<void> {
  const path = join(await makeFolder({ 'event.json': text }), 'event.json');
  setEnvironment({ GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path });
}

test.each([
  ['refs/pull/12/merge', '1a2b3c4d5e6f7', 'For refs/pull/12/merge, commit 1a2b3c4'],
  ['refs/heads/main', undefined, 'For refs/heads/main, commit '],
  ['', '1a2b3c4d5e6f7', undefined],
])('describeRef names the ref %s and the beginning of the commit', (ref, commit, text) => {
  setEnvironment({ GITHUB_REF: ref, GITHUB_SHA: commit });
  expect(describeRef()).toBe(text);
});

const EVENT = JSON.stringify({ repository: { default_branch: 'main' } });

test.each([
  ['push', 'refs/heads/main', EVENT, 'main'],
  ['push', 'refs/heads/other', EVENT, undefined],
  ['pull_request', 'refs/heads/main', EVENT, undefined],
  ['push', 'refs/heads/undefined', '{}', undefined],
  ['push', 'refs/heads/undefined', 'no JSON', undefined],
])('findPushedDefault knows of a %s to %s: row %#', async (name, ref, text, branch) => {
  await setEvent(text, name);
  setEnvironment({ GITHUB_REF: ref });
  expect(await findPushedDefault()).toBe(branch);
});

/** A pull request to `base/a`, which is a fork itself or not, from the repository with this name. */
function pull(name: string | null, fork = false): string {
  const repository = { full_name: 'base/a', fork };
  const head = { repo: name === null ? null : { full_name: name } };
  return JSON.stringify({ repository, pull_request: { head, base: { repo: repository } } });
}

const PULL_REQUEST = [
  'This run is for a pull request from a fork.',
  'Such runs get no secrets, no variables and no OIDC token, unless the repository sends them: set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`.',
];
const FORK = [
  '`token` is empty: this repository is a fork, which has none of the secrets and variables of its parent.',
  "To upload in the parent only, add `if: github.repository == 'OWNER/REPO'` to the job. To upload here too, save them in this repository.",
];
const PUSH = JSON.stringify({ repository: { fork: true } });
const GRANTED = { ACTIONS_ID_TOKEN_REQUEST_TOKEN: SECRET };

test.each<[string, string, Texts, readonly string[]]>([
  ['a pull request from a fork', pull('me/a'), {}, PULL_REQUEST],
  ['a pull request from a fork to a fork', pull('me/a', true), { token: ' ' }, PULL_REQUEST],
  ['one from a fork that is deleted', pull(null), { auth: 'oidc', token: SECRET }, PULL_REQUEST],
  ['one from a branch of a fork', pull('base/a', true), { auth: 'token' }, FORK],
  ['a push in a fork', PUSH, {}, FORK],
])('refuseFork refuses %s', async (_, event, inputs, texts) => {
  setInputs(inputs);
  await setEvent(event, 'pull_request');
  expect(await catchTexts(refuseFork)).toEqual(texts);
});

test.each<[string, string, Texts, Texts?]>([
  ['a token', pull('me/a'), { token: SECRET }],
  ['no authentication', pull('me/a'), { auth: 'none' }],
  ['an OIDC token', pull('me/a'), { auth: 'oidc' }, GRANTED],
  ['OIDC in a fork', PUSH, { auth: 'oidc' }],
  // Such runs get secrets.
  ['pull_request_target', pull('me/a'), {}, { GITHUB_EVENT_NAME: 'pull_request_target' }],
  ['a pull request from a branch', pull('base/a'), {}],
  ['a push', '{"repository":{"fork":false}}', {}],
  ['another shape', '[null]', {}],
  ['no event', '', {}, { GITHUB_EVENT_PATH: '' }],
])('refuseFork accepts %s', async (_, event, inputs, variables = {}) => {
  setInputs(inputs);
  await setEvent(event, 'pull_request');
  setEnvironment(variables);
  await expect(refuseFork()).resolves.toBeUndefined();
});
