import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeRef, findPushedDefault, readEvent } from '../../src/inputs/event.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';

const EVENT = JSON.stringify({ repository: { default_branch: 'main' } });

test.each([
  ['refs/pull/12/merge', '1a2b3c4d5e6f7', 'For refs/pull/12/merge, commit 1a2b3c4'],
  ['refs/heads/main', undefined, 'For refs/heads/main, commit '],
  ['', '1a2b3c4d5e6f7', undefined],
  [undefined, undefined, undefined],
])('describeRef names the ref %s and the beginning of the commit', (ref, commit, text) => {
  setEnvironment({ GITHUB_REF: ref, GITHUB_SHA: commit });
  expect(describeRef()).toBe(text);
});

test.each([
  ['push', 'refs/heads/main', EVENT, 'main'],
  ['push', 'refs/heads/other', EVENT, undefined],
  ['push', 'refs/tags/main', EVENT, undefined],
  ['pull_request', 'refs/heads/main', EVENT, undefined],
  ['schedule', 'refs/heads/main', EVENT, undefined],
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

test('readEvent reads nothing without a file', async () => {
  setEnvironment({ GITHUB_EVENT_PATH: undefined });
  expect(await readEvent()).toBeUndefined();
});
