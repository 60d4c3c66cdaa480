import { extname } from 'node:path';
import type { Part } from '../service/operations.ts';
import type { Content } from '../formats/content.ts';
import { describeContent, describeCounts, describeStream } from '../formats/describe.ts';
import { findFormat } from '../formats/registry.ts';
import { describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';

/** A problem of the files' contents, which stops the step with `content-check: error`. */
export interface Problem {
  readonly situation: 'contents';
  /** One sentence that names the file and its part. */
  readonly message: string;
  /** What to do; two problems may share one of them. */
  readonly fixes: readonly string[];
  /** The files it is about. */
  readonly parts: readonly PlannedPart[];
}

/** What may be wrong with the files' contents; it never stops the step. */
export type Warning = Pick<Problem, 'message' | 'parts'> & { readonly situation?: undefined };

const SCAN_FIX = 'Fix the scan step: it failed, or is still writing the file.';
/** An empty file is the only one that is sensible to send: nobody should ship a broken scan. */
const EMPTY_FIX =
  'If the tool writes an empty file when it finds nothing, set `content-check: warn`.';
const ENCODING_FIX = 'Change the encoding in the scan step.';

/**
 * Checks the planned files' contents. Problems are: a file that is empty, malformed or truncated; one that
 * does not fit its name; a scan file that is not JSON; an SBOM and a report that are swapped. The interface
 * does not limit the formats, so a well-formed file that is not recognised is only a warning, and so is a
 * stream of JSON documents, as many tools write it.
 */
export function checkContents({ parts }: UploadPlan): readonly (Problem | Warning)[] {
  const found = parts.flatMap((planned) => checkPart(planned));
  if (!isSwapped(parts)) return found;
  return [...found.filter(({ situation }) => situation !== undefined), reportSwap(parts)];
}

function checkPart(planned: PlannedPart): readonly (Problem | Warning)[] {
  const { part, file } = planned;
  const { format, kind, problem } = file.content;
  if (problem !== undefined) {
    if (format === 'empty') return [report(planned, problem, SCAN_FIX, EMPTY_FIX)];
    return [report(planned, problem, kind === 'utf-16' ? ENCODING_FIX : SCAN_FIX)];
  }
  return [
    ...checkSyntax(planned),
    ...checkStream(planned),
    ...(part.holds === 'SBOM' ? checkSbom(planned) : []),
    ...(part.holds === 'report' ? checkReport(planned) : []),
  ];
}

function report(planned: PlannedPart, what: string, ...fixes: readonly string[]): Problem {
  const message = `${describePart(planned)} ${what}.`;
  return { situation: 'contents', message, fixes, parts: [planned] };
}

function warn(planned: PlannedPart, what: string): Warning {
  return { message: `${describePart(planned)} ${what}.`, parts: [planned] };
}

const SYNTAXES = { json: 'JSON', xml: 'XML' } as const;

/**
 * Finds an archive or other text with the name of a JSON or XML file, and a login or error page that was
 * saved instead of a scan.
 */
function checkSyntax(planned: PlannedPart): readonly (Problem | Warning)[] {
  const { part, file } = planned;
  const wanted = part.isJson ? 'json' : findSyntax(file.name);
  const language = findLanguage(file.content);
  const fix = `Correct \`${file.input}\`, or the step that writes the file.`;
  if (wanted === undefined) {
    const isPage = file.content.kind === 'html' && !/\.x?html?$/i.test(file.name);
    return isPage ? [report(planned, `is ${describeContent(file.content)}, not a scan`, fix)] : [];
  }
  if (language === wanted) return [];
  const contrast = part.isJson ? 'not JSON' : `although its name ends in ${extname(file.name)}`;
  const what = `is ${describeWithSyntax(file.content)}, ${contrast}`;
  const isWarning = language !== undefined && !part.isJson;
  return [isWarning ? warn(planned, what) : report(planned, what, fix)];
}

function findSyntax(name: string): keyof typeof SYNTAXES | undefined {
  if (/\.(?:json|sarif)$/i.test(name)) return 'json';
  return /\.xml$/i.test(name) ? 'xml' : undefined;
}

/** The language of a file; undefined if it is neither JSON nor XML. */
function findLanguage({ syntax }: Content): keyof typeof SYNTAXES | undefined {
  return syntax === 'ndjson' ? 'json' : syntax;
}

/** Describes a content with its language, because some formats exist in JSON and in XML. */
function describeWithSyntax(content: Content): string {
  const language = findLanguage(content);
  const isNamed = language !== undefined && findFormat(content.format) !== undefined;
  return `${describeContent(content)}${isNamed ? ` in ${SYNTAXES[language]}` : ''}`;
}

/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream(planned: PlannedPart): readonly Warning[] {
  const { content } = planned.file;
  const stream = `is ${describeStream(content)}`;
  if (content.isRepeated === true) {
    const what = `${stream}, several of them ${describeContent(content)}: the service may read only the first. Write each report to a file of its own, with \`>\` rather than \`>>\``;
    return [warn(planned, what)];
  }
  if (content.syntax !== 'ndjson' || !planned.part.isJson) return [];
  return [
    warn(
      planned,
      `${stream}: the service may expect a single one. If it takes an array, \`jq --slurp\` writes one`,
    ),
  ];
}

function checkSbom(planned: PlannedPart): readonly Warning[] {
  const { content } = planned.file;
  if (content.format !== 'cyclonedx') {
    const what = `is not recognised as CycloneDX: it is ${describeContent(content)}`;
    return [warn(planned, what)];
  }
  return content.components === 0 ? [warn(planned, 'is an SBOM without components')] : [];
}

/** Finds an SBOM in the place of a report. One with an empty list of vulnerabilities may be a clean report. */
function checkReport(planned: PlannedPart): readonly Warning[] {
  const { content } = planned.file;
  if (findFormat(content.format)?.holds !== 'SBOM' && !isUnscanned(content)) return [];
  return [warn(planned, `is ${describeSbom(content)}, not a vulnerability report`)];
}

function isSwapped(parts: readonly PlannedPart[]): boolean {
  const find = (holds: Part['holds']): Content | undefined =>
    parts.find(({ part }) => part.holds === holds)?.file.content;
  const [sbom, vulnerabilities] = [find('SBOM'), find('report')];
  if (sbom === undefined || vulnerabilities === undefined) return false;
  if (findRole(sbom) === 'report') return findRole(vulnerabilities) === 'SBOM';
  return !isSbom(sbom) && isUnscanned(vulnerabilities);
}

/** What a document must be; undefined if it may be in either part. */
function findRole(content: Content): 'SBOM' | 'report' | undefined {
  const { format, components, vulnerabilities = 0 } = content;
  const holds = findFormat(format)?.holds;
  if (holds !== 'either') return holds;
  if (components === 0 && vulnerabilities > 0) return 'report';
  return (components ?? 0) > 0 && vulnerabilities === 0 ? 'SBOM' : undefined;
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

function reportSwap(parts: readonly PlannedPart[]): Problem {
  const swapped = parts.filter(({ part }) => part.holds !== 'either');
  const taken = swapped.map((planned) => `${describePart(planned)} is ${describeSwapped(planned)}`);
  const isInferred = swapped.some(({ file }) => file.input === 'files');
  const inputs = swapped.map(({ part }) => `\`${part.input}\``);
  const named = swapped.map(({ part }) => `the ${part.holds} as \`${part.input}\``);
  return {
    situation: 'contents',
    message: `${taken.join(', and ')}: they are swapped.`,
    fixes: isInferred
      ? [`Set ${named.join(' and ')} instead of \`files\`.`]
      : [`Swap ${inputs.join(' and ')}.`],
    parts: swapped,
  };
}

function describeSwapped({ part, file: { content } }: PlannedPart): string {
  if (part.holds !== 'SBOM') return describeSbom(content);
  if (findRole(content) === 'report') return `a report (${describeWhole(content)})`;
  return `${describeContent(content)}, not an SBOM`;
}

function describeSbom(content: Content): string {
  return `an SBOM (${describeWhole(content)})`;
}

function describeWhole(content: Content): string {
  const counts = describeCounts(content);
  return `${describeContent(content)}${counts === '' ? '' : `: ${counts}`}`;
}
