import type { Path, Rows } from '../formats/format.ts';
import type { ITEM, Place } from './place.ts';

/** The texts of a row, as found: paths below the row, each with its text. */
export type RowTexts = readonly (readonly [Path, string])[];

/** Rows with the very same texts, and how many there are. */
export interface RowGroup {
  readonly texts: RowTexts;
  readonly count: number;
}

/** What a parser tells of a document, in the order in which it reads it. */
export interface Visitor {
  /** A member or element of this name, or an item, begins. False if nothing below it is of interest: then neither is its end. */
  enter(name: string | typeof ITEM): boolean;
  /** Whether the text of the value that was entered is of interest. */
  readonly wantsText: boolean;
  write(text: string): void;
  leave(): void;
}

/** How many texts of one row are kept. */
const MAX_ROW_TEXTS = 32;
/** How much the texts of different rows may take, in characters; each row takes some more by itself. */
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;
const ROW_CHARACTERS = 200;

/** How many texts of one place are kept, and how many rows of one kind in any case: the tools are rows. */
const MAX_TEXTS = 8;

/** Keeps of a document what the layouts ask for: whether a place is there, its first text, and its rows. */
export class Collector implements Visitor {
  readonly #way: Place[];
  readonly #present = new Set<Path>();
  readonly #texts = new Map<Path, string[]>();
  readonly #open = new Map<Rows, [Path, string][]>();
  readonly #groups = new Map<Rows, Map<string, RowGroup>>();
  #keptCharacters = 0;

  /** `root` is where the layouts' paths begin. */
  constructor(root: Place) {
    this.#way = [root];
  }

  get wantsText(): boolean {
    return this.#here?.wantsText === true;
  }

  enter(name: string | typeof ITEM): boolean {
    const place = this.#here?.find(name);
    if (place === undefined) return false;
    this.#way.push(place);
    if (place.isWatched) this.#present.add(place.path);
    for (const rows of place.rows) this.#open.set(rows, []);
    return true;
  }

  write(text: string): void {
    const place = this.#here;
    if (place === undefined) return;
    if (place.isWatched) this.#keep(place.path, text);
    for (const { rows, path } of place.rowTexts) {
      const texts = this.#open.get(rows) ?? [];
      const isKnown = texts.some(([at, known]) => at === path && known === text);
      if (!isKnown && texts.length < MAX_ROW_TEXTS) texts.push([path, text]);
    }
  }

  leave(): void {
    for (const rows of this.#way.pop()?.rows ?? []) this.#close(rows);
  }

  /** Goes back to the root, as before another part of the same document; what was kept stays. */
  restart(): void {
    this.#way.splice(1);
  }

  /** Whether there are more different rows than can be kept: then those that are kept are not all. */
  get isOverfull(): boolean {
    return this.#keptCharacters > MAX_KEPT_CHARACTERS;
  }

  has(path: Path): boolean {
    return this.#present.has(path);
  }

  /** The first texts at a watched place. */
  listTexts(path: Path): readonly string[] {
    return this.#texts.get(path) ?? [];
  }

  /** The rows that were read whole, those with the same different texts as one. */
  listGroups(rows: Rows): readonly RowGroup[] {
    return [...(this.#groups.get(rows)?.values() ?? [])];
  }

  get #here(): Place | undefined {
    return this.#way.at(-1);
  }

  #keep(path: Path, text: string): void {
    const texts = this.#texts.get(path) ?? [];
    if (texts.length < MAX_TEXTS) this.#texts.set(path, [...texts, text]);
  }

  #close(rows: Rows): void {
    const texts = this.#open.get(rows) ?? [];
    this.#open.delete(rows);
    const groups = this.#groups.get(rows) ?? new Map<string, RowGroup>();
    this.#groups.set(rows, groups);
    const key = JSON.stringify(texts);
    const group = groups.get(key);
    if (group === undefined) this.#keptCharacters += key.length + ROW_CHARACTERS;
    if (this.isOverfull && groups.size >= MAX_TEXTS) return;
    groups.set(key, { texts, count: (group?.count ?? 0) + 1 });
  }
}
