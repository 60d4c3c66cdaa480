import { HEADINGS, SEVERITIES } from '../formats/severity.ts';
import type { Severity } from '../formats/severity.ts';
import { nameResult } from '../outcomes/failure.ts';
import { ICONS, SUCCESSES } from '../outcomes/results.ts';
import { listParts } from '../outcomes/scan-result.ts';
import type { ScanResult } from '../outcomes/scan-result.ts';
import { nameRole } from '../plan/plan.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { countOf, cutText, formatBytes, formatCount, formatDuration } from '../text.ts';
import { WARNED, writeCode, writeSentence, writeTable } from './markdown.ts';
import { countScans, describeCounts, describeFormat, describeMissing, listMarks } from './words.ts';

const MAX_CELL_CHARACTERS = 64;
const MAX_MARK_CHARACTERS = 120;
/** Severities whose columns are shown even if no scan has findings of them. */
const ALWAYS: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** The lines of a table of one scan's files: what each is, and what it contains. */
export function listFileRows(scan: ScanResult): readonly string[] {
  const parts = listParts(scan);
  return writeTable([
    { heading: '', cells: parts.map(({ part }) => nameRole(part)) },
    { heading: 'File', cells: parts.map(({ file }) => showPath(file.displayPath)) },
    { heading: 'Format', cells: parts.map(({ file }) => showWords(describeFormat(file.content))) },
    { heading: 'Contents', cells: parts.map(showContents) },
  ]);
}

/** The lines of a table of several scans, with a row of sums at its end. No lines without scans. */
export function listScanRows(scans: readonly ScanResult[]): readonly string[] {
  if (scans.length === 0) return [];
  const sums = countScans(scans);
  const counts = [...scans.map((scan) => countScans([scan])), sums];
  const severities = SEVERITIES.filter(
    (severity) => ALWAYS.includes(severity) || (sums.severities?.[severity] ?? 0) > 0,
  );
  return writeTable([
    { heading: 'Scan', cells: [...scans.map(showLabel), '**all**'] },
    { heading: 'Result', cells: [...scans.map(showResult), ''] },
    {
      heading: 'Components',
      isNumber: true,
      cells: counts.map((each) => showCount(each.components)),
    },
    ...severities.map((severity) => ({
      heading: HEADINGS[severity],
      isNumber: true,
      cells: counts.map((each) => showCount(each.severities?.[severity])),
    })),
  ]);
}

/** What is folded: the facts of each file by which people find it, and of the upload. */
export function listFacts(scan: ScanResult, isOne: boolean): readonly string[] {
  const { entry, plan, attempts, durationMs } = scan;
  const upload = [
    isOne || entry.scanKey === '' ? '' : `scan key ${writeCode(entry.scanKey)}`,
    plan === undefined ? '' : writeCode(plan.operation.name),
    attempts === undefined || isOne ? '' : countOf(attempts, 'attempt'),
    durationMs === undefined || isOne ? '' : formatDuration(durationMs),
  ].filter((fact) => fact !== '');
  const files = listParts(scan).map(({ part, file }) =>
    [
      `${part.name} ${showPath(file.displayPath)}`,
      formatBytes(file.size),
      ...(file.digest === undefined ? [] : [writeCode(file.digest)]),
    ].join(', '),
  );
  const label = isOne ? '' : `${showLabel(scan)}: `;
  return [
    ...(upload.length === 0 ? [] : [`${label}${upload.join(', ')}`]),
    ...files.map((facts) => `${label}${facts}`),
  ];
}

/** What messages call a scan, as code. */
function showLabel({ entry: { label = '' } }: ScanResult): string {
  return writeCode(cutText(label, MAX_CELL_CHARACTERS));
}

/** The result of a scan, and the marks of its files. */
function showResult(scan: ScanResult): string {
  const { result, failure, status } = scan;
  const named = writeSentence(nameResult(result, failure?.reason, status));
  const shown = SUCCESSES.includes(result) ? named : `${ICONS[result]} ${named}`;
  const isUncounted = countScans([scan]).uncounted > 0;
  const marks = [...listParts(scan).flatMap(listMarks), ...(isUncounted ? ['not counted'] : [])];
  return joinFacts(shown, ...Array.from(new Set(marks), showMark));
}

/** What a file contains, what was scanned, and its marks. */
function showContents(part: PlannedPart): string {
  const { content } = part.file;
  const { subject } = content;
  const of = subject === undefined ? '' : ` of ${writeCode(cutText(subject, MAX_CELL_CHARACTERS))}`;
  return joinFacts(
    `${writeSentence(describeCounts(content))}${of}`,
    writeSentence(describeMissing(part)),
    ...listMarks(part).map(showMark),
  );
}

function showMark(mark: string): string {
  return `${WARNED} ${writeSentence(cutText(mark, MAX_MARK_CHARACTERS))}`;
}

function joinFacts(...facts: readonly string[]): string {
  return facts.filter((fact) => fact !== '').join(' · ');
}

/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showPath(path: string): string {
  const isLong = path.length > MAX_CELL_CHARACTERS;
  return writeCode(isLong ? `…${path.slice(1 - MAX_CELL_CHARACTERS)}` : path);
}

function showWords(text: string): string {
  return writeSentence(cutText(text, MAX_CELL_CHARACTERS));
}

function showCount(count: number | undefined): string {
  return count === undefined ? '' : formatCount(count);
}
