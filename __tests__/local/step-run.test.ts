import { describe, expect, test } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runStep } from '../../local/step/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { makeFolder } from '../support/directories.ts';

const MANIFEST = `name: test
inputs: { base-url: { description: x, required: true }, retries: { description: x, default: 8 } }
runs: { using: node24, main: main.cjs }
`;

async function run(script: string, options: Partial<StepOptions> = {}): Promise<StepRun> {
  const action = join(await makeFolder(), 'action');
  const workspace = join(action, '..', 'workspace');
  await Promise.all([mkdir(action), mkdir(workspace)]);
  await writeFile(join(action, 'action.yml'), MANIFEST);
  await writeFile(join(action, 'main.cjs'), script);
  return runStep({ action, workspace, inputs: {}, ...options });
}

describe('runStep', () => {
  test('sets inputs, defaults and the environment of a runner, and inherits few variables', async () => {
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:9';
    try {
      const { stdout } = await run('console.log(JSON.stringify(process.env))', {
        inputs: { 'base-url': 'https://host' },
        env: { EXTRA: 'x', GITHUB_REPOSITORY: 'a/b' },
      });
      const env: unknown = JSON.parse(stdout);
      expect(env).toMatchObject({
        'INPUT_BASE-URL': 'https://host',
        INPUT_RETRIES: '8',
        CI: 'true',
      });
      expect(env).toMatchObject({ EXTRA: 'x', GITHUB_REPOSITORY: 'a/b' });
      expect(env).toHaveProperty('GITHUB_OUTPUT');
      for (const name of ['HTTPS_PROXY', 'NODE_OPTIONS']) {
        expect(env).not.toHaveProperty(name);
      }
    } finally {
      delete process.env['HTTPS_PROXY'];
    }
  });

  test('returns outputs, summary, masks, commands and both streams', async () => {
    const script = `
      const { appendFileSync, readFileSync } = require('node:fs');
      appendFileSync(process.env.GITHUB_OUTPUT, 'a=1\\nb<<E\\nx\\ny\\nE\\n');
      appendFileSync(process.env.GITHUB_STEP_SUMMARY, '# Hi s3cret\\n');
      process.stdout.write('::add-mask::s3cret\\nplain s3cret\\r\\n');
      process.stderr.write('::error title=T::bad');
      const isInWorkspace = process.cwd() === process.env.GITHUB_WORKSPACE;
      process.exitCode = isInWorkspace && readFileSync(0).length === 0 ? 3 : 4;
    `;
    const step = await run(script, { inputs: { 'bas-url': 'x' } });
    expect(step).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      stdout: '::add-mask::s3cret\nplain s3cret\r\n',
      stderr: '::error title=T::bad',
      outputs: { a: '1', b: 'x\ny' },
      summary: '# Hi s3cret\n',
      masks: ['s3cret'],
      annotations: [{ level: 'warning' }, { level: 'error', title: 'T', message: 'bad' }],
    });
    const seen = step.commands.map(({ command }) => command).toSorted();
    expect(seen).toEqual(['add-mask', 'error']);
    expect(step.log).toMatch(/^Warning: Unexpected input\(s\) 'bas-url', valid inputs are /);
    expect(step.log).toContain('plain ***\n');
    expect(step.durationMs).toBeGreaterThan(0);
  });

  const cancellation = new AbortController();
  const cancel = (): void => cancellation.abort();

  test.each<[string, Partial<StepOptions>, Partial<StepRun>]>([
    ['at its hard limit', { timeoutMs: 300 }, { signal: 'SIGKILL', timedOut: true }],
    [
      'when it is cancelled',
      { signal: cancellation.signal, onOutput: cancel },
      { signal: 'SIGINT', timedOut: false },
    ],
    [
      'that was cancelled before',
      { signal: AbortSignal.abort() },
      { signal: 'SIGINT', timedOut: false },
    ],
  ])('ends a step %s', async (_, options, end) => {
    const step = await run('console.log("ready"); setInterval(() => {}, 1000)', options);
    expect(step).toMatchObject({ exitCode: null, ...end });
  });
});
