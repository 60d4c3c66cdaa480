import { isObject } from '../json.ts';

/**
 * A path in a value of JSON.parse, or in an XML document of the same shape (`xml`): names of members,
 * joined by `/`, from its root; `*` for a member of any name, empty for the root itself. Lists are entered.
 * If an object has several members of the same name, JSON.parse keeps the last one.
 */
export type Path = string;

/** A place in a document; with a pattern, the texts there that match: of each the first group, if there is one. */
export type Place = Path | readonly [Path, RegExp];

/** How many items of lists are read to count the contents of a document; no scan of 32 MiB has as many. */
const MAX_ITEMS = 500_000;
/** How many values of each step of a path are searched for what documents have near their beginning. */
export const MAX_SEARCHED = 10_000;
/** No format needs longer texts. */
const MAX_TEXT_CHARACTERS = 512;

class TooManyItems extends Error {}

/** How many items may still be read; limited only while `readWithinLimit` runs, which nothing interrupts. */
let itemsLeft = Number.POSITIVE_INFINITY;

/** Reads a document by any number of paths. Returns undefined if it reads more than MAX_ITEMS. */
export function readWithinLimit<T>(read: () => T): T | undefined {
  itemsLeft = MAX_ITEMS;
  try {
    return read();
  } catch (error) {
    if (error instanceof TooManyItems) return undefined;
    throw error;
  } finally {
    itemsLeft = Number.POSITIVE_INFINITY;
  }
}

/** Counts what may be as many as the items of a list. */
export function countItems(count: number): void {
  itemsLeft -= count;
  if (itemsLeft < 0) throw new TooManyItems();
}

/**
 * Returns the values at a path, in their order. Lists before its last name are entered, the first `most`
 * values of each step are searched.
 */
export function select(value: unknown, path: Path, most?: number): readonly unknown[] {
  let values: readonly unknown[] = [value];
  for (const name of path === '' ? [] : path.split('/')) {
    values = flatten(values, most).flatMap((each) => selectMember(each, name));
  }
  return values;
}

/** The items of the lists at a path, and the objects there. */
export function selectItems(value: unknown, path: Path, most?: number): readonly unknown[] {
  return flatten(select(value, path, most).filter(isObject), most);
}

/** The texts and numbers at a place. */
export function selectTexts(value: unknown, place: Place, most?: number): readonly string[] {
  if (typeof place === 'string')
    return flatten(select(value, place, most), most).flatMap(readScalar);
  return selectTexts(value, place[0], most)
    .map((text) => place[1].exec(text))
    .flatMap((found) => found?.[1] ?? found?.[0] ?? []);
}

/** The first text at these places that is not empty. */
export function findText(value: unknown, ...places: readonly Place[]): string | undefined {
  for (const place of places) {
    const found = selectTexts(value, place, MAX_SEARCHED).find((each) => each !== '');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The items of all lists among the values, and the other values. */
function flatten(values: readonly unknown[], most = Number.POSITIVE_INFINITY): readonly unknown[] {
  if (values.length <= most && !values.some(Array.isArray)) return values;
  const entered: unknown[] = [];
  for (const value of values) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (entered.length === most) return entered;
      countItems(1);
      entered.push(item);
    }
  }
  return entered;
}

function selectMember(value: unknown, name: string): readonly unknown[] {
  if (!isObject(value) || Array.isArray(value)) return [];
  if (name === '*') {
    const names = Object.keys(value);
    countItems(names.length);
    return names.map((each): unknown => Reflect.get(value, each));
  }
  return Object.hasOwn(value, name) ? [Reflect.get(value, name)] : [];
}

function readScalar(value: unknown): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [String(value)] : [];
  return typeof value === 'string' && value.length <= MAX_TEXT_CHARACTERS ? [value] : [];
}
