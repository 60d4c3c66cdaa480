import { GROUPS } from '../cases/index.ts';
import { runCase } from './run-case.ts';
import type { Verdict } from './run-case.ts';
import { formatTable } from './table.ts';
import type { FaultCase, Transport } from './types.ts';

const PLAIN: readonly Transport[] = ['http', 'https'];

/** How long a case may take: far more than its own limits, on a busy machine. */
export const CASE_MS = 120_000;

/** One case over one transport. */
export interface GroupRun {
  readonly name: string;
  readonly index: number;
  readonly fault: FaultCase;
  readonly transport: Transport;
}

/** A group of the catalogue: each case once per transport, without what this system cannot do. */
export class Group {
  readonly runs: readonly GroupRun[];
  readonly #verdicts: (Verdict | undefined)[];

  constructor(name: keyof typeof GROUPS) {
    const cases: readonly FaultCase[] = GROUPS[name];
    this.runs = cases
      .filter(({ posixOnly }) => posixOnly !== true || process.platform !== 'win32')
      .flatMap((fault) =>
        (fault.transports ?? PLAIN).map((transport) => ({
          name: `${fault.row}: ${fault.variant}, over ${transport}`,
          fault,
          transport,
        })),
      )
      .map((run, index) => ({ ...run, index }));
    this.#verdicts = this.runs.map(() => undefined);
  }

  /** Runs a case, and returns what broke the promise. */
  async findViolations({ fault, transport, index }: GroupRun): Promise<readonly string[]> {
    const verdict = await runCase(fault, transport);
    this.#verdicts[index] = verdict;
    return verdict.violations;
  }

  /** Prints the verdicts in the order of the catalogue. */
  printTable(): void {
    const verdicts = this.#verdicts.filter((verdict) => verdict !== undefined);
    process.stdout.write(`\n${formatTable(verdicts)}\n`);
  }
}
