import { isRecord } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import type { Content } from './content.ts';
import { FORMATS, findFormat } from './registry.ts';
import type { FormatName, KnownFormat } from './registry.ts';
import { countSeverities, findWorst } from './severity.ts';
import type { Findings } from './severity.ts';
import { listErrors, readStatement } from './statement.ts';
import {
  findLine,
  findText,
  hasSign,
  readText,
  selectItems,
  selectListed,
  selectTexts,
} from './values.ts';
import type { Path } from './values.ts';

/** A document usually has one tool or two; further ones are not listed. */
const MAX_TOOLS = 3;
/** How a text names a tool: those of SPDX (SPDX 2.3, section 6.8). */
const CREATOR = 'Tool: ';

/** Recognises the format of a document (a value of JSON.parse), its version and its tools. Nothing is counted. */
export function recognise(document: unknown): Content {
  const format = FORMATS.find((each) => hasSigns(each, document));
  const { label = '', specVersion = [], tools = [], toolVersion = [] } = format ?? {};
  const own = findText(document, ...toolVersion);
  const named = tools.flatMap((path) => selectItems(document, path)).flatMap(nameTool);
  const names = [...new Set(own === undefined ? named : [`${label} ${own}`])];
  return {
    format: format?.name ?? 'json',
    syntax: 'json',
    inspected: 'partial',
    specVersion: findLine(document, ...specVersion),
    tool: joinWhiteSpace(names.slice(0, MAX_TOOLS).join(', ')) || undefined,
  };
}

/** Recognises a stream by its first documents, or by their list as some tools write it. Nothing is counted. */
export function recogniseStream(documents: readonly unknown[]): Content {
  const contents = [...documents, documents].map(recognise);
  const known = contents.find(({ format }) => format !== 'json');
  return { format: 'json', inspected: 'partial', ...known, syntax: 'ndjson' };
}

function hasSigns({ signs, listSigns, isList }: KnownFormat, document: unknown): boolean {
  const own = Array.isArray(document) && isList !== true ? listSigns : signs;
  return own?.some((all) => all.split(' ').every((sign) => hasSign(document, sign))) === true;
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

/**
 * Counts what a document of this format has, and reads what it says of its scan. It states that it has no findings only
 * if it has their list and no other one, and its scan did not fail.
 */
export function countDocument(name: FormatName, document: unknown): Partial<Content> {
  const format = findFormat(name);
  if (format === undefined) return {};
  const components = format.components?.(document)?.length;
  const listed = listFindings(format, document);
  const statement = readStatement(format, document, listed ?? []);
  const isDoubtful =
    listed?.length === 0 && (statement.scan === 'failed' || hasOtherList(format, document));
  const findings = isDoubtful ? undefined : listed;
  return {
    components,
    ...(findings === undefined
      ? { mayBeReport: isAnonymous(format, document) }
      : countFindings(format, document, findings)),
    hasNoList: format.noListSigns?.some((sign) => hasSign(document, sign)),
    ...statement,
  };
}

/** Whether a document with components names neither its tool nor what was scanned, as that of pip-audit does. */
function isAnonymous({ holds, tools = [], subject = [] }: KnownFormat, document: unknown): boolean {
  if (holds !== 'either' || !hasSign(document, 'metadata')) return false;
  return ![...tools, ...subject].some((path) => hasSign(document, path));
}

function countFindings(
  { holds, isUnrated, scores = [] }: KnownFormat,
  document: unknown,
  findings: Findings,
): Partial<Content> {
  const isRated = isUnrated !== true || findings.some((severity) => severity !== 'unknown');
  const hasScores = scores.length === 0 || scores.some((path) => hasSign(document, path));
  return {
    [holds === 'either' ? 'vulnerabilities' : 'findings']: findings.length,
    severities: isRated ? countSeverities(findings) : undefined,
    isByLevel: findings.length > 0 && !hasScores,
  };
}

/** The severities of all findings of a document; undefined if it does not list them, or may have others. */
function listFindings(format: KnownFormat, document: unknown): Findings | undefined {
  const isList = format.isList === true && Array.isArray(document);
  const documents: readonly unknown[] = isList ? document : [document];
  const found = documents.map((each) => readFindings(format, each));
  // One of several that only states an error has no list: it counts among the errors.
  const lists = found.filter(
    (list, index) => list !== undefined || listErrors(format, documents[index]).length === 0,
  );
  return lists.length > 0 && lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function readFindings(format: KnownFormat, document: unknown): Findings | undefined {
  const { findings: read, otherSigns = [], noListSigns = [] } = format;
  const found = read === undefined ? readLists(format, document) : read(document);
  const mayHaveOthers =
    found?.length === 0 && [...otherSigns, ...noListSigns].some((sign) => hasSign(document, sign));
  return mayHaveOthers ? undefined : found;
}

function readLists({ lists = [], severity }: KnownFormat, document: unknown): Findings | undefined {
  return selectListed(document, ...lists)?.map((each) =>
    findWorst(severity === undefined ? [] : selectTexts(each, severity)),
  );
}

/** Whether beside its lists of findings a document has a list that is not known, and not empty. */
function hasOtherList(format: KnownFormat, document: unknown): boolean {
  const { isStandard, lists = [], otherLists = [], errors = [], read = [] } = format;
  if (isStandard === true) return false;
  const paths = [...lists, ...read, ...errors.flatMap(({ at }) => at)];
  const known = new Set([...otherLists, ...paths.flatMap((path) => path.split('/'))]);
  const places = new Set(lists.flatMap((path) => listPlaces(path)));
  return [...places]
    .flatMap((place) => selectItems(document, place))
    .some((each) => isRecord(each) && hasUnknownList(each, known));
}

/** Whether an object has a list that is not empty, of another name than these. */
function hasUnknownList(value: object, known: ReadonlySet<string>): boolean {
  const names = Object.keys(value).filter((name) => !known.has(name));
  const lists = names.map((name): unknown => Reflect.get(value, name)).filter(Array.isArray);
  return lists.some(({ length }) => length > 0);
}

/** The paths of the objects in which a list is: of `a/b/c` the root, `a` and `a/b`. */
function listPlaces(path: Path): readonly Path[] {
  const names = path === '' ? [] : path.split('/');
  return names.map((_, index) => names.slice(0, index).join('/'));
}
