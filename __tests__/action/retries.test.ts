import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { listen } from '../support/raw-server.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { preload } from './situations/case.ts';

/** The waits before retries are as short as possible, 5 s, and pass at once on the clocks of the step. */
const SKIP_WAITS = preload(`
  const { setTimeout: set } = globalThis;
  let skippedMs = 0;
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock);
    clock.now = () => now() + skippedMs;
  }
  Math.random = () => 0;
  globalThis.setTimeout = (run, ms, ...rest) => {
    if (!(ms > 4000 && ms <= 5000)) return set(run, ms, ...rest);
    return set(() => {
      skippedMs += ms;
      run(...rest);
    }, 0);
  };
`);

/** What a gateway says that has lost the response of the service. */
const INTERRUPTED =
  'upstream connect error or disconnect/reset before headers. reset reason: connection termination';

/** A status, or that of a gateway that passed the upload on. */
type Turn = number | 'interrupted';

/** Uploads to a service that responds in turn, and then always as in the last turn. */
async function runTurns(
  turns: readonly Turn[],
  inputs: Readonly<Record<string, string>> = {},
): Promise<{ readonly run: StepRun; readonly requests: number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const turn = turns[Math.min(requests, turns.length - 1)];
    requests += 1;
    request.resume().once('end', () => {
      if (turn === 'interrupted') response.writeHead(503).end(INTERRUPTED);
      else response.writeHead(turn ?? 200).end();
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const workspace = await makeWorkspace();
  const run = await runAction(workspace, { 'base-url': url, ...inputs }, { env: SKIP_WAITS });
  return { run, requests };
}

describe('an upload is repeated', () => {
  test.each<[readonly Turn[], number]>([
    [[503, 503, 504, 200], 4],
    [[504, 503, 504, 503, 504], 5],
    [[500, 504, 500, 504, 500, 504], 6],
    [['interrupted', 504, 524], 3],
    [[524, 'interrupted', 504], 3],
    [[503, 'interrupted', 200], 3],
    [['interrupted', 503, 'interrupted', 200], 3],
  ])('for each situation as often as it may be: %j ends after %i requests', async (turns, most) => {
    const { run, requests } = await runTurns(turns);
    expect([requests, run.outputs.attempts]).toEqual([most, String(most)]);
    const isAccepted = most === turns.length && turns.at(-1) === 200;
    expect(run.outputs.uploaded).toBe(String(isAccepted));
  });

  test('at most `retries` times in all', async () => {
    const { run, requests } = await runTurns([503, 504, 502], { retries: '2' });
    expect(requests).toBe(3);
    expect(run.annotations.at(-1)?.message).toContain('Gave up after 3 attempts.');
  });
});
