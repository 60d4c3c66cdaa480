import { findInvalid, findOffset } from './bytes.ts';
import type { Content, Sample } from './content.ts';
import { describeInvalid, describeTruncated } from './describe.ts';
import { closeHead, parseJson, parseStream, trimEnd } from './parse-json.ts';
import type { JsonFault } from './parse-json.ts';
import { describeDocument, describeStream } from './recognise.ts';

/** How much of an invalid text is parsed to recognise it, in UTF-16 code units. */
const MAX_HEAD = 1024 * 1024;

/**
 * Recognises a text that is JSON, a stream of JSON objects or lists, or begins like one; undefined for any
 * other text. A large file is recognised by its beginning, and is truncated if its end does not close it.
 */
export function inspectJson(sample: Sample): Content | undefined {
  const { text, tail } = sample;
  const isFull = tail === undefined;
  const inspected = isFull ? 'full' : 'partial';
  const json = isFull ? text : closeHead(text);
  const { value, fault } = parseJson(json);
  if (fault?.kind === 'several' || text.trimStart().startsWith('\x1e')) {
    return inspectStream(sample, json);
  }
  const isContainer = /^[ \t\r\n]*[{[]/.test(text);
  // A single string, number or literal is JSON too (RFC 8259, section 2).
  if (!isContainer && (fault !== undefined || !isFull)) return undefined;
  if (fault !== undefined && isProse(text, fault)) return undefined;
  const content =
    fault === undefined
      ? describeDocument('json', value, inspected, isFull)
      : describeDocument('json', parseHead(text, fault), inspected, false);
  return addFault(content, findFault(sample, fault));
}

/** Recognises a text of several values. Those of a large file are not counted. */
function inspectStream(sample: Sample, json: string): Content {
  const { values, count, fault } = parseStream(json);
  const isWhole = sample.tail === undefined && count === values.length;
  const content = describeStream(values, isWhole ? 'full' : 'partial', fault === undefined);
  const documents = sample.tail === undefined && fault === undefined ? { documents: count } : {};
  return addFault({ ...content, ...documents }, findFault(sample, fault, true));
}

/** Whether a text stops being JSON within its first name or value: `[OK] 3 files checked`. */
function isProse(text: string, { kind, position = Infinity }: JsonFault): boolean {
  return kind === 'malformed' && !/[",\]}]/.test(text.slice(0, position));
}

/** The part of an invalid text before the error, as a value. */
function parseHead(text: string, { position = Infinity }: JsonFault): unknown {
  return parseJson(closeHead(text.slice(0, Math.min(position, MAX_HEAD)))).value;
}

function addFault(content: Content, fault: string | undefined): Content {
  return fault === undefined ? content : { ...content, fault };
}

/** The problem of a text, found by the parser or at the end of the file. */
function findFault(
  sample: Sample,
  fault: JsonFault | undefined,
  isStream = false,
): string | undefined {
  const isMalformed = fault?.kind === 'malformed';
  if (fault?.kind === 'truncated' || (!isMalformed && !isClosed(sample, isStream))) {
    return describeTruncated('JSON', sample.size);
  }
  const invalidAt = findInvalid(sample);
  if (invalidAt !== undefined) return describeInvalid(invalidAt);
  if (!isMalformed) return undefined;
  const { position } = fault;
  const place = position === undefined ? '' : ` (at byte ${findOffset(sample, position)})`;
  return `is not well-formed JSON${place}`;
}

/**
 * Whether a large file ends with the bracket that closes its first one, or a stream with any closing
 * bracket. White space after it does not matter.
 */
function isClosed({ text, tail }: Sample, isStream: boolean): boolean {
  const last = tail === undefined ? undefined : trimEnd(tail.toString('latin1')).at(-1);
  if (last === undefined) return true;
  if (isStream) return last === '}' || last === ']';
  return last === (text.trimStart().startsWith('{') ? '}' : ']');
}
