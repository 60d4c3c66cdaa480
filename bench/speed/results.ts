import { cpus, loadavg, release } from 'node:os';
import type { Judgement, Standing } from './goals.ts';
import type { Unit } from './line.ts';

/** What came of a line. */
export interface LineResult {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  readonly standings: readonly Standing[];
  readonly goals: readonly Judgement[];
  /** Why it was not run. */
  readonly skipped?: string;
  /** What went wrong. */
  readonly failed?: string;
}

/** What figures depend on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly kernel: string;
  readonly node: string;
  /** Processes that ran or waited for a core in the minute before, on average. */
  readonly load: number;
}

/** What came of a run of all lines. */
export interface Results {
  /** `2026-01-31` */
  readonly date: string;
  readonly machine: Machine;
  readonly lines: readonly LineResult[];
}

export function describeMachine(): Machine {
  const all = cpus();
  const cpu = all[0]?.model.trim() ?? 'unknown';
  const kernel = `${process.platform} ${release()}`;
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  return { cpu, cores: all.length, kernel, node: process.version, load };
}

/** 1 if a line went wrong or, when that is to be checked, a goal was missed; else 0. */
export function chooseExitCode(lines: readonly LineResult[], isCheck: boolean): 0 | 1 {
  const isBad = ({ failed, goals }: LineResult): boolean =>
    failed !== undefined || (isCheck && goals.some(({ isMet }) => !isMet));
  return lines.some(isBad) ? 1 : 0;
}
