import { EVENT_ID, YAMLException, getScalarValue, parseEvents } from 'js-yaml';
import type { Event } from 'js-yaml';

/** Something wrong at a place in a file; line and column count from 1. */
export interface Finding {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A YAML scalar as text, and the offsets in the source that it stands between. */
export interface Scalar {
  readonly kind: 'scalar';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A YAML value that knows where its scalars stand; an alias is a scalar without text. */
export type Tree =
  | Scalar
  | { readonly kind: 'sequence'; readonly items: readonly Tree[] }
  | { readonly kind: 'mapping'; readonly entries: readonly Entry[] };

export interface Entry {
  readonly key: Tree;
  readonly value: Tree;
}

const NOTHING: Scalar = { kind: 'scalar', value: '', start: 0, end: 0 };

/** The first document of `source`; a finding where it is not YAML. */
export function parseTree(source: string): Tree | Finding {
  try {
    const events = parseEvents(source, {});
    // The first event opens the document.
    return new Reader(source, events.slice(1)).read();
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { line = 0, column = 0 } = error.mark ?? {};
    return { line: line + 1, column: column + 1, message: `not YAML: ${error.reason}` };
  }
}

class Reader {
  readonly #source: string;
  readonly #events: readonly Event[];
  #next = 0;

  constructor(source: string, events: readonly Event[]) {
    this.#source = source;
    this.#events = events;
  }

  read(): Tree {
    const event = this.#events[this.#next++];
    if (event?.type === EVENT_ID.SEQUENCE) return { kind: 'sequence', items: this.#readItems() };
    if (event?.type === EVENT_ID.MAPPING)
      return { kind: 'mapping', entries: pair(this.#readItems()) };
    if (event?.type !== EVENT_ID.SCALAR) return NOTHING;
    const { valueStart: start, valueEnd: end } = event;
    return { kind: 'scalar', value: getScalarValue(this.#source, event), start, end };
  }

  #readItems(): readonly Tree[] {
    const items: Tree[] = [];
    while (this.#next < this.#events.length && this.#events[this.#next]?.type !== EVENT_ID.POP) {
      items.push(this.read());
    }
    this.#next++;
    return items;
  }
}

function pair(items: readonly Tree[]): readonly Entry[] {
  return items.flatMap((key, index) =>
    index % 2 === 0 ? [{ key, value: items[index + 1] ?? NOTHING }] : [],
  );
}

/** The member of a mapping; undefined of anything else. */
export function readMember(tree: Tree | undefined, name: string): Tree | undefined {
  return listEntries(tree).find(({ key }) => readText(key) === name)?.value;
}

export function listEntries(tree: Tree | undefined): readonly Entry[] {
  return tree?.kind === 'mapping' ? tree.entries : [];
}

export function listItems(tree: Tree | undefined): readonly Tree[] {
  return tree?.kind === 'sequence' ? tree.items : [];
}

/** The text of a scalar; empty of anything else. */
export function readText(tree: Tree | undefined): string {
  return tree?.kind === 'scalar' ? tree.value : '';
}

/** All scalars below, keys included. */
export function listScalars(tree: Tree): readonly Scalar[] {
  if (tree.kind === 'scalar') return [tree];
  if (tree.kind === 'sequence') return tree.items.flatMap(listScalars);
  return tree.entries.flatMap(({ key, value }) => [...listScalars(key), ...listScalars(value)]);
}

/** A finding at an offset of `source`. */
export function findAt(source: string, offset: number, message: string): Finding {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
