import type { Row } from './compare.ts';
import type { Figures } from './figures.ts';

interface Column {
  readonly figure: keyof Figures;
  readonly heading: string;
  readonly format: (value: number) => string;
}

const COLUMNS: readonly Column[] = [
  { figure: 'requests', heading: 'requests per upload', format: (value) => value.toFixed(2) },
  { figure: 'reached', heading: 'of these reached', format: (value) => value.toFixed(2) },
  { figure: 'accepted', heading: 'accepted', format: (value) => `${(value * 100).toFixed(2)} %` },
  { figure: 'peak', heading: 'within a second', format: (value) => value.toFixed(0) },
  { figure: 'secondPeak', heading: 'second peak', format: (value) => `${value.toFixed(1)} x` },
  { figure: 'doneSeconds', heading: 'done', format: (value) => `${value.toFixed(0)} s` },
];

/** The rows as a table: each median, with the least and the most, and the goal in brackets. */
export function formatTable(title: string, rows: readonly Row[]): string {
  const head = [title, ...COLUMNS.map(({ heading }) => heading)];
  const lines = rows.map((row) => [row.name, ...COLUMNS.map((column) => formatCell(row, column))]);
  const table = [head, ...lines];
  const widths = head.map((_, index) =>
    Math.max(...table.map((cells) => cells[index]?.length ?? 0)),
  );
  const pad = (cell: string, index: number): string => cell.padEnd(widths[index] ?? 0);
  return table.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n');
}

/** The goals of a row that some seed misses: `requests 3.12 (<= 3.00)`. */
export function listMissed(row: Row): readonly string[] {
  const missed = COLUMNS.filter(({ figure }) => {
    const goal = row.goals[figure];
    if (goal === undefined) return false;
    const values = row.figures.map((each) => each[figure]);
    return figure === 'accepted' ? Math.min(...values) < goal : Math.max(...values) > goal;
  });
  return missed.map((column) => `${column.figure} ${formatCell(row, column)}`);
}

function formatCell({ figures, goals }: Row, { figure, format }: Column): string {
  const sorted = figures.map((each) => each[figure]).toSorted((a, b) => a - b);
  const pick = (index: number): string => format(sorted[index] ?? Number.NaN);
  const [least, median, most] = [pick(0), pick(sorted.length >> 1), pick(sorted.length - 1)];
  const range = least === most ? '' : ` [${least}, ${most}]`;
  const goal = goals[figure];
  const sign = figure === 'accepted' ? '>=' : '<=';
  return `${median}${range}${goal === undefined ? '' : ` (${sign} ${format(goal)})`}`;
}
