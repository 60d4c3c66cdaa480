import { describe, expect, test } from '@jest/globals';
import { CONTINUE } from '../support/peer.ts';
import { readResults } from '../support/results.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { makeKey } from '../support/samples.ts';
import { CuttingServer } from './support/cutting-server.ts';
import type { Cut, Ending } from './support/cutting-server.ts';
import { MEASURED, SWEEP_MS, allowComplete } from './support/fixed-responses.ts';
import { listCuts } from './support/sweep.ts';

const LENGTH = MEASURED.bytes.length;
const ENDINGS: readonly Ending[] = ['FIN', 'RST'];

/** Runs a step of one scan for each cut, one after the other, so that scan n has connection n. */
async function runScans(cuts: readonly Cut[]): Promise<{
  readonly exitCode: number | null;
  readonly uploaded: string | undefined;
  readonly results: readonly string[];
}> {
  const server = await CuttingServer.open(MEASURED);
  server.cutEach(cuts);
  const scans = cuts.map((_, index) => ({
    name: `scan ${index}`,
    'scan-key': makeKey(index),
    'scan-file': 'scan.json',
  }));
  const workspace = await makeWorkspace();
  const run = await runAction(workspace, {
    'base-url': `http://127.0.0.1:${server.port}`,
    'scan-file': '',
    'scan-key': '',
    scans: JSON.stringify(scans),
    'max-parallel': '1',
    retries: '0',
  });
  return {
    exitCode: run.exitCode,
    uploaded: run.outputs['uploaded'],
    results: readResults(run).map(({ result }) => result),
  };
}

describe.each(ENDINGS)('the action, cut by a %s', (ending) => {
  test.concurrent(
    'accepts no response that is truncated, at any byte',
    async () => {
      const last = CONTINUE.length + LENGTH - 1;
      const cuts = listCuts({ direction: 'response', last, endings: [ending] });
      const { exitCode, uploaded, results } = await runScans(cuts);
      expect([exitCode, uploaded]).toEqual([1, 'false']);
      // A cut right after 100 Continue may come before or after everything was sent.
      const [asking, continued] = [
        results.slice(0, CONTINUE.length),
        results.slice(CONTINUE.length),
      ];
      expect(asking).toEqual(asking.map(() => 'not-sent'));
      expect(['not-sent', 'unconfirmed']).toContain(continued.shift());
      expect(continued).toEqual(continued.map(() => 'unconfirmed'));
    },
    SWEEP_MS,
  );

  test.concurrent.each([
    ['exits with 1 if the last byte is missing', 1],
    ['exits with 0 if no byte is missing', 0],
  ])(
    '%s',
    async (_, missing) => {
      const bytes = CONTINUE.length + LENGTH - missing;
      const cut = { direction: 'response', bytes, ending } as const;
      const { exitCode, uploaded, results } = await runScans([cut]);
      const [result = ''] = results;
      expect(missing === 0 ? allowComplete(ending) : ['unconfirmed']).toContain(result);
      const isAccepted = result === 'accepted';
      expect([exitCode, uploaded]).toEqual([isAccepted ? 0 : 1, String(isAccepted)]);
    },
    SWEEP_MS,
  );
});
