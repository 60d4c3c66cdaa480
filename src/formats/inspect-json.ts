import { isObject, tryJson } from '../json.ts';
import {
  MAX_DOCUMENTS,
  endsLikeJson,
  findLaterJson,
  isJsonLike,
  parseDocuments,
} from '../json-syntax.ts';
import type { Documents, JsonError } from '../json-syntax.ts';
import { formatPlace } from '../text.ts';
import { END_LENGTH } from './content.ts';
import type { Content, Sample } from './content.ts';
import type { KindName } from './kinds.ts';
import { countDocument, recognise, recogniseStream } from './recognise.ts';
import { findErrorBesideNothing, findStatedError, findStreamedError } from './stated-error.ts';
import { hasSign } from './values.ts';

/**
 * How many opening brackets and commas a parsed text may have: almost twice as many as 32 MiB of the densest real scan.
 * Names that occur only once take V8 most: over 5 µs and 1 KiB for each.
 */
const MAX_ITEMS = 2_000_000;

/** Recognises a text that is JSON, a stream of JSON objects or lists, or begins like one; undefined for any other text. */
export function inspectJson(sample: Sample): Content | undefined {
  const { text, tail } = sample;
  const isParsed = tail === undefined && !isDense(text);
  const value = isParsed ? tryJson(text) : undefined;
  if (value !== undefined) return inspectDocument(value);
  if (!isJsonLike(text)) return undefined;
  return inspectDocuments(sample, isParsed ? parseDocuments(text) : parseBeginning(sample));
}

/** A single string, number or literal is JSON too (RFC 8259, section 2). */
function inspectDocument(value: unknown): Content {
  const kind = findDocumentKind(value);
  const content: Content = { ...recognise(value), inspected: 'full', kind };
  if (content.format !== 'json') return { ...content, ...countDocument(content.format, value) };
  if (kind !== undefined) return content;
  const firstError = findErrorBesideNothing(value);
  const scan = firstError === undefined ? undefined : 'failed';
  return { ...content, scan, firstError, ...stateError(findStatedError(value)) };
}

/** What a document is that has no format. */
function findDocumentKind(value: unknown): KindName | undefined {
  if (value === null) return 'null';
  if (!isObject(value)) return 'scalar';
  return Object.keys(value).length === 0 ? 'bare' : findAttestation(value);
}

/** How a document is signed. */
function findAttestation(value: unknown): KindName | undefined {
  if (hasSign(value, 'dsseEnvelope/payload')) return 'bundle';
  const isSigned = ['payloadType', 'payload', 'signatures'].every((name) => hasSign(value, name));
  return isSigned ? 'dsse' : undefined;
}

function stateError(words: string | undefined): Partial<Content> {
  return words === undefined ? {} : { kind: 'error', problem: `only states an error: ${words}` };
}

/**
 * The first documents of a text that is large or dense. It is whole if its last character closes its first bracket, or
 * any bracket of a stream.
 */
function parseBeginning({ text, tail = text }: Sample): Documents {
  const { documents } = parseDocuments(text.slice(0, END_LENGTH));
  const closing = text.trimStart().startsWith('{') ? '}' : ']';
  const isWhole = tail.trimEnd().endsWith(closing) || (documents.length > 0 && endsLikeJson(tail));
  return { documents, error: isWhole ? undefined : { type: 'truncated', position: text.length } };
}

/** Whether a text has more brackets and commas outside of its strings than are parsed. */
function isDense(text: string): boolean {
  if (text.length < MAX_ITEMS) return false;
  let count = 0;
  let isInString = false;
  for (let at = 0; at < text.length && count < MAX_ITEMS; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isInString = !isInString;
    else if (isInString && character === '\\') at += 1;
    else if (!isInString && '{[,'.includes(character)) count += 1;
  }
  return count === MAX_ITEMS;
}

