import { SEVERITIES } from '../formats/severity.ts';
import type { Severity } from '../formats/severity.ts';
import { describeCounts, formatCount, isUncounted, labelFormat } from '../formats/describe.ts';
import { findFormat } from '../formats/registry.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { cutText, cutWhole } from '../text.ts';
import { nameResult } from '../results/failure.ts';
import { escapeCode, escapeWords, makeTable } from './markdown.ts';
import { RESULTS } from '../results/results.ts';
import { getStatus, listParts } from '../results/scan-result.ts';
import type { ReadPart, ScanResult } from '../results/scan-result.ts';
import { formatBytes } from '../units.ts';

const MAX_CELL_CHARACTERS = 64;
const MAX_REASON_CHARACTERS = 120;

/** Marks files with warnings, and those that may have no report. */
export const WARNED = '⚠️';

const LEFT = ':---';
const RIGHT = '---:';
export const HEADINGS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'Info',
  unknown: 'Unrated',
};

/** A row of the table: a file, with its scan if it is the first of several scans' files; or a scan without files. */
export interface Row {
  readonly scan?: ScanResult | undefined;
  readonly part?: ReadPart | undefined;
}

/** The rows of scans: one for each file, and one for each scan without files. A single scan is not in its rows. */
export function listRows(scans: readonly ScanResult[]): readonly Row[] {
  return scans.flatMap((scan): readonly Row[] => {
    const [first, ...others] = listParts(scan);
    const row = { scan: scans.length > 1 ? scan : undefined, part: first };
    return [row, ...others.map((part) => ({ part }))];
  });
}

/** A table of files, and of the results of several scans. */
export function makeFileTable(rows: readonly Row[]): string {
  const scans = rows.map(({ scan }) => scan);
  const parts = rows.map(({ part }) => part);
  const components = parts.map((part) => part?.file.content.components);
  return makeTable([
    ['Scan', LEFT, ...showAll(scans, showLabel)],
    ['Result', LEFT, ...showAll(scans, showResult)],
    ['Reason', LEFT, ...showAll(scans, showReason)],
    ['Part', LEFT, ...showAll(parts, ({ part }) => part.name)],
    ['File', LEFT, ...showAll(parts, showPath)],
    ['Format', LEFT, ...showAll(parts, showFormat)],
    ['Components', RIGHT, ...showAll(components, formatCount)],
    ...SEVERITIES.map((severity) => [
      HEADINGS[severity],
      RIGHT,
      ...showAll(parts, (part) => showCount(part, severity)),
    ]),
    ['Size', RIGHT, ...showAll(parts, showSize)],
  ]);
}

function showAll<T>(values: readonly (T | undefined)[], show: (value: T) => string) {
  return values.map((value) => (value === undefined ? '' : show(value)));
}

/** The number of findings of a severity, empty if unknown. Findings of a format without severities are unrated. */
function showCount({ file }: PlannedPart, severity: Severity): string {
  const { severities, findings } = file.content;
  if (severity === 'critical' && isUncounted(file.content)) return describeCounts(file.content);
  const unrated = severity === 'unknown' ? findings : undefined;
  const count = severities === undefined ? unrated : severities[severity];
  return count === undefined ? '' : formatCount(count);
}

/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showPath({ file: { displayPath, content }, warnings = [] }: PlannedPart): string {
  const isLong = displayPath.length > MAX_CELL_CHARACTERS;
  const shown = escapeCode(isLong ? `…${displayPath.slice(1 - MAX_CELL_CHARACTERS)}` : displayPath);
  return warnings.length === 0 && content.kind !== 'null' ? shown : `${WARNED} ${shown}`;
}

function showFormat({ file }: PlannedPart): string {
  const { format, specVersion, tool, kind } = file.content;
  const label = kind === 'null' ? kind : labelFormat(format, specVersion);
  // Do not repeat a tool's own format.
  const isOwn =
    findFormat(format)?.isStandard !== true &&
    [format, labelFormat(format)].some(
      (name) => tool?.toLowerCase().startsWith(name.toLowerCase()) === true,
    );
  const text = tool === undefined ? label : isOwn ? tool : `${label} by ${tool}`;
  return escapeWords(cutText(text, MAX_CELL_CHARACTERS));
}

/** A size that is not broken before its unit. */
function showSize({ file }: PlannedPart): string {
  return formatBytes(file.size).replace(' ', '\u00a0');
}

/** What messages call a scan, as code. */
export function showLabel({ entry: { label = '' } }: ScanResult): string {
  return escapeCode(cutText(label, MAX_CELL_CHARACTERS));
}

function showResult(scan: ScanResult): string {
  const { result, failure } = scan;
  return `${RESULTS[result].isSuccess ? '' : '❌ '}${nameResult(result, failure, getStatus(scan))}`;
}

function showReason({ failure, skipped = '' }: ScanResult): string {
  return escapeWords(cutWhole(failure?.headline ?? skipped, MAX_REASON_CHARACTERS));
}
