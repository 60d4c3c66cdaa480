import { unescape } from 'node:querystring';
import { stripInvisible } from '../text.ts';

/** So many characters of a secret, one after the other, are removed from texts. */
const PIECE_CHARACTERS = 8;
/** A word of a text, or a part of one. Not in capitals: tokens in Base32 are. */
const WORD = /^\p{Lu}?\p{Ll}*$/u;
/** What frameworks write for quotation marks in HTML: Express, Spring and PHP; Go, also for `+`. */
const HTML_MARKS = [
  { '"': '&quot;', "'": '&#39;' },
  { '"': '&#34;', "'": '&#39;', '+': '&#43;' },
];

/** Stands for a character of a secret; a text without invisible characters does not have it. */
const HIDDEN = '\0';
/** What a mask replaces. Half of a character may be left where a piece ends. */
const MASKED = /[\0\p{Cs}]+/gu;

/** Knows secrets, and removes them and their pieces from texts. */
export class Redactor {
  readonly #pieces = new Set<string>();
  /** Forms of which not every piece is known: they are short, or have words. */
  readonly #wholes = new Set<string>();

  /** Adds a secret. If it may be common words, such as a password that a person chose, pieces that are words stay in texts. */
  learn(secret: string, mayBeWords = false): void {
    for (const form of listForms(secret)) {
      if (mayBeWords || form.length < PIECE_CHARACTERS) this.#wholes.add(form);
      for (let end = PIECE_CHARACTERS; end <= form.length; end += 1) {
        const piece = form.slice(end - PIECE_CHARACTERS, end);
        if (!mayBeWords || !isWords(piece)) this.#pieces.add(piece);
      }
    }
  }

  /**
   * Returns a text without invisible characters and secrets; those that touch or overlap become one mask. The
   * characters are removed first, because the text around them could form a secret.
   */
  redact(text: string): string {
    const visible = stripInvisible(text);
    const units = visible.split('');
    for (const whole of this.#wholes) {
      for (let at = visible.indexOf(whole); at >= 0; at = visible.indexOf(whole, at + 1)) {
        units.fill(HIDDEN, at, at + whole.length);
      }
    }
    for (let end = PIECE_CHARACTERS; end <= visible.length; end += 1) {
      const start = end - PIECE_CHARACTERS;
      if (this.#pieces.has(visible.slice(start, end))) units.fill(HIDDEN, start, end);
    }
    return units.join('').replace(MASKED, '***');
  }
}

/** The secrets of the process: a secret that is known anywhere is removed everywhere, as with `core.setSecret`. */
const redactor = new Redactor();

/** Removes a secret and its pieces from all texts that are cleaned from now on. */
export function hide(secret: string, mayBeWords?: boolean): void {
  redactor.learn(secret, mayBeWords);
}

/** A text without invisible characters, secrets and their pieces, whether it was cut or joined before. */
export function clean(text: string): string {
  return redactor.redact(text);
}

function isWords(piece: string): boolean {
  return piece.split(/[\s_./:-]/).every((word) => WORD.test(word));
}

/** A secret as services, logs and pages write it: as it is, in lower case, in URLs, JSON, HTML and Base64. */
function listForms(secret: string): readonly string[] {
  // Half a character, which UTF-8 does not have, would be an error.
  const url = encodeURIComponent(Buffer.from(secret).toString());
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, secret.toLowerCase(), unescape(secret), url, json]
    // With the spaces of a form, and the slashes of PHP's JSON.
    .concat(url.replaceAll('%20', '+'), json.replaceAll('/', '\\/'))
    // As .NET encodes URLs.
    .concat(url.replace(/%../g, (code) => code.toLowerCase()))
    .concat(HTML_MARKS.map((marks) => escapeHtml(secret, marks)))
    .concat([0, 1, 2].flatMap((offset) => listBase64(secret, offset)));
  return [...new Set(forms.map(stripInvisible))].filter((form) => form !== '');
}

function escapeHtml(secret: string, marks: Readonly<Record<string, string>>): string {
  const escaped = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return Object.entries(marks).reduce((text, [mark, name]) => text.replaceAll(mark, name), escaped);
}

/**
 * A secret in the Base64 of a longer text, in which it begins `offset` bytes after a group of three: the characters that
 * do not depend on the rest of the text. Fewer than 8 of them may occur by chance.
 */
function listBase64(secret: string, offset: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  if (end - start < PIECE_CHARACTERS) return [];
  return (['base64', 'base64url'] as const).map((name) => bytes.toString(name).slice(start, end));
}
