import { cutText, showText } from './clean.ts';
import { escapeCode, makeTable } from './markdown.ts';
import { RANKS, RESULT_WORDS, isSuccessful } from './result.ts';
import type { ScanResult } from './result.ts';
import { WARNED, describeContents, escapeCut, showBytes } from './summary-files.ts';
import { makeSeverityTable } from './summary-severities.ts';

/** Of a thousand rows nobody reads the last; with the longest texts these stay below 1 MiB. */
const MAX_ROWS = 300;
const MAX_SEVERITY_ROWS = 30;
const MAX_LABEL_CHARACTERS = 48;
const MAX_PATHS_CHARACTERS = 64;
const MAX_HEADLINE_CHARACTERS = 100;

/** How many scans had which result, the worst first: `1 rejected, 2 accepted`. */
export function countResults(scans: readonly ScanResult[]): string {
  const counts = RANKS.map((rank) => {
    const count = scans.filter(({ result }) => result === rank).length;
    return count === 0 ? '' : `${count} ${RESULT_WORDS[rank]}`;
  });
  return counts.filter((text) => text !== '').join(', ');
}

/** A row for each scan, failures first, and how bad what was found is. */
export function makeScanTables(scans: readonly ScanResult[]): readonly (string | undefined)[] {
  const sorted = scans.toSorted(
    (one, other) => RANKS.indexOf(one.result) - RANKS.indexOf(other.result),
  );
  const shown = sorted.slice(0, MAX_ROWS);
  const others = sorted.slice(MAX_ROWS);
  const severe = shown.flatMap(({ label, manifest }) =>
    manifest
      .filter(({ severities }) => severities !== undefined)
      .map((entry) => ({ ...entry, name: showLabel(label) })),
  );
  return [
    makeScanTable(shown),
    others.length === 0 ? undefined : `And ${countResults(others)}.`,
    makeSeverityTable(severe.slice(0, MAX_SEVERITY_ROWS)),
  ];
}

function makeScanTable(scans: readonly ScanResult[]): string {
  return makeTable([
    { heading: 'Scan', cells: scans.map(({ label }) => showLabel(label)) },
    { heading: 'Result', cells: scans.map(showResult) },
    { heading: 'Files', cells: scans.map(showPaths) },
    { heading: 'Size', align: 'right', cells: scans.map(showSize) },
    { heading: 'Contents', cells: scans.map(showContents) },
    {
      heading: 'Attempts',
      align: 'right',
      cells: scans.map(({ attempts }) => (attempts === 0 ? '' : String(attempts))),
    },
    { heading: 'What happened', cells: scans.map(showHeadline) },
  ]);
}

function showLabel(label: string | undefined): string {
  return escapeCode(cutText(showText(label ?? ''), MAX_LABEL_CHARACTERS));
}

function showResult({ result, statusCode, manifest }: ScanResult): string {
  const isWarned = manifest.some(({ warnings }) => warnings.length > 0);
  const mark = isSuccessful(result) ? (isWarned ? `${WARNED} ` : '') : '❌ ';
  return `${mark}${RESULT_WORDS[result]}${statusCode === undefined ? '' : ` (${statusCode})`}`;
}

function showPaths({ manifest }: ScanResult): string {
  const paths = manifest.map(({ path }) =>
    escapeCode(cutText(showText(path), MAX_PATHS_CHARACTERS)),
  );
  return paths.join(', ');
}

function showSize({ manifest }: ScanResult): string {
  if (manifest.length === 0) return '';
  return showBytes(manifest.reduce((sum, { bytes }) => sum + bytes, 0));
}

function showContents({ manifest }: ScanResult): string {
  const contents = manifest.map(describeContents).filter((text) => text !== '');
  return contents.join('; ');
}

function showHeadline({ failure }: ScanResult): string {
  return failure === undefined
    ? ''
    : escapeCut(showText(failure.headline), MAX_HEADLINE_CHARACTERS);
}
