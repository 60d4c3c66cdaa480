import { describe, expect, test } from '@jest/globals';
import { describePosix } from '../support/files.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { PHASES, hold } from './support/phases.ts';
import type { Phase } from './support/phases.ts';

/**
 * The action promises to end within 2 s, and usually needs some hundredths of a second; a busy machine may
 * need longer. After 7.5 s the runner sends another signal.
 */
const MOST_MS = 7000;
/** Less than the limit of a test: a process that hangs is killed. */
const HUNG_MS = 15_000;

/** One or the other in turn: the action handles both alike. */
const CASES = PHASES.map((phase, index): [NodeJS.Signals, string, number, Phase] =>
  index % 2 === 0 ? ['SIGINT', phase.name, 130, phase] : ['SIGTERM', phase.name, 143, phase],
);

describePosix('cancellation', () => {
  test.concurrent.each(CASES)(
    '%s while %s ends the step with %i',
    async (signal, _, code, phase) => {
      const cancellation = new AbortController();
      let cancelledAt = 0;
      const cancel = (): void => {
        cancelledAt ||= performance.now();
        cancellation.abort();
      };
      const { inputs, env = {}, workspace, line } = await phase.open(cancel);
      const run = await runAction(workspace ?? (await makeWorkspace()), inputs, {
        env,
        signal: cancellation.signal,
        killSignal: signal,
        timeoutMs: HUNG_MS,
        onOutput: (text) => line?.test(text) === true && cancel(),
      });
      const tookMs = performance.now() - cancelledAt;
      expect(run.exitCode).toBe(code);
      expect(cancelledAt).toBeGreaterThan(0);
      expect(tookMs).toBeLessThan(MOST_MS);
      expect(run.outputs).toMatchObject({
        uploaded: 'false',
        result: phase.result,
        reason: 'cancelled',
      });
      expect(run.annotations.map(({ level, title }) => [level, title])).toEqual([
        ['error', 'Scan upload cancelled'],
      ]);
      expect(run.log.match(/Cancelled: /g)).toHaveLength(1);
    },
  );
});

/** Much longer than the limit of 1 s, much less than a blocked call takes. */
const BLOCKED_MS = 10_000;

const SCANS = { 'scan-key': '', 'scan-file': '', scans: 'file.json' };

describe('a file system that does not respond', () => {
  test.concurrent.each([
    ['the workspace', 'workspace', {}],
    ['the file of `scans`', 'open', SCANS],
    ['the file of `ca-cert`', 'open', { 'ca-cert': 'file.json' }],
    [
      'the files of the client certificate',
      'open',
      { 'client-cert': 'a.pem', 'client-key': 'b.pem' },
    ],
  ])('ends the step at its time limit: %s', async (_, what, given) => {
    const { inputs, env = {} } = hold(what);
    const workspace = await makeWorkspace({ 'scan.json': '{}', 'file.json': '[]' });
    const limit = { 'timeout-seconds': '1', 'dry-run': 'true' };
    const run = await runAction(
      workspace,
      { ...inputs, ...limit, ...given },
      { env, timeoutMs: BLOCKED_MS },
    );
    expect([run.timedOut, run.exitCode]).toEqual([false, 1]);
    expect(run.outputs).toMatchObject({
      uploaded: 'false',
      result: 'not-sent',
      reason: 'time-limit',
    });
    expect(run.annotations).toHaveLength(1);
  });
});
