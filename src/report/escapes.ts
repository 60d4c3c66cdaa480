/** What every escape begins with. */
export const ESCAPE_SIGN = /[%&\\]/;

/** A text as bytes, and from where in the original text each of them comes. */
export interface Decoded {
  /** UTF-8, a character for each byte. */
  readonly bytes: string;
  /** For each byte, and for the end, the index of its first UTF-16 unit in the original text. */
  readonly origins: Uint32Array;
}

const PERCENT = '%(?<byte>[0-9a-f]{2})';
const JSON_ESCAPE =
  '\\\\u(?<high>d[89ab][0-9a-f]{2})\\\\u(?<low>d[c-f][0-9a-f]{2})|\\\\u(?<unit>[0-9a-f]{4})|\\\\(?<letter>["\'\\\\/bfnrt])';
const HTML =
  '&(?:#x0*(?<hexadecimal>[0-9a-f]{1,6})|#0*(?<decimal>\\d{1,7})|(?<name>amp|apos|equals|gt|lt|plus|quot|sol));';

/**
 * Ways to encode a text: percent encoding, escapes of JSON, character references of HTML, and all of
 * them together. Apart, since a secret may have what only looks like an escape of another kind.
 */
export const ENCODINGS: readonly RegExp[] = [
  [PERCENT],
  [JSON_ESCAPE],
  [HTML],
  [PERCENT, JSON_ESCAPE, HTML],
].map((kinds) => new RegExp(kinds.join('|'), 'gi'));

const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  equals: '=',
  gt: '>',
  lt: '<',
  plus: '+',
  quot: '"',
  sol: '/',
};

/** A text as it is, in bytes. */
export function encodeText(text: string): Decoded {
  const bytes = toBytes(text);
  const origins = new Uint32Array(bytes.length + 1);
  let at = 0;
  for (let index = 0; index < text.length;) {
    const code = text.codePointAt(index) ?? 0;
    const end = at + countBytes(code);
    origins.fill(index, at, end);
    at = end;
    index += code > 0xffff ? 2 : 1;
  }
  origins[at] = text.length;
  return { bytes, origins };
}

/** A text with one level of an encoding decoded; undefined if it has no such escape. */
export function decodeEscapes({ bytes, origins }: Decoded, encoding: RegExp): Decoded | undefined {
  const pieces: string[] = [];
  const decoded = new Uint32Array(origins.length);
  let length = 0;
  let from = 0;
  for (const match of bytes.matchAll(encoding)) {
    const character = decodeEscape(match[0], match.groups);
    pieces.push(bytes.slice(from, match.index), character);
    decoded.set(origins.subarray(from, match.index), length);
    length += match.index - from;
    decoded.fill(origins[match.index] ?? 0, length, length + character.length);
    length += character.length;
    from = match.index + match[0].length;
  }
  if (from === 0) return undefined;
  pieces.push(bytes.slice(from));
  decoded.set(origins.subarray(from), length);
  return { bytes: pieces.join(''), origins: decoded };
}

function countBytes(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/** The bytes of a text, a character for each. */
export function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The bytes that an escape stands for, which are never more than it has itself. */
function decodeEscape(whole: string, groups: RegExpExecArray['groups'] = {}): string {
  const { byte, high, low, unit, letter, hexadecimal, decimal, name } = groups;
  if (byte !== undefined) return decodeUnits(byte);
  if (high !== undefined && low !== undefined) return toBytes(decodeUnits(high, low));
  if (unit !== undefined) return toBytes(decodeUnits(unit));
  if (letter !== undefined) return LETTERS[letter] ?? letter;
  if (name !== undefined) return NAMES[name.toLowerCase()] ?? whole;
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return code > 0x10ffff ? whole : toBytes(String.fromCodePoint(code));
}

function decodeUnits(...units: readonly string[]): string {
  return String.fromCharCode(...units.map((digits) => Number.parseInt(digits, 16)));
}
