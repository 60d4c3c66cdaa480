import type { SeverityCounts } from '../formats/severity.ts';
import { formatCount } from '../formats/describe.ts';
import { findFormat, labelFormat } from '../formats/registry.ts';
import { cutAtWord, cutText, showText } from './clean.ts';
import type { Column } from './markdown.ts';
import { escapeCode, escapeWords, makeTable } from './markdown.ts';
import { RESULT_WORDS, hasWarnings, isSuccessful } from './result.ts';
import type { ManifestEntry, ScanResult } from './result.ts';
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
export function makeFileTable(manifest: readonly ManifestEntry[]): string {
  return makeTable([
    { heading: 'Part', cells: manifest.map(({ part }) => part) },
    { heading: 'File', cells: manifest.map((entry) => mark(entry, showPath(entry))) },
    { heading: 'Format', cells: manifest.map(showFormat) },
    ...makeCounts(manifest.map((entry) => [entry])),
  ]);
}

/** A table with a row for each scan. */
export function makeScanTable(scans: readonly ScanResult[]): string {
  return makeTable([
    { heading: 'Scan', cells: scans.map(showLabel) },
    { heading: 'Result', cells: scans.map(showResult) },
    { heading: 'Reason', cells: scans.map(showReason) },
    { heading: 'Files', cells: scans.map(({ manifest }) => manifest.map(showPath).join(', ')) },
    ...makeCounts(scans.map(({ manifest }) => manifest)),
  ]);
}

/** The columns with the counts and the size of each row; a cell is empty if nothing was counted. */
function makeCounts(rows: readonly (readonly ManifestEntry[])[]): readonly Column[] {
  const counts = SEVERITIES.map(([heading, severity]): Column => {
    const cells = rows.map((entries) => showCount(entries, severity));
    return { heading, align: 'right', cells };
  });
  const sizes = rows.map((entries) =>
    entries.length === 0
      ? ''
      : formatBytes(entries.reduce((sum, { bytes }) => sum + bytes, 0)).replace(
          ' ',
          NO_BREAK_SPACE,
        ),
  );
  return [...counts, { heading: 'Size', align: 'right', cells: sizes }];
}

function showCount(entries: readonly ManifestEntry[], severity: keyof SeverityCounts): string {
  const counts = entries.flatMap((entry) => {
    const count = countSeverity(entry, severity);
    return count === undefined ? [] : [count];
  });
  return counts.length === 0 ? '' : formatCount(counts.reduce((sum, count) => sum + count, 0));
}

/** The number of findings of a severity. Findings of a format without severities are unrated. */
function countSeverity(
  { severities, findings }: ManifestEntry,
  severity: keyof SeverityCounts,
): number | undefined {
  if (severities === undefined) return severity === 'unknown' ? findings : undefined;
  return severities[severity];
}

function mark({ warnings }: ManifestEntry, shown: string): string {
  return warnings.length === 0 ? shown : `${WARNED} ${shown}`;
}

/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showPath({ path }: ManifestEntry): string {
  const shown = showText(path);
  if (shown.length <= MAX_PATH_CHARACTERS) return escapeCode(shown);
  // A cut inside a surrogate pair would leave half a character.
  const end = shown.slice(1 - MAX_PATH_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  return escapeCode(`…${end}`);
}

function showFormat({ format, specVersion, tool }: ManifestEntry): string {
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
export function showLabel({ label = '' }: ScanResult): string {
  return escapeCode(cutText(showText(label), MAX_LABEL_CHARACTERS));
}

function showResult(scan: ScanResult): string {
  const { result, statusCode } = scan;
  const sign = isSuccessful(result) ? (hasWarnings(scan) ? `${WARNED} ` : '') : '❌ ';
  return `${sign}${RESULT_WORDS[result]}${statusCode === undefined ? '' : ` (${statusCode})`}`;
}

function showReason({ failure, skipped = '' }: ScanResult): string {
  const text = failure?.headline ?? skipped;
  return escapeWords(cutAtWord(showText(text), MAX_REASON_CHARACTERS));
}
