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
import { countOf, formatCount, joinTexts } from '../text.ts';

/** What was counted in the files of one scan, or of several. */
export interface Counts {
  /** Undefined if no file has a list of components. */
  readonly components: number | undefined;
  /** By severity, undefined for one that no report states. Undefined if no report was counted. */
  readonly severities: Readonly<Record<string, number | undefined>> | undefined;
  /** Whether all that are counted are levels of SARIF. */
  readonly isByLevel: boolean;
  /** Of how many reports the findings are not known. */
  readonly uncounted: number;
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
  const { components } = content;
  const severities = readSeverities(content);
  const counts = [
    components === undefined ? '' : countOf(components, 'component'),
    severities === undefined ? '' : describeSeverities(severities, content.isByLevel),
  ];
  return joinTexts(counts, ', ');
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
export function listMarks({ marks = [] }: PlannedPart): readonly Mark[] {
  return marks.filter(({ name }) => name !== 'unknown-format');
}

/** What stands beside files in a table, in a few words: marks, or that there is a warning below. */
export function nameMarks(parts: readonly PlannedPart[]): readonly string[] {
  const marks = new Set(parts.flatMap(listMarks).map(({ name }) => toWords(name)));
  const isWarned = parts.some(({ warnings = [] }) => warnings.length > 0);
  return marks.size === 0 && isWarned ? ['see the warning'] : [...marks];
}

/** The findings of one scan, or of several, in words; of SBOMs alone their components. */
export function describeFindings({ components, severities, ...counts }: Counts): string {
  const { uncounted, isByLevel } = counts;
  if (severities === undefined && uncounted > 0) return 'findings not counted';
  if (severities === undefined)
    return components === undefined ? '' : countOf(components, 'component');
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
  const reports = parts.filter((planned) => {
    const { expects } = planned.part;
    return expects === 'report' || (expects === 'either' && !lacksFindings(planned));
  });
  const counted = reports.filter(({ file }) => readSeverities(file.content) !== undefined);
  const severities = SEVERITIES.map((severity) => {
    const counts = counted.map(({ file }) => readSeverities(file.content)?.[severity]);
    return [severity, add(counts)] as const;
  });
  return {
    components: add(sboms.map(({ file }) => file.content.components)),
    severities: counted.length === 0 ? undefined : Object.fromEntries(severities),
    isByLevel: counted.length > 0 && counted.every(({ file }) => file.content.isByLevel),
    uncounted: reports.length - counted.length,
  };
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
