import { joinWhiteSpace } from '../text.ts';
import type { Content } from './content.ts';
import { FORMATS, findFormat } from './registry.ts';
import type { FormatName, KnownFormat } from './registry.ts';
import { countSeverities, findWorst } from './severity.ts';
import type { Findings } from './severity.ts';
import { findText, hasMark, readText, selectItems, selectListed, selectTexts } from './values.ts';

/** A document usually has one tool or two; further ones are not listed. */
const MAX_TOOLS = 3;
/** How a text names a tool: those of SPDX (SPDX 2.3, section 6.8). */
const CREATOR = 'Tool: ';

/** Recognises the format of a document (a value of JSON.parse), its version and its tools. Nothing is counted. */
export function recognise(document: unknown): Content {
  const format = FORMATS.find((each) => hasMarks(each, document));
  const { label = '', specVersion = [], tools = [], toolVersion = [] } = format ?? {};
  const version = findText(document, ...specVersion);
  const own = findText(document, ...toolVersion);
  const named = tools.flatMap((path) => selectItems(document, path)).flatMap(nameTool);
  const names = [...new Set(own === undefined ? named : [`${label} ${own}`])];
  return {
    format: format?.name ?? 'json',
    syntax: 'json',
    inspected: 'partial',
    ...(version !== undefined && { specVersion: joinWhiteSpace(version) }),
    ...(names.length > 0 && { tool: joinWhiteSpace(names.slice(0, MAX_TOOLS).join(', ')) }),
  };
}

/** Recognises a stream by its first documents, or by their list as some tools write it. Nothing is counted. */
export function recogniseStream(documents: readonly unknown[]): Content {
  const contents = [...documents, documents].map(recognise);
  const known = contents.find(({ format }) => format !== 'json');
  return { format: 'json', inspected: 'partial', ...known, syntax: 'ndjson' };
}

function hasMarks({ marks, listMarks, isList }: KnownFormat, document: unknown): boolean {
  const own = Array.isArray(document) && isList !== true ? listMarks : marks;
  return own?.some((all) => all.split(' ').every((mark) => hasMark(document, mark))) === true;
}

/** A tool's name and version. */
function nameTool(tool: unknown): readonly string[] {
  const text = readText(tool);
  if (text !== undefined) return text.startsWith(CREATOR) ? [text.slice(CREATOR.length)] : [];
  const name = findText(tool, 'name');
  if (name === undefined) return [];
  // npm calls itself `cli`.
  const vendor = name === 'cli' ? findText(tool, 'vendor') : undefined;
  const version = findText(tool, 'semanticVersion', 'version');
  return [[vendor, name, version].filter((each) => each !== undefined).join(' ')];
}

/** Counts what a document of this format has. That it has nothing is only stated if it has the list, and its scan ran. */
export function countDocument(name: FormatName, document: unknown): Partial<Content> {
  const format = findFormat(name);
  if (format === undefined) return {};
  const isFailed = format.isFailed?.(document) === true;
  const components = format.components?.(document)?.length;
  const documents = format.isList === true && Array.isArray(document) ? document : [document];
  const lists = documents.map((each) => readFindings(format, each));
  const findings = lists.flatMap((list) => list ?? []);
  const isStated = !lists.includes(undefined) && (findings.length > 0 || !isFailed);
  return {
    ...(components !== undefined && { components }),
    ...(isStated && countFindings(format, findings)),
    ...(isFailed && { isFailed }),
  };
}

function countFindings({ holds, isUnrated }: KnownFormat, findings: Findings): Partial<Content> {
  const isRated = isUnrated !== true || findings.some((severity) => severity !== 'unknown');
  return {
    [holds === 'either' ? 'vulnerabilities' : 'findings']: findings.length,
    ...(isRated && { severities: countSeverities(findings) }),
  };
}

/** The severity of each finding in the lists of a document; undefined if it has none of them, or says that there are others. */
function readFindings(format: KnownFormat, document: unknown): Findings | undefined {
  if (format.read !== undefined) return format.read(document);
  const { lists = [], severity, otherMarks = [] } = format;
  const found = selectListed(document, ...lists);
  const mayHaveOthers = otherMarks.some((mark) => hasMark(document, mark));
  if (found?.length === 0 && mayHaveOthers) return undefined;
  return found?.map((each) => findWorst(severity === undefined ? [] : selectTexts(each, severity)));
}
