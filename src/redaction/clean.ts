import { stripInvisible } from '../text.ts';
import { listForms } from './forms.ts';
import { listReadings } from './readings.ts';

/** So many characters of a secret, one after the other, are removed from texts. */
const PIECE_CHARACTERS = 8;
/**
 * Ordinary words with a mark between two: each has at most 12 letters of one case, or with a capital at its beginning,
 * and a short number.
 */
const WORDS = /^(?:(?:[\p{Lu}\p{Ll}]\p{Ll}{1,11}|\p{Lu}{2,12})\d{0,4}(?:[^\p{L}\p{N}](?!$)|$))+$/u;

/** Stands for a character of a secret; a text without invisible characters does not have it. */
const PLACEHOLDER = '\0';
/** What a mask replaces. Half of a character may be left where a piece ends. */
const PLACEHOLDERS = /[\0\p{Cs}]+/gu;

/** Where `cutText` has cut a text, maybe in an escape, whose mark may look like that of the secret. */
const CUT = /^[%&\\]?[#\w]* ?…/;
const MAX_CUT_CHARACTERS = 16;

/** Knows secrets, and removes them and their pieces from texts. */
export class Redactor {
  /** What is searched, by its first piece: pieces, and whole forms of secrets that are words. */
  readonly #sought = new Map<string, Set<string>>();
  /** Forms that are shorter than a piece. */
  readonly #short = new Set<string>();

  /** Adds a secret. Of one that is words and `mayBeWords`, such as a password that a person chose, the pieces stay. */
  learn(secret: string, mayBeWords = false): void {
    const isWords = mayBeWords && WORDS.test(secret);
    for (const form of listForms(secret)) {
      if (form.length < PIECE_CHARACTERS) this.#short.add(form);
      else for (const text of isWords ? [form] : listPieces(form)) this.#seek(text);
    }
  }

  #seek(text: string): void {
    const first = text.slice(0, PIECE_CHARACTERS);
    const known = this.#sought.get(first);
    if (known === undefined) this.#sought.set(first, new Set([text]));
    else known.add(text);
  }

  /**
   * Returns a text without invisible characters and secrets; those that touch or overlap become one mask. The
   * characters are removed first, because the text around them could form a secret.
   */
  redact(text: string): string {
    const visible = stripInvisible(text);
    const units = visible.split('');
    for (const reading of listReadings(visible)) {
      for (const [start, end] of this.#find(reading.text)) {
        units.fill(PLACEHOLDER, reading.places[start], reading.places[end]);
      }
    }
    return units.join('').replace(PLACEHOLDERS, '***');
  }

  /** The start and the end of each secret, or piece of one, in a text. */
  *#find(text: string): Generator<readonly [start: number, end: number]> {
    for (const form of this.#short) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
        yield [at, at + form.length];
      }
    }
    for (let end = PIECE_CHARACTERS; end <= text.length; end += 1) {
      const start = end - PIECE_CHARACTERS;
      for (const sought of this.#sought.get(text.slice(start, end)) ?? []) {
        const length = countSame(sought, text, start);
        const reached = start + length;
        const isCut = CUT.test(text.slice(reached, reached + MAX_CUT_CHARACTERS));
        if (isCut || length === sought.length) yield [start, reached];
      }
    }
  }
}

function* listPieces(form: string): Generator<string> {
  for (let end = PIECE_CHARACTERS; end <= form.length; end += 1) {
    yield form.slice(end - PIECE_CHARACTERS, end);
  }
}

/** How many characters of `sought` a text has from `start` on. */
function countSame(sought: string, text: string, start: number): number {
  let length = 0;
  while (length < sought.length && sought[length] === text[start + length]) length += 1;
  return length;
}

/** The secrets of the process: a secret that is known anywhere is removed everywhere. */
const redactor = new Redactor();
/** The secrets that the runner masks in the whole job, in the order in which it learns them. */
const masked = new Set<string>();
let taken = 0;

/** Removes a secret and its pieces from all texts that are cleaned from now on. */
export function hide(secret: string, mayBeWords?: boolean): void {
  redactor.learn(secret, mayBeWords);
}

/** The same, and the log asks the runner to mask the secret before it writes its next line. Never masks white space. */
export function mask(text: string, mayBeWords?: boolean): void {
  const secret = text.trim();
  if (secret === '') return;
  hide(secret, mayBeWords);
  masked.add(secret);
}

/** The secrets that the runner is to mask, each once. */
export function takeMasks(): readonly string[] {
  const untaken = [...masked].slice(taken);
  taken = masked.size;
  return untaken;
}

/** A text without invisible characters, secrets and their pieces, whether it was cut or joined before. */
export function clean(text: string): string {
  return redactor.redact(text);
}
