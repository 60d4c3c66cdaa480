import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runStep } from '../../local/step/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { makeFolder } from '../support/directories.ts';

const MANIFEST = `name: test
inputs:
  base-url: { description: x, required: true }
  retries: { description: x, default: 8 }
runs: { using: node24, main: main.cjs }
`;

const HANG = `process.stdout.write('ready\\n'); setInterval(() => {}, 1000);`;

async function run(script: string, options: Partial<StepOptions> = {}): Promise<StepRun> {
  const action = join(await makeFolder(), 'action');
  const workspace = join(action, '..', 'workspace');
  await Promise.all([mkdir(action), mkdir(workspace)]);
  await writeFile(join(action, 'action.yml'), MANIFEST);
  await writeFile(join(action, 'main.cjs'), script);
  return runStep({ action, workspace, inputs: {}, ...options });
}

async function readEnvironment(options: Partial<StepOptions> = {}): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await run('console.log(JSON.stringify(process.env))', options);
  const env: unknown = JSON.parse(stdout);
  return typeof env === 'object' && env !== null ? { ...env } : {};
}

describe('runStep', () => {
  test('hands inputs and defaults over and warns about unexpected ones', async () => {
    const inputs = { 'base-url': 'https://host', 'bas-url': 'x' };
    const env = await readEnvironment({ inputs });
    expect(env).toMatchObject({
      'INPUT_BASE-URL': 'https://host',
      INPUT_RETRIES: '8',
      'INPUT_BAS-URL': 'x',
    });
    const { annotations, log } = await run('', { inputs });
    expect(annotations).toMatchObject([{ level: 'warning', title: undefined }]);
    expect(log).toBe(
      "Warning: Unexpected input(s) 'bas-url', valid inputs are ['base-url', 'retries']\n",
    );
  });

  test('gives the environment of a runner and little else', async () => {
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:9';
    try {
      const env = await readEnvironment({
        env: { EXTRA: 'x', GITHUB_REPOSITORY: 'a/b', INPUT_RETRIES: '9' },
      });
      expect(env).toMatchObject({ CI: 'true', GITHUB_ACTIONS: 'true', EXTRA: 'x' });
      expect(env).toMatchObject({ GITHUB_REPOSITORY: 'a/b', INPUT_RETRIES: '9' });
      expect(Object.keys(env)).not.toContain('HTTPS_PROXY');
      expect(Object.keys(env)).not.toContain('NODE_OPTIONS');
    } finally {
      delete process.env['HTTPS_PROXY'];
    }
  });

  test('leaves variables out on request', async () => {
    const env = await readEnvironment({ omitEnv: ['GITHUB_STEP_SUMMARY'] });
    expect(Object.keys(env)).not.toContain('GITHUB_STEP_SUMMARY');
    expect(Object.keys(env)).toContain('GITHUB_OUTPUT');
  });

  test('starts in the workspace with Node 24 and a closed standard input', async () => {
    const { stdout } = await run(
      `console.log(process.cwd() === process.env.GITHUB_WORKSPACE, process.version === '${process.version}', require('node:fs').readFileSync(0).length)`,
    );
    expect(stdout).toBe('true true 0\n');
  });

  test('removes a RUNNER_TEMP of its own and keeps a given one', async () => {
    const own = await readEnvironment();
    expect(existsSync(own['RUNNER_TEMP'] ?? '/')).toBe(false);
    const runnerTemp = join(await makeFolder(), 'temp');
    const given = await readEnvironment({ runnerTemp });
    expect(given['RUNNER_TEMP']).toBe(runnerTemp);
    expect(await readdir(join(runnerTemp, '_runner_file_commands'))).toHaveLength(5);
  });

  test('reads outputs, summary, masks, commands and both streams', async () => {
    const step = await run(`
      const { appendFileSync } = require('node:fs');
      appendFileSync(process.env.GITHUB_OUTPUT, 'a=1\\nb<<E\\nx\\ny\\nE\\n');
      appendFileSync(process.env.GITHUB_STEP_SUMMARY, '# Hi s3cret\\n');
      process.stdout.write('::add-mask::s3cret\\nplain s3cret\\r\\n');
      process.stderr.write('::error title=T::bad s3cret');
    `);
    expect(step).toMatchObject({
      exitCode: 0,
      signal: null,
      timedOut: false,
      failed: false,
      stdout: '::add-mask::s3cret\nplain s3cret\r\n',
      stderr: '::error title=T::bad s3cret',
      outputs: { a: '1', b: 'x\ny' },
      summary: '# Hi s3cret\n',
      masks: ['s3cret'],
      annotations: [{ level: 'error', title: 'T', message: 'bad s3cret' }],
    });
    expect(step.commands.map(({ command, stream }) => [command, stream])).toEqual(
      expect.arrayContaining([
        ['add-mask', 'stdout'],
        ['error', 'stderr'],
      ]),
    );
    expect(step.log).toContain('plain ***\n');
    expect(step.durationMs).toBeGreaterThan(0);
  });

  test('reports the exit code', async () => {
    expect(await run('process.exit(3)')).toMatchObject({ exitCode: 3, signal: null, failed: true });
    expect(await run('throw new Error("x")')).toMatchObject({ exitCode: 1, failed: true });
  });

  test('fails a step whose output file cannot be read', async () => {
    const step = await run(
      `require('node:fs').writeFileSync(process.env.GITHUB_OUTPUT, 'a=1\\nnonsense\\n')`,
    );
    expect(step).toMatchObject({ exitCode: 0, failed: true, outputs: { a: '1' } });
    expect(step.log).toMatch(/Unable to process file command 'output' successfully\.\n.*nonsense/);
  });

  test('gives lines out while the step runs', async () => {
    const cancel = new AbortController();
    const lines: string[] = [];
    const step = await run(
      `process.on('SIGINT', () => { console.log('bye'); process.exit(130); }); ${HANG}`,
      {
        signal: cancel.signal,
        onOutput: (line, stream) => {
          lines.push(`${stream} ${line}`);
          cancel.abort();
        },
      },
    );
    expect(lines).toEqual(['stdout ready', 'stdout bye']);
    expect(step).toMatchObject({ exitCode: 130, signal: null, timedOut: false, failed: true });
  });

  test('sends one signal after a while on request', async () => {
    const step = await run(HANG, { killAfterMs: 200, killSignal: 'SIGTERM' });
    expect(step).toMatchObject({
      exitCode: null,
      signal: 'SIGTERM',
      timedOut: false,
      failed: true,
    });
  });

  test('ends a step that outlives its hard bound', async () => {
    const step = await run(`process.on('SIGTERM', () => {}); ${HANG}`, { timeoutMs: 300 });
    expect(step).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true, failed: true });
  });

  test('goes from SIGINT to SIGTERM as the runner does', async () => {
    const cancel = new AbortController();
    const step = await run(`process.on('SIGINT', () => console.log('no')); ${HANG}`, {
      signal: cancel.signal,
      onOutput: () => cancel.abort(),
    });
    expect(step).toMatchObject({ exitCode: null, signal: 'SIGTERM', stdout: 'ready\nno\n' });
    expect(step.durationMs).toBeGreaterThan(7400);
  });

  test('does not wait for output a grandchild holds open', async () => {
    const step = await run(`
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30000)'], { stdio: 'inherit', detached: true }).unref();
      console.log('done');
    `);
    expect(step).toMatchObject({ exitCode: 0, stdout: 'done\n' });
    expect(step.durationMs).toBeLessThan(25_000);
  });
});
