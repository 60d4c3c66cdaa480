import { tryJson } from './json.ts';

/** Why a text is not JSON, and where, in UTF-16 code units; `trailing`: other text follows a document. */
export interface JsonError {
  readonly type: 'truncated' | 'malformed' | 'trailing';
  readonly position: number;
}

/** The first whole documents of a text, and what is wrong after them; no error if nothing but documents follows. */
export interface Documents {
  readonly documents: readonly unknown[];
  readonly error: JsonError | undefined;
}

/** A stream is recognised by this many documents: those of yarn may follow its notices. */
export const MAX_DOCUMENTS = 10;

/** How an object, or a list of objects, lists or texts begins: unlike `[1] a` or `[INFO] a`. */
const BEGINNING = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[{["\]]|$))/;

/** Whether a text that is not JSON was meant to be. */
export function isJsonLike(text: string): boolean {
  return BEGINNING.test(text);
}

/** JSON that begins in a later line. */
const LATER = /\n(?:\{\s*"|\[\s*[{\]])/;

/** Where JSON begins in a later line of a text, such as after what a tool wrote to its error output; -1 if nowhere. */
export function findLaterJson(text: string): number {
  return text.search(LATER);
}

/** Whether the last character of a text closes a list or an object. */
export function endsLikeJson(text: string): boolean {
  return ['}', ']'].includes(text.trimEnd().slice(-1));
}

/** A token (RFC 8259); of a string its first quote. */
const TOKEN = /[{}[\],:"]|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A piece of a string: an escape, or what needs none. */
const STRING_PIECE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})|[ !#-[\]-\uffff]+/y;

/** The tokens that may come next, by what was read before; `0` stands for any number or literal. */
const NEXT = {
  document: '{[',
  value: '{["0',
  'value or end': '{["]0',
  'name or end': '"}',
  name: '"',
  colon: ':',
  'comma or }': ',}',
  'comma or ]': ',]',
} as const;
type Next = keyof typeof NEXT;

/**
 * Parses the objects and lists that a text has one after the other, a text that JSON.parse refuses or the beginning of
 * one, and finds where it stops being JSON: JSON.parse does not say where each error is, and says it in words that differ
 * between versions.
 */
export function parseDocuments(text: string): Documents {
  const documents: unknown[] = [];
  const open: string[] = [];
  let next: Next = 'document';
  let end = 0;
  let at = skipSpace(text, 0);
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined || !NEXT[next].includes(toKind(token))) break;
    at += token.length;
    if (token === '"') {
      at = skipPieces(text, at);
      if (text.charAt(at) !== '"') break;
      at += 1;
    }
    next = advance(token, next, open);
    if (next === 'document') {
      if (documents.length < MAX_DOCUMENTS) documents.push(tryJson(text.slice(end, at)));
      end = at;
    }
    at = skipSpace(text, at);
  }
  const isWhole = at === text.length && next === 'document' && end > 0;
  return { documents, error: isWhole ? undefined : findError(text, at, end) };
}

function toKind(token: string): string {
  return '{}[],:"'.includes(token) ? token : '0';
}

/** The end of the pieces of a string. */
function skipPieces(text: string, start: number): number {
  let at = start;
  STRING_PIECE.lastIndex = at;
  while (STRING_PIECE.test(text)) at = STRING_PIECE.lastIndex;
  return at;
}

/** What may come after a token; `open` are the brackets that are open. */
function advance(token: string, was: Next, open: string[]): Next {
  if (token === ':') return 'value';
  if (token === ',') return open.at(-1) === '{' ? 'name' : 'value';
  if (token === '"' && (was === 'name' || was === 'name or end')) return 'colon';
  if (token === '{' || token === '[') open.push(token);
  if (token === '{') return 'name or end';
  if (token === '[') return 'value or end';
  if (token === '}' || token === ']') open.pop();
  if (open.length === 0) return 'document';
  return open.at(-1) === '{' ? 'comma or }' : 'comma or ]';
}

/** What may be the beginning of a number, a literal or an escape, at the end of a text. */
const HALF = /^[\w.+\\-]{0,24}\s*$/;

/** The error of a text that stops being JSON at `position`, after documents that end at `end`. */
function findError(text: string, position: number, end: number): JsonError {
  const start = skipSpace(text, end);
  if (end > 0 && !isJsonLike(text.slice(start))) return { type: 'trailing', position: start };
  return { type: HALF.test(text.slice(position)) ? 'truncated' : 'malformed', position };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}
