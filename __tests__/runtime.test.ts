import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkNode, findWorkspace } from '../src/runtime.ts';
import { VERSION } from '../src/version.ts';

const REPOSITORY = join(import.meta.dirname, '..');

describe('findWorkspace', () => {
  test.each([
    [{ GITHUB_WORKSPACE: REPOSITORY }, REPOSITORY],
    [{ GITHUB_WORKSPACE: '' }, process.cwd()],
    [{}, process.cwd()],
    [undefined, process.env.GITHUB_WORKSPACE || process.cwd()],
  ])('returns for %j: %s', async (env, workspace) => {
    expect(await findWorkspace(env)).toBe(workspace);
  });
});

describe('a workspace that does not exist', () => {
  test('is an error that names it', async () => {
    const env = { GITHUB_WORKSPACE: '/not/mounted' };
    const error = expect.objectContaining({
      situation: 'runner',
      problems: ["The workspace '/not/mounted' (GITHUB_WORKSPACE) does not exist."],
      fixes: [expect.stringMatching(/^Mount the workspace at this path /)],
    });
    await expect(findWorkspace(env)).rejects.toEqual(error);
  });
});

describe('checkNode', () => {
  test.each([undefined, '24.0.0', '24.21.0', '26.1.0', '100.0.0'])('accepts Node %s', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });

  const FIXES = [expect.stringMatching(/^act, Gitea/), expect.stringMatching(/^GitHub's runner/)];

  test.each(['8.17.0', '20.19.0', '23.11.1'])('refuses Node %s', (version) => {
    const error = expect.objectContaining({
      situation: 'runner',
      problems: [`This action needs Node 24 and was started with Node ${version}.`],
      fixes: FIXES,
    });
    expect(() => checkNode(version)).toThrow(error);
  });
});

describe('VERSION', () => {
  test('is the version in package.json', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: VERSION });
  });
});
