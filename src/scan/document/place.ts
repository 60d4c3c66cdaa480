import type { Path, Rows } from '../formats/format.ts';

/** The name under which an item of a list is entered. */
export const ITEM = Symbol('item');

/** A text to note for a row while it is read: its path below the row. */
interface RowText {
  readonly rows: Rows;
  readonly path: Path;
}

/** A place that some layout asks for, and the places below it. */
export class Place {
  readonly path: Path;
  /** Rows that begin here. */
  readonly rows: Rows[] = [];
  /** Texts here that belong to a row. */
  readonly rowTexts: RowText[] = [];
  /** Whether a layout asks for this place itself, beside its rows. */
  isWatched = false;
  readonly #members = new Map<string, Place>();
  #anyMember: Place | undefined;
  #item: Place | undefined;

  constructor(path: Path = '') {
    this.path = path;
  }

  /** Whether the text of a value at this place is asked for. */
  get wantsText(): boolean {
    return this.isWatched || this.rowTexts.length > 0;
  }

  /** The place below for a member's name or a list's item; undefined where nothing is asked for. */
  find(name: string | typeof ITEM): Place | undefined {
    return name === ITEM ? this.#item : (this.#members.get(name) ?? this.#anyMember);
  }

  /** The place at a path below this one, made where it is not there yet. */
  reach(path: Path): Place {
    if (path === '') return this;
    const [first = '', ...rest] = path.split('/');
    return this.#reachNext(first).reach(rest.join('/'));
  }

  #reachNext(name: string): Place {
    const path = this.path === '' ? name : `${this.path}/${name}`;
    if (name === '[]') return (this.#item ??= new Place(path));
    if (name === '*') return (this.#anyMember ??= new Place(path));
    const next = this.#members.get(name) ?? new Place(path);
    this.#members.set(name, next);
    return next;
  }
}
