import { isObject, tryJson } from '../json.ts';
import { isJsonLike, parseDocuments } from '../json-syntax.ts';
import type { Documents, Fault } from '../json-syntax.ts';
import { formatPlace } from '../text.ts';
import { END_LENGTH } from './content.ts';
import type { Content, Sample } from './content.ts';
import { countDocument, recognise, recogniseStream } from './recognise.ts';
import { findStatedError } from './stated-error.ts';

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
  const isEmpty = !isObject(value) || Object.keys(value).length === 0;
  const kind = value === null ? 'null' : isObject(value) ? 'bare' : 'scalar';
  const content = recognise(value);
  const error = content.format === 'json' ? findStatedError(value) : undefined;
  return {
    ...content,
    ...countDocument(content.format, value),
    inspected: 'full',
    ...(isEmpty && { kind }),
    ...(error !== undefined && { fault: 'error', problem: `only states an error: ${error}` }),
  };
}

/**
 * The first documents of a text that is large or dense. It is whole if its last character closes its first bracket, or
 * any bracket of a stream.
 */
function parseBeginning({ text, tail = text }: Sample): Documents {
  const { documents } = parseDocuments(text.slice(0, END_LENGTH));
  const last = tail.trimEnd().at(-1) ?? '';
  const closing = text.trimStart().startsWith('{') ? '}' : ']';
  const isWhole = last === closing || (documents.length > 0 && ['}', ']'].includes(last));
  return { documents, fault: isWhole ? undefined : { kind: 'truncated', position: text.length } };
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
function inspectDocuments(sample: Sample, { documents, fault }: Documents): Content {
  // A document with other text after it is no stream.
  const isStream = documents.length > (fault?.kind === 'trailing' ? 1 : 0);
  return {
    ...(isStream ? recogniseStream(documents) : recognise(readEnds(sample))),
    ...(fault !== undefined && describeFault(sample, fault)),
  };
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

/** What may be shown of a text that may have secrets: an escape, a sign, or a word of another language. */
const SHOWN_PIECE = /^(?:\\.|NaN|-?Infinity|undefined|None|True|False|[^\w\s"])/;

function describeFault({ text, size }: Sample, { kind, position }: Fault): Partial<Content> {
  if (kind === 'truncated') {
    return { fault: kind, problem: `is truncated: its JSON ends too early, at byte ${size}` };
  }
  const before = text.slice(0, position);
  const place = formatPlace(before);
  if (kind === 'trailing') {
    return { fault: kind, problem: `has other text after its JSON (${place})` };
  }
  const [shown] = SHOWN_PIECE.exec(text.slice(position, position + 16)) ?? [];
  const isComma = (shown === '}' || shown === ']') && before.trimEnd().endsWith(',');
  const what = isComma ? `: a comma before ${shown}` : shown === undefined ? '' : `: '${shown}'`;
  return { fault: kind, problem: `is not well-formed JSON (${place}${what})` };
}
