/** Whether a value is an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value of a JSON text; undefined if it is not JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of an object with their names in the form of `foldName`. */
export function listMembers(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).map(([name, member]) => [foldName(name), member]);
}

/** A name or a word in lower case, without white space, `-` and `_`: services spell them in many ways. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
