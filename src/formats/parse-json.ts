import { tryJson } from '../json.ts';

/** Why a text is not one JSON document, and where, in UTF-16 code units. */
export interface Fault {
  /** `several`: another object or list follows the first one; `trailing`: other text does. */
  readonly kind: 'truncated' | 'malformed' | 'several' | 'trailing';
  readonly position: number;
}

/** A text that is not one document: what is wrong with it, and the whole documents at its beginning. */
export interface BrokenJson {
  readonly value?: undefined;
  readonly fault: Fault;
  readonly documents: readonly unknown[];
}

/** The value of a text that is one document. */
interface ParsedJson {
  readonly fault?: undefined;
  readonly value: unknown;
}

/** A stream is recognised by this many documents: those of yarn may follow its notices. */
const MAX_DOCUMENTS = 10;

/** How an object, or a list of objects, lists or texts begins: unlike `[1] a` or `[INFO] a`. */
const BEGINNING = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[{["\]]|$))/;

/** Whether a text that is not JSON was meant to be. */
export function isJsonLike(text: string): boolean {
  return BEGINNING.test(text);
}

/** Parses a JSON text without a byte order mark. */
export function parseJson(text: string): ParsedJson | BrokenJson {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return parseDocuments(text);
  }
}

/** Parses the first objects and lists of a text that has several, or the beginning of one. */
export function parseDocuments(text: string): BrokenJson {
  const { ends, fault } = scanJson(text);
  const [position = 0] = ends;
  const documents = ends
    .slice(0, MAX_DOCUMENTS)
    .map((end, index) => tryJson(text.slice(ends[index - 1] ?? 0, end)));
  return { documents, fault: fault ?? { kind: 'several', position: skipSpace(text, position) } };
}

const SCALAR = String.raw`true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
/** The end of a string, or a piece of it: an escape, or what needs none. */
const STRING_PIECE = /"|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})|[ !#-[\]-\uffff]+/y;

/** What may come next in a text (RFC 8259), by what was read before. */
const NEXT = {
  document: /[{[]/y,
  value: new RegExp(`[{["]|${SCALAR}`, 'y'),
  'value or end': new RegExp(`[{["\\]]|${SCALAR}`, 'y'),
  'name or end': /["}]/y,
  name: /"/y,
  colon: /:/y,
  'comma or }': /[,}]/y,
  'comma or ]': /[,\]]/y,
  'rest of a name': STRING_PIECE,
  'rest of a text': STRING_PIECE,
} as const;
type Next = keyof typeof NEXT;

/**
 * Reads the tokens of a text: where the objects and lists that stand one after the other end, and where it stops being
 * JSON. JSON.parse does not say where each fault is, and says it in words that differ between versions.
 */
function scanJson(text: string): { readonly ends: readonly number[]; readonly fault?: Fault } {
  const ends: number[] = [];
  const open: string[] = [];
  let next: Next = 'document';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const pattern: RegExp = NEXT[next];
    pattern.lastIndex = at;
    const token = pattern.exec(text)?.[0];
    if (token === undefined) break;
    at = pattern.lastIndex;
    next = advance(token, next, open);
    if (open.length === 0) ends.push(at);
    if (!next.startsWith('rest')) at = skipSpace(text, at);
  }
  const isWhole = at === text.length && next === 'document' && ends.length > 0;
  return isWhole ? { ends } : { ends, fault: findFault(text, at, ends.at(-1)) };
}

/** What may come after a token; `open` are the brackets that are open. */
function advance(token: string, was: Next, open: string[]): Next {
  const isInString = was.startsWith('rest');
  if (isInString && token !== '"') return was;
  if (was === 'rest of a name') return 'colon';
  if (!isInString) {
    if (token === '"') return was.startsWith('name') ? 'rest of a name' : 'rest of a text';
    if (token === ':') return 'value';
    if (token === ',') return open.at(-1) === '{' ? 'name' : 'value';
    if (token === '{' || token === '[') open.push(token);
    if (token === '{') return 'name or end';
    if (token === '[') return 'value or end';
    if (token === '}' || token === ']') open.pop();
  }
  if (open.length === 0) return 'document';
  return open.at(-1) === '{' ? 'comma or }' : 'comma or ]';
}

/** What may be the beginning of a number, a literal or an escape, at the end of a text. */
const HALF = /^[\w.+\\-]{0,24}\s*$/;
const MAX_BEGINNING = 1024;

/** The fault of a text that stops being JSON at `position`, after documents that end at `end`. */
function findFault(text: string, position: number, end: number | undefined): Fault {
  const start = skipSpace(text, end ?? 0);
  const isBegun = end === undefined || isJsonLike(text.slice(start, start + MAX_BEGINNING));
  if (!isBegun) return { kind: 'trailing', position: start };
  const isHalf = HALF.test(text.slice(position, position + MAX_BEGINNING));
  return { kind: isHalf ? 'truncated' : 'malformed', position };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}
