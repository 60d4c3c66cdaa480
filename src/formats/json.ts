import { findInvalid, findOffset } from './bytes.ts';
import type { Content, Inspected, Sample } from './content.ts';
import { describeInvalid, describeTruncated } from './describe.ts';
import { closeHead, parseJson, trimEnd } from './parse-json.ts';
import type { JsonFault } from './parse-json.ts';
import { describeDocument } from './recognise.ts';

/** How much of an invalid text is parsed to recognise it, in UTF-16 code units. */
const MAX_HEAD = 1024 * 1024;

/**
 * Recognises a text that is JSON or begins like a JSON object or list; undefined for any other text. A
 * large file is recognised by its beginning, and is truncated if its end does not close it.
 */
export function inspectJson(sample: Sample): Content | undefined {
  const { text, tail } = sample;
  const isFull = tail === undefined;
  const inspected = isFull ? 'full' : 'partial';
  const { value, fault } = parseJson(isFull ? text : closeHead(text));
  const isContainer = /^[ \t\r\n]*[{[]/.test(text);
  // A single string, number or literal is JSON too (RFC 8259, section 2).
  if (!isContainer && (fault !== undefined || !isFull)) return undefined;
  const wrong = findFault(sample, fault);
  return {
    ...(fault === undefined
      ? describeDocument('json', value, inspected, isFull)
      : describeFaulty(sample, fault, inspected)),
    ...(wrong !== undefined && { fault: wrong }),
  };
}

/** Recognises a text that is not one JSON value by the part before the error. */
function describeFaulty(
  sample: Sample,
  { kind, position = 0 }: JsonFault,
  inspected: Inspected,
): Content {
  if (kind !== 'several') {
    const { value } = parseJson(closeHead(sample.text.slice(0, Math.min(position, MAX_HEAD))));
    return describeDocument('json', value, inspected, false);
  }
  const place = `the second at byte ${findOffset(sample, position)}`;
  return {
    format: 'unknown',
    syntax: 'ndjson',
    inspected,
    kind: `several JSON values one after the other (NDJSON, ${place})`,
  };
}

/** The problem of a text, found by the parser or at the end of the file. */
function findFault(sample: Sample, fault: JsonFault | undefined): string | undefined {
  const isMalformed = fault?.kind === 'malformed';
  if (fault?.kind === 'truncated' || (!isMalformed && !isClosed(sample, fault !== undefined))) {
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
 * Whether the file ends with the bracket that closes its first one, or with any closing bracket if it has
 * several values. White space after it does not matter.
 */
function isClosed({ text, tail }: Sample, isSeveral: boolean): boolean {
  const last = trimEnd(tail?.toString('latin1') ?? text).at(-1);
  if (last === undefined) return true;
  if (isSeveral) return last === '}' || last === ']';
  return tail === undefined || last === (text.trimStart().startsWith('{') ? '}' : ']');
}
