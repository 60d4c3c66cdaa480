/** Whether a value is an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with members, and no list. */
export function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value);
}

/** The value of a JSON text; undefined if it is not JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than in any document of a service. */
const MAX_DEPTH = 32;
/** Longer than any name that is known. */
const MAX_NAME_CHARACTERS = 100;

/**
 * A value of JSON with its texts, numbers and names as `change` returns them, and null for what is nested deeper than
 * 32 levels. `name` is that of the member that a text is in. It is cut, because a list may have any number of texts.
 */
export function mapJson(
  value: unknown,
  change: (leaf: string | number, name: string) => unknown,
  name = '',
  depth = 1,
): unknown {
  if (typeof value === 'string' || typeof value === 'number') return change(value, name);
  if (!isObject(value)) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    return value.map((entry: unknown) => mapJson(entry, change, name, depth + 1));
  }
  // Defines members instead of assigning them, so that `__proto__` is a normal name.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      change(key, ''),
      mapJson(member, change, key.slice(0, MAX_NAME_CHARACTERS), depth + 1),
    ]),
  );
}

/** The members of an object with their names in the form of `foldName`. */
export function listMembers(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).map(([name, member]) => [foldName(name), member]);
}

/** A name or a word in lower case, without white space, `-` and `_`: services spell them in many ways. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
