import { formatCount } from '../formats/describe.ts';
import type { SeverityCounts } from '../formats/severity.ts';
import { makeTable } from './markdown.ts';

/** Of the longest bar of a row, in characters. */
const BAR_CHARACTERS = 8;
// No other blocks: many fonts have these two alone, and of two fonts the blocks do not fit together.
const FULL_BLOCK = '█';
const HALF_BLOCK = '▌';

const COLUMNS: readonly (readonly [string, (counts: SeverityCounts) => number])[] = [
  ['Critical', ({ critical }) => critical],
  ['High', ({ high }) => high],
  ['Medium', ({ medium }) => medium],
  ['Low', ({ low }) => low],
  ['None or unknown', ({ none, unknown }) => none + unknown],
];

/** Something with findings, if it has any; the name is markdown. */
interface Severe {
  readonly name: string;
  readonly severities?: SeverityCounts;
}

interface Row {
  readonly name: string;
  readonly counts: SeverityCounts;
  /** The largest count of the row. */
  readonly most: number;
}

/** How bad what was found is, a row for each with findings; undefined if there is none. */
export function makeSeverityTable(entries: readonly Severe[]): string | undefined {
  const rows = entries.flatMap(makeRow);
  if (rows.length === 0) return undefined;
  return makeTable([
    { heading: 'Findings in', cells: rows.map(({ name }) => name) },
    ...COLUMNS.map(([heading, count]) => ({
      heading,
      cells: rows.map(({ counts, most }) => showCount(count(counts), most)),
    })),
  ]);
}

function makeRow({ name, severities }: Severe): readonly Row[] {
  if (severities === undefined) return [];
  const most = Math.max(...COLUMNS.map(([, count]) => count(severities)));
  return most === 0 ? [] : [{ name, counts: severities, most }];
}

function showCount(count: number, most: number): string {
  return `${formatCount(count)} ${drawBar(count / most)}`.trim();
}

/** A bar for a share of 0 to 1; whatever is there at all can be seen. */
function drawBar(share: number): string {
  const halves = share === 0 ? 0 : Math.max(1, Math.round(share * BAR_CHARACTERS * 2));
  return FULL_BLOCK.repeat(Math.floor(halves / 2)) + HALF_BLOCK.repeat(halves % 2);
}
