import type { Goals } from './lines.ts';

/** The figures of a program, in the unit of its line. */
export interface Row {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** The most that the median may be, if there is a goal. */
  readonly limit?: number;
}

/** A row for each program. */
export function makeTable(
  figures: ReadonlyMap<string, readonly number[]>,
  goals: Goals,
): Readonly<Record<string, Row>> {
  const median = (name: string): number => pick(figures.get(name) ?? [], 0.5);
  const rows = [...figures].map(([name, all]) => {
    const row = { median: median(name), least: pick(all, 0), most: pick(all, 1) };
    const goal = goals[name];
    if (goal === undefined) return [name, row] as const;
    const limit = Math.round(goal.most * (goal.of === undefined ? 1 : median(goal.of)));
    return [name, { ...row, limit }] as const;
  });
  return Object.fromEntries(rows);
}

/** The programs whose median is above its limit: `ours 98, not 92`. */
export function listMissed(table: Readonly<Record<string, Row>>): readonly string[] {
  const missed = Object.entries(table).filter(
    ([, { median, limit = Infinity }]) => !(median <= limit),
  );
  return missed.map(([name, { median, limit }]) => `${name} ${median}, not ${limit}`);
}

/** The figure at that share of all in ascending order: least, median or most; NaN without figures. */
function pick(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.round(share * (figures.length - 1))] ?? Number.NaN);
}
