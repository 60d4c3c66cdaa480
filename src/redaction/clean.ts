import { stripInvisible } from '../text.ts';
import { Parts } from './parts.ts';
import type { Range } from './parts.ts';
import { listForms, listReadings } from './readings.ts';

/** So many characters of a secret, one after the other, are removed from texts. */
const WINDOW_CHARACTERS = 8;
/** So many are removed even if they are ordinary words. */
const MIN_WORDS_CHARACTERS = 16;
/** A word: letters of one case, or capitalised. */
const WORD = /^(?:\p{L}?[\p{Ll}\p{M}]*|\p{Lu}*)$/u;
/** Longer forms are searched for in pieces, so that there are few lengths. */
const PIECE_CHARACTERS = 32;
const PIECE = new RegExp(`[^]{${PIECE_CHARACTERS}}`, 'g');
/** Windows are known of the latest temporary secrets: at least as many as uploads run in parallel, at most twice as many. */
const MAX_RECENT = 32;
/** Stands for a character of a secret; a text without invisible characters does not have it. */
const HIDDEN = '\0';

/** A credential; one of a single request, such as an OIDC token; or a text that may be a credential or common words. */
export type SecretKind = 'credential' | 'temporary' | 'possible';

/** Knows secrets, and removes them and their parts from texts. */
export class Redactor {
  /** Whole forms of secrets, in pieces if they are long, by their length: they never stay. */
  readonly #wholes = new Map<number, Parts>();
  /** How those of 8 characters and more begin. */
  readonly #starts = new Parts(WINDOW_CHARACTERS);
  readonly #windows: Record<SecretKind | 'earlier', Parts> = {
    credential: new Parts(WINDOW_CHARACTERS),
    temporary: new Parts(WINDOW_CHARACTERS),
    earlier: new Parts(WINDOW_CHARACTERS),
    possible: new Parts(MIN_WORDS_CHARACTERS),
  };
  #temporaries = 0;
  /** Of the shortest form: shorter texts have none. */
  #shortest = WINDOW_CHARACTERS;
  /** Windows that public texts have, too. */
  readonly #public = new Parts(WINDOW_CHARACTERS);

  /** Adds a secret. One that is only possible may be a word: without a digit it is known from 16 characters on. */
  learn(secret: string, kind: SecretKind = 'credential'): void {
    if (kind === 'temporary' && this.#temporaries++ % MAX_RECENT === 0) {
      const { temporary: earlier, earlier: temporary } = this.#windows;
      temporary.clear();
      Object.assign(this.#windows, { temporary, earlier });
    }
    const forms = listForms(secret);
    for (const form of forms) {
      // The start of another one has its parts: Base64 without padding.
      const isStart = forms.some((other) => other !== form && other.startsWith(form));
      if (!isStart) this.#windows[kind].add(form);
      if (kind === 'possible' && /^\D{8,15}$/.test(form)) continue;
      const pieces = (!isStart && form.match(PIECE)) || [];
      for (const piece of [...pieces, form.slice(-PIECE_CHARACTERS)]) {
        // Never masks white space.
        if (piece.trim() === '') continue;
        const wholes = this.#wholes.get(piece.length) ?? new Parts(piece.length);
        this.#wholes.set(piece.length, wholes);
        wholes.add(piece);
        this.#starts.add(piece.slice(0, WINDOW_CHARACTERS));
        this.#shortest = Math.min(this.#shortest, piece.length);
      }
    }
  }

  /**
   * Keeps the parts of secrets that a public text has, too, in all texts. A whole secret in it, or 32 characters of one,
   * was put there by mistake and is kept nowhere: learn secrets before.
   */
  keepPublic(text: string): void {
    for (const parts of Object.values(this.#windows)) {
      // Few texts have any.
      if (parts.find(text).length === 0) continue;
      const shown = cover(stripInvisible(text), (plain) => this.#findWholes(plain));
      for (const [start, end] of parts.find(shown)) this.#public.add(shown.slice(start, end));
    }
  }

  /**
   * Returns a text without invisible characters and secrets; those that touch or overlap become one mask. The
   * characters are removed first, because the text around them could form a secret. Escapes of each kind are undone
   * alone and once to find secrets, and stay elsewhere.
   */
  redact(text: string): string {
    const visible = stripInvisible(text);
    if (visible.length < this.#shortest) return visible;
    const once = cover(visible, (plain) => this.#find(plain));
    // The end of a secret may have looked like the start of an escape, and hidden the next secret.
    const shown = once === visible ? once : cover(once, (plain) => this.#find(plain));
    // Half of a character may be left where a part of a secret ends.
    return shown.replace(new RegExp(`[${HIDDEN}\\p{Cs}]+`, 'gu'), '***');
  }

  #find(plain: string): readonly Range[] {
    const runs = Object.values(this.#windows).flatMap((parts) => parts.find(plain));
    const parts = runs.filter(([start, end]) => !this.#mayStay(plain.slice(start, end)));
    return [...this.#findWholes(plain), ...parts];
  }

  #findWholes(plain: string): readonly Range[] {
    const hasStart = this.#starts.find(plain).length > 0;
    return [...this.#wholes].flatMap(([length, parts]) =>
      length < WINDOW_CHARACTERS || hasStart ? parts.find(plain) : [],
    );
  }

  /** Whether a run of windows is nothing but ordinary words, or public. */
  #mayStay(run: string): boolean {
    const isShort = run.length < MIN_WORDS_CHARACTERS;
    if (isShort && run.split(/[\s_./-]+/).every((word) => WORD.test(word))) return true;
    return this.#public.find(run).some(([start, end]) => end - start === run.length);
  }
}

/** The secrets of the process: a secret that is known anywhere is removed everywhere, as with `core.setSecret`. */
const redactor = new Redactor();

/** Removes `secret` and its parts from all texts that are cleaned from now on. */
export function hide(secret: string, kind?: SecretKind): void {
  redactor.learn(secret, kind);
}

/** Keeps the parts of secrets that a text of the author has, too, but no whole secret. Call it after `hide`. */
export function keepPublic(text: string): void {
  redactor.keepPublic(text);
}

/** A text without invisible characters, secrets and their parts, whether it was cut or joined before. */
export function clean(text: string): string {
  return redactor.redact(text);
}

/** The text with HIDDEN in place of what `find` finds in its readings. */
function cover(text: string, find: (plain: string) => readonly Range[]): string {
  const found = Array.from(listReadings(text), ({ plain, locate }) =>
    find(plain).map(([start, end]) => [locate(start), locate(end)] as const),
  ).flat();
  if (found.length === 0) return text;
  const units = text.split('');
  for (const [start, end] of found) units.fill(HIDDEN, start, end);
  return units.join('');
}
