import { stripInvisible } from '../text.ts';
import { listForms } from './forms.ts';

/** So many characters of a secret, one after the other, are removed from texts. */
const PIECE_CHARACTERS = 8;
/** An ordinary word: at most 12 letters of one case, or with a capital at its beginning, and a short number. */
const WORD = /^(?:[\p{Lu}\p{Ll}]\p{Ll}{1,11}|\p{Lu}{2,12})\d{0,4}$/u;
const BETWEEN_WORDS = /[^\p{L}\p{N}]/u;

/** Stands for a character of a secret; a text without invisible characters does not have it. */
const PLACEHOLDER = '\0';
/** What a mask replaces. Half of a character may be left where a piece ends. */
const PLACEHOLDERS = /[\0\p{Cs}]+/gu;

/** Knows secrets, and removes them and their pieces from texts. */
export class Redactor {
  readonly #pieces = new Set<string>();
  /** Forms that are searched whole: those that are shorter than a piece, and those of secrets that are words. */
  readonly #wholes = new Set<string>();
  readonly #known = new Set<string>();

  /** Adds a secret. Of one that is words and `mayBeWords`, such as a password that a person chose, the pieces stay. */
  learn(secret: string, mayBeWords = false): void {
    const isWords = mayBeWords && secret.split(BETWEEN_WORDS).every((word) => WORD.test(word));
    if (this.#known.has(`${isWords} ${secret}`)) return;
    this.#known.add(`${isWords} ${secret}`);
    for (const form of listForms(secret)) {
      if (isWords || form.length < PIECE_CHARACTERS) this.#wholes.add(form);
      else this.#addPieces(form);
    }
  }

  #addPieces(form: string): void {
    for (let end = PIECE_CHARACTERS; end <= form.length; end += 1) {
      this.#pieces.add(form.slice(end - PIECE_CHARACTERS, end));
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

/** The secrets of the process: a secret that is known anywhere is removed everywhere. */
const redactor = new Redactor();
/** The secrets that the runner masks in the whole job, and those of them that it does not know yet. */
const masked = new Set<string>();
let unmasked: readonly string[] = [];

/** Removes a secret and its pieces from all texts that are cleaned from now on. */
export function hide(secret: string, mayBeWords?: boolean): void {
  redactor.learn(secret, mayBeWords);
}

/** The same, and the log asks the runner to mask the secret before it writes its next line. Never masks white space. */
export function mask(text: string, mayBeWords?: boolean): void {
  const secret = text.trim();
  if (secret === '') return;
  hide(secret, mayBeWords);
  if (!masked.has(secret)) unmasked = [...unmasked, secret];
  masked.add(secret);
}

/** The secrets that the runner is to mask, each once. */
export function takeMasks(): readonly string[] {
  const taken = unmasked;
  unmasked = [];
  return taken;
}

/** A text without invisible characters, secrets and their pieces, whether it was cut or joined before. */
export function clean(text: string): string {
  return redactor.redact(text);
}
