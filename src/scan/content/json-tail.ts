import { trimEnd } from './bytes.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set(Buffer.from('{['));
const CLOSING = new Set(Buffer.from('}]'));

/** Why there are none. `unseen`: the tail does not show it. `another value`: what ends is not what the text began with. */
type NoMembers = 'cut' | 'unseen' | 'another value';

/**
 * Reads backwards the end of a long JSON text whose last value is to end with one of `closing`.
 * Returns the whole members or items that stand there, bracket included. The end of a text lies
 * outside of strings, so that quotes can be told. A text that is cut right behind a bracket whose
 * opening lies before the tail looks like a whole one.
 */
export function findLastMembers(tail: Buffer, closing: '}' | ']' | '}]'): Buffer | NoMembers {
  const text = trimEnd(tail);
  if (text.length === 0) return 'unseen';
  if (!Buffer.from(closing).includes(text.at(-1) ?? 0)) return 'cut';
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
      if (depth === 0) return judgeBefore(text.subarray(0, index));
    } else if (byte === COMMA && depth === 1) start = index + 1;
  }
  return text.subarray(start);
}

function isEscaped(bytes: Buffer, index: number): boolean {
  let before = index;
  while (before > 0 && bytes[before - 1] === BACKSLASH) before -= 1;
  return (index - before) % 2 === 1;
}

/** What the end of a whole value comes to, by what stands before it. */
function judgeBefore(bytes: Buffer): NoMembers {
  const before = trimEnd(bytes).at(-1);
  if (before === undefined) return 'unseen';
  return CLOSING.has(before) ? 'another value' : 'cut';
}
