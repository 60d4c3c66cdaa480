import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StepError } from '../src/errors.ts';
import { readRuntime } from '../src/runtime.ts';
import { VERSION } from '../src/version.ts';

const REPOSITORY = join(import.meta.dirname, '..');

describe('readRuntime', () => {
  test('reads where the runner has put things', () => {
    const env = { GITHUB_WORKSPACE: REPOSITORY, RUNNER_TEMP: '/home/runner/temp' };
    const runtime = { workspace: REPOSITORY, temp: '/home/runner/temp' };
    expect(readRuntime(env, '24.0.0')).toEqual(runtime);
  });

  test('refuses a workspace that is not there, where nothing could ever match', () => {
    const env = { GITHUB_WORKSPACE: join(REPOSITORY, 'missing') };
    expect(() => readRuntime(env, '24.0.0')).toThrow(/^The workspace '.*missing' .* is not there/);
  });

  test.each([[{}], [{ GITHUB_WORKSPACE: '', RUNNER_TEMP: '' }]])(
    'does without a runner: %j',
    (env) => {
      expect(readRuntime(env, '24.0.0')).toEqual({ workspace: process.cwd(), temp: undefined });
    },
  );

  test('reads the environment and Node it runs in by default', () => {
    expect(readRuntime().workspace).toBe(process.env.GITHUB_WORKSPACE || process.cwd());
  });

  test.each(['24.0.0', '24.21.0', '26.1.0', '100.0.0'])('takes Node %s', (version) => {
    expect(readRuntime({}, version).temp).toBeUndefined();
  });

  test.each(['8.17.0', '20.19.0', '22.12.0', '23.11.1'])('refuses Node %s', (version) => {
    const text = `This action needs Node 24 and was started with Node ${version}: use GitHub Actions Runner v2.327.1 or later, or a runner that brings Node 24.`;
    expect(catchStepError(() => readRuntime({}, version))).toMatchObject({
      kind: 'runtime',
      problems: [text],
    });
  });

  test('asks for the Node that action.yml names', async () => {
    const manifest = await readFile(join(REPOSITORY, 'action.yml'), 'utf8');
    const major = /^ {2}using: node(\d+)$/m.exec(manifest)?.[1];
    expect(() => readRuntime({}, `${Number(major) - 1}.0.0`)).toThrow(StepError);
    expect(readRuntime({}, `${major}.0.0`)).toMatchObject({ workspace: process.cwd() });
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
