/** Figures of several runs. */
export interface Spread {
  readonly runs: number;
  readonly min: number;
  /** Of an even number of runs the mean of the middle two. */
  readonly median: number;
  readonly max: number;
}

/** Summarises figures. Throws a RangeError if there is none, or one that is no number. */
export function spread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) throw new RangeError('no figures');
  if (!sorted.every(Number.isFinite)) throw new RangeError('a figure is no finite number');
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  const median = middle.reduce((sum, figure) => sum + figure, 0) / middle.length;
  return { runs: sorted.length, min, median, max };
}
