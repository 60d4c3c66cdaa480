import { HEADINGS, SEVERITIES } from '../formats/severity.ts';
import type { Severity } from '../formats/severity.ts';
import { nameResult } from '../outcomes/failure.ts';
import { ICONS, toWords } from '../outcomes/results.ts';
import { hasOwnFailure, isInvalid, listParts } from '../outcomes/scan-result.ts';
import type { ScanResult } from '../outcomes/scan-result.ts';
import { nameRole } from '../plan/plan.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { cutText, formatBytes, formatCount, joinTexts } from '../text.ts';
import { WARNED, writeCode, writeSentence, writeTable } from './markdown.ts';
import {
  countScans,
  describeCounts,
  describeEffort,
  describeFormat,
  describeMissing,
  listShown,
  nameMarks,
} from './words.ts';

/** A space at which no line ends. */
const NO_BREAK = '\u00a0';
const MAX_CELL_CHARACTERS = 64;
/** Severities whose counts are bold unless they are 0. */
const BOLD: readonly Severity[] = ['critical', 'high'];
/** Severities whose columns are shown even if no scan has findings of them. */
const ALWAYS: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** The lines of a table of one scan's files: what each is, and what it contains. */
export function listFileRows(scan: ScanResult): readonly string[] {
  const parts = listShown(scan);
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
    (severity) => ALWAYS.includes(severity) || (sums.severities[severity] ?? 0) > 0,
  );
  const uploaded = scans.filter(({ result }) => result === 'accepted').length;
  const share = uploaded === scans.length ? '' : `of which ${uploaded} uploaded`;
  const columns = severities.map((severity) => ({
    heading: HEADINGS[severity],
    isNumber: true,
    cells: counts.map((each) => showCount(each.severities[severity], BOLD.includes(severity))),
  }));
  const cells = counts.map((each) => showCount(each.components));
  const components = { heading: 'Components', isNumber: true, cells };
  return writeTable([
    { heading: 'Scan', cells: [...scans.map(showLabel), '**all**'] },
    { heading: 'Result', cells: [...scans.map(showResult), share] },
    ...columns,
    ...(sums.components === undefined ? [] : [components]),
  ]);
}

/** What is folded: the facts of a scan, its upload and its files. Nothing if its files are not known. */
export function listFacts(scan: ScanResult): readonly string[] {
  const { entry, plan } = scan;
  if (plan === undefined) return [];
  const upload = [
    entry.scanKey === '' ? '' : `scan key ${writeCode(entry.scanKey)}`,
    writeCode(plan.operation.name),
    describeEffort(scan),
  ];
  const files = listParts(scan).map(({ part, file: { displayPath, size, digest = '' } }) => [
    `${part.name} ${showPath(displayPath)}`,
    formatBytes(size),
    writeCode(digest),
  ]);
  return [upload, ...files].map((facts) =>
    joinTexts([showLabel(scan), joinTexts(facts, ', ')], ': '),
  );
}

/** What messages call a scan, as code. */
function showLabel({ entry: { label = '' } }: ScanResult): string {
  return writeCode(cutText(label, MAX_CELL_CHARACTERS));
}

/** What became of a scan, whether its counts are levels, and the marks of its files. */
function showResult(scan: ScanResult): string {
  const kind = countScans([scan]).isByLevel ? 'by level' : '';
  const marks = nameMarks(listShown(scan)).map(showMark);
  return joinTexts([showOutcome(scan), kind, ...marks], ' · ');
}

/** What became of one of several scans, with a mark and its cause if it failed by itself: `❌ invalid (files)`. */
export function showOutcome(scan: ScanResult): string {
  const { result, failure, status } = scan;
  if (!hasOwnFailure(scan)) return toWords(result);
  const outcome = isInvalid(scan)
    ? `invalid (${failure?.reason})`
    : nameResult(result, failure?.reason, status);
  return `${ICONS[result]}${NO_BREAK}${writeSentence(outcome)}`;
}

/** What a file contains, what was scanned, and its marks. */
function showContents(planned: PlannedPart): string {
  const { content } = planned.file;
  const { subject } = content;
  const of = subject === undefined ? '' : `of ${writeCode(cutText(subject, MAX_CELL_CHARACTERS))}`;
  const facts = [
    joinTexts([writeSentence(describeCounts(content)), of], ' '),
    writeSentence(describeMissing(planned)),
    ...nameMarks([planned]).map(showMark),
  ];
  return joinTexts(facts, ' · ');
}

function showMark(mark: string): string {
  return `${WARNED}${NO_BREAK}${writeSentence(mark)}`;
}

/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showPath(path: string): string {
  const isLong = path.length > MAX_CELL_CHARACTERS;
  return writeCode(isLong ? `…${path.slice(1 - MAX_CELL_CHARACTERS)}` : path);
}

function showWords(text: string): string {
  return writeSentence(cutText(text, MAX_CELL_CHARACTERS));
}

function showCount(count: number | undefined, isBold = false): string {
  if (count === undefined) return '';
  return isBold && count > 0 ? `**${formatCount(count)}**` : formatCount(count);
}
