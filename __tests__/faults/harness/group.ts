import { expect, test } from '@jest/globals';
import { GROUPS } from '../cases/index.ts';
import { runCase } from './run-case.ts';
import type { Transport } from './types.ts';

/** How long a case may take: far more than its own limits, on a busy machine. */
const CASE_MS = 120_000;

/** Tests a group of the catalogue: each case over its transports, without what this system cannot do. */
export function testGroup(group: keyof typeof GROUPS): void {
  const runs = GROUPS[group]
    .filter(({ posixOnly }) => posixOnly !== true || process.platform !== 'win32')
    .flatMap((fault, index) =>
      (fault.transports ?? [takeTurn(index)]).map((transport) => ({
        name: `${fault.name}, over ${transport}`,
        run: () => runCase(fault, transport),
      })),
    );
  test.concurrent.each(runs)(
    'keeps the promise: $name',
    async ({ run }) => expect(await run()).toEqual([]),
    CASE_MS,
  );
}

/** http, https, https, http: of cases that come in pairs, the first ones do not all have the same. */
function takeTurn(index: number): Transport {
  return (index + Math.floor(index / 2)) % 2 === 0 ? 'http' : 'https';
}
