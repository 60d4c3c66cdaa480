import { stripInvisible } from '../text.ts';
import { listReadings } from './escapes.ts';
import { Finder } from './finder.ts';
import { listForms } from './secret-forms.ts';

const MASK = '***';

/** Knows secrets, and removes them from texts. */
export class Redactor {
  readonly #forms = new Finder();

  /** Adds a secret, with and without its invisible characters. */
  learn(secret: string): void {
    const forms = listForms(secret).flatMap((form) => [form, stripInvisible(form)]);
    for (const form of new Set(forms)) if (form !== '') this.#forms.add(form);
  }

  /**
   * Returns a text without invisible characters and secrets, also escaped ones. The characters are removed
   * first, because the text around them could form a secret.
   */
  redact(text: string): string {
    const stripped = stripInvisible(text);
    /** Where the longest secret ends that begins at an index. */
    const ends = new Uint32Array(stripped.length);
    for (const reading of listReadings(stripped)) {
      for (const [start, end] of this.#forms.find(reading.text)) {
        const index = reading.starts[start] ?? 0;
        ends[index] = Math.max(ends[index] ?? 0, reading.starts[end] ?? 0);
      }
    }
    return maskPlaces(stripped, ends);
  }
}

/** Masks places, of which `ends` has the end at each start. Places that overlap become one mask. */
function maskPlaces(text: string, ends: Uint32Array): string {
  let masked = '';
  let maskedEnd = 0;
  for (const [index, end] of ends.entries()) {
    if (end > maskedEnd && index >= maskedEnd) masked += MASK;
    maskedEnd = Math.max(maskedEnd, end);
    if (index >= maskedEnd) masked += text.charAt(index);
  }
  return masked;
}
