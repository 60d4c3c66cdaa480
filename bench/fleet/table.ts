import type { Check, Comparison, Result, Spread } from './compare.ts';
import type { Figures } from './measure.ts';

interface Column {
  readonly figure: keyof Figures;
  readonly heading: string;
  readonly format: (value: number) => string;
}

const COLUMNS: readonly Column[] = [
  { figure: 'requests', heading: 'requests per upload', format: (value) => value.toFixed(2) },
  { figure: 'reached', heading: 'of these reached', format: (value) => value.toFixed(2) },
  {
    figure: 'acceptedShare',
    heading: 'accepted',
    format: (value) => `${(value * 100).toFixed(2)} %`,
  },
  { figure: 'secondPeak', heading: 'second peak', format: (value) => `${value.toFixed(1)} x` },
  { figure: 'doneSeconds', heading: 'done', format: (value) => `${value.toFixed(0)} s` },
];

/** A scenario as a table: one line per policy, the goals beside the figures they are for. */
export function formatComparison({ scenario, leastRequests, results }: Comparison): string {
  const title = `${scenario} (at least ${leastRequests.toFixed(2)} requests per upload are needed)`;
  const headings = ['policy', ...COLUMNS.map(({ heading }) => heading)];
  const lines = results.map((result) => [
    result.policy,
    ...COLUMNS.map((column) => formatCell(column, result)),
  ]);
  const rows = [headings, ...lines];
  const widths = headings.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const table = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [title, ...table].join('\n');
}

function formatCell({ figure, format }: Column, { figures, checks }: Result): string {
  const check = checks.find((candidate) => candidate.figure === figure);
  const text = formatSpread(figures[figure], format);
  return check === undefined ? text : `${text} ${formatCheck(check, format)}`;
}

function formatSpread({ min, median, max }: Spread, format: Column['format']): string {
  if (!Number.isFinite(median)) return 'none accepted';
  const range = format(min) === format(max) ? '' : ` [${format(min)}, ${format(max)}]`;
  return `${format(median)}${range}`;
}

function formatCheck({ kind, limit, isMet }: Check, format: Column['format']): string {
  const goal = `${kind === 'at-most' ? '<=' : '>='} ${format(limit)}`;
  return isMet ? `(${goal})` : `(MISSES ${goal})`;
}
