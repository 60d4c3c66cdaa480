import { errorMessage } from '../errors.ts';
import type { Fault } from './content.ts';

/** The value of a text that has no fault. */
interface ParsedJson {
  readonly value?: unknown;
  readonly fault?: Fault;
}

/** What divides a JSON text outside of its strings. */
const MARKS = '{}[],';
const WHITE_SPACE = ' \t\r\n';

/**
 * How many opening brackets and commas a text may have: almost twice as many as 32 MiB of the densest real scan.
 * Objects with a million names, and lists in lists, take V8 over 1 µs and 100 bytes for each.
 */
const MAX_VALUES = 2_000_000;

/** A stream is recognised by this many documents: those of yarn may follow its notices. */
const MAX_DOCUMENTS = 10;

/** The end of V8's messages. A message that quotes the text ends differently, so the text cannot imitate it. */
const POSITION = / at position (\d+) \(line \d+ column \d+\)$/;

/** Parses a JSON text without a byte order mark. */
export function parseJson(text: string): ParsedJson {
  // Without it, V8 reports the error of a truncated text at the end of the text.
  const json = trimEnd(text);
  try {
    return { value: JSON.parse(json) };
  } catch (error) {
    const message = errorMessage(error);
    const found = POSITION.exec(message)?.[1];
    const position = found === undefined ? undefined : Number(found);
    if (position === json.length || message.startsWith('Unexpected end')) {
      return { fault: { kind: 'truncated', position: text.length } };
    }
    const isSecond = message.startsWith('Unexpected non-whitespace character after JSON');
    if (!isSecond) return { fault: { kind: 'malformed', position } };
    const isSeveral = /[{[]/.test(json.charAt(position ?? -1));
    return { fault: { kind: isSeveral ? 'several' : nameRest(json, position), position } };
  }
}

/** Parses the first of the objects and lists that stand one after the other, as a list; the others need only be closed. */
export function parseStream(text: string): ParsedJson & { value: readonly unknown[] } {
  const json = trimEnd(text);
  const closed = closeHead(json);
  const values: unknown[] = [];
  let start = 0;
  while (values.length < MAX_DOCUMENTS) {
    const { value, fault } = parseJson(closed.slice(start));
    const end = start + (fault?.position ?? 0);
    if (fault !== undefined && fault.kind !== 'several') {
      return { value: values, fault: { ...fault, position: end } };
    }
    values.push(fault === undefined ? value : JSON.parse(closed.slice(start, end)));
    if (fault === undefined) break;
    start = end;
  }
  const fault = json.startsWith(closed) ? findRest(json, closed) : ({ kind: 'truncated' } as const);
  return { value: values, ...(fault !== undefined && { fault }) };
}

/** The fault of what follows whole documents, which `closeHead` cut off; undefined if it cut inside of one. */
export function findRest(text: string, closed: string): Fault | undefined {
  if (!text.startsWith(closed)) return undefined;
  const position = text.length - text.slice(closed.length).trimStart().length;
  return position < text.length ? { kind: nameRest(text, position), position } : undefined;
}

/** JSON up to the end of its first name or value, unlike a text such as `[OK] 3 files checked`. */
const BEGINNING =
  /^\s*(?:\[\s*)*(?:"|\](?<=\[\s*\])|\{\s*(?:["}]|$)|(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?)\s*[,\]]|$)/i;
const MAX_BEGINNING = 1024;

/** Whether a text may be JSON from a position on. */
export function beginsAsJson(text: string, position: number): boolean {
  return BEGINNING.test(text.slice(position, position + MAX_BEGINNING));
}

/** A line that begins or goes on like JSON. */
const PIECE = /^(?:[,:}\]"]|.*"\s*[,:}\]])/;

/** What stands after a value: a text of another program, or what may be a piece of a report, which is not shown. */
function nameRest(text: string, position = 0): 'trailing' | 'malformed' {
  const isPiece = PIECE.test(text.slice(position, position + MAX_BEGINNING));
  return isPiece || beginsAsJson(text, position) ? 'malformed' : 'trailing';
}

/**
 * Makes the beginning of a JSON text parseable: cuts it after the last bracket or before the last comma
 * outside of a string, and closes the brackets that are open there. A text after JSON is cut off.
 */
export function closeHead(text: string): string {
  const open: string[] = [];
  let [end, depth] = [0, 0];
  for (let at = findMark(text, 0); at >= 0; at = findMark(text, at + 1)) {
    const mark = text.charAt(at);
    if (depth === 0 && end > 0 && !beginsAsJson(text, end)) break;
    if (mark === '{') open.push('}');
    else if (mark === '[') open.push(']');
    else if (mark !== ',') open.pop();
    end = mark === ',' ? at : at + 1;
    depth = open.length;
  }
  return text.slice(0, end) + open.slice(0, depth).toReversed().join('');
}

/** Whether a text has more values than are parsed. */
export function isTooDense(text: string): boolean {
  let count = 0;
  if (text.length < MAX_VALUES) return false;
  for (let at = findMark(text, 0); at >= 0 && count < MAX_VALUES; at = findMark(text, at + 1)) {
    if (!'}]'.includes(text.charAt(at))) count += 1;
  }
  return count === MAX_VALUES;
}

/** Where the next bracket or comma outside of a string is, from `start` on; -1 if there is none. */
function findMark(text: string, start: number): number {
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isInString = !isInString;
    else if (isInString && character === '\\') at += 1;
    else if (!isInString && MARKS.includes(character)) return at;
  }
  return -1;
}

/** A text without JSON's white space at its end. A regular expression would take quadratic time. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE_SPACE.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
