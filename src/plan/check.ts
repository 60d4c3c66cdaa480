import { extname } from 'node:path';
import type { Part } from '../service/operations.ts';
import type { Content } from '../formats/content.ts';
import { describeContent, describeCounts, describeStream } from '../formats/describe.ts';
import { HTML } from '../formats/bytes.ts';
import { findFormat } from '../formats/registry.ts';
import { describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';

/** A problem of a file's content, or a warning about it. */
export interface Finding {
  /** A fault stops the step with `content-check: error`; a warning never does. */
  readonly level: 'fault' | 'warning';
  /** One sentence that names the file and its part. */
  readonly message: string;
  /** What to do; undefined if the message says it. */
  readonly fix?: string;
  /** The files it is about. */
  readonly parts: readonly PlannedPart[];
}

const FIX = 'Fix the scan step or the input.';
/** An empty file is the only one that is sensible to send: nobody should ship a broken scan. */
const EMPTY_FIX =
  'The scan step wrote no report: check its log. If the tool writes an empty file when it finds nothing, set `content-check: warn`.';

/**
 * Checks the planned files' contents. Faults are: a file that is empty, malformed or truncated; one that
 * does not fit its name; a scan file that is not JSON; an SBOM and a report that are swapped. The interface
 * does not limit the formats, so a well-formed file that is not recognised is only a warning, and so is a
 * stream of JSON documents, as many tools write it.
 */
export function checkContents({ parts }: UploadPlan): readonly Finding[] {
  const findings = parts.flatMap((planned) => checkPart(planned));
  if (!isSwapped(parts)) return findings;
  return [...findings.filter(({ level }) => level === 'fault'), describeSwap(parts)];
}

function checkPart(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  if (file.content.fault !== undefined) {
    const message = `${describePart(planned)} ${file.content.fault}.`;
    const fix = file.content.format === 'empty' ? EMPTY_FIX : FIX;
    return [{ level: 'fault', message, fix, parts: [planned] }];
  }
  return [
    ...checkSyntax(planned),
    ...checkPage(planned),
    ...checkStream(planned),
    ...(part.holds === 'SBOM' ? checkSbom(planned) : []),
    ...(part.holds === 'report' ? checkReport(planned) : []),
  ];
}

const SYNTAXES = { json: 'JSON', xml: 'XML' } as const;

/** Finds a web page, an archive or other text with the name of a JSON or XML file. */
function checkSyntax(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  const wanted = part.isJson ? 'json' : findSyntax(file.name);
  const language = findLanguage(file.content);
  if (wanted === undefined || language === wanted) return [];
  const contrast = part.isJson ? 'not JSON' : `although its name ends in ${extname(file.name)}`;
  const message = `${describePart(planned)} is ${describeWithSyntax(file.content)}, ${contrast}.`;
  return [
    {
      level: language !== undefined && !part.isJson ? 'warning' : 'fault',
      message,
      fix: FIX,
      parts: [planned],
    },
  ];
}

/** The language of a file; undefined if it is neither JSON nor XML. */
function findLanguage({ syntax }: Content): keyof typeof SYNTAXES | undefined {
  return syntax === 'ndjson' ? 'json' : syntax;
}

/** Describes a content with its language, because some formats exist in JSON and in XML. */
function describeWithSyntax(content: Content): string {
  const language = findLanguage(content);
  const isFormat = findFormat(content.format) !== undefined;
  const name = isFormat && language !== undefined ? SYNTAXES[language] : '';
  return [describeContent(content), name].filter((word) => word !== '').join(' in ');
}

/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  const { content } = file;
  const name = describePart(planned);
  if (content.isRepeated === true) {
    const message =
      `${name} is ${describeStream(content)}, several of them ${describeContent(content)}: ` +
      'the service may read only the first. Write each report to a file of its own, with `>` rather than `>>`.';
    return [{ level: 'warning', message, parts: [planned] }];
  }
  if (content.syntax !== 'ndjson' || !part.isJson) return [];
  const message = `${name} is ${describeStream(content)}: the service may expect a single one.`;
  return [{ level: 'warning', message, parts: [planned] }];
}

