import { OURS } from './contenders.ts';
import type { Goal, Line } from './lines.ts';
import type { Unit } from './measure.ts';

/** The figures of a line. */
export interface Result {
  readonly line: Pick<Line, 'name' | 'goals' | 'unit'>;
  /** By contender. */
  readonly figures: ReadonlyMap<string, readonly number[]>;
  /** Why there are no figures. */
  readonly problem?: string;
}

/** A goal and its result. */
export interface Judgement extends Goal {
  /** The limit of the subject's median, and the median, in the line's unit. */
  readonly limit: number;
  readonly reached: number;
  readonly isMet: boolean;
}

const FIGURES = /(?<=<!-- bench:begin -->).*(?=<!-- bench:end -->)/s;

/** Compares the medians of a line with its goals; empty without figures. */
export function judgeGoals({ line, figures }: Result): readonly Judgement[] {
  if (figures.size === 0) return [];
  const median = (name: string): number => findMedian(figures.get(name) ?? []);
  return line.goals.map((goal) => {
    const { subject, of = [], times = 1, plus = 0 } = goal;
    const limit = times * Math.max(0, ...of.map(median)) + plus;
    const reached = median(subject);
    return { ...goal, limit, reached, isMet: reached <= limit };
  });
}

/** The exit code: 1 if a goal was missed and `--check` was set. */
export function chooseExitCode(results: readonly Result[], isCheck: boolean): 0 | 1 {
  return isCheck && results.flatMap(judgeGoals).some(({ isMet }) => !isMet) ? 1 : 0;
}

/** The figures and goals of lines as two Markdown tables. */
export function formatTables(results: readonly Result[]): string {
  const figures = ['line', 'program', 'median', 'least', 'most', 'ours / it'];
  const goals = ['line', 'of', 'goal', 'limit', 'reached', 'met'];
  const tables = [
    [figures, ...results.flatMap(listFigures)],
    [goals, ...results.flatMap(listGoals)],
  ];
  return tables.map(formatTable).join('\n\n');
}

/** Replaces the text between the markers of a page. */
export function replaceFigures(page: string, text: string): string {
  return page.replace(FIGURES, () => `\n\n${text}\n\n`);
}

/** A row for each contender; the last cell says how many times its median ours is. */
function listFigures({ line, figures, problem }: Result): readonly (readonly string[])[] {
  if (problem !== undefined) return [[line.name, '', problem, '', '', '']];
  const ours = findMedian(figures.get(OURS) ?? []);
  return [...figures].map(([name, all]) => {
    const median = findMedian(all);
    const spread = [median, Math.min(...all), Math.max(...all)];
    const ratio = name === OURS || Number.isNaN(ours) ? '' : `${(ours / median).toFixed(2)} x`;
    return [line.name, name, ...spread.map((figure) => formatFigure(figure, line.unit)), ratio];
  });
}

function listGoals(result: Result): readonly (readonly string[])[] {
  const { name, unit } = result.line;
  return judgeGoals(result).map(
    ({ subject, of = [], times = 1, plus = 0, limit, reached, isMet }) => {
      const reference = of.length > 1 ? `the slower of ${of.join(' and ')}` : of.join('');
      const terms = [
        ...(of.length > 0 ? [`${times === 1 ? '' : `${times} x `}${reference}`] : []),
        ...(plus > 0 ? [formatFigure(plus, unit)] : []),
      ];
      const figures = [limit, reached].map((figure) => formatFigure(figure, unit));
      return [name, subject, `≤ ${terms.join(' + ')}`, ...figures, isMet ? 'yes' : '**no**'];
    },
  );
}

function formatTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`);
  return table.join('\n');
}

/** The median: the middle figure, or the mean of the middle two; NaN without figures. */
export function findMedian(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const pick = (index: number): number => sorted[Math.floor(index)] ?? Number.NaN;
  return (pick((sorted.length - 1) / 2) + pick(sorted.length / 2)) / 2;
}

/** A figure as it is printed: 46.2 ms, 1.31 s, 63.1 MiB, 803,104 bytes. */
function formatFigure(figure: number, unit: Unit = 'ms'): string {
  if (unit === 'bytes') return `${figure.toLocaleString('en-US')} bytes`;
  if (unit === 'KiB') return `${(figure / 1024).toFixed(1)} MiB`;
  return figure < 1000 ? `${figure.toFixed(1)} ms` : `${(figure / 1000).toFixed(2)} s`;
}
