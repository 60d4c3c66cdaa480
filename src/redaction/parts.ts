/** Multiplies 32-bit integers. Jest takes long to look up a global for each character. */
const { imul } = Math;
/** Odd factors of two hashes, which have 64 bits together: no two parts of texts have the same in practice. */
const [ONE, TWO] = [0x9e_37_79_b1, 0x85_eb_ca_6b];

/** Where something begins and ends in a text. */
export type Range = readonly [number, number];

/** Parts of texts that have one length, known by hashes: as texts, those of a long secret would take 100 MB. */
export class Parts {
  /** How many UTF-16 code units a part has. */
  readonly #size: number;
  /** What the hashes must lose of a unit that is before the part. */
  readonly #gone: readonly [number, number];
  /** Pairs of hashes. The first one says where a pair is, or from where on; it is 0 in a free place. */
  #pairs = new Int32Array(16);
  #count = 0;

  constructor(size: number) {
    this.#size = size;
    let [one, two] = [1, 1];
    for (let count = 0; count < size; count += 1) {
      [one, two] = [imul(one, ONE), imul(two, TWO)];
    }
    this.#gone = [one, two];
  }

  /** Adds every part of a text. */
  add(text: string): void {
    this.#visit(text, true);
  }

  /** Forgets all parts, but keeps the room for them. */
  clear(): void {
    this.#pairs.fill(0);
    this.#count = 0;
  }

  /** Where known parts are in a text, in order; those that touch or overlap are one. */
  find(text: string): readonly Range[] {
    return this.#count === 0 ? [] : this.#visit(text, false);
  }

  #visit(text: string, isAdding: boolean): readonly Range[] {
    const found: [number, number][] = [];
    const [oneGone, twoGone] = this.#gone;
    let [one, two] = [0, 0];
    for (let end = 1; end <= text.length; end += 1) {
      const start = end - this.#size;
      const unit = text.charCodeAt(end - 1);
      const gone = start > 0 ? text.charCodeAt(start - 1) : 0;
      one = (imul(one, ONE) + unit - imul(gone, oneGone)) | 0;
      two = (imul(two, TWO) + unit - imul(gone, twoGone)) | 0;
      if (start < 0) continue;
      if (isAdding) this.#put(one || 1, two);
      else if (this.#pairs[this.#locate(one || 1, two)] !== 0) {
        const last = found.at(-1);
        if (last !== undefined && start <= last[1]) last[1] = end;
        else found.push([start, end]);
      }
    }
    return found;
  }

  #put(one: number, two: number): void {
    const place = this.#locate(one, two);
    if (this.#pairs[place] === 0) this.#count += 1;
    this.#pairs[place] = one;
    this.#pairs[place + 1] = two;
    // A third of the places stays free, so that each pair is soon found.
    if (this.#count * 3 < this.#pairs.length) return;
    const pairs = this.#pairs;
    [this.#pairs, this.#count] = [new Int32Array(pairs.length * 2), 0];
    for (let from = 0; from < pairs.length; from += 2) {
      if (pairs[from] !== 0) this.#put(pairs[from] ?? 0, pairs[from + 1] ?? 0);
    }
  }

  /** Where a pair is, or the free place for it. */
  #locate(one: number, two: number): number {
    const last = this.#pairs.length - 2;
    let place = (one * 2) & last;
    while (this.#pairs[place] !== 0) {
      if (this.#pairs[place] === one && this.#pairs[place + 1] === two) break;
      place = (place + 2) & last;
    }
    return place;
  }
}
