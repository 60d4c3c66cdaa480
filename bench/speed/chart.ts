import { compareToOurs, OURS } from './goals.ts';
import type { Standing } from './goals.ts';
import type { LineResult, Results } from './results.ts';
import { escapeXml } from './xml.ts';
import { formatFigure } from './units.ts';

const WIDTH = 780;
const MARGIN = 20;
const NAME_WIDTH = 110;
const BAR_X = MARGIN + NAME_WIDTH;
const BAR_WIDTH = 450;
const BAR_HEIGHT = 12;
const ROW = 19;
const TITLE = 26;
const GAP = 12;
const HEAD = 52;
/** A bar that is longer than so many of ours is cut off. */
const LONGEST = 3;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .page { fill: #ffffff; stroke: #d1d9e0 }
  .title { font-weight: 600 }
  .note { fill: #59636e }
  .ours { fill: #0969da }
  .other { fill: #8c959f }
  .cut { fill: #ffffff }
  .met { stroke: #1a7f37 }
  .missed { stroke: #d1242f }
  line { stroke-width: 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .page, .cut { fill: #0d1117 }
    .page { stroke: #3d444d }
    .note { fill: #9198a1 }
    .ours { fill: #4493f8 }
    .other { fill: #6e7681 }
    .met { stroke: #3fb950 }
    .missed { stroke: #f85149 }
  }`;

/** The figures as a picture: a bar for each program, on a scale of each line's own. */
export function drawChart({ date, machine, lines }: Results): string {
  const blocks: string[] = [];
  let y = HEAD;
  for (const line of lines) {
    blocks.push(drawLine(line, y));
    y += TITLE + Math.max(1, line.standings.length) * ROW + GAP;
  }
  const note = `Medians, less is better; blue is this action. A stroke is a goal: green if met, red where the bar crosses it. ${date}.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="title desc">`,
    `<title id="title">Performance: this action and others</title>`,
    `<desc id="desc">${escapeXml(describe(lines, `${machine.cpu}, ${machine.cores} cores`))}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${y - 1}" rx="6"/>`,
    drawText('note', MARGIN, 30, note),
    ...blocks,
    '</svg>\n',
  ].join('\n');
}

function describe(lines: readonly LineResult[], machine: string): string {
  const texts = lines.map(({ title, unit, standings }) => {
    const medians = standings.flatMap(({ name, figures }) =>
      figures === undefined ? [] : [`${name} ${formatFigure(figures.median, unit)}`],
    );
    return `${title}: ${medians.length === 0 ? 'not measured' : medians.join(', ')}.`;
  });
  return [...texts, `On ${machine}.`].join(' ');
}

function drawLine(line: LineResult, y: number): string {
  const scale = findScale(line);
  const title = drawText('title', MARGIN, y + 14, `${line.name}: ${line.title}`);
  if (line.standings.length === 0) {
    const reason = line.skipped === undefined ? 'failed' : `skipped: ${line.skipped}`;
    return [title, drawText('note', BAR_X, y + TITLE + BAR_HEIGHT, reason)].join('\n');
  }
  const rows = line.standings.map((standing, index) =>
    drawRow(standing, line, y + TITLE + index * ROW, scale),
  );
  return [title, ...rows].join('\n');
}

/** How much the longest bar stands for: the most of all, but not many times ours. */
function findScale({ standings, goals }: LineResult): number {
  const medians = standings.flatMap(({ figures }) => figures?.median ?? []);
  const ours = standings.find(({ name }) => name === OURS)?.figures?.median;
  const most = Math.max(...medians, ...goals.map(({ limit }) => limit));
  return ours === undefined ? most : Math.min(most, LONGEST * ours);
}

function drawRow(standing: Standing, line: LineResult, y: number, scale: number): string {
  const { name, isOurs, figures, skipped } = standing;
  const baseline = y + BAR_HEIGHT - 2;
  const label = drawText('name', MARGIN, baseline, name);
  if (figures === undefined) {
    return [label, drawText('note', BAR_X, baseline, `skipped: ${skipped}`)].join('\n');
  }
  const width = Math.max(1, toWidth(figures.median, scale));
  const kind = isOurs ? 'ours' : 'other';
  const bar = `<rect class="${kind}" x="${BAR_X}" y="${y}" width="${width}" height="${BAR_HEIGHT}"/>`;
  const isCut = figures.median > scale;
  const text = formatFigure(figures.median, line.unit);
  const ratio = compareToOurs(standing, line.standings);
  const note = ratio === undefined ? '' : `, ${(1 / ratio).toFixed(2)} x ours`;
  const ticks = line.goals.filter(({ subject }) => subject === name);
  return [
    label,
    bar,
    ...(isCut ? [drawCut(y)] : []),
    ...ticks.map(({ limit, isMet }) => drawTick(toWidth(limit, scale), y, isMet)),
    drawText('figure', BAR_X + BAR_WIDTH + 14, baseline, `${text}${note}`),
  ].join('\n');
}

function toWidth(figure: number, scale: number): number {
  return Math.round(Math.min(1, figure / scale) * BAR_WIDTH * 10) / 10;
}

/** A gap near the end of a bar that is longer than it is drawn. */
function drawCut(y: number): string {
  const x = BAR_X + BAR_WIDTH - 24;
  const points = `${x},${y + BAR_HEIGHT} ${x + 6},${y} ${x + 12},${y} ${x + 6},${y + BAR_HEIGHT}`;
  return `<polygon class="cut" points="${points}"/>`;
}

function drawTick(width: number, y: number, isMet: boolean): string {
  const x = BAR_X + width;
  const kind = isMet ? 'met' : 'missed';
  return `<line class="${kind}" x1="${x}" x2="${x}" y1="${y - 2}" y2="${y + BAR_HEIGHT + 2}"/>`;
}

function drawText(kind: string, x: number, y: number, text: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escapeXml(text)}</text>`;
}
