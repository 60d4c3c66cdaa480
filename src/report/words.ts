// What log and summary say of a scan and its files, in the same words.

import { isCompiler } from '../formats/build-errors.ts';
import { describeContent, describeGap } from '../formats/content.ts';
import type { Content } from '../formats/content.ts';
import { isEarlierSarif } from '../formats/sarif.ts';
import { HEADINGS, SEVERITIES } from '../formats/severity.ts';
import type { SeverityCounts } from '../formats/severity.ts';
import type { Revision } from '../inputs/event.ts';
import { listParts } from '../outcomes/scan-result.ts';
import type { ScanResult } from '../outcomes/scan-result.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { countOf, formatCount, joinTexts } from '../text.ts';

/** What was counted in the files of one scan, or of several. */
export interface Counts {
  /** Undefined if no file has a list of components. */
  readonly components: number | undefined;
  /** Undefined if no report was counted. Findings of tools that state no severities are `unknown`. */
  readonly severities: SeverityCounts | undefined;
  /** Of how many files the findings are not known. */
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

/** What was counted in a file: `69 components`, `1 critical, 3 medium`, `not counted`. */
export function describeCounts({ components, ...content }: Content): string {
  const severities = countSeverities(content);
  const counts = [
    components === undefined ? [] : countOf(components, 'component'),
    severities === undefined ? [] : describeSeverities(severities),
  ];
  return counts.flat().join(', ') || 'not counted';
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

/** Whether a file is an SBOM without vulnerabilities, and not the one beside a report. */
export function lacksFindings({ part, file: { content } }: PlannedPart): boolean {
  return part.expects !== 'SBOM' && isSbom(content);
}

/** Why a file may be less than it seems. That it is not counted stands with its counts. */
export function describeMarks({ marks = [] }: PlannedPart): readonly string[] {
  return marks.filter(({ name }) => name !== 'not-counted').map(({ text }) => text);
}

/** The marks of a file, or that it has a warning. */
export function listMarks(part: PlannedPart): readonly string[] {
  const marks = describeMarks(part);
  return marks.length === 0 && (part.warnings ?? []).length > 0 ? ['see the warning'] : marks;
}

/** The findings of one scan, or of several, in words; of SBOMs alone their components. */
export function describeFindings({ components, severities, uncounted }: Counts): string {
  if (severities === undefined && uncounted > 0) return 'findings not counted';
  if (severities === undefined)
    return components === undefined ? '' : countOf(components, 'component');
  const found = describeSeverities(severities);
  return uncounted === 0 ? found : `${found}, ${countOf(uncounted, 'file')} not counted`;
}

/** `1 critical, 3 medium`; `0 findings` if there are none. */
function describeSeverities(severities: SeverityCounts): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const count = severities[severity];
    return count === 0 ? [] : [`${formatCount(count)} ${HEADINGS[severity].toLowerCase()}`];
  });
  return counts.join(', ') || '0 findings';
}

/** Adds what was counted in scans. The findings of a scan are those of its report: its SBOM may repeat them. */
export function countScans(scans: readonly ScanResult[]): Counts {
  const files = scans.flatMap(listParts).map(({ part, file }) => ({ ...part, ...file }));
  const sboms = files.filter(({ expects }) => expects !== 'report');
  const reports = files.filter(({ expects, content }) => {
    return expects === 'report' || (expects === 'either' && !isSbom(content));
  });
  const components = sboms.flatMap(({ content }) => content.components ?? []);
  const severities = reports.flatMap(({ content }) => countSeverities(content) ?? []);
  return {
    components: components.length === 0 ? undefined : components.reduce((sum, each) => sum + each),
    severities: severities.length === 0 ? undefined : severities.reduce(addSeverities),
    uncounted: reports.length - severities.length,
  };
}

/** Whether a document has components, and no list of vulnerabilities. */
function isSbom(content: Content): boolean {
  return content.components !== undefined && countSeverities(content) === undefined;
}

function countSeverities(content: Partial<Content>): SeverityCounts | undefined {
  const { severities, findings = content.vulnerabilities } = content;
  if (severities !== undefined || findings === undefined) return severities;
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: findings };
}

function addSeverities(one: SeverityCounts, other: SeverityCounts): SeverityCounts {
  return {
    critical: one.critical + other.critical,
    high: one.high + other.high,
    medium: one.medium + other.medium,
    low: one.low + other.low,
    none: one.none + other.none,
    unknown: one.unknown + other.unknown,
  };
}

/**
 * What a run is for, and what started it if that is not a push: `For pull request 42 of mallory/web, commit 9f8e7d6`,
 * `For tag v1, commit 1a2b3c4, attempt 2`, `For main, commit 1a2b3c4, started by schedule`.
 */
export function describeRevision(revision: Revision): string {
  const { ref, commit, attempt, startedBy } = revision;
  const [, kind = '', ...rest] = ref.split('/');
  const name = `\`${rest.join('/')}\``;
  const known = new Map([
    ['pull', startedBy],
    ['tags', `tag ${name}`],
  ]);
  const subject = known.get(kind) ?? name;
  const facts = [
    `For ${subject}`,
    `commit \`${commit.slice(0, 7)}\``,
    attempt > 1 ? `attempt ${attempt}` : '',
    ['push', subject].includes(startedBy) ? '' : `started by ${startedBy}`,
  ];
  return joinTexts(facts, ', ');
}
