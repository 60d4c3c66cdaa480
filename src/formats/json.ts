import { findInvalid, findOffset } from './bytes.ts';
import type { Content, Sample } from './content.ts';
import { describeInvalid, describeTruncated } from './describe.ts';
import { closeHead, parseJson, parseStream, trimEnd } from './parse-json.ts';
import type { JsonFault } from './parse-json.ts';
import { recogniseDocument, recogniseStream } from './recognise.ts';

/** How much of an invalid text is parsed to recognise it, in UTF-16 code units. */
const MAX_HEAD = 1024 * 1024;

/**
 * Recognises a text that is JSON, a stream of JSON objects or lists, or begins like one; undefined for any
 * other text. A large file is recognised by its beginning, and is truncated if its end does not close it.
 */
export function inspectJson(sample: Sample): Content | undefined {
  const { text, tail } = sample;
  const isFull = tail === undefined;
  const json = isFull ? text : closeHead(text);
  const { value, fault } = parseJson(json);
  if (fault?.kind === 'several' || text.trimStart().startsWith('\x1e')) {
    return inspectStream(sample, json);
  }
  const isContainer = /^[ \t\r\n]*[{[]/.test(text);
  // A single string, number or literal is JSON too (RFC 8259, section 2).
  if (!isContainer && (fault !== undefined || !isFull)) return undefined;
  if (fault !== undefined && isProse(text, fault)) return undefined;
  const document = fault === undefined ? value : parseHead(text, fault);
  const isCounted = isFull && fault === undefined;
  const content = recogniseDocument('json', document, isFull ? 'full' : 'partial', isCounted);
  // What closes the first bracket of a large file must be at its end.
  const endings = text.trimStart().startsWith('{') ? '}' : ']';
  return { ...content, ...findProblem(sample, fault, endings) };
}

/** Recognises a text of several values. Those of a large file are not counted. */
function inspectStream(sample: Sample, json: string): Content {
  const { values, count, fault } = parseStream(json);
  const isFull = sample.tail === undefined;
  const isWhole = isFull && count === values.length;
  return {
    ...recogniseStream(values, isWhole ? 'full' : 'partial', fault === undefined),
    ...(isFull && fault === undefined && { documents: count }),
    ...findProblem(sample, fault, '}]'),
  };
}

/** Whether a text stops being JSON within its first name or value: `[OK] 3 files checked`. */
function isProse(text: string, { kind, position = Infinity }: JsonFault): boolean {
  return kind === 'malformed' && !/[",\]}]/.test(text.slice(0, position));
}

/** The part of an invalid text before the error, as a value. */
function parseHead(text: string, { position = Infinity }: JsonFault): unknown {
  return parseJson(closeHead(text.slice(0, Math.min(position, MAX_HEAD)))).value;
}

/** The problem of a text that has a fault, or that ends in none of these characters. */
function findProblem(
  sample: Sample,
  fault: JsonFault | undefined,
  endings: string,
): Pick<Content, 'problem'> {
  const isMalformed = fault?.kind === 'malformed';
  if (fault?.kind === 'truncated' || (!isMalformed && !isClosed(sample, endings))) {
    return { problem: describeTruncated('JSON', sample.size) };
  }
  const invalidAt = findInvalid(sample);
  if (invalidAt !== undefined) return { problem: describeInvalid(invalidAt) };
  if (!isMalformed) return {};
  const { position } = fault;
  const place = position === undefined ? '' : ` (at byte ${findOffset(sample, position)})`;
  return { problem: `is not well-formed JSON${place}` };
}

/** Whether a large file ends with one of these characters, but for white space, or only with white space. */
function isClosed({ tail }: Sample, endings: string): boolean {
  const last = tail === undefined ? undefined : trimEnd(tail.toString('latin1')).at(-1);
  return last === undefined || endings.includes(last);
}
