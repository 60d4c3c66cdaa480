import { HTML_REFERENCE, decodeReferences } from '../html.ts';
import { stripInvisible } from '../text.ts';
import type { Clean } from '../text.ts';

/** Shorter pieces of Base64 are not searched for, because they may occur by chance. */
const MIN_PIECE_CHARACTERS = 8;
/** So many first characters say which lengths to compare. */
const KEY_CHARACTERS = 8;
/** Stands for a character of a secret; a text without invisible characters does not have it. */
const HIDDEN = '\0';

/** JSON's letters; before other characters, a backslash is only dropped. */
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** What finds the escapes of JSON and programming languages, of URLs and forms, and of HTML, and what one stands for. */
const ESCAPES: ReadonlyMap<RegExp, (escape: string) => string> = new Map([
  [
    /(\\(?:u[\da-f]{4}|x[\da-f]{2}|[^]))/i,
    (escape: string) =>
      escape.length > 2
        ? readHex(escape.slice(2))
        : (CONTROLS[escape.charAt(1)] ?? escape.charAt(1)),
  ],
  // A byte becomes the character with its number; a secret's forms have its UTF-8 like this.
  [/(%[\da-f]{2})/i, (escape: string) => readHex(escape.slice(1))],
  [HTML_REFERENCE, decodeReferences],
]);

/** Knows secrets, and removes them from texts. */
export class Redactor {
  readonly #parts = new Set<string>();
  /** The lengths of parts by their first characters. */
  readonly #lengths = new Map<string, Set<number>>();
  readonly #keyLengths = new Set<number>();

  /** Adds a secret, with and without its invisible characters. */
  learn(secret: string): void {
    const forms = listForms(secret).flatMap((form) => [form, stripInvisible(form)]);
    // A long form is searched for in parts of 32 characters: the time must not grow with its length.
    const parts = forms.flatMap((form) => [...(form.match(/[^]{32}/g) ?? []), form.slice(-32)]);
    for (const part of new Set(parts)) {
      // Never masks white space.
      if (part.trim() === '') continue;
      const key = part.slice(0, KEY_CHARACTERS);
      this.#parts.add(part);
      this.#keyLengths.add(key.length);
      this.#lengths.set(key, (this.#lengths.get(key) ?? new Set()).add(part.length));
    }
  }

  /**
   * Returns a text without invisible characters and secrets; those that touch or overlap become one mask. The
   * characters are removed first, because the text around them could form a secret. Escapes of each kind are undone
   * alone and once to find secrets, and stay elsewhere.
   */
  redact(text: string): string {
    const stripped = stripInvisible(text);
    const shown = stripped.split('');
    this.#hide(shown);
    // The end of a secret may have looked like the start of an escape, and hidden the next secret.
    if (shown.includes(HIDDEN)) this.#hide(shown);
    // Half of a character may be left where a part of a secret ends.
    return shown.join('').replace(new RegExp(`[${HIDDEN}\\p{Cs}]+`, 'gu'), '***');
  }

  #hide(shown: string[]): void {
    const text = shown.join('');
    const decoded = Array.from(ESCAPES, (escapes) => undoEscapes(text, ...escapes));
    const readings = decoded.filter(({ plain }) => plain !== text);
    for (const { plain, starts } of [{ plain: text, starts: [...shown.keys()] }, ...readings]) {
      for (const [start, end] of this.#find(plain)) shown.fill(HIDDEN, starts[start], starts[end]);
    }
  }

  *#find(text: string): Generator<readonly [start: number, end: number]> {
    for (const keyLength of this.#keyLengths) {
      for (let start = 0; start + keyLength <= text.length; start += 1) {
        const lengths = this.#lengths.get(text.slice(start, start + keyLength)) ?? [];
        for (const length of lengths) {
          const end = start + length;
          if (this.#parts.has(text.slice(start, end))) yield [start, end];
        }
      }
    }
  }
}

/** The secrets of the process: a secret that is known anywhere is removed everywhere, as with `core.setSecret`. */
const redactor = new Redactor();

/** Removes `secret` from all texts that are cleaned from now on. */
export function hide(secret: string): void {
  redactor.learn(secret);
}

/** A text from outside without invisible characters and secrets. Clean a text whole, before it is trimmed, cut or parsed. */
export const clean: Clean = (text) => redactor.redact(text);

/** A secret as it is, with its UTF-8 read as ISO 8859-1, both also with the spaces of a form, and in Base64. */
function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const padded = bytes.toString('base64');
  // Inside a longer text, which begins up to two bytes after a group of three, without what depends on that text.
  const pieces = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const end = Math.floor((shifted.length * 8) / 6);
    return shifted.toString('base64').slice(Math.ceil((offset * 8) / 6), end);
  });
  const long = pieces.filter((piece) => piece.length >= MIN_PIECE_CHARACTERS);
  const encoded = [padded, padded.replace(/=+$/, ''), ...long];
  return [
    ...[secret, bytes.toString('latin1')].flatMap((form) => [form, form.replaceAll(' ', '+')]),
    // The alphabet for URLs (RFC 4648, section 5).
    ...encoded.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
  ];
}

function readHex(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** A text without escapes of one kind, and where each of its characters begins in the text. */
function undoEscapes(text: string, pattern: RegExp, decode: (escape: string) => string) {
  const starts: number[] = [];
  let end = 0;
  const pieces = text.split(pattern).map((piece, index) => {
    const plain = index % 2 === 0 ? piece : decode(piece);
    for (let unit = 0; unit < plain.length; unit += 1) starts.push(end + unit);
    end += piece.length;
    return plain;
  });
  return { plain: pieces.join(''), starts };
}
