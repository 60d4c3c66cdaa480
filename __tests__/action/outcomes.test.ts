import { describe, expect, test } from '@jest/globals';
import { makeWorkspace, preload, runAction, TOKEN } from '../support/run-action.ts';
import { openService } from '../support/service.ts';
import { findLines } from '../support/report.ts';

/** The wall clock is an hour later each time it is read. */
const JUMP = preload('let ms = Date.now(); Date.now = () => (ms += 3600000);');

describe('a broken connection', () => {
  test('is retried, whatever the wall clock says, and the whole body is sent again', async () => {
    const service = await openService({ token: TOKEN, responses: [{ cut: 0 }] });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url }, { env: JUMP });
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ uploaded: 'true', result: 'accepted' });
    expect(service.requests).toHaveLength(2);
  });
});

describe('a step without an upload', () => {
  test.each([
    ['warn', ['warning']],
    ['ignore', []],
  ])('succeeds without files with if-no-files-found: %s', async (policy, levels) => {
    const inputs = {
      'base-url': 'http://127.0.0.1:1',
      files: 'none/*',
      'if-no-files-found': policy,
    };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'skipped' });
    expect(run.annotations.map(({ level }) => level)).toEqual(levels);
    expect(findLines(run.log, "'none/*'")).not.toEqual([]);
    expect(run.summary.split('\n')[0]).toBe('### ⏭️ Scan upload skipped');
  });
});

describe('the runner', () => {
  test('gets log and outputs even without a summary file', async () => {
    const service = await openService({ token: TOKEN });
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url },
      { omitEnv: ['GITHUB_STEP_SUMMARY'] },
    );
    expect(run.exitCode).toBe(0);
    expect(run.outputs.uploaded).toBe('true');
    expect(findLines(run.log, 'No job summary was written')).toHaveLength(1);
  });

  test('gets a failed step if the outputs cannot be written', async () => {
    const service = await openService({ token: TOKEN });
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url },
      { env: { GITHUB_OUTPUT: '/nowhere/at/all' } },
    );
    expect(service.uploads).toHaveLength(1);
    expect(run.exitCode).toBe(1);
    expect(run.annotations[0]?.message).toContain("result is 'accepted'");
  });
});

describe('debug logging', () => {
  const NAMES =
    'Accept, Accept-Encoding, User-Agent, traceparent, X-Project, Authorization, Content-Type, Content-Length, Expect, Host';
  const PHASES =
    /^##\[debug\]Attempt 1 phases: credential \d+ ms, connecting \d+ ms, asking \d+ ms, sending \d+ ms, flushing \d+ ms, (?:waiting \d+ ms, )?reading \d+ ms, ended$/;

  test('shows names of headers, and phases', async () => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url, headers: 'X-Project: payments-api' };
    const env = { RUNNER_DEBUG: '1' };
    const { log } = await runAction(await makeWorkspace(), inputs, { env });
    const headers = `##[debug]Request headers: ${NAMES}`;
    const shown = findLines(log, /Request headers|phases/);
    expect(shown).toEqual([headers, expect.stringMatching(PHASES)]);
    expect(findLines(log, /payments-api|Bearer/)).toEqual([]);
  });
});

test('a Node that is too old is reported without methods of newer ones', async () => {
  const module = new URL('../support/old-node.preload.mjs', import.meta.url);
  const env = { NODE_OPTIONS: `--import=${module.href}`, OLD_NODE_ARCH: 'x64' };
  const inputs = { 'base-url': 'https://scan.example' };
  const run = await runAction(await makeWorkspace(), inputs, { env });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', reason: 'runner' });
  expect(findLines(run.summary, 'Node 18.20.4')).not.toEqual([]);
});