/** Recognises a stream by its first documents, any other text that is not parsed whole by its ends. */
function inspectDocuments(sample: Sample, { documents, error }: Documents): Content {
  // A document with other text after it is no stream.
  const isStream = documents.length > (error?.type === 'trailing' ? 1 : 0);
  const content = isStream ? recogniseStream(documents) : recognise(readEnds(sample));
  if (error !== undefined) return { ...content, ...explainError(sample, error, content) };
  if (content.format !== 'json' || !isStream) return content;
  const isAll = sample.tail === undefined && documents.length < MAX_DOCUMENTS;
  const words = isAll ? findStreamedError(documents) : undefined;
  return { ...content, kind: findAttestation(documents[0]), ...stateError(words) };
}

/** The members by which CycloneDX, SPDX, SARIF and Trivy are known. */
const ROOT_MEMBERS = new Set(
  '$schema @context bomFormat specFormat specVersion spdxVersion version runs SchemaVersion ArtifactName'.split(
    ' ',
  ),
);
/** A member with a text or a number, or the beginning of one with a list. In a string its name has backslashes. */
const MEMBER = /"([$@]?\w+)"\s*:\s*("[^"\\\n]{0,512}"|\d+|\[)/g;

/** The members at both ends of a text that say what it is; the first of each name. Of a list there is only the name. */
function readEnds({ text, tail = text }: Sample): Readonly<Record<string, unknown>> {
  const ends = `${text.slice(0, END_LENGTH)}\n${tail.slice(-END_LENGTH)}`;
  const members: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of ends.matchAll(MEMBER)) {
    if (ROOT_MEMBERS.has(name)) members[name] ??= tryJson(value);
  }
  return members;
}

/** What may be shown of a text that may have secrets: an escape, a visible sign, or a word of another language. */
const SHOWN_PIECE = /^(?:\\.|NaN|-?Infinity|undefined|None|True|False|[^\w\s"\p{C}])/u;
const ESC = '\u001B';
const NUL = '\0';

/** Why a text is no whole document, in words that show nothing of it that may be a secret. */
function explainError(sample: Sample, error: JsonError, content: Content): Partial<Content> {
  const { text, size } = sample;
  const { type, position } = error;
  if (type === 'truncated') {
    return { kind: type, problem: `is truncated: its JSON ends too early, at byte ${size}` };
  }
  const place = formatPlace(text.slice(0, position));
  const character = text.charAt(position);
  if (character === ESC) {
    const problem = `has terminal colours (escape sequences) in its JSON (${place})`;
    return { kind: 'colored-inside', problem };
  }
  if (character === NUL) return { kind: 'malformed', problem: `has a NUL byte (${place})` };
  if (type === 'trailing') {
    const kind = findTrailingKind(sample, position, content);
    return { kind, problem: `has other text after its JSON (${place})` };
  }
  const what = describePiece(text, position);
  return { kind: type, problem: `is not well-formed JSON (${place}${what})` };
}

/** What is at a place where JSON ends too early; nothing if that may be a secret. */
function describePiece(text: string, position: number): string {
  const [piece = ''] = SHOWN_PIECE.exec(text.slice(position, position + 16)) ?? [];
  const isClosing = piece === '}' || piece === ']';
  if (isClosing && text.slice(0, position).trimEnd().endsWith(','))
    return `: a comma before ${piece}`;
  return piece && `: '${piece}'`;
}

/**
 * What the text after a document is: what a tool wrote beside it, or what is left of another document, which goes on with
 * JSON, or has a quote and no document of its own.
 */
function findTrailingKind(
  { text, tail = text }: Sample,
  position: number,
  { format, syntax }: Content,
): KindName {
  const rest = text.slice(position);
  const hasDocuments = syntax === 'ndjson' || findLaterJson(rest) >= 0;
  const isLeft = ',]}'.includes(rest.charAt(0)) || (!hasDocuments && rest.includes('"'));
  if (!isLeft || !endsLikeJson(tail)) return 'trailing';
  return format === 'sarif' ? 'appended-sarif' : 'appended';
}
