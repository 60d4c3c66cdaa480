import { describeProblem } from './bytes.ts';
import type { Content, Fault, Sample } from './content.ts';
import {
  beginsAsJson,
  closeHead,
  findRest,
  isTooDense,
  parseJson,
  parseStream,
  trimEnd,
} from './parse-json.ts';
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
  const isContainer = /^[ \t\r\n]*[{[]/.test(text);
  if (isFull && isContainer && isTooDense(text)) {
    return inspectJson({ ...sample, text: text.slice(0, MAX_HEAD), tail: sample.bytes });
  }
  const json = isFull ? text : closeHead(text);
  const { value, fault } = parseJson(json);
  const rest = isFull || !isContainer ? undefined : findRest(text, json);
  if (isContainer && fault?.kind === 'several') {
    const stream = parseStream(json);
    const problem = describeProblem(sample, 'JSON', stream.fault ?? rest ?? checkEnd(sample, '}]'));
    return { ...recogniseStream(stream.value), ...problem };
  }
  // A single string, number or literal is JSON too (RFC 8259, section 2).
  if (!isContainer && (fault !== undefined || !isFull)) return undefined;
  if (fault?.kind === 'malformed' && !beginsAsJson(text, 0)) return undefined;
  const document = fault === undefined ? value : parseHead(text, fault);
  const isCounted = isFull && fault === undefined;
  const content = recogniseDocument('json', document, isFull ? 'full' : 'partial', isCounted);
  // What closes the first bracket of a large file must be at its end.
  const endings = text.trimStart().startsWith('{') ? '}' : ']';
  const found = fault ?? rest ?? (isFull ? undefined : checkEnd(sample, endings));
  return { ...content, ...describeProblem(sample, 'JSON', found) };
}

/** The beginning of an invalid text, as a value: the part before the error, or a shorter one. */
function parseHead(text: string, { position = MAX_HEAD }: Fault): unknown {
  let end = Math.min(position, text.length, MAX_HEAD);
  for (; end > 0; end = Math.floor(end / 2)) {
    const { value } = parseJson(closeHead(text.slice(0, end)));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The fault of a file that has something else at its end than one of these characters. */
function checkEnd({ bytes, tail = bytes }: Sample, endings: string): Fault | undefined {
  const last = trimEnd(tail.subarray(-MAX_HEAD).toString('latin1')).at(-1) ?? '';
  return endings.includes(last) ? undefined : { kind: 'truncated' };
}
