import { stripInvisible } from './clean.ts';
import { listForms } from './secret-forms.ts';

const MASK = '***';

/** Knows secrets, and removes them from texts. */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** What to search for, the longest first: a secret may be part of another one. */
  #forms: readonly string[] = [];

  /** Adds a secret, with and without its invisible characters. */
  learn(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    const forms = [secret, stripInvisible(secret)].flatMap(listForms);
    this.#forms = [...new Set([...this.#forms, ...forms])]
      .filter((form) => form !== '')
      .toSorted((one, other) => other.length - one.length);
  }

  /**
   * Returns a text without invisible characters and secrets. The characters are removed first, because the
   * text around them could form a secret.
   */
  redact(text: string): string {
    return this.#forms.reduce(
      (rest, form) => (form.length > rest.length ? rest : rest.replaceAll(form, MASK)),
      stripInvisible(text),
    );
  }
}
