import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StepError } from '../src/errors.ts';
import { checkNode, getWorkspace } from '../src/runtime.ts';
import { VERSION } from '../src/version.ts';

const REPOSITORY = join(import.meta.dirname, '..');

describe('getWorkspace', () => {
  test('is where the runner says', () => {
    expect(getWorkspace({ GITHUB_WORKSPACE: REPOSITORY })).toBe(REPOSITORY);
    expect(getWorkspace()).toBe(process.env.GITHUB_WORKSPACE || process.cwd());
  });

  test.each([[{}], [{ GITHUB_WORKSPACE: '' }]])(
    'is the working directory without a runner: %j',
    (env) => {
      expect(getWorkspace(env)).toBe(process.cwd());
    },
  );
});

describe('checkNode', () => {
  test.each(['24.0.0', '24.21.0', '26.1.0', '100.0.0'])('takes Node %s', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });

  test.each(['8.17.0', '20.19.0', '22.12.0', '23.11.1'])('refuses Node %s', (version) => {
    const text = `This action needs Node 24 and was started with Node ${version}: use GitHub Actions Runner v2.327.1 or later, or a runner that brings Node 24.`;
    expect(catchStepError(() => checkNode(version))).toMatchObject({
      kind: 'runtime',
      problems: [text],
    });
  });

  test('asks for the Node that action.yml names', async () => {
    const manifest = await readFile(join(REPOSITORY, 'action.yml'), 'utf8');
    const major = /^ {2}using: node(\d+)$/m.exec(manifest)?.[1];
    expect(() => checkNode(`${Number(major) - 1}.0.0`)).toThrow(StepError);
    expect(() => checkNode(`${major}.0.0`)).not.toThrow();
    expect(() => checkNode()).not.toThrow();
  });
});

describe('VERSION', () => {
  test('is the version in package.json', async () => {
    const manifest: unknown = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: VERSION });
  });
});

function catchStepError(action: () => unknown): StepError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof StepError) return error;
    throw error;
  }
}
