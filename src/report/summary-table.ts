import type { SeverityCounts } from '../formats/severity.ts';
import { formatCount } from '../formats/describe.ts';
import { findFormat, labelFormat } from '../formats/registry.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { cutText } from '../text.ts';
import { cutWhole, showText } from './clean.ts';
import type { Column } from './markdown.ts';
import { escapeCode, escapeWords, makeTable } from './markdown.ts';
import { nameResult } from './failure.ts';
import { getStatus, hasWarnings, isSuccessful } from './scan-result.ts';
import type { ScanResult } from './scan-result.ts';
import { formatBytes } from './units.ts';

const MAX_PATH_CHARACTERS = 64;
/** Between words that belong together: a size and its unit, a tool and its version. */
const NO_BREAK_SPACE = '\u00a0';
const MAX_FORMAT_CHARACTERS = 64;
const MAX_LABEL_CHARACTERS = 48;
const MAX_REASON_CHARACTERS = 120;

/** Marks files and scans with warnings. */
export const WARNED = '⚠️';

const SEVERITIES: readonly (readonly [string, keyof SeverityCounts])[] = [
  ['Critical', 'critical'],
  ['High', 'high'],
  ['Medium', 'medium'],
  ['Low', 'low'],
  ['Info', 'none'],
  ['Unrated', 'unknown'],
];

/** A table of the files of one scan. */
export function makeFileTable(parts: readonly PlannedPart[]): string {
  return makeTable([
    { heading: 'Part', cells: parts.map(({ part }) => part.name) },
    { heading: 'File', cells: parts.map((part) => mark(part, showPath(part))) },
    { heading: 'Format', cells: parts.map(showFormat) },
    ...makeCounts(parts.map((part) => [part])),
  ]);
}

/** A table with a row for each scan. */
export function makeScanTable(scans: readonly ScanResult[]): string {
  return makeTable([
    { heading: 'Scan', cells: scans.map(showLabel) },
    { heading: 'Result', cells: scans.map(showResult) },
    { heading: 'Reason', cells: scans.map(showReason) },
    { heading: 'Files', cells: scans.map((scan) => getParts(scan).map(showPath).join(', ')) },
    ...makeCounts(scans.map(getParts)),
  ]);
}

function getParts({ plan }: ScanResult): readonly PlannedPart[] {
  return plan?.parts ?? [];
}

/** The columns with the counts and the size of each row; a cell is empty if nothing was counted. */
function makeCounts(rows: readonly (readonly PlannedPart[])[]): readonly Column[] {
  const counts = SEVERITIES.map(([heading, severity]): Column => {
    const cells = rows.map((entries) => showCount(entries, severity));
    return { heading, align: 'right', cells };
  });
  const sizes = rows.map((entries) =>
    entries.length === 0
      ? ''
      : formatBytes(entries.reduce((sum, { file }) => sum + file.size, 0)).replace(
          ' ',
          NO_BREAK_SPACE,
        ),
  );
  return [...counts, { heading: 'Size', align: 'right', cells: sizes }];
}

function showCount(entries: readonly PlannedPart[], severity: keyof SeverityCounts): string {
  const counts = entries.flatMap((entry) => {
    const count = countSeverity(entry, severity);
    return count === undefined ? [] : [count];
  });
  return counts.length === 0 ? '' : formatCount(counts.reduce((sum, count) => sum + count, 0));
}

/** The number of findings of a severity. Findings of a format without severities are unrated. */
function countSeverity({ file }: PlannedPart, severity: keyof SeverityCounts): number | undefined {
  const { severities, findings } = file.content;
  if (severities === undefined) return severity === 'unknown' ? findings : undefined;
  return severities[severity];
}

function mark({ warnings = [] }: PlannedPart, shown: string): string {
  return warnings.length === 0 ? shown : `${WARNED} ${shown}`;
}

/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showPath({ file }: PlannedPart): string {
  const shown = showText(file.displayPath);
  if (shown.length <= MAX_PATH_CHARACTERS) return escapeCode(shown);
  // A cut inside a surrogate pair would leave half a character.
  const end = shown.slice(1 - MAX_PATH_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  return escapeCode(`…${end}`);
}

function showFormat({ file }: PlannedPart): string {
  const { format, specVersion, tool } = file.content;
  const label = labelFormat(format, specVersion);
  // Do not repeat a tool's own format.
  const isSame = [format, labelFormat(format)].some(
    (name) => tool?.toLowerCase().startsWith(name.toLowerCase()) === true,
  );
  const isOwn = isSame && findFormat(format)?.isStandard !== true;
  const text = tool === undefined ? label : isOwn ? tool : `${label} by ${tool}`;
  const pieces = cutText(showText(text), MAX_FORMAT_CHARACTERS).split(/( by |, )/);
  return pieces
    .map((piece, index) => (index % 2 === 1 ? piece : escapeWords(piece, NO_BREAK_SPACE)))
    .join('');
}

/** What messages call a scan, as code. */
export function showLabel({ entry: { label = '' } }: ScanResult): string {
  return escapeCode(cutText(showText(label), MAX_LABEL_CHARACTERS));
}

function showResult(scan: ScanResult): string {
  const { result } = scan;
  const sign = isSuccessful(result) ? (hasWarnings(scan) ? `${WARNED} ` : '') : '❌ ';
  return `${sign}${nameResult(result, scan.failure, getStatus(scan))}`;
}

function showReason({ failure, skipped = '' }: ScanResult): string {
  const text = failure?.headline ?? skipped;
  return escapeWords(cutWhole(showText(text), MAX_REASON_CHARACTERS));
}
