// What log and summary say of a scan and its files, in the same words.

import { isCompiler } from '../formats/build-errors.ts';
import { describeContent, describeGap } from '../formats/content.ts';
import type { Content } from '../formats/content.ts';
import { isEarlierSarif } from '../formats/sarif.ts';
import { HEADINGS, SEVERITIES } from '../formats/severity.ts';
import type { SeverityCounts } from '../formats/severity.ts';
import { toWords } from '../outcomes/results.ts';
import { listParts } from '../outcomes/scan-result.ts';
import type { ScanResult } from '../outcomes/scan-result.ts';
import type { Mark } from '../plan/marks.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { countOf, formatCount, formatDuration, joinTexts } from '../text.ts';

/** What was counted in the files of one scan, or of several. */
export interface Counts {
  /** Undefined if no file has a list of components. */
  readonly components: number | undefined;
  /** By severity, undefined for one that no report states. */
  readonly severities: Readonly<Record<string, number | undefined>>;
  /** Of how many reports the findings are known. */
  readonly counted: number;
  /** How many files are marked as not counted. */
  readonly uncounted: number;
  /** Whether all that are counted are levels of SARIF. */
  readonly isByLevel: boolean;
}

/** The format of a file and the tool that wrote it: `CycloneDX 1.6 by syft 1.38.0`, `Trivy (schema 2)`. */
export function describeFormat(content: Content): string {
  const { tool } = content;
  const label = describeContent(content);
  if (tool === undefined) return label;
  // A tool's own format is not named twice.
  const isNamed = tool.toLowerCase().startsWith(label.toLowerCase());
  return isNamed ? tool : `${label} by ${tool}`;
}

/** What was counted in a file: `69 components`, `1 critical, 3 medium`; empty if nothing was. */
export function describeCounts(content: Content): string {
  const severities = readSeverities(content);
  const found = severities === undefined ? '' : describeSeverities(severities, content.isByLevel);
  return joinTexts([describeComponents(content.components), found], ', ');
}

function describeComponents(components: number | undefined): string {
  return components === undefined ? '' : countOf(components, 'component');
}

const EARLIER = 'SARIF before 2.1 is not counted.';
const ERROR_LOG =
  'Build with `-p:ErrorLog=out.sarif%2cversion=2.1`: after a plain comma the version stays 1.0.';

/** Why a version of SARIF is not counted, and what to do if it is the default of .NET's compilers; empty for other files. */
export function explainVersion({ format, specVersion = '', tool = '' }: Content): string {
  if (format !== 'sarif' || !isEarlierSarif(specVersion)) return '';
  return isCompiler(tool) ? `${EARLIER} ${ERROR_LOG}` : EARLIER;
}

/** What a file lacks to be a report, unless it is meant as an SBOM. */
export function describeMissing(part: PlannedPart): string {
  return lacksFindings(part) ? describeGap(part.file.content) : '';
}

/** Whether a file has components and no list of vulnerabilities, and is not the SBOM beside a report. */
export function lacksFindings({ part, file: { content } }: PlannedPart): boolean {
  const isSbom = content.components !== undefined && readSeverities(content) === undefined;
  return part.expects !== 'SBOM' && isSbom;
}

/** The files of a scan; of one that was not sent without marks and warnings. */
export function listShown(scan: ScanResult): readonly PlannedPart[] {
  const parts = listParts(scan);
  return scan.result === 'not-sent' ? parts.map(({ part, file }) => ({ part, file })) : parts;
}

/** The marks of a file that are shown: that its format is unknown stands elsewhere. */
export function listShownMarks({ marks = [] }: PlannedPart): readonly Mark[] {
  return marks.filter(({ name }) => name !== 'unknown-format');
}

/** What stands beside files in a table, in a few words: marks, or that there is a warning below. */
export function nameMarks(parts: readonly PlannedPart[]): readonly string[] {
  const marks = new Set(parts.flatMap(listShownMarks).map(({ name }) => toWords(name)));
  const isWarned = parts.some(({ warnings = [] }) => warnings.length > 0);
  return marks.size === 0 && isWarned ? ['see the warning'] : [...marks];
}

/** The findings of one scan, or of several, in words; of SBOMs alone their components. */
export function describeFindings(counts: Counts): string {
  const { components, severities, counted, uncounted, isByLevel } = counts;
  if (counted === 0) return uncounted > 0 ? 'findings not counted' : describeComponents(components);
  const found = describeSeverities(severities, isByLevel);
  return uncounted === 0 ? found : `${found}, ${countOf(uncounted, 'file')} not counted`;
}

/** `1 critical, 3 medium`; `12 high (by level)`; `0 findings` if there are none. */
function describeSeverities(
  severities: Readonly<Record<string, number | undefined>>,
  isByLevel = false,
): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const { [severity]: count = 0 } = severities;
    return count === 0 ? [] : [`${formatCount(count)} ${HEADINGS[severity].toLowerCase()}`];
  });
  if (counts.length === 0) return '0 findings';
  return `${counts.join(', ')}${isByLevel ? ' (by level)' : ''}`;
}

/** Adds what was counted in scans. The findings of a scan are those of its report: its SBOM may repeat them. */
export function countScans(scans: readonly ScanResult[]): Counts {
  const parts = scans.flatMap(listParts);
  const sboms = parts.filter(({ part }) => part.expects !== 'report');
  const reports = parts.filter(({ part }) => part.expects !== 'SBOM');
  const counted = reports.flatMap(({ file: { content } }) => {
    const severities = readSeverities(content);
    return severities === undefined ? [] : [{ severities, isByLevel: content.isByLevel === true }];
  });
  const severities = SEVERITIES.map((severity) => {
    return [severity, add(counted.map((each) => each.severities[severity]))] as const;
  });
  return {
    components: add(sboms.map(({ file }) => file.content.components)),
    severities: Object.fromEntries(severities),
    counted: counted.length,
    uncounted: parts.filter(isUncounted).length,
    isByLevel: counted.length > 0 && counted.every(({ isByLevel }) => isByLevel),
  };
}

/** Whether a file has the mark that it is not counted, in its part. */
export function isUncounted({ marks = [] }: PlannedPart): boolean {
  return marks.some(({ name }) => name === 'not-counted');
}

/** The sum of the numbers that are known; undefined if none is. */
function add(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((each) => each !== undefined);
  return known.reduce<number | undefined>((sum = 0, each) => sum + each, undefined);
}

/** The findings of a document by severity: all are unrated if its tool states none. Undefined if they are not counted. */
function readSeverities(content: Content): Partial<SeverityCounts> | undefined {
  const { severities, findings: unknown = content.vulnerabilities } = content;
  return severities ?? (unknown === undefined ? undefined : { unknown });
}

/** How an upload went: `2 attempts, 7.5 s`; empty if it was not started. */
export function describeEffort({ attempts, durationMs }: ScanResult): string {
  const facts = [
    attempts === undefined ? '' : countOf(attempts, 'attempt'),
    durationMs === undefined ? '' : formatDuration(durationMs),
  ];
  return joinTexts(facts, ', ');
}
