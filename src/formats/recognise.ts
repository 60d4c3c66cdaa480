import { isObject } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import type { Content, Facts, Inspected } from './content.ts';
import { FORMATS } from './registry.ts';
import type { Findings } from './registry.ts';
import type { SeverityCounts } from './severity.ts';
import { findStatedError } from './stated-error.ts';
import {
  MAX_SEARCHED,
  select,
  selectItems,
  findText,
  readWithinLimit,
  selectTexts,
} from './values.ts';
import type { Place } from './values.ts';

/** A document usually has one tool or two; further ones are not listed. */
const MAX_TOOLS = 3;
/** Names that many tools have, such as `cli` of npm. */
const GENERIC_NAME = /^(?:cli|core|plugin|sbom|scanner)$/i;

/** Each format in each of its syntaxes. */
const LAYOUTS = FORMATS.flatMap(({ xml, ...json }) => [
  { ...json, syntax: 'json' },
  ...(xml === undefined ? [] : [{ ...json, ...xml, syntax: 'xml' }]),
]);
type Layout = (typeof LAYOUTS)[number];

/**
 * Recognises the format of a document (a value of JSON.parse, or of `readXml`) and reads what it states.
 * Its contents are counted if `isCounted`; if they are too many, it counts as partially inspected.
 */
export function recogniseDocument(
  syntax: 'json' | 'xml',
  document: unknown,
  inspected: Inspected,
  isCounted: boolean,
): Content {
  const layout = findLayout(syntax, document);
  // A list may have millions of items.
  const members = Array.isArray(document) ? document.slice(0, 1) : document;
  const names = isObject(members) ? Object.keys(members) : [];
  const error = isCounted && layout === undefined ? findStatedError(document) : undefined;
  const kind = document === null ? 'null' : isObject(document) ? 'bare' : 'scalar';
  const isRead = isCounted && error === undefined;
  const counts = isRead ? readWithinLimit(() => readCounts(layout, document)) : {};
  return {
    format: layout?.name ?? syntax,
    syntax,
    ...readStatements(layout, document),
    ...counts,
    inspected: counts === undefined ? 'partial' : inspected,
    ...(isCounted && names.length === 0 && { kind }),
    ...(error !== undefined && {
      problem: `only states an error: ${error}`,
    }),
  };
}

/** Recognises a stream by its first values: one of them or, as some tools write, their list. Nothing is counted. */
export function recogniseStream(values: readonly unknown[]): Content {
  const layouts = values.map((value) => findLayout('json', value));
  const ranked = [
    // A report that was appended to a stream is no part of it.
    layouts.findIndex((layout) => layout !== undefined && layout.isStream !== true),
    layouts.findIndex((layout) => layout !== undefined),
  ];
  const known = values[ranked.find((index) => index >= 0) ?? -1] ?? values;
  return { ...recogniseDocument('json', known, 'partial', false), syntax: 'ndjson' };
}

function findLayout(syntax: 'json' | 'xml', document: unknown): Layout | undefined {
  const read = (place: Place): readonly unknown[] =>
    typeof place === 'string'
      ? select(document, place, MAX_SEARCHED)
      : selectTexts(document, place, MAX_SEARCHED);
  return LAYOUTS.find((layout) => {
    const isList = Array.isArray(document) && layout.isList !== true;
    const marks = isList ? layout.listMarks : layout.marks;
    return (
      layout.syntax === syntax &&
      marks?.some((places) => places.every((place) => read(place).length > 0))
    );
  });
}

/** The version and the tools that a document states, each as one line. */
function readStatements(layout: Layout | undefined, document: unknown): Facts {
  const { label = '', specVersion = [], tools = [], toolVersion = [] } = layout ?? {};
  const version = findText(document, ...specVersion);
  const named = new Set([
    ...tools.flatMap((place) =>
      typeof place === 'string'
        ? selectItems(document, place, MAX_SEARCHED).flatMap(nameTool)
        : selectTexts(document, place, MAX_SEARCHED),
    ),
    ...toolVersion
      .flatMap((place) => selectTexts(document, place, MAX_SEARCHED))
      .map((own) => `${label} ${own}`),
  ]);
  return {
    ...(version !== undefined && { specVersion: joinWhiteSpace(version) }),
    ...(named.size > 0 && { tool: joinWhiteSpace([...named].slice(0, MAX_TOOLS).join(', ')) }),
  };
}

/** A tool's name and version, and its vendor if the name says nothing without it. */
function nameTool(tool: unknown): readonly string[] {
  const name = findText(tool, 'name');
  if (name === undefined) return [];
  const vendor = GENERIC_NAME.test(name) ? findText(tool, 'vendor') : undefined;
  const version = findText(tool, 'semanticVersion', 'version');
  return [[vendor, name, version].filter((each) => each !== undefined).join(' ')];
}

/** Counts components, vulnerabilities and findings. */
function readCounts(layout: Layout | undefined, document: unknown): Facts {
  const { vulnerabilities: place, isUnrated } = layout ?? {};
  const components = layout?.components?.(document).length;
  const isScanned = place === undefined || select(document, place).some(isObject);
  const findings = isScanned ? layout?.findings?.(document) : undefined;
  const severities = countSeverities(findings);
  const isRated = isUnrated !== true || severities.unknown !== findings?.length;
  const name = place === undefined ? 'findings' : 'vulnerabilities';
  return {
    ...(components !== undefined && { components }),
    ...(findings !== undefined && { [name]: findings.length, ...(isRated && { severities }) }),
    ...(layout?.isBlank?.(document) && { isBlank: true }),
    ...(layout?.isFailed?.(document) && { isFailed: true }),
  };
}

function countSeverities(findings: Findings = []): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  for (const severity of findings) counts[severity] += 1;
  return counts;
}
