import { GROUPS } from '../cases/index.ts';
import { runCase } from './run-case.ts';
import type { Transport } from './types.ts';

const PLAIN: readonly Transport[] = ['http', 'https'];

/** How long a case may take: far more than its own limits, on a busy machine. */
export const CASE_MS = 120_000;

/** A case over one transport. */
export interface GroupRun {
  readonly name: string;
  /** Returns what broke the promise. */
  readonly run: () => Promise<readonly string[]>;
}

/** A group of the catalogue: each case once per transport, without what this system cannot do. */
export function listRuns(group: keyof typeof GROUPS): readonly GroupRun[] {
  return GROUPS[group]
    .filter(({ posixOnly }) => posixOnly !== true || process.platform !== 'win32')
    .flatMap((fault) =>
      (fault.transports ?? PLAIN).map((transport) => ({
        name: `${fault.row}: ${fault.variant}, over ${transport}`,
        run: () => runCase(fault, transport),
      })),
    );
}
