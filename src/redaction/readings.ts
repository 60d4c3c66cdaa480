import { unescape } from 'node:querystring';

/**
 * How URLs, JSON and HTML write a character: its bytes, a number, or a name. Each kind is read alone, because a secret
 * may contain what looks like an escape of another one.
 */
const ESCAPES = [
  /(?<bytes>%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f])+)/gi,
  /\\(?:u(?<hex>[\da-f]{4})|(?<code>x[\da-f]{2})|(?<name>[\W_t]))/gi,
  /&(?:#(?<code>x0*[\da-f]{1,5}|0*\d{1,6})|(?<name>amp|lt|gt|quot|apos|plus|sol|equals));/gi,
];
const NAMED: Readonly<Record<string, string>> = {
  t: '\t',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  plus: '+',
  sol: '/',
  equals: '=',
};

/** A text as a reader may understand it, and where each of its UTF-16 code units, and its end, stand in the text as it is. */
export interface Reading {
  readonly text: string;
  readonly places: readonly number[];
}

/** A text as it is, and with its escapes undone once, for each kind of escapes that it has. */
export function listReadings(text: string): readonly Reading[] {
  const kinds = ESCAPES.filter((escape) => text.search(escape) >= 0);
  return [undo(text, []), ...kinds.map((escape) => undo(text, text.matchAll(escape)))];
}

function undo(text: string, escapes: Iterable<RegExpExecArray>): Reading {
  const parts: string[] = [];
  const places: number[] = [];
  let kept = 0;
  for (const escape of escapes) {
    const character = decode(escape.groups ?? {});
    parts.push(text.slice(kept, escape.index), character);
    while (kept <= escape.index) places.push(kept++);
    kept = escape.index + escape[0].length;
    // The first unit of a character stands for the whole escape.
    if (character.length > 1) places.push(kept);
  }
  parts.push(text.slice(kept));
  while (kept <= text.length) places.push(kept++);
  return { text: parts.join(''), places };
}

/** The character that an escape stands for. */
function decode({
  bytes,
  hex,
  code = `x${hex}`,
  name,
}: Readonly<Record<string, string | undefined>>): string {
  if (bytes !== undefined) return unescape(bytes);
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? name;
  return String.fromCodePoint(Number(`0${code}`));
}
