import { stripInvisible } from './clean.ts';
import { ENCODINGS, ESCAPE_SIGN, decodeEscapes, encodeText, toBytes } from './escapes.ts';
import type { Decoded } from './escapes.ts';
import { listForms } from './secret-forms.ts';

/** No text has it: what stands between texts that are redacted together. */
const BETWEEN = '\0';
/** How deep in one another encodings are looked into: JSON in JSON in a page. */
const MAX_LEVELS = 3;

/** From one UTF-16 unit of a text to another. */
type Range = readonly [start: number, end: number];

/** Knows secrets, and takes them out of texts. */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** What to look for, as bytes. */
  readonly #forms = new Set<string>();

  /** Whether the secret is known already. */
  knows(secret: string): boolean {
    return this.#secrets.has(secret);
  }

  learn(secret: string): void {
    this.#secrets.add(secret);
    for (const form of listForms(secret)) this.#forms.add(toBytes(form));
  }

  /**
   * Texts without secrets and invisible characters, in order. Redacted before anything changes them,
   * and again after, since removing characters could put a secret together. Many short texts, such as
   * the members of an answer, are redacted at once: there may be thousands, and hundreds of secrets.
   */
  redactAll(texts: readonly string[]): readonly string[] {
    // Removed as invisible in any case; here it would be taken for the end of a text.
    const redacted = this.#replace(texts.map((text) => text.replaceAll(BETWEEN, '\u0001')));
    return this.#replace(redacted.map(stripInvisible));
  }

  #replace(texts: readonly string[]): readonly string[] {
    if (this.#forms.size === 0 || texts.length === 0) return texts;
    const joined = texts.join(BETWEEN);
    return cutOut(joined, this.#findSecrets(joined)).split(BETWEEN);
  }

  /**
   * Where secrets stand, as they are or encoded. No two encoders agree on what they escape, so the
   * text is decoded rather than every form of a secret listed.
   */
  #findSecrets(text: string): readonly Range[] {
    const encoded = encodeText(text);
    const ranges = this.#findForms(encoded);
    // Most texts have nothing to decode, and then four long expressions need not be compiled.
    if (!ESCAPE_SIGN.test(text)) return ranges;
    for (const encoding of ENCODINGS) {
      let decoded = decodeEscapes(encoded, encoding);
      for (let level = 1; decoded !== undefined && level <= MAX_LEVELS; level += 1) {
        ranges.push(...this.#findForms(decoded));
        decoded = decodeEscapes(decoded, encoding);
      }
    }
    return ranges;
  }

  #findForms(decoded: Decoded): Range[] {
    return [...this.#forms].flatMap((form) => findForm(form, decoded));
  }
}

function findForm(form: string, { bytes, origins }: Decoded): readonly Range[] {
  const ranges: Range[] = [];
  for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + form.length)) {
    ranges.push([origins[at] ?? 0, origins[at + form.length] ?? 0]);
  }
  return ranges;
}

/** Puts *** in place of each range; what overlaps is one. */
function cutOut(text: string, ranges: readonly Range[]): string {
  const pieces: string[] = [];
  let from = 0;
  let hiddenTo = -1;
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start >= Math.max(hiddenTo, from)) {
      pieces.push(text.slice(from, start), '***');
      hiddenTo = end;
    }
    hiddenTo = Math.max(hiddenTo, end);
    from = hiddenTo;
  }
  return pieces.length === 0 ? text : [...pieces, text.slice(from)].join('');
}
