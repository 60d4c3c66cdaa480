import { sortBy } from '../sort.ts';

/** A text is known by so many first characters. */
const KEY_CHARACTERS = 8;
/** Any odd number with powers all over 32 bits. */
const BASE = 0x01_00_01_93;

/**
 * Finds any number of known texts in a text. Hashes are compared (Rabin-Karp), so that the time grows only with
 * the length of the text, even if all consist of repetitions. Two hashes are the same by chance in one of 2^32 cases.
 */
export class Finder {
  /** The lengths of the known texts by their first characters, the longest first. */
  readonly #lengths = new Map<string, readonly number[]>();
  readonly #keyLengths = new Set<number>();
  readonly #hashes = new Set<number | undefined>();

  add(known: string): void {
    const key = known.slice(0, KEY_CHARACTERS);
    const lengths = new Set(this.#lengths.get(key)).add(known.length);
    this.#lengths.set(
      key,
      sortBy(lengths, (one, other) => other - one),
    );
    this.#keyLengths.add(key.length);
    this.#hashes.add(new Hashes(known).get(0, known.length));
  }

  /** Start and end of known texts. Shorter ones that begin where a longer one begins may be left out. */
  *find(text: string): Generator<readonly [start: number, end: number]> {
    const hashes = new Hashes(text);
    for (const keyLength of this.#keyLengths) {
      for (let start = 0; start < text.length; start += 1) {
        const lengths = this.#lengths.get(text.slice(start, start + keyLength));
        const length = lengths?.find((each) => this.#hashes.has(hashes.get(start, each)));
        if (length !== undefined) yield [start, start + length];
      }
    }
  }
}

/** The polynomial hashes of all parts of a text, modulo 2^32. */
class Hashes {
  readonly #sums: Int32Array;
  readonly #powers: Int32Array;

  constructor(text: string) {
    this.#sums = new Int32Array(text.length + 1);
    this.#powers = new Int32Array(text.length + 1).fill(1);
    for (let index = 0; index < text.length; index += 1) {
      this.#sums[index + 1] = Math.imul(this.#sums[index] ?? 0, BASE) + text.charCodeAt(index);
      this.#powers[index + 1] = Math.imul(this.#powers[index] ?? 0, BASE);
    }
  }

  /** The hash of a part; undefined if the text is too short. */
  get(start: number, length: number): number | undefined {
    const sum = this.#sums[start + length];
    const before = Math.imul(this.#sums[start] ?? 0, this.#powers[length] ?? 0);
    return sum === undefined ? undefined : (sum - before) | 0;
  }
}