/** Finds a login or error page that was saved instead of a scan. */
function checkPage(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  const isNoted = part.isJson || findSyntax(file.name) !== undefined;
  if (file.content.kind !== HTML || isNoted || /\.x?html?$/i.test(file.name)) return [];
  const message = `${describePart(planned)} is ${HTML}, not a scan.`;
  return [{ level: 'fault', message, fix: FIX, parts: [planned] }];
}

function findSyntax(name: string): keyof typeof SYNTAXES | undefined {
  if (/\.(?:json|sarif)$/i.test(name)) return 'json';
  return /\.xml$/i.test(name) ? 'xml' : undefined;
}

function checkSbom(planned: PlannedPart): readonly Finding[] {
  const { content } = planned.file;
  const name = describePart(planned);
  if (content.format !== 'cyclonedx') {
    const message = `${name} is not recognised as CycloneDX: it is ${describeContent(content)}.`;
    return [{ level: 'warning', message, parts: [planned] }];
  }
  if (content.components !== 0) return [];
  const message = `${name} is an SBOM without components.`;
  return [{ level: 'warning', message, parts: [planned] }];
}

/** Finds an SBOM in the place of a report. One with an empty list of vulnerabilities may be a clean report. */
function checkReport(planned: PlannedPart): readonly Finding[] {
  const { content } = planned.file;
  if (findFormat(content.format)?.holds !== 'SBOM' && !isUnscanned(content)) return [];
  const message = `${describePart(planned)} is ${describeSbom(content)}, not a vulnerability report.`;
  return [{ level: 'warning', message, parts: [planned] }];
}

function findPart(parts: readonly PlannedPart[], holds: Part['holds']): PlannedPart | undefined {
  return parts.find(({ part }) => part.holds === holds);
}

function isSwapped(parts: readonly PlannedPart[]): boolean {
  const sbom = findPart(parts, 'SBOM');
  const report = findPart(parts, 'report');
  if (sbom === undefined || report === undefined) return false;
  if (isReportAlone(sbom.file.content)) return isSbomAlone(report.file.content);
  return !isSbom(sbom.file.content) && isUnscanned(report.file.content);
}

function isSbom({ format }: Content): boolean {
  const holds = findFormat(format)?.holds;
  return holds === 'SBOM' || holds === 'either';
}

/** Whether a document is an SBOM without a list of vulnerabilities, even an empty one. */
function isUnscanned(content: Content): boolean {
  const { inspected, components = 0, vulnerabilities } = content;
  return isSbom(content) && inspected === 'full' && components > 0 && vulnerabilities === undefined;
}

function isReportAlone({ format, components, vulnerabilities = 0 }: Content): boolean {
  const holds = findFormat(format)?.holds;
  return holds === 'report' || (holds === 'either' && components === 0 && vulnerabilities > 0);
}

/** Whether a document is only an SBOM; one that is also a report may be in either part. */
function isSbomAlone({ format, components = 0, vulnerabilities = 0 }: Content): boolean {
  const holds = findFormat(format)?.holds;
  return holds === 'SBOM' || (holds === 'either' && components > 0 && vulnerabilities === 0);
}

function describeSwap(parts: readonly PlannedPart[]): Finding {
  const swapped = parts.filter(({ part }) => part.holds !== 'either');
  const taken = swapped.map((planned) => `${describePart(planned)} is ${describeSwapped(planned)}`);
  const isInferred = swapped.some(({ file }) => file.input === 'files');
  const inputs = swapped.map(({ part }) => `\`${part.input}\``);
  const named = swapped.map(({ part }) => `the ${part.holds} as \`${part.input}\``);
  const remedy = isInferred
    ? `Set ${named.join(' and ')} instead of \`files\``
    : `Swap ${inputs.join(' and ')}`;
  return { level: 'fault', message: `${taken.join(', and ')}. ${remedy}.`, parts: swapped };
}

function describeSwapped({ part, file: { content } }: PlannedPart): string {
  if (part.holds !== 'SBOM') return describeSbom(content);
  if (isReportAlone(content)) return `a report (${describeWhole(content)})`;
  return `${describeContent(content)}, not an SBOM`;
}

function describeSbom(content: Content): string {
  return `an SBOM (${describeWhole(content)})`;
}

function describeWhole(content: Content): string {
  const counts = describeCounts(content);
  return `${describeContent(content)}${counts === '' ? '' : `: ${counts}`}`;
}
