import { isObject } from '../json.ts';

/**
 * A path in a value of JSON.parse, or in an XML document of the same shape (`read-xml`): names of members,
 * joined by `/`, from its root; `*` for a member of any name, empty for the root itself. Lists are entered.
 * If an object has several members of the same name, JSON.parse keeps the last one.
 */
export type Path = string;

/** A place in a document; with a pattern, the texts there that match: of each the first group, if there is one. */
export type Place = Path | readonly [Path, RegExp];

/** Enough for any scan of 32 MiB, whose findings have some ten values each; visiting all takes 2 s at most. */
const MAX_VALUES = 2_000_000;
/** How many values of each step of a path are searched for what documents have near their beginning. */
export const MAX_SEARCHED = 10_000;
/** No format needs longer texts. */
const MAX_TEXT_CHARACTERS = 512;

/** A path has more values than MAX_VALUES. */
export class TooManyValues extends Error {}

/**
 * Returns the values at a path, in their order. Lists before its last name are entered, the first `most`
 * values of each step are searched. Throws TooManyValues if there are more than MAX_VALUES.
 */
export function find(value: unknown, path: Path, most: number = MAX_VALUES): readonly unknown[] {
  let values: readonly unknown[] = [value];
  for (const name of path === '' ? [] : path.split('/')) {
    values = enter(values, most).flatMap((each) => step(each, name));
  }
  return values;
}

/** The items of the lists at a path, and the objects there. */
export function list(value: unknown, path: Path, most?: number): readonly unknown[] {
  return enter(find(value, path, most).filter(isObject), most);
}

/** The texts and numbers at a place. */
export function texts(value: unknown, place: Place, most?: number): readonly string[] {
  if (typeof place === 'string') return enter(find(value, place, most), most).flatMap(readScalar);
  return texts(value, place[0], most)
    .map((text) => place[1].exec(text))
    .flatMap((found) => found?.[1] ?? found?.[0] ?? []);
}

/** The first text at these places that is not empty. */
export function findText(value: unknown, ...places: readonly Place[]): string | undefined {
  for (const place of places) {
    const found = texts(value, place, MAX_SEARCHED).find((each) => each !== '');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The items of all lists among the values, and the other values. */
function enter(values: readonly unknown[], most: number = MAX_VALUES): readonly unknown[] {
  if (values.length <= most && !values.some(Array.isArray)) return values;
  const entered: unknown[] = [];
  for (const value of values) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (entered.length === MAX_VALUES) throw new TooManyValues();
      if (entered.length === most) return entered;
      entered.push(item);
    }
  }
  return entered;
}

function step(value: unknown, name: string): readonly unknown[] {
  if (!isObject(value) || Array.isArray(value)) return [];
  if (name === '*') return Object.values(value);
  return Object.hasOwn(value, name) ? [Reflect.get(value, name)] : [];
}

function readScalar(value: unknown): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [String(value)] : [];
  return typeof value === 'string' && value.length <= MAX_TEXT_CHARACTERS ? [value] : [];
}
