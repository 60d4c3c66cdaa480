import { unescape } from 'node:querystring';
import { stripInvisible } from '../text.ts';

/** So many characters of a secret, one after the other, are removed from texts. */
const PIECE_CHARACTERS = 8;
/** What ordinary words do not have: a digit, a mark in them, or a capital after a letter (tokens in Base32 have those). */
const NO_WORDS = /[^\p{Lu}\p{Ll}\s_./:-]|\p{L}\p{Lu}/u;

/** Stands for a character of a secret; a text without invisible characters does not have it. */
const PLACEHOLDER = '\0';
/** What a mask replaces. Half of a character may be left where a piece ends. */
const PLACEHOLDERS = /[\0\p{Cs}]+/gu;

/** Knows secrets, and removes them and their pieces from texts. */
export class Redactor {
  readonly #pieces = new Set<string>();
  /** Forms that are also searched whole: those below 8 characters have no pieces, those with words not all. */
  readonly #wholes = new Set<string>();

  /** Adds a secret. If it may be common words, such as a password that a person chose, pieces that are words stay in texts. */
  learn(secret: string, mayBeWords = false): void {
    for (const form of listForms(secret)) {
      if (mayBeWords || form.length < PIECE_CHARACTERS) this.#wholes.add(form);
      for (let end = PIECE_CHARACTERS; end <= form.length; end += 1) {
        const piece = form.slice(end - PIECE_CHARACTERS, end);
        if (!mayBeWords || NO_WORDS.test(piece)) this.#pieces.add(piece);
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
        units.fill(PLACEHOLDER, at, at + whole.length);
      }
    }
    for (let end = PIECE_CHARACTERS; end <= visible.length; end += 1) {
      const start = end - PIECE_CHARACTERS;
      if (this.#pieces.has(visible.slice(start, end))) units.fill(PLACEHOLDER, start, end);
    }
    return units.join('').replace(PLACEHOLDERS, '***');
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

/** A secret as services, logs and pages write it: as it is, in lower case, in URLs, JSON, HTML and Base64. */
function listForms(secret: string): readonly string[] {
  // Half a character, which UTF-8 does not have, would be an error.
  const url = encodeURIComponent(Buffer.from(secret).toString());
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    secret.toLowerCase(),
    unescape(secret),
    json,
    // As PHP writes it.
    json.replaceAll('/', '\\/'),
    url,
    // With the spaces of a form.
    url.replaceAll('%20', '+'),
    // As .NET encodes it.
    url.replace(/%../g, (code) => code.toLowerCase()),
    ...listHtml(secret),
    ...[0, 1, 2].flatMap((offset) => listBase64(secret, offset)),
  ];
  return [...new Set(forms.map(stripInvisible))].filter((form) => form !== '');
}

/** A secret in HTML, as Express, Spring and PHP write quotation marks, and as Go does. */
function listHtml(secret: string): readonly string[] {
  const tags = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const html = tags.replaceAll("'", '&#39;');
  return [html.replaceAll('"', '&quot;'), html.replaceAll('"', '&#34;').replaceAll('+', '&#43;')];
}

/**
 * A secret in the Base64 of a longer text, in which it begins `offset` bytes after a group of three: the characters that
 * do not depend on the rest of the text. With an offset of 1, the first two (8 / 6, rounded up) have bits of the byte
 * before the secret. Fewer than 8 may occur by chance.
 */
function listBase64(secret: string, offset: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  if (end - start < PIECE_CHARACTERS) return [];
  return (['base64', 'base64url'] as const).map((name) => bytes.toString(name).slice(start, end));
}
