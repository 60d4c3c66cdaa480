/** Why a text is not one JSON value, and where. */
export interface JsonFault {
  /** `truncated`: it ends too early. `several`: another value follows the first, as in NDJSON. */
  readonly kind: 'truncated' | 'several' | 'malformed';
  /** In UTF-16 code units; may be undefined beyond the first MAX_SEARCHED of them. */
  readonly position: number | undefined;
}

export type ParsedJson =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: JsonFault };

/** How much is searched, in UTF-16 code units; the search takes up to twenty times as long as parsing. */
const MAX_SEARCHED = 1024 * 1024;

/** The end of V8's messages. A message that quotes the text ends differently, so the text cannot imitate it. */
const POSITION = / at position (\d+) \(line \d+ column \d+\)$/;

/** Parses a JSON text without a byte order mark. */
export function parseJson(text: string): ParsedJson {
  // Without it, V8 reports the error of a truncated text at the end of the text.
  const json = trimEnd(text);
  const { value, fault } = tryParse(json);
  if (fault === undefined) return { value };
  const { kind, position } = fault;
  if (kind === 'truncated') return { fault: { kind, position: text.length } };
  return { fault: { kind, position: position ?? findFault(json) } };
}

function tryParse(json: string): ParsedJson {
  try {
    return { value: JSON.parse(json) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { fault: judgeFault(json, error.message) };
  }
}

function judgeFault(json: string, message: string): JsonFault {
  const found = POSITION.exec(message)?.[1];
  const position = found === undefined ? undefined : Number(found);
  if (position === json.length || message.startsWith('Unexpected end')) {
    return { kind: 'truncated', position };
  }
  const isSecond = message.startsWith('Unexpected non-whitespace character after JSON');
  const isSeveral = isSecond && /[{[]/.test(json.charAt(position ?? 0));
  return { kind: isSeveral ? 'several' : 'malformed', position };
}

/**
 * Finds where a text stops being JSON, because V8 does not report it for every unexpected character: at
 * the last character of the shortest beginning that is malformed.
 */
function findFault(json: string): number | undefined {
  let [start, end] = [0, MAX_SEARCHED];
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    if (tryParse(json.slice(0, middle + 1)).fault?.kind === 'malformed') end = middle;
    else start = middle + 1;
  }
  return start < MAX_SEARCHED ? start : undefined;
}

/**
 * Makes the beginning of a JSON text parseable: cuts it after the last bracket or before the last comma
 * outside of a string, and closes the brackets that are open there.
 */
export function closeHead(text: string): string {
  const open: string[] = [];
  let [end, depth, isInString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isInString = !isInString;
    else if (isInString) at += character === '\\' ? 1 : 0;
    else if (/[[\]{},]/.test(character)) {
      if (character === '{') open.push('}');
      else if (character === '[') open.push(']');
      else if (character !== ',') open.pop();
      end = character === ',' ? at : at + 1;
      depth = open.length;
    }
  }
  return text.slice(0, end) + open.slice(0, depth).toReversed().join('');
}

/** A text without JSON's white space at its end. A regular expression would take quadratic time. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
