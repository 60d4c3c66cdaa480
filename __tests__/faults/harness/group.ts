import { GROUPS } from '../cases/index.ts';
import { runCase } from './run-case.ts';
import type { Transport } from './types.ts';

/** How long a case may take: far more than its own limits, on a busy machine. */
export const CASE_MS = 120_000;

/** A case over one transport. */
export interface GroupRun {
  readonly name: string;
  /** Returns what broke the promise. */
  readonly run: () => Promise<readonly string[]>;
}

/** A group of the catalogue: each case over its transports, without what this system cannot do. */
export function listRuns(group: keyof typeof GROUPS): readonly GroupRun[] {
  return GROUPS[group]
    .filter(({ posixOnly }) => posixOnly !== true || process.platform !== 'win32')
    .flatMap((fault, index) =>
      (fault.transports ?? [takeTurn(index)]).map((transport) => ({
        name: `${fault.name}, over ${transport}`,
        run: () => runCase(fault, transport),
      })),
    );
}

/** http, https, https, http: of cases that come in pairs, the first ones do not all have the same. */
function takeTurn(index: number): Transport {
  return (index + Math.floor(index / 2)) % 2 === 0 ? 'http' : 'https';
}
