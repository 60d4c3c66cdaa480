import { joinWhiteSpace } from '../text.ts';
import type { Content, Facts, Inspected } from './content.ts';
import { readCounts } from './counts.ts';
import type { Layout, Match, Path, ToolRows } from './format.ts';
import { findText, listTexts, lookUp } from './lookup.ts';
import { FORMATS } from './registry.ts';
import type { KnownFormat } from './registry.ts';

/** How many values of a stream are compared; reports that were appended to a file are among the first. */
const MAX_COMPARED = 10;
/** A document usually has one tool or two; further ones are not listed. */
const MAX_TOOLS = 3;
/** Names that many tools have, such as `cli` of npm. */
const GENERIC_NAME = /^(?:cli|core|plugin|sbom|scanner)$/i;

/**
 * Recognises the format of a document (a value of JSON.parse, or an XML tree) and reads what it states.
 * Its contents are counted if `isCounted`; if they are too many, it counts as partially inspected.
 */
export function recogniseDocument(
  syntax: 'json' | 'xml',
  document: unknown,
  inspected: Inspected,
  isCounted: boolean,
): Content {
  const format = findFormat(syntax, document);
  const layout = format?.[syntax];
  if (format === undefined || layout === undefined) return { format: syntax, syntax, inspected };
  const failure = findText(document, layout.failure ?? []);
  const counts = isCounted && failure === undefined ? readCounts(layout, document) : {};
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

/**
 * Recognises the format of a stream as that of the list of its values, or, if two of them are documents of
 * a format that is no stream, as that format. Then nothing is counted.
 */
export function recogniseStream(
  values: readonly unknown[],
  inspected: Inspected,
  isCounted: boolean,
): Content {
  const repeated = findRepeated(values);
  const content =
    repeated === undefined
      ? recogniseDocument('json', values, inspected, isCounted && inspected === 'full')
      : { ...recogniseDocument('json', repeated, inspected, false), isRepeated: true as const };
  return { ...content, syntax: 'ndjson' };
}

/** The first value that has the same format as another one, unless the format is a stream of values. */
function findRepeated(values: readonly unknown[]): unknown {
  const seen = new Map<KnownFormat, unknown>();
  for (const value of values.slice(0, MAX_COMPARED)) {
    const format = findFormat('json', value);
    if (format === undefined || format.isStream === true) continue;
    if (seen.has(format)) return seen.get(format);
    seen.set(format, value);
  }
  return undefined;
}

function findFormat(syntax: 'json' | 'xml', document: unknown): KnownFormat | undefined {
  const isThere = (place: Path | Match): boolean =>
    (typeof place === 'string' ? lookUp(document, place) : listTexts(document, place)).length > 0;
  return FORMATS.find((format) => format[syntax]?.marks.some((all) => all.every(isThere)));
}

/** The version and the tools that a document states, each as one line. */
function readStatements(label: string, layout: Layout, document: unknown): Facts {
  const specVersion = findText(document, layout.specVersion ?? []);
  const tools = (layout.tools ?? []).flatMap((rows) => listTools(rows, label, document));
  return {
    ...(specVersion !== undefined && { specVersion: joinWhiteSpace(specVersion) }),
    ...(tools.length > 0 && {
      tool: joinWhiteSpace([...new Set(tools)].slice(0, MAX_TOOLS).join(', ')),
    }),
  };
}

function listTools(rows: ToolRows, label: string, document: unknown): readonly string[] {
  return lookUp(document, rows.each).flatMap((row) => {
    const version = findText(row, rows.version ?? []);
    if (rows.name === undefined) return version === undefined ? [] : `${label} ${version}`;
    const name = findText(row, [rows.name]);
    if (name === undefined) return [];
    const isGeneric = rows.vendor !== undefined && GENERIC_NAME.test(name);
    const vendor = isGeneric ? findText(row, [rows.vendor]) : undefined;
    return [vendor, name, version].filter((text) => text !== undefined).join(' ');
  });
}
