const ENCODERS: readonly ((value: string) => string)[] = [
  (value) => Buffer.from(value).toString('base64'),
  (value) => Buffer.from(value).subarray(1).toString('base64'),
  (value) => Buffer.from(value).subarray(2).toString('base64'),
  (value) => JSON.stringify(value).slice(1, -1),
  encodeUri,
  (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
];

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The secrets of a job, and the runner's way of hiding them in its log. */
export class Masks {
  readonly #values: string[] = [];
  readonly #hidden = new Set<string>();

  /** Values in the order they were added. */
  get values(): readonly string[] {
    return this.#values;
  }

  /** Adds a value, each of its lines, and the encoded forms the runner looks for. */
  add(value: string): void {
    this.#values.push(value);
    for (const text of [value, ...value.split(/[\r\n]+/)]) {
      for (const form of [text, ...ENCODERS.map((encode) => encode(text))]) {
        if (form !== '') {
          this.#hidden.add(form);
        }
      }
    }
  }

  /** A text with every hidden value, overlapping ones as one, replaced by `***`. */
  apply(text: string): string {
    let masked = '';
    let end = 0;
    for (const range of merge(this.#find(text))) {
      masked += `${text.slice(end, range.start)}***`;
      end = range.end;
    }
    return masked + text.slice(end);
  }

  #find(text: string): Range[] {
    const found: Range[] = [];
    for (const value of this.#hidden) {
      for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1)) {
        found.push({ start, end: start + value.length });
      }
    }
    return found.toSorted((a, b) => a.start - b.start);
  }
}

function merge(sorted: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && range.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else {
      merged.push(range);
    }
  }
  return merged;
}

function encodeUri(value: string): string {
  // A lone surrogate has no URI form.
  return value.isWellFormed() ? encodeURIComponent(value) : '';
}
