import { describe, expect, test } from '@jest/globals';
import { runStep } from '../../local/step/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { makeFolder, setEnvironment } from '../support/workspace.ts';

const MANIFEST = `name: test
inputs: { base-url: { description: x, required: true }, retries: { description: x, default: 8 } }
runs: { using: node24, main: main.cjs }
`;

async function run(script: string, options: Partial<StepOptions> = {}): Promise<StepRun> {
  const action = await makeFolder({ 'action.yml': MANIFEST, 'main.cjs': script });
  const workspace = await makeFolder();
  return runStep({ action, workspace, inputs: {}, ...options });
}

describe('runStep', () => {
  test('sets inputs, defaults and the environment of a runner, and inherits few variables', async () => {
    setEnvironment({ HTTPS_PROXY: 'http://127.0.0.1:9' });
    const { stdout } = await run('console.log(JSON.stringify(process.env))', {
      inputs: { 'base-url': 'https://host' },
      env: { EXTRA: 'x', GITHUB_REPOSITORY: 'a/b' },
    });
    const env: unknown = JSON.parse(stdout);
    const inputs = { 'INPUT_BASE-URL': 'https://host', INPUT_RETRIES: '8' };
    const given = { EXTRA: 'x', GITHUB_REPOSITORY: 'a/b' };
    const ofRunner = { CI: 'true', GITHUB_OUTPUT: expect.any(String) };
    expect(env).toMatchObject({ ...inputs, ...given, ...ofRunner });
    expect(env).not.toHaveProperty('HTTPS_PROXY');
    expect(env).not.toHaveProperty('NODE_OPTIONS');
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

  test.each<[string, Partial<StepOptions>, NodeJS.Signals, boolean]>([
    ['at its hard limit', { timeoutMs: 300 }, 'SIGKILL', true],
    ['when it is cancelled', { signal: cancellation.signal, onOutput: cancel }, 'SIGINT', false],
    ['that was cancelled before', { signal: AbortSignal.abort() }, 'SIGINT', false],
  ])('ends a step %s', async (_, options, signal, timedOut) => {
    const step = await run('console.log("ready"); setInterval(() => {}, 1000)', options);
    expect(step).toMatchObject({ exitCode: null, signal, timedOut });
  });
});
