import { describe, expect, test } from '@jest/globals';
import { countAttempts, makeWorkspace, TOKEN } from '../support/run-action.ts';
import { makeReply } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { runUnread } from './support/unread-step.ts';
import type { Reader } from './support/unread-step.ts';

const TIMEOUT_SECONDS = 10;
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
  rejected: makeReply(400, {
    headers: { 'Content-Type': 'application/problem+json' },
    body: PROBLEM,
  }),
};

type Result = keyof typeof RESPONSES;

// Windows has no FIFO in its file system.
const PIPES: readonly Reader[] =
  process.platform === 'win32' ? [] : ['deaf at a full pipe', 'gone from a pipe'];
// Those that the step waits for come first, so that the others run meanwhile.
const READERS: readonly Reader[] = ['deaf', ...PIPES, 'gone', 'going'];
const CASES: readonly [Reader, Result, number][] = [
  ['deaf', 'accepted', 0],
  ...READERS.map((reader): [Reader, Result, number] => [reader, 'rejected', 1]),
];

describe('a step whose output nobody reads', () => {
  test.concurrent.each(CASES)(
    'with a reader that is %s, %s: ends with %i',
    async (reader, result, code) => {
      const server = await openServer(async (peer) => {
        await peer.readUpload();
        peer.send(RESPONSES[result]);
      });
      const inputs = {
        'base-url': server.origin,
        'scan-key': SCAN_KEY,
        'scan-file': 'scan.json',
        token: TOKEN,
        headers: HEADERS,
        'timeout-seconds': String(TIMEOUT_SECONDS),
      };
      const run = await runUnread(await makeWorkspace(), inputs, reader);
      expect(run.exitCode).toBe(code);
      expect(run.outputs).toMatchObject({ uploaded: String(code === 0), result });
      expect(countAttempts(run)).toBe(1);
      expect(run.summary).toContain(`Scan upload ${result}`);
      expect(run.durationMs).toBeLessThan(MOST_MS);
      expect(run.cpuMs).toBeLessThan(MOST_CPU_MS);
    },
  );
});
