import { describe, expect, test } from '@jest/globals';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { REPORT, sha256 } from '../support/samples.ts';
import { openService } from '../support/service.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nConnection: close\r\n';

describe('retries', () => {
  test('a broken connection is retried, and the whole body goes out again', async () => {
    const service = await openService({ token: TOKEN, answers: [{ cut: 0 }] });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ uploaded: 'true', result: 'accepted', attempts: '2' });
    expect(service.requests).toHaveLength(2);
    expect(run.log).toMatch(
      /Attempt 1: unconfirmed\. .*\nWaiting \d\.\d s before the next attempt/,
    );
  });

  test('retries: 0 makes one attempt', async () => {
    const server = await openServer(({ socket }) => socket.destroy());
    const run = await runAction(await makeWorkspace(), { 'base-url': server.origin, retries: '0' });
    expect(run.outputs).toMatchObject({ result: 'not-sent', attempts: '1', 'status-code': '' });
    expect(server.connections()).toBe(1);
  });

  test('a wait that would cross the time limit ends the step at once', async () => {
    const answers = [{ status: 503, retryAfter: 3600 }];
    const service = await openService({ token: TOKEN, answers });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '503', attempts: '1' });
    expect(run.annotations[0]?.message).toContain('timeout-seconds');
  });
});

describe('an upload that nobody confirmed', () => {
  test.each([
    ['a cut answer', `${ANSWER}Content-Length: 10\r\n\r\nhalf`, '200'],
    ['no answer at all', '', ''],
    ['a gateway that gave up', 'HTTP/1.1 504 Gateway Time-out\r\nContent-Length: 0\r\n\r\n', '504'],
  ])('%s is unconfirmed and fails the step', async (_, answer, status) => {
    const server = await openServer(({ socket }) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (received.endsWith('--\r\n')) socket.end(answer);
      });
    });
    const run = await runAction(await makeWorkspace(), { 'base-url': server.origin, retries: '0' });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'unconfirmed' });
    expect(run.outputs['status-code']).toBe(status);
    expect(run.annotations[0]?.message).toContain('the service may have the scan');
    expect(JSON.parse(run.outputs.manifest ?? '')).toMatchObject([{ sha256: sha256(REPORT) }]);
  });
});

describe('limits', () => {
  test('a service that never answers is given up at the time limit', async () => {
    const server = await openServer(({ socket }) => socket.resume());
    const inputs = { 'base-url': server.origin, 'timeout-seconds': '5' };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.exitCode).toBe(1);
    expect(run.timedOut).toBe(false);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'unconfirmed' });
    expect(run.annotations[0]?.message).toMatch(/^The time limit of 5 s/);
  });

  test('a service that stops reading is given up after the stall limit', async () => {
    const server = await openServer(({ socket }) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\n');
        socket.pause();
      });
    });
    const workspace = await makeWorkspace({ 'scan.json': `["${'x'.repeat(30_000_000)}"]` });
    const inputs = { 'base-url': server.origin, 'stall-timeout-seconds': '3', retries: '0' };
    const run = await runAction(workspace, inputs);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', attempts: '1' });
    expect(run.annotations[0]?.message).toMatch(
      /^Nothing moved .* 3 s while the files were being sent/,
    );
  });
});

describe('cancellation', () => {
  // Windows has no signals to send to a process from outside.
  const signals: [NodeJS.Signals, number][] = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ];
  const table = process.platform === 'win32' ? [] : signals;
  test.each(table)('%s while waiting for the answer ends the step', async (signal, exitCode) => {
    const cancellation = new AbortController();
    const server = await openServer(({ socket }) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (received.endsWith('--\r\n')) cancellation.abort();
      });
    });
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': server.origin },
      { signal: cancellation.signal, killSignal: signal },
    );
    expect(run.exitCode).toBe(exitCode);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'unconfirmed' });
    expect(run.outputs.error).toBe('cancelled; unconfirmed');
    expect(run.annotations).toHaveLength(1);
    expect(run.annotations[0]?.title).toBe('Scan upload cancelled');
  });
});

describe('where an input asks for it, a step succeeds without an upload', () => {
  test('dry-run reads everything and sends nothing', async () => {
    const server = await openServer(({ socket }) => socket.destroy());
    const inputs = { 'base-url': server.origin, 'dry-run': 'true' };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({
      uploaded: 'false',
      result: 'dry-run',
      operation: 'upload-file',
      attempts: '0',
    });
    expect(JSON.parse(run.outputs.manifest ?? '')).toMatchObject([{ sha256: sha256(REPORT) }]);
    expect(server.connections()).toBe(0);
  });

  test.each([
    ['warn', ['warning']],
    ['ignore', []],
  ])('if-no-files-found: %s', async (policy, levels) => {
    const inputs = {
      'base-url': 'http://127.0.0.1:1',
      files: 'none/*',
      'if-no-files-found': policy,
    };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'skipped', operation: '' });
    expect(run.annotations.map(({ level }) => level)).toEqual(levels);
    expect(run.log).toContain("No file matches 'none/*' (files)");
  });

  test.each(['warn', 'ignore'])('but not for a partial match: %s', async (policy) => {
    const files = 'scan.json\nnone/*';
    const inputs = { 'base-url': 'http://127.0.0.1:1', files, 'if-no-files-found': policy };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent' });
  });
});

describe('the runner', () => {
  test('without a summary file is served all the same', async () => {
    const service = await openService({ token: TOKEN });
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url },
      { omitEnv: ['GITHUB_STEP_SUMMARY'] },
    );
    expect(run.exitCode).toBe(0);
    expect(run.outputs.uploaded).toBe('true');
    expect(run.log).toContain('No job summary was written');
  });

  test('gets no summary with summary: false', async () => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url, summary: 'false' };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.outputs.uploaded).toBe('true');
    expect(run.summary).toBe('');
  });

  test('that cannot be given the outputs sees a failed step', async () => {
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

  test('gets names and timings, but no values, with debug logging', async () => {
    const service = await openService({ token: TOKEN });
    const env = { RUNNER_DEBUG: '1' };
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url }, { env });
    const debug = run.commands.filter(({ command }) => command === 'debug').map(({ data }) => data);
    expect(debug).toContainEqual(expect.stringMatching(/^Request headers: .*Authorization/));
    expect(debug).toContainEqual(expect.stringMatching(/^Phases: connect at \d+ ms, send at/));
    expect(debug.join('\n')).not.toContain(TOKEN);
  });
});
