import { isObject } from '../json.ts';
import { cutText, joinWhiteSpace } from '../text.ts';

// What is at paths of a document, for example of {"a": [{"b": 1}, {"b": ["x", null]}], "c": {"b": []}}:
//   select('a/b')        1, ["x", null]
//   selectItems('a/b')   1, "x"
//   selectTexts('*/b')   "1", "x"
//   selectListed('c/b')  none; undefined at 'c', where no list is

/**
 * A path in a value of JSON.parse: names of members, joined by `/`, from its root; `*` for a member of any name, `#`
 * for the names themselves (without `_totals` and the like), empty for the root itself. Lists are entered.
 */
export type Path = string;

/**
 * A condition on a document: there is a value at a path (`a/b`), one of the values there is a text (`a/b=c`) or contains
 * it (`a/b*=c`), or there is an item without a list, or no item at all (`a!b`).
 */
export type Sign = string;

/** How much of a text is read: no format needs more. */
const MAX_TEXT_CHARACTERS = 512;

/** The values at a path, in their order. Lists before its last name are entered. */
export function select(value: unknown, path: Path): readonly unknown[] {
  let values: readonly unknown[] = [value];
  for (const name of splitPath(path)) {
    values = enterLists(values).flatMap((each) => getMembers(each, name));
  }
  return values;
}

/** The values at a path, and in place of lists their items; without those that are null. */
export function selectItems(value: unknown, path: Path): readonly unknown[] {
  return enterLists(select(value, path)).filter((each) => each !== null);
}

/**
 * The items of the lists at these paths; undefined if there is no list, which is not the same as an empty one. The first
 * list on a path is enough, since tools leave out what is empty inside of it.
 */
export function selectListed(
  value: unknown,
  ...paths: readonly Path[]
): readonly unknown[] | undefined {
  const found = paths.filter((path) => hasList(value, splitPath(path)));
  return found.length === 0 ? undefined : found.flatMap((path) => selectItems(value, path));
}

/** The texts and numbers at a path. */
export function selectTexts(value: unknown, path: Path): readonly string[] {
  return selectItems(value, path).flatMap((each) => readText(each) ?? []);
}

/** The first text at these paths that is not empty. */
export function findText(value: unknown, ...paths: readonly Path[]): string | undefined {
  return paths.flatMap((path) => selectTexts(value, path)).find((each) => each !== '');
}

/** The text that `findText` finds, in one line. */
export function findLine(value: unknown, ...paths: readonly Path[]): string | undefined {
  const text = findText(value, ...paths);
  return text === undefined ? undefined : joinWhiteSpace(text);
}

/** The text or number that a value has as a member of this name. */
export function readMember(value: unknown, name: string): string | undefined {
  const isThere = isObject(value) && Object.hasOwn(value, name);
  return isThere ? readText(Reflect.get(value, name)) : undefined;
}

/** Whether a value says nothing: an empty object or list, 0, false, an empty text or null. */
export function isNothing(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length === 0 : !value;
}

/** Whether a document has a sign. */
export function hasSign(document: unknown, sign: Sign): boolean {
  const [items = '', missing] = sign.split('!');
  if (missing !== undefined) {
    const lists = selectItems(document, items).map((item) => select(item, missing));
    return lists.length === 0 || lists.some((values) => !values.some(Array.isArray));
  }
  const [path = '', wanted] = sign.split('=');
  if (wanted === undefined) return select(document, path).length > 0;
  const isPart = path.endsWith('*');
  const values = selectItems(document, isPart ? path.slice(0, -1) : path);
  // Of an object, "toString" may be a member.
  const texts = values.filter((value) => !isObject(value)).map(String);
  return texts.some((text) => (isPart ? text.includes(wanted) : text === wanted));
}

function splitPath(path: Path): readonly string[] {
  return path === '' ? [] : path.split('/');
}

function hasList(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value) || (isObject(value) && ['*', '#'].includes(name ?? ''))) return true;
  return name !== undefined && getMembers(value, name).some((member) => hasList(member, rest));
}

/** The items of all lists among the values, and the other values. */
function enterLists(values: readonly unknown[]): readonly unknown[] {
  return values.some(Array.isArray) ? values.flat() : values;
}

function getMembers(value: unknown, name: string): readonly unknown[] {
  if (!isObject(value) || Array.isArray(value)) return [];
  if (name === '#') return Object.keys(value).filter((each) => !each.startsWith('_'));
  if (name === '*') return Object.keys(value).map((each): unknown => Reflect.get(value, each));
  return Object.hasOwn(value, name) ? [Reflect.get(value, name)] : [];
}

/**
 * A text or a number of a document as a text. Each text of a document is read here, so that it is short before it is
 * matched, joined or cleaned.
 */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const cut = cutText(value, MAX_TEXT_CHARACTERS);
  // V8 would keep all of a text as long as a slice of it.
  return cut === value ? value : Buffer.from(cut, 'utf16le').toString('utf16le');
}
