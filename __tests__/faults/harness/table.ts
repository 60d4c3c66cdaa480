import type { Verdict } from './run-case.ts';

/** The verdicts as a table of text, a line each, and a line of counts. */
export function formatTable(verdicts: readonly Verdict[]): string {
  const head = ['row', 'variant', 'transport', 'result', 'exit', 'seconds', 'verdict'];
  const rows = verdicts.map((verdict) => [
    verdict.row,
    verdict.variant,
    verdict.transport,
    verdict.result,
    String(verdict.exitCode),
    verdict.seconds.toFixed(1),
    verdict.violations.length === 0 ? 'kept' : `BROKEN: ${verdict.violations.join('; ')}`,
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = [head, ...rows].map((cells) =>
    cells
      .map((cell, column) =>
        column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
      )
      .join('  '),
  );
  return [...lines, countVerdicts(verdicts)].join('\n');
}

function countVerdicts(verdicts: readonly Verdict[]): string {
  const kept = verdicts.filter(({ violations }) => violations.length === 0).length;
  const rows = new Set(verdicts.map(({ row }) => row)).size;
  const count = `${verdicts.length} cases in ${rows} rows`;
  return `${count}: the promise was kept in ${kept}, broken in ${verdicts.length - kept}.`;
}
