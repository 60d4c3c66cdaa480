import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkNode, findJobStart, findWorkspace } from '../src/runtime.ts';

const REPOSITORY = join(import.meta.dirname, '..');

test.each([
  [{ GITHUB_WORKSPACE: REPOSITORY }, REPOSITORY],
  [{ GITHUB_WORKSPACE: '' }, process.cwd()],
  [undefined, process.env.GITHUB_WORKSPACE || process.cwd()],
])('findWorkspace returns the workspace of %j', async (env, workspace) => {
  expect(await findWorkspace(env)).toBe(workspace);
});

test('findWorkspace refuses a workspace that does not exist, and names it', async () => {
  await expect(findWorkspace({ GITHUB_WORKSPACE: '/not/mounted' })).rejects.toMatchObject({
    situation: 'runner',
    faults: ["The workspace '/not/mounted' (GITHUB_WORKSPACE) does not exist."],
    fixes: [expect.stringMatching(/^Mount the workspace at this path /)],
  });
});

test.each([undefined, '24.0.0', '100.0.0'])('checkNode accepts Node %s', (version) => {
  expect(() => checkNode(version)).not.toThrow();
});

test.each(['8.17.0', '23.11.1'])('checkNode refuses Node %s', (version) => {
  const error = expect.objectContaining({
    situation: 'runner',
    faults: [`This action needs Node 24 and was started with Node ${version}.`],
    fixes: [
      expect.stringMatching(
        /^act, Gitea .* with Node 24, for example `container: node:24-bookworm`\.$/,
      ),
      "GitHub's runner has Node 24 from version 2.327.1: update an older one.",
    ],
  });
  expect(() => checkNode(version)).toThrow(error);
});

test('findJobStart returns when the payload of the event was written', async () => {
  const path = join(REPOSITORY, 'package.json');
  expect(await findJobStart({ GITHUB_EVENT_PATH: path })).toBe(statSync(path).mtimeMs);
  expect(await findJobStart({})).toBe(-Infinity);
});
