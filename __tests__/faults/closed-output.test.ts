import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { makeReply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { countAttempts, makeWorkspace, runAction } from '../support/run-action.ts';
import { makeMeter } from './support/usage.ts';

const TIMEOUT_SECONDS = 6;
/** With what the action promises after the limit, and as much for a busy machine. */
const MOST_MS = (TIMEOUT_SECONDS + 4) * 1000;
/** Many times what a step takes, and less than an endless loop has by the time it is ended. */
const MOST_CPU_MS = 3000;

/** Makes for much output: each value is masked in two lines, with its scheme and without. */
const HEADERS = Array.from(
  { length: 30 },
  (_, index) => `X-Token-${index}: Basic ${String(index).padStart(4000, 'v')}`,
).join('\n');

const DETAIL = 'The scan is bad.';
const PROBLEM = JSON.stringify({ title: DETAIL, detail: `${DETAIL} `.repeat(3000) });
const RESPONSES = {
  accepted: makeReply(200),
  rejected: makeReply(400, { body: PROBLEM }),
};

/** Makes a pipe the output of the process, before anything is written. */
const OPEN_PIPE = `
  import { closeSync, constants, openSync, writeSync } from 'node:fs';
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const reader = openSync(process.env.PIPE, O_RDONLY | O_NONBLOCK);
  for (const fd of [1, 2]) {
    closeSync(fd);
    openSync(process.env.PIPE, O_WRONLY | O_NONBLOCK);
  }`;
const READERS = {
  gone: 'closeSync(reader);',
  'deaf, and the pipe is full': `
    try {
      for (;;) writeSync(1, 'x'.repeat(4096));
    } catch {
      // EAGAIN: the pipe is full.
    }`,
};

describePosix('a step whose output nobody reads', () => {
  test.concurrent.each([
    ['deaf, and the pipe is full', 'accepted', 0],
    ['gone', 'rejected', 1],
  ] as const)('with a reader that is %s, %s: ends with %i', async (reader, result, code) => {
    const server = await openServer(async (peer) => {
      await peer.readUpload();
      peer.send(RESPONSES[result]);
    });
    const pipe = join(await makeFolder(), 'output');
    execFileSync('mkfifo', [pipe]);
    const meter = await makeMeter(OPEN_PIPE + READERS[reader]);
    const inputs = {
      'base-url': server.origin,
      headers: HEADERS,
      'timeout-seconds': String(TIMEOUT_SECONDS),
    };
    const env = { ...meter.env, PIPE: pipe };
    const run = await runAction(await makeWorkspace(), inputs, { env });
    expect(run.exitCode).toBe(code);
    expect(run.stdout).toBe('');
    expect(run.outputs).toMatchObject({ uploaded: String(code === 0), result });
    expect(countAttempts(run)).toBe(1);
    expect(run.summary).toContain(`Scan upload ${result}`);
    expect(run.durationMs).toBeLessThan(MOST_MS);
    expect(meter.read().cpuMs).toBeLessThan(MOST_CPU_MS);
  });
});
