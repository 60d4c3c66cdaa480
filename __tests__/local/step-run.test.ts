import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runStep } from '../../local/step/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';

const MANIFEST = `name: test
inputs: { base-url: { description: x, required: true }, retries: { description: x, default: 8 } }
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

async function readEnvironment(
  options: Partial<StepOptions> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run('console.log(JSON.stringify(process.env))', options);
  const env: unknown = JSON.parse(stdout);
  return { ...(typeof env === 'object' && env) };
}

describe('runStep', () => {
  test('passes inputs and defaults to the action, and warns about unexpected inputs', async () => {
    const inputs = { 'base-url': 'https://host', 'bas-url': 'x' };
    const env = await readEnvironment({ inputs });
    expect(env).toMatchObject({ 'INPUT_BASE-URL': 'https://host', INPUT_RETRIES: '8' });
    const { annotations, log } = await run('', { inputs });
    expect(annotations).toMatchObject([{ level: 'warning', title: undefined }]);
    expect(log).toMatch(/^Warning: Unexpected input\(s\) 'bas-url', valid inputs are /);
  });

  test('sets the environment of a runner, and inherits few variables', async () => {
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:9';
    try {
      const extra = { EXTRA: 'x', GITHUB_REPOSITORY: 'a/b', INPUT_RETRIES: '9' };
      const env = await readEnvironment({ env: extra, omitEnv: ['GITHUB_STEP_SUMMARY'] });
      expect(env).toMatchObject({ CI: 'true', GITHUB_ACTIONS: 'true', ...extra });
      const names = Object.keys(env);
      expect(names).toContain('GITHUB_OUTPUT');
      for (const name of ['HTTPS_PROXY', 'NODE_OPTIONS', 'GITHUB_STEP_SUMMARY']) {
        expect(names).not.toContain(name);
      }
    } finally {
      delete process.env['HTTPS_PROXY'];
    }
  });

  test('does not start with a variable of more than 128 KiB', async () => {
    const write = `require('node:fs').appendFileSync(process.env.GITHUB_OUTPUT, 'a=' + 'x'.repeat(${128 * 1024}))`;
    const { outputs } = await run(write);
    expect(outputs['a']).toHaveLength(128 * 1024);
    const starting = run('', { env: { PROBLEM: outputs['a'] ?? '' } });
    await expect(starting).rejects.toThrow('Argument list too long: the variable PROBLEM');
    const most = { A: 'x'.repeat(128 * 1024 - 'A=\0'.length) };
    expect(await run('', { env: most })).toMatchObject({ exitCode: 0 });
  });

  test('starts in the workspace with this Node and a closed standard input', async () => {
    const { stdout } = await run(
      `console.log(process.cwd() === process.env.GITHUB_WORKSPACE, process.version, require('node:fs').readFileSync(0).length)`,
    );
    expect(stdout).toBe(`true ${process.version} 0\n`);
  });

  test('removes the RUNNER_TEMP that it creates, and keeps a given one', async () => {
    const own = await readEnvironment();
    expect(existsSync(String(own['RUNNER_TEMP']))).toBe(false);
    const runnerTemp = join(await makeFolder(), 'temp');
    expect(await readEnvironment({ runnerTemp })).toMatchObject({ RUNNER_TEMP: runnerTemp });
    expect(await readdir(join(runnerTemp, '_runner_file_commands'))).toHaveLength(5);
  });

  test('returns outputs, summary, masks, commands and both streams', async () => {
    const step = await run(`
      const { appendFileSync } = require('node:fs');
      appendFileSync(process.env.GITHUB_OUTPUT, 'a=1\\nb<<E\\nx\\ny\\nE\\n');
      appendFileSync(process.env.GITHUB_STEP_SUMMARY, '# Hi s3cret\\n');
      process.stdout.write('::set-output name=c::2\\n::add-mask::s3cret\\nplain s3cret\\r\\n');
      process.stderr.write('::error title=T::bad');
      process.exitCode = 3;
    `);
    expect(step).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      failed: true,
      stdout: '::set-output name=c::2\n::add-mask::s3cret\nplain s3cret\r\n',
      stderr: '::error title=T::bad',
      outputs: { a: '1', b: 'x\ny', c: '2' },
      summary: '# Hi s3cret\n',
      masks: ['s3cret'],
      annotations: [{ level: 'error', title: 'T', message: 'bad' }],
    });
    const seen = step.commands.map(({ command, stream }) => `${command} ${stream}`).toSorted();
    expect(seen).toEqual(['add-mask stdout', 'error stderr', 'set-output stdout']);
    expect(step.log).toContain('plain ***\n');
    expect(step.durationMs).toBeGreaterThan(0);
  });

  test('fails a step whose output file cannot be read', async () => {
    const step = await run(
      `require('node:fs').writeFileSync(process.env.GITHUB_OUTPUT, 'a=1\\nnonsense\\n')`,
    );
    expect(step).toMatchObject({ exitCode: 0, failed: true, outputs: { a: '1' } });
    expect(step.log).toMatch(/Unable to process file command 'output' successfully\.\n.*nonsense/);
  });

  test('kills a step that exceeds its hard limit', async () => {
    const step = await run(`process.on('SIGTERM', () => {}); ${HANG}`, { timeoutMs: 300 });
    expect(step).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true, failed: true });
  });

  test('sends SIGINT, then SIGTERM, as the runner does (only SIGINT on Windows)', async () => {
    const cancel = new AbortController();
    const script = `process.on('SIGINT', () => console.log('no')); ${HANG}`;
    const step = await run(script, { signal: cancel.signal, onOutput: () => cancel.abort() });
    const isEndedAtOnce = process.platform === 'win32';
    expect(step).toMatchObject({
      exitCode: null,
      signal: isEndedAtOnce ? 'SIGINT' : 'SIGTERM',
      stdout: isEndedAtOnce ? 'ready\n' : 'ready\nno\n',
    });
    expect(step.durationMs).toBeGreaterThan(isEndedAtOnce ? 0 : 7400);
  });

  test('does not wait for output that a grandchild holds open', async () => {
    const step = await run(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30000)'], { stdio: 'inherit', detached: true });
      child.unref();
      console.log(child.pid);
    `);
    // Windows does not remove the working directory of a running process.
    process.kill(Number(step.stdout));
    expect(step).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    expect(step.durationMs).toBeLessThan(25_000);
  });
});

describePosix('runStep of a step that is cancelled', () => {
  test('reports lines while the step runs, and cancels it with SIGINT', async () => {
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
    expect(step).toMatchObject({ exitCode: 130, signal: null, timedOut: false });
  });
});
