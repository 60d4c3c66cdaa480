import { describeCounts, formatCount, labelFormat } from '../formats/content.ts';
import { HEADINGS, SEVERITIES } from '../formats/severity.ts';
import type { Severity } from '../formats/severity.ts';
import { nameResult } from '../outcomes/failure.ts';
import { SUCCESSES } from '../outcomes/results.ts';
import { listParts } from '../outcomes/scan-result.ts';
import type { ScanResult } from '../outcomes/scan-result.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { cutText, formatBytes } from '../text.ts';
import { writeCode, writeSentence, writeTable } from './markdown.ts';

const MAX_CELL_CHARACTERS = 64;
const LEFT = ':---';
const RIGHT = '---:';

/** Marks files with warnings, and warnings. */
export const WARNED = '⚠️';

/** A row of the table: a file, with its scan if it is the first of several scans' files; or a scan without files. */
export interface FileRow {
  readonly scan?: ScanResult | undefined;
  readonly part?: PlannedPart | undefined;
}

/** The rows of scans: one for each file, and one for each scan without files. A single scan is not in its rows. */
export function listRows(scans: readonly ScanResult[]): readonly FileRow[] {
  return scans.flatMap((scan): readonly FileRow[] => {
    const [first, ...others] = listParts(scan);
    const row = { scan: scans.length > 1 ? scan : undefined, part: first };
    return [row, ...others.map((part) => ({ part }))];
  });
}

/** A table of files, and of the results of several scans. */
export function makeFileTable(rows: readonly FileRow[]): string {
  const ofScans = (heading: string, show: (scan: ScanResult) => string) => {
    return [heading, LEFT, ...rows.map(({ scan }) => (scan ? show(scan) : ''))];
  };
  const ofParts = (heading: string, align: string, show: (part: PlannedPart) => string) => {
    return [heading, align, ...rows.map(({ part }) => (part ? show(part) : ''))];
  };
  return writeTable([
    ofScans('Scan', showLabel),
    ofScans('Result', showResult),
    ofParts('Part', LEFT, ({ part }) => part.name),
    ofParts('File', LEFT, showFile),
    ofParts('Format', LEFT, showFormat),
    ofParts('Components', RIGHT, ({ file }) => showCount(file.content.components)),
    ...SEVERITIES.map((severity) =>
      ofParts(HEADINGS[severity], RIGHT, (part) => showSeverity(part, severity)),
    ),
    // A size is not broken before its unit.
    ofParts('Size', RIGHT, ({ file }) => formatBytes(file.size).replace(' ', '\u00a0')),
  ]);
}

/** What messages call a scan, as code. */
export function showLabel({ entry: { label = '' } }: ScanResult): string {
  return writeCode(cutText(label, MAX_CELL_CHARACTERS));
}

function showResult({ result, failure, status }: ScanResult): string {
  const named = nameResult(result, failure?.reason, status);
  return SUCCESSES.includes(result) ? named : `❌ ${named}`;
}

/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showFile({ file: { displayPath }, warnings = [], marks = [] }: PlannedPart): string {
  const isLong = displayPath.length > MAX_CELL_CHARACTERS;
  const path = isLong ? `…${displayPath.slice(1 - MAX_CELL_CHARACTERS)}` : displayPath;
  const shown = writeCode(path);
  if (warnings.length + marks.length === 0) return shown;
  const words = cutText(marks.join(', '), MAX_CELL_CHARACTERS);
  return `${WARNED} ${shown} ${writeSentence(words)}`;
}

function showFormat({ file: { content } }: PlannedPart): string {
  const { format, specVersion, tool } = content;
  const label = labelFormat(format, specVersion);
  // A tool's own format is not named twice.
  const isNamed = tool?.toLowerCase().startsWith(label.toLowerCase()) === true;
  const text = tool === undefined ? label : isNamed ? tool : `${label} by ${tool}`;
  return writeSentence(cutText(text, MAX_CELL_CHARACTERS));
}

/** The number of findings of a severity, empty if unknown. Findings of a format without severities are unrated. */
function showSeverity({ file: { content } }: PlannedPart, severity: Severity): string {
  const { severities, findings } = content;
  if (severity === 'critical' && content.isUncounted) return describeCounts(content);
  const unrated = severity === 'unknown' ? findings : undefined;
  return showCount(severities === undefined ? unrated : severities[severity]);
}

function showCount(count: number | undefined): string {
  return count === undefined ? '' : formatCount(count);
}
