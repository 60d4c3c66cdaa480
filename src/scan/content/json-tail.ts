import { trimEnd } from './bytes.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set(Buffer.from('{['));
const CLOSING = new Set(Buffer.from('}]'));

/** `unseen`: the tail does not show it. `another value`: what ends is not what the text began with. */
type NoMembers = 'cut' | 'unseen' | 'another value';

/**
 * Reads backwards the end of a long JSON text whose outermost value is to end with `closing`. Returns
 * the whole members or items that stand there, bracket included, or why there are none. The end of a
 * text lies outside of strings, so that quotes can be told. A text that is cut right behind a bracket
 * whose opening lies before the tail looks like a whole one.
 */
export function findLastMembers(tail: Buffer, closing: '}' | ']'): Buffer | NoMembers {
  const text = trimEnd(tail);
  if (text.length === 0) return 'unseen';
  if (text.at(-1) !== closing.charCodeAt(0)) return 'cut';
  let start = text.length - 1;
  let depth = 0;
  let isInString = false;
  for (let index = start; index >= 0; index -= 1) {
    const byte = text[index] ?? 0;
    if (byte === QUOTE && !isEscaped(text, index)) isInString = !isInString;
    else if (isInString) continue;
    else if (CLOSING.has(byte)) depth += 1;
    else if (OPENING.has(byte)) {
      depth -= 1;
      if (depth === 0) return followsValue(text, index) ? 'another value' : 'cut';
    } else if (byte === COMMA && depth === 1) start = index + 1;
  }
  return text.subarray(start);
}

function isEscaped(bytes: Buffer, index: number): boolean {
  let before = index;
  while (before > 0 && bytes[before - 1] === BACKSLASH) before -= 1;
  return (index - before) % 2 === 1;
}

/** Whether what stands before `index`, white space aside, is the end of an object or list. */
function followsValue(bytes: Buffer, index: number): boolean {
  return CLOSING.has(trimEnd(bytes.subarray(0, index)).at(-1) ?? 0);
}
