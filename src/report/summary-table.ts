import { describeCounts, formatCount, labelFormat } from '../formats/content.ts';
import { HEADINGS, SEVERITIES } from '../formats/severity.ts';
import type { Severity } from '../formats/severity.ts';
import { EMPTY, safe, showText, showWord } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import { nameResult } from '../outcomes/failure.ts';
import { SUCCESSES } from '../outcomes/results.ts';
import { listParts } from '../outcomes/scan-result.ts';
import type { ReadPart, ScanResult } from '../outcomes/scan-result.ts';
import { cutText, formatBytes } from '../text.ts';
import { writeCode, writeSentence, writeTable } from './markdown.ts';

const MAX_CELL_CHARACTERS = 64;
const LEFT = safe`:---`;
const RIGHT = safe`---:`;

/** Marks files with warnings, and warnings. */
export const WARNED = safe`⚠️`;

/** A row of the table: a file, with its scan if it is the first of several scans' files; or a scan without files. */
export interface FileRow {
  readonly scan?: ScanResult | undefined;
  readonly part?: ReadPart | undefined;
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
export function makeFileTable(rows: readonly FileRow[]): SafeText {
  const ofScans = (heading: string, show: (scan: ScanResult) => SafeText) => {
    return [showText(heading), LEFT, ...rows.map(({ scan }) => (scan ? show(scan) : EMPTY))];
  };
  const ofParts = (heading: string, align: SafeText, show: (part: ReadPart) => SafeText) => {
    return [showText(heading), align, ...rows.map(({ part }) => (part ? show(part) : EMPTY))];
  };
  return writeTable([
    ofScans('Scan', showLabel),
    ofScans('Result', showResult),
    ofParts('Part', LEFT, ({ part }) => showWord(part.name)),
    ofParts('File', LEFT, showFile),
    ofParts('Format', LEFT, showFormat),
    ofParts('Components', RIGHT, ({ file }) => showCount(file.content.components)),
    ...SEVERITIES.map((severity) =>
      ofParts(HEADINGS[severity], RIGHT, (part) => showSeverity(part, severity)),
    ),
    // A size is not broken before its unit.
    ofParts('Size', RIGHT, ({ file }) => showText(formatBytes(file.size).replace(' ', '\u00a0'))),
  ]);
}

/** What messages call a scan, as code. */
export function showLabel({ entry: { label = '' } }: ScanResult): SafeText {
  return writeCode(showText(cutText(label, MAX_CELL_CHARACTERS)));
}

function showResult({ result, failure, status }: ScanResult): SafeText {
  const named = showText(nameResult(result, failure?.reason, status));
  return SUCCESSES.includes(result) ? named : safe`❌ ${named}`;
}

/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showFile({ file: { displayPath }, warnings = [], marks = [] }: ReadPart): SafeText {
  const isLong = displayPath.length > MAX_CELL_CHARACTERS;
  const path = isLong ? `…${displayPath.slice(1 - MAX_CELL_CHARACTERS)}` : displayPath;
  const shown = writeCode(showText(path));
  if (warnings.length + marks.length === 0) return shown;
  const words = cutText(marks.join(', '), MAX_CELL_CHARACTERS);
  return safe`${WARNED} ${shown} ${writeSentence(showText(words))}`;
}

function showFormat({ file: { content } }: ReadPart): SafeText {
  const { format, specVersion, tool } = content;
  const label = labelFormat(format, specVersion);
  // A tool's own format is not named twice.
  const isNamed = tool?.toLowerCase().startsWith(label.toLowerCase()) === true;
  const text = tool === undefined ? label : isNamed ? tool : `${label} by ${tool}`;
  return writeSentence(showText(cutText(text, MAX_CELL_CHARACTERS)));
}

/** The number of findings of a severity, empty if unknown. Findings of a format without severities are unrated. */
function showSeverity({ file: { content } }: ReadPart, severity: Severity): SafeText {
  const { severities, findings } = content;
  if (severity === 'critical' && content.isUncounted) return showText(describeCounts(content));
  const unrated = severity === 'unknown' ? findings : undefined;
  return showCount(severities === undefined ? unrated : severities[severity]);
}

function showCount(count: number | undefined): SafeText {
  return count === undefined ? EMPTY : showText(formatCount(count));
}
