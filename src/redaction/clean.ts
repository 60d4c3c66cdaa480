import { HTML_REFERENCE, decodeReferences } from '../html.ts';
import { stripInvisible } from '../text.ts';

/** Shorter pieces of Base64 are not searched for, because they may occur by chance. */
const MIN_PIECE_CHARACTERS = 8;
/** So many first characters say which lengths to compare. */
const KEY_CHARACTERS = 8;
/** Stands for a character of a secret; a text without invisible characters does not have it. */
const HIDDEN = '\0';
const URL_ESCAPE = /(%[\da-f]{2})/i;
/** How a text is read: as it is, and without the escapes of JSON and programming languages, of URLs, or of HTML. */
const READINGS = [/(?!)/, /(\\(?:u[\da-f]{4}|x[\da-f]{2}|[^]))/i, URL_ESCAPE, HTML_REFERENCE];
const CONTROLS: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\t': '\t' };

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
    // Never masks white space.
    for (const part of parts.filter((each) => each.trim() !== '')) {
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
    const shown = stripInvisible(text).split('');
    this.#hide(shown);
    // The end of a secret may have looked like the start of an escape, and hidden the next secret.
    if (shown.includes(HIDDEN)) this.#hide(shown);
    // Half of a character may be left where a part of a secret ends.
    return shown.join('').replace(new RegExp(`[${HIDDEN}\\p{Cs}]+`, 'gu'), '***');
  }

  #hide(shown: string[]): void {
    const text = shown.join('');
    for (const { plain, starts } of READINGS.map((escapes) => undoEscapes(text, escapes))) {
      for (const keyLength of this.#keyLengths) {
        for (let start = 0; start + keyLength <= plain.length; start += 1) {
          for (const length of this.#lengths.get(plain.slice(start, start + keyLength)) ?? []) {
            if (this.#parts.has(plain.slice(start, start + length)))
              shown.fill(HIDDEN, starts[start], starts[start + length]);
          }
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
export function clean(text: string): string {
  return redactor.redact(text);
}

/**
 * A secret as it is, without escapes of a URL, and with its UTF-8 read as ISO 8859-1, all also with the spaces of a
 * form; and in Base64.
 */
function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const padded = bytes.toString('base64');
  // Inside a longer text, which begins up to two bytes after a group of three, without what depends on that text.
  const pieces = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return shifted.toString('base64').slice(start, end);
  });
  const long = pieces.filter((piece) => piece.length >= MIN_PIECE_CHARACTERS);
  const base64 = [padded, padded.replace(/=+$/, ''), ...long];
  return [
    ...[secret, undoEscapes(secret, URL_ESCAPE).plain, bytes.toString('latin1')].flatMap((form) => [
      form,
      form.replaceAll(' ', '+'),
    ]),
    // The alphabet for URLs (RFC 4648, section 5).
    ...base64.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
  ];
}

/** A text without the escapes that a pattern finds, and where each of its characters begins in the text. */
function undoEscapes(text: string, escapes: RegExp) {
  const starts: number[] = [];
  let end = 0;
  const pieces = text.split(escapes).map((piece, index) => {
    const plain = index % 2 === 0 ? piece : decode(piece);
    for (let unit = 0; unit < plain.length; unit += 1) starts.push(end + unit);
    end += piece.length;
    return plain;
  });
  return { plain: pieces.join(''), starts };
}

/** What an escape stands for; nothing if it is invisible, as it could divide a secret. */
function decode(escape: string): string {
  const text = escape.startsWith('&') ? decodeReferences(escape) : decodeUnit(escape);
  // Half of a character is visible with its other half, which is the next escape.
  return /[\r\p{Cs}]/u.test(text) ? text : stripInvisible(text);
}

/** The UTF-16 code unit of an escape. That of a byte has its number, as forms of a secret have its UTF-8. */
function decodeUnit(escape: string): string {
  const [, digits] = /^(?:%|\\[ux])([\da-f]+)$/i.exec(escape) ?? [];
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  // Before other characters, a backslash is only dropped.
  return CONTROLS[escape] ?? escape.slice(1);
}
