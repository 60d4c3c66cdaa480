import { isObject } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import type { Content, Facts, Inspected } from './content.ts';
import { FORMATS, rate } from './registry.ts';
import type { Findings, KnownFormat, Layout } from './registry.ts';
import type { SeverityCounts } from './severity.ts';
import { MAX_SEARCHED, TooManyValues, find, list, findText, texts } from './values.ts';
import type { Place } from './values.ts';

/** How many values of a stream are compared; reports that were appended to a file are among the first. */
const MAX_COMPARED = 10;
/** A document usually has one tool or two; further ones are not listed. */
const MAX_TOOLS = 3;
/** The members of a document that a tool writes instead of a report if it fails. */
const ERROR_MEMBERS = 'ok success error errors message code status path'.split(' ');
/** Names that many tools have, such as `cli` of npm. */
const GENERIC_NAME = /^(?:cli|core|plugin|sbom|scanner)$/i;

/**
 * Recognises the format of a document (a value of JSON.parse, or the `document` of an XmlReading) and reads what it states.
 * Its contents are counted if `isCounted`; if they are too many, it counts as partially inspected.
 */
export function recogniseDocument(
  syntax: 'json' | 'xml',
  document: unknown,
  inspected: Inspected,
  isCounted: boolean,
): Content {
  const format = findFormat(syntax, document);
  const layout = findLayout(syntax, format);
  if (format === undefined || layout === undefined) {
    return { format: syntax, syntax, inspected, ...(isCounted && readUnknown(document)) };
  }
  const failure = findText(document, ...(layout.failure ?? []));
  const counts = isCounted && failure === undefined ? readCounts(format, layout, document) : {};
  return {
    format: format.name,
    syntax,
    ...readStatements(format.label, layout, document),
    ...counts,
    inspected: counts === undefined ? 'partial' : inspected,
    ...(failure !== undefined && {
      problem: `says that ${format.label} failed: ${joinWhiteSpace(failure).replace(/\.$/, '')}`,
    }),
  };
}

/** What is said of a document of no known format that has no content, or only states an error. */
function readUnknown(document: unknown): Pick<Content, 'kind' | 'problem'> {
  const names = isObject(document) ? Object.keys(document) : [];
  if (document === null || (isObject(document) && names.length === 0)) return { kind: 'bare' };
  const error = names.every((name) => ERROR_MEMBERS.includes(name)) && findText(document, 'error');
  return error ? { problem: `only states an error: ${joinWhiteSpace(error)}` } : {};
}

/**
 * Recognises the format of a stream as that of the list of its values, or, if two of them are documents of
 * a format that is no stream, as that format. Then nothing is counted.
 */
export function recogniseStream(
  values: readonly unknown[],
  inspected: Inspected,
  isCounted: boolean,
): Content {
  const seen = new Map<KnownFormat, unknown>();
  for (const value of values.slice(0, MAX_COMPARED)) {
    const format = findFormat('json', value);
    if (format === undefined || format.isStream === true) continue;
    if (seen.has(format)) {
      const content = recogniseDocument('json', seen.get(format), inspected, false);
      return { ...content, syntax: 'ndjson', isRepeated: true };
    }
    seen.set(format, value);
  }
  return { ...recogniseDocument('json', values, inspected, isCounted), syntax: 'ndjson' };
}

function findFormat(syntax: 'json' | 'xml', document: unknown): KnownFormat | undefined {
  const isThere = (place: Place): boolean => {
    const isPath = typeof place === 'string';
    const found = isPath
      ? find(document, place, MAX_SEARCHED)
      : texts(document, place, MAX_SEARCHED);
    return found.length > 0;
  };
  return FORMATS.find((format) => {
    const layout = findLayout(syntax, format);
    const marks = Array.isArray(document) ? layout?.listMarks : layout?.marks;
    return marks?.some((places) => places.every(isThere));
  });
}

function findLayout(syntax: 'json' | 'xml', format: KnownFormat | undefined): Layout | undefined {
  return syntax === 'json' ? format : format?.xml;
}

/** The version and the tools that a document states, each as one line. */
function readStatements(label: string, layout: Layout, document: unknown): Facts {
  const specVersion = findText(document, ...(layout.specVersion ?? []));
  const tools = new Set(listTools(label, layout, document));
  return {
    ...(specVersion !== undefined && { specVersion: joinWhiteSpace(specVersion) }),
    ...(tools.size > 0 && { tool: joinWhiteSpace([...tools].slice(0, MAX_TOOLS).join(', ')) }),
  };
}

function listTools(label: string, layout: Layout, document: unknown): readonly string[] {
  const { tools = [], toolNames = [], toolVersion = [] } = layout;
  const read = (place: Place): readonly string[] => texts(document, place, MAX_SEARCHED);
  return [
    ...tools.flatMap((place) => list(document, place, MAX_SEARCHED)).flatMap(nameTool),
    ...toolNames.flatMap(read),
    ...toolVersion.flatMap(read).map((version) => `${label} ${version}`),
  ];
}

/** A tool's name and version, and its vendor if the name says nothing without it. */
function nameTool(tool: unknown): readonly string[] {
  const name = findText(tool, 'name');
  if (name === undefined) return [];
  const vendor = GENERIC_NAME.test(name) ? findText(tool, 'vendor') : undefined;
  const version = findText(tool, 'semanticVersion', 'version');
  return [[vendor, name, version].filter((each) => each !== undefined).join(' ')];
}

/** Counts components, vulnerabilities and findings; undefined if there are more than in any scan. */
function readCounts(format: KnownFormat, layout: Layout, document: unknown): Facts | undefined {
  try {
    const components = listComponents(layout, document)?.length;
    const findings = listFindings(layout, document);
    const severities = countSeverities(findings);
    const isRated = format.isUnrated !== true || severities.unknown !== findings?.length;
    const name = layout.vulnerabilities === undefined ? 'findings' : 'vulnerabilities';
    return {
      ...(components !== undefined && { components }),
      ...(findings !== undefined && { [name]: findings.length, ...(isRated && { severities }) }),
    };
  } catch (error) {
    if (error instanceof TooManyValues) return undefined;
    throw error;
  }
}

function listComponents({ components }: Layout, document: unknown): readonly unknown[] | undefined {
  if (typeof components === 'function') return components(document);
  return components?.flatMap((place) => list(document, place));
}

function listFindings(layout: Layout, document: unknown): Findings | undefined {
  const { vulnerabilities, findings, severity } = layout;
  if (vulnerabilities !== undefined && !find(document, vulnerabilities).some(isObject)) return;
  if (typeof findings === 'function') return findings(document);
  return findings && rate(document, findings, severity);
}

function countSeverities(findings: Findings = []): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  for (const severity of findings) counts[severity] += 1;
  return counts;
}
