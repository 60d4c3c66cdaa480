import type { Check, Comparison, Result, Spread } from './compare.ts';
import type { Figures } from './measure.ts';
import type { StepComparison } from './steps.ts';

interface Column {
  readonly figure: keyof Figures;
  readonly heading: string;
  readonly format: (value: number) => string;
}

const LOAD_COLUMNS: readonly Column[] = [
  { figure: 'requests', heading: 'requests per upload', format: (value) => value.toFixed(2) },
  { figure: 'reached', heading: 'of these reached', format: (value) => value.toFixed(2) },
  {
    figure: 'acceptedShare',
    heading: 'accepted',
    format: (value) => `${(value * 100).toFixed(2)} %`,
  },
];

const PEAK_COLUMN: Column = {
  figure: 'peak',
  heading: 'within a second',
  format: (value) => value.toFixed(0),
};

const TIME_COLUMNS: readonly Column[] = [
  { figure: 'secondPeak', heading: 'second peak', format: (value) => `${value.toFixed(1)} x` },
  { figure: 'doneSeconds', heading: 'done', format: (value) => `${value.toFixed(0)} s` },
];

/** A scenario as a table: one line per policy, the goals beside the figures they are for. */
export function formatComparison({ scenario, leastRequests, results }: Comparison): string {
  const title = `${scenario} (at least ${leastRequests.toFixed(2)} requests per upload are needed)`;
  const columns = [...LOAD_COLUMNS, ...TIME_COLUMNS];
  return formatTable(title, 'policy', columns, results, ({ policy }) => policy);
}

/** The same for ways to bring the uploads: one line per load, and per policy where it is another. */
export function formatSteps({ scenario, results }: StepComparison): string {
  const columns = [...LOAD_COLUMNS, PEAK_COLUMN, ...TIME_COLUMNS];
  const own = results[0]?.policy;
  return formatTable(`${scenario}: many in one step`, 'load', columns, results, (result) =>
    result.policy === own ? result.load : `${result.load}: ${result.policy}`,
  );
}

function formatTable<T extends Result>(
  title: string,
  subject: string,
  columns: readonly Column[],
  results: readonly T[],
  label: (result: T) => string,
): string {
  const headings = [subject, ...columns.map(({ heading }) => heading)];
  const lines = results.map((result) => [
    label(result),
    ...columns.map((column) => formatCell(column, result)),
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
