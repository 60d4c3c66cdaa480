import { isObject } from '../json.ts';
import type { Match, Path } from './format.ts';
import { XmlElement } from './xml-tree.ts';

/** How many values may still be visited; negative if there were more than that. */
export interface Budget {
  left: number;
}

/** Enough for any scan of 32 MiB, whose findings have some ten values each; visiting all takes 2 s at most. */
export const MAX_COUNTED = 2_000_000;
/** How many values of each step of a path are searched for a mark or a statement, which are near the beginning. */
const MAX_SEARCHED = 10_000;
/** No format needs longer texts. */
const MAX_TEXT_CHARACTERS = 512;

/**
 * Returns the values at a path below a value of JSON.parse, or below an XML element, in their order: as
 * many as the budget allows, or without one the first MAX_SEARCHED.
 */
export function lookUp(value: unknown, path: Path, budget?: Budget): readonly unknown[] {
  let values: readonly unknown[] = [value];
  for (const name of path === '' ? [] : path.split('/')) {
    const allowed = budget ?? { left: MAX_SEARCHED };
    values = values.flatMap((each) => step(each, name, allowed));
  }
  return values;
}

/** The texts and numbers at a path below a value, or what matches of them. */
export function listTexts(value: unknown, place: Path | Match, budget?: Budget): readonly string[] {
  const { at, is } = typeof place === 'string' ? { at: place } : place;
  const texts = lookUp(value, at, budget)
    .map(readText)
    .filter((text) => text !== undefined);
  if (is === undefined) return texts;
  return texts.map((text) => is.exec(text)).flatMap((found) => found?.[1] ?? found?.[0] ?? []);
}

/** The first text at these places that is not empty. */
export function findText(
  value: unknown,
  places: readonly (Path | Match)[],
  budget?: Budget,
): string | undefined {
  for (const place of places) {
    const text = listTexts(value, place, budget).find((each) => each !== '');
    if (text !== undefined) return text;
  }
  return undefined;
}

function step(value: unknown, name: string, budget: Budget): readonly unknown[] {
  if (value instanceof XmlElement) {
    return take(value.children, budget).filter((child) => child.name === name);
  }
  if (Array.isArray(value)) return name === '[]' ? take(value, budget) : [];
  const object = isObject(value) ? value : {};
  // Millions of values take three times as long to list as their names.
  const names = name === '*' ? Object.keys(object) : [name];
  budget.left -= Math.max(names.length, 1);
  if (budget.left < 0) return [];
  return names
    .filter((key) => Object.hasOwn(object, key))
    .map((key): unknown => Reflect.get(object, key));
}

/** As many of the values as the budget allows. */
function take<T>(values: readonly T[], budget: Budget): readonly T[] {
  const allowed = Math.max(budget.left, 0);
  budget.left -= values.length;
  return values.length > allowed ? values.slice(0, allowed) : values;
}

function readText(value: unknown): string | undefined {
  const text = value instanceof XmlElement ? value.text.trim() : value;
  if (typeof text === 'number') return Number.isFinite(text) ? String(text) : undefined;
  return typeof text === 'string' && text.length <= MAX_TEXT_CHARACTERS ? text : undefined;
}
