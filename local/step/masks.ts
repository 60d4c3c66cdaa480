/** The forms of a secret that the runner hides beside the secret itself. */
const ENCODERS: readonly ((value: string) => string)[] = [
  (value) => Buffer.from(value).toString('base64'),
  (value) => Buffer.from(value).subarray(1).toString('base64'),
  (value) => Buffer.from(value).subarray(2).toString('base64'),
  (value) => JSON.stringify(value).slice(1, -1),
  // A lone surrogate has no URI form.
  (value) => (value.isWellFormed() ? encodeURIComponent(value) : ''),
  (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
];

/** The secrets of a job, and how the runner hides them in its log. */
export class Masks {
  /** Values in the order they were added. */
  readonly values: string[] = [];
  readonly #hidden = new Set<string>();

  /** Adds a value that is not blank, each of its lines, and their encoded forms. */
  add(value: string): void {
    if (value.trim() === '') return;
    this.values.push(value);
    for (const text of [value, ...value.split(/[\r\n]+/)]) {
      [text, ...ENCODERS.map((encode) => encode(text))].forEach((form) => this.#hidden.add(form));
    }
    this.#hidden.delete('');
  }

  /** A text with every hidden value replaced by `***`; those that overlap or touch are one. */
  apply(text: string): string {
    const isHidden = new Uint8Array(text.length);
    for (const value of this.#hidden) {
      for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1)) {
        isHidden.fill(1, start, start + value.length);
      }
    }
    const units = text.split('').map((unit, index) => {
      if (isHidden[index] === 0) return unit;
      return isHidden[index - 1] === 1 ? '' : '***';
    });
    return units.join('');
  }
}
