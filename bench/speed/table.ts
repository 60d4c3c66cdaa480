import { compareToOurs } from './goals.ts';
import type { Standing } from './goals.ts';
import type { LineResult, Machine, Results } from './results.ts';
import { formatFigure } from './units.ts';

/** A line's figures and goals as text for the terminal. */
export function formatLine(result: LineResult): string {
  const title = `${result.name}: ${result.title}`;
  const reason = findReason(result);
  if (reason !== undefined) return `${title}\n  ${reason}`;
  const width = Math.max(...result.standings.map(({ name }) => name.length));
  const standings = result.standings.map((standing) => {
    const cells = describeStanding(standing, result);
    return `  ${standing.name.padEnd(width)}  ${cells.filter((cell) => cell !== '').join('  ')}`;
  });
  const goals = result.goals.map(
    ({ subject, text, reached, isMet }) =>
      `  ${isMet ? 'met' : 'MISSED'}: ${subject} ${reached} (goal ${text})`,
  );
  return [title, ...standings, ...goals].join('\n');
}

/** The figures and the goals of all lines as two Markdown tables, and where they are from. */
export function formatTables({ date, machine, lines }: Results): string {
  const figures = lines.flatMap((line) => {
    const reason = findReason(line);
    if (reason !== undefined) return [[line.name, '', reason, '', '', '']];
    return line.standings.map((standing) => listCells(standing, line));
  });
  const goals = lines.flatMap(({ name, goals: judged }) =>
    judged.map(({ subject, text, reached, isMet }) => [
      name,
      subject,
      text.replace('<=', '≤'),
      reached,
      isMet ? 'yes' : '**no**',
    ]),
  );
  return [
    `${date}, ${describeMachine(machine)}.`,
    formatTable(['line', 'program', 'median', 'least', 'most', 'ours / it'], figures),
    formatTable(['line', 'of', 'goal', 'reached', 'met'], goals),
  ].join('\n\n');
}

function describeMachine({ cpu, cores, kernel, node, load }: Machine): string {
  return `${cpu} with ${cores} cores, ${kernel}, Node ${node}, a load of ${load} before`;
}

function findReason({ skipped, failed }: LineResult): string | undefined {
  if (skipped !== undefined) return `skipped: ${skipped}`;
  return failed === undefined ? undefined : `FAILED: ${failed}`;
}

function describeStanding(standing: Standing, line: LineResult): readonly string[] {
  const { figures, skipped } = standing;
  if (figures === undefined) return [`skipped: ${skipped}`];
  const [median, least, most] = formatSpread(standing, line);
  const ratio = formatRatio(compareToOurs(standing, line.standings));
  return [
    median ?? '',
    figures.runs > 1 ? `[${least}, ${most}]` : '',
    `${figures.runs} ${figures.runs === 1 ? 'run' : 'runs'}`,
    ratio === '' ? '' : `ours is ${ratio}`,
  ];
}

function listCells(standing: Standing, line: LineResult): readonly string[] {
  const { name, figures, skipped } = standing;
  return figures === undefined
    ? [line.name, name, `skipped: ${skipped}`, '', '', '']
    : [
        line.name,
        name,
        ...formatSpread(standing, line),
        formatRatio(compareToOurs(standing, line.standings)),
      ];
}

function formatSpread({ figures }: Standing, { unit }: LineResult): readonly string[] {
  if (figures === undefined) return [];
  return [figures.median, figures.min, figures.max].map((figure) => formatFigure(figure, unit));
}

function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = headings.map(() => '---');
  const lines = [headings, rule, ...rows];
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`);
}

function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '' : `${ratio.toFixed(2)} x`;
}
