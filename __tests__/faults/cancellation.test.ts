import { expect, test } from '@jest/globals';
import { describePosix } from '../support/files.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { PHASES } from './support/phases.ts';
import type { Phase } from './support/phases.ts';

/**
 * The action promises to end within 2 s, and usually needs some hundredths of a second; a busy machine may
 * need longer. After 7.5 s the runner sends another signal.
 */
const MOST_MS = 5000;
/** Less than the limit of a test: a process that hangs is killed. */
const HUNG_MS = 30_000;

const SIGNALS: readonly [NodeJS.Signals, number][] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
];
const CASES = SIGNALS.flatMap(([signal, code]) =>
  PHASES.map((phase): [NodeJS.Signals, string, number, Phase] => [signal, phase.name, code, phase]),
);

describePosix('cancellation', () => {
  test.each(CASES)('%s while %s ends the step with %i', async (signal, _, code, phase) => {
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
    const end =
      phase.result === 'unconfirmed' ? 'the upload is unconfirmed' : 'the scan was not uploaded';
    expect(run.exitCode).toBe(code);
    expect(cancelledAt).toBeGreaterThan(0);
    expect(tookMs).toBeLessThan(MOST_MS);
    expect(run.outputs).toMatchObject({
      uploaded: 'false',
      result: phase.result,
      reason: 'cancelled',
      error: `Cancelled: ${end}.`,
    });
    expect(run.annotations.map(({ level, title }) => [level, title])).toEqual([
      ['error', 'Scan upload cancelled'],
    ]);
    const message = run.annotations[0]?.message ?? '';
    expect(message).toMatch(new RegExp(`^Cancelled: ${end}\\.\n`));
    expect(message).toMatch(phase.says);
    expect(run.log.match(/Cancelled: /g)).toHaveLength(1);
    expect(run.summary).not.toMatch(/After fixing this|may help|push the fix/);
  });
});
