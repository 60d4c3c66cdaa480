import { afterAll, describe, expect, test } from '@jest/globals';
import { CASES } from './cases/index.ts';
import { runCase } from './harness/run-case.ts';
import type { Verdict } from './harness/run-case.ts';
import { formatTable } from './harness/table.ts';
import type { FaultCase, Transport } from './harness/types.ts';

const PLAIN: readonly Transport[] = ['http', 'https'];
const CASE_MS = 60_000;

const verdicts: Verdict[] = [];

/** Each case once per transport, leaving out what this system cannot do. */
const runs = CASES.filter(({ posixOnly }) => posixOnly !== true || process.platform !== 'win32')
  .flatMap((fault: FaultCase) =>
    (fault.transports ?? PLAIN).map((transport) => ({ fault, transport })),
  )
  .map(({ fault, transport }) => ({
    name: `${fault.row}: ${fault.variant}, over ${transport}`,
    fault,
    transport,
  }));

afterAll(() => {
  const byCase = verdicts.toSorted((one, other) => order(one) - order(other));
  process.stdout.write(`\n${formatTable(byCase)}\n`);
});

describe('the promise holds whatever fails', () => {
  test.concurrent.each(runs)(
    '$name',
    async ({ fault, transport }) => {
      const verdict = await runCase(fault, transport);
      verdicts.push(verdict);
      expect(verdict.violations).toEqual([]);
    },
    CASE_MS,
  );
});

function order({ row, variant, transport }: Verdict): number {
  return runs.findIndex(
    (run) => run.fault.row === row && run.fault.variant === variant && run.transport === transport,
  );
}
