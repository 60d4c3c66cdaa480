import type { Path } from './format.ts';
import { XmlElement } from './xml-tree.ts';

/** No scan has more values at one path, and visiting more could take seconds. */
export const MAX_VALUES = 500_000;
/** No format needs longer texts. */
const MAX_TEXT_CHARACTERS = 512;

/**
 * Returns the values at a path below a value of JSON.parse, or below an XML element, in their order.
 * Undefined if there are more than MAX_VALUES.
 */
export function lookUp(value: unknown, path: Path): readonly unknown[] | undefined {
  let values: readonly unknown[] = [value];
  for (const name of path === '' ? [] : path.split('/')) {
    const found = values.map((each) => step(each, name));
    if (found.reduce((sum, { length }) => sum + length, 0) > MAX_VALUES) return undefined;
    values = found.flat();
  }
  return values;
}

/** The texts and numbers at a path below a value; none if there are too many. */
export function listTexts(value: unknown, path: Path): readonly string[] {
  return (lookUp(value, path) ?? []).map(readText).filter((text) => text !== undefined);
}

function step(value: unknown, name: string): readonly unknown[] {
  if (value instanceof XmlElement) return value.children.filter((child) => child.name === name);
  if (Array.isArray(value)) return name === '[]' ? value : [];
  if (typeof value !== 'object' || value === null) return [];
  if (name === '*') return Object.values(value);
  return Object.hasOwn(value, name) ? [Reflect.get(value, name)] : [];
}

function readText(value: unknown): string | undefined {
  const text = value instanceof XmlElement ? value.text.trim() : value;
  if (typeof text === 'number') return Number.isFinite(text) ? String(text) : undefined;
  return typeof text === 'string' && text.length <= MAX_TEXT_CHARACTERS ? text : undefined;
}
