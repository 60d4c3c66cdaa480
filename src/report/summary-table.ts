import type { SeverityCounts } from '../formats/severity.ts';
import { formatCount } from '../formats/describe.ts';
import { findFormat, labelFormat } from '../formats/registry.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { cutText } from '../text.ts';
import { cutWhole, showText } from './clean.ts';
import { nameResult } from './failure.ts';
import { escapeCode, escapeWords, makeTable } from './markdown.ts';
import type { Column } from './markdown.ts';
import { getStatus, isSuccessful, listParts } from './scan-result.ts';
import type { ReadPart, ScanResult } from './scan-result.ts';
import { formatBytes } from './units.ts';

const MAX_CELL_CHARACTERS = 64;
const MAX_REASON_CHARACTERS = 120;

/** Marks files with warnings. */
export const WARNED = '⚠️';

const SEVERITIES: readonly (readonly [string, keyof SeverityCounts])[] = [
  ['Critical', 'critical'],
  ['High', 'high'],
  ['Medium', 'medium'],
  ['Low', 'low'],
  ['Info', 'none'],
  ['Unrated', 'unknown'],
];

/** A row of the table: a file, with its scan if it is the scan's first; or a scan without files. */
export interface Row {
  readonly scan?: ScanResult | undefined;
  readonly part?: ReadPart | undefined;
}

/** The rows of scans: one for each file, and one for each scan without files. */
export function listRows(scans: readonly ScanResult[]): readonly Row[] {
  return scans.flatMap((scan): readonly Row[] => {
    const [first, ...others] = listParts(scan);
    return [{ scan, part: first }, ...others.map((part) => ({ part }))];
  });
}

/** A table of files; with several scans also of their results. */
export function makeFileTable(rows: readonly Row[], hasScans: boolean): string {
  const scans = hasScans ? rows.map(({ scan }) => scan) : [];
  const parts = rows.map(({ part }) => part);
  const counts = SEVERITIES.map(([heading, severity]) =>
    makeColumn(heading, parts, (part) => showCount(part, severity), 'right'),
  );
  return makeTable([
    makeColumn('Scan', scans, showLabel),
    makeColumn('Result', scans, showResult),
    makeColumn('Reason', scans, showReason),
    makeColumn('Part', parts, ({ part }) => part.name),
    makeColumn('File', parts, showPath),
    makeColumn('Format', parts, showFormat),
    ...counts,
    makeColumn('Size', parts, showSize, 'right'),
  ]);
}

function makeColumn<T>(
  heading: string,
  values: readonly (T | undefined)[],
  show: (value: T) => string,
  align?: 'right',
): Column {
  return { heading, align, cells: values.map((value) => (value === undefined ? '' : show(value))) };
}

/** The number of findings of a severity, empty if unknown. Findings of a format without severities are unrated. */
function showCount({ file }: PlannedPart, severity: keyof SeverityCounts): string {
  const { severities, findings } = file.content;
  const unrated = severity === 'unknown' ? findings : undefined;
  const count = severities === undefined ? unrated : severities[severity];
  return count === undefined ? '' : formatCount(count);
}

/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showPath({ file, warnings = [] }: PlannedPart): string {
  const path = showText(file.displayPath);
  // A cut inside a surrogate pair would leave half a character.
  const end = path.slice(1 - MAX_CELL_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  const shown = escapeCode(path.length <= MAX_CELL_CHARACTERS ? path : `…${end}`);
  return warnings.length === 0 ? shown : `${WARNED} ${shown}`;
}

function showFormat({ file }: PlannedPart): string {
  const { format, specVersion, tool } = file.content;
  const label = labelFormat(format, specVersion);
  // Do not repeat a tool's own format.
  const isOwn =
    findFormat(format)?.isStandard !== true &&
    [format, labelFormat(format)].some(
      (name) => tool?.toLowerCase().startsWith(name.toLowerCase()) === true,
    );
  const text = tool === undefined ? label : isOwn ? tool : `${label} by ${tool}`;
  return escapeWords(cutText(showText(text), MAX_CELL_CHARACTERS));
}

/** A size that is not broken before its unit. */
function showSize({ file }: PlannedPart): string {
  return formatBytes(file.size).replace(' ', '\u00a0');
}

/** What messages call a scan, as code. */
export function showLabel({ entry: { label = '' } }: ScanResult): string {
  return escapeCode(cutText(showText(label), MAX_CELL_CHARACTERS));
}

function showResult(scan: ScanResult): string {
  const { result, failure } = scan;
  return `${isSuccessful(result) ? '' : '❌ '}${nameResult(result, failure, getStatus(scan))}`;
}

function showReason({ failure, skipped = '' }: ScanResult): string {
  const text = failure?.headline ?? skipped;
  return escapeWords(cutWhole(showText(text), MAX_REASON_CHARACTERS));
}
