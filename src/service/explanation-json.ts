import { isObject, tryJson } from '../json.ts';
import { cutText } from '../text.ts';
import { cleanJson } from './problem.ts';

/** Members with field errors, of which an object is a map from fields to messages. */
const MAPS = ['errors', 'violations', 'invalidparams', 'fielderrors', 'issues'];
/** Members that say what happened, the most specific first. */
const TEXTS = [
  'detail',
  ...MAPS,
  ...'title message error errordescription description reason details errormessage msg'.split(' '),
  'embedded',
];
/** The members of a field error. */
const MESSAGES = ['detail', 'message', 'msg', 'defaultmessage', 'errormessage', 'reason'];
const FIELDS =
  'field path instancepath propertypath propertyname property param loc pointer name'.split(' ');

const MAX_DEPTH = 8;
/** More than are shown. */
const MAX_TEXTS = 100;
/** The longest name of a field, which stands before each of its texts. */
const MAX_FIELD_CHARACTERS = 200;

/** What JSON looks like, also if it is truncated or follows no standard. */
const JSON_START = /^\s*(?:\{\s*["'}]|\[\s*[[{"'\]])/;

/** Whether a text is not shown as it is, because it looks like JSON. */
export function looksLikeJson(text: string): boolean {
  return JSON_START.test(text);
}

/** The texts of a clean JSON value that say what happened, the most specific first, a field error as `field: message`. */
export function listJsonTexts(value: unknown): readonly string[] {
  const texts: string[] = [];
  for (const text of listTexts(value, 0)) {
    if (texts.push(text) === MAX_TEXTS) break;
  }
  return texts;
}

function* listTexts(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield* readText(value, depth);
  else if (Array.isArray(value)) yield* listErrors(value, '', depth);
  else if (isObject(value) && depth <= MAX_DEPTH) yield* readObject(value, depth);
}

function* readObject(value: object, depth: number): Generator<string> {
  const members = readMembers(value);
  let isEmpty = true;
  for (const name of TEXTS) {
    const member = members.get(name);
    const isMap = MAPS.includes(name) && isObject(member) && !Array.isArray(member);
    for (const text of isMap ? listMap(member, '', depth) : listTexts(member, depth + 1)) {
      isEmpty = false;
      yield text;
    }
  }
  // Other members may be anything, so only their lists are field errors.
  if (isEmpty) yield* listMap(value, '', depth, false);
}

/** A sentence that quotes a value: `{'name': 'x'} is not valid`. */
const QUOTED_VALUE = /[}\]] +\w/;

/** A text may be JSON itself, of which the escapes may have hidden a secret. */
function* readText(text: string, depth: number): Generator<string> {
  const isQuoted = QUOTED_VALUE.test(text) && tryJson(text.trim()) === undefined;
  if (isQuoted || !looksLikeJson(text)) yield text;
  else yield* listTexts(cleanJson(tryJson(text.trim())), depth + 1);
}

/** The field errors of a list: texts, objects with field and message, or lists of such. */
function* listErrors(list: readonly unknown[], field: string, depth: number): Generator<string> {
  if (depth > MAX_DEPTH) return;
  for (const entry of list) {
    if (typeof entry === 'string') yield* nameTexts(field, readText(entry, depth));
    else if (Array.isArray(entry)) yield* listErrors(entry, field, depth + 1);
    else if (isObject(entry)) yield* readEntry(entry, field, depth + 1, false);
  }
}

/** The field errors of a map from fields to a message, a list of errors, or such a map. */
function* listMap(map: object, field: string, depth: number, isKnown = true): Generator<string> {
  if (depth > MAX_DEPTH) return;
  for (const [name, value] of listMembers(map)) {
    const place = MESSAGES.includes(name) ? field : joinFields(field, name);
    if (Array.isArray(value)) yield* listErrors(value, place, depth + 1);
    else if (isObject(value)) yield* readEntry(value, place, depth + 1, isKnown);
    else if (isKnown && typeof value === 'string') yield* nameTexts(place, readText(value, depth));
  }
}

/** The message of an object, or those below it. */
function* readEntry(
  entry: object,
  place: string,
  depth: number,
  isKnown: boolean,
): Generator<string> {
  const members = readMembers(entry);
  const field = place === '' ? findField(members) : place;
  const message = [...MESSAGES, 'description', 'title']
    .map((name) => members.get(name))
    .find(isText);
  const constraints = members.get('constraints');
  if (message !== undefined) yield* nameTexts(field, readText(message, depth));
  // Of class-validator.
  else if (isObject(constraints)) yield* listErrors(Object.values(constraints), field, depth);
  else yield* listMap(entry, place, depth, isKnown);
}

function* nameTexts(field: string, texts: Iterable<string>): Generator<string> {
  const name = cutText(field, MAX_FIELD_CHARACTERS);
  for (const text of texts) yield name.trim() === '' ? text : `${name}: ${text.trimStart()}`;
}

/** The field of an error: a text, or the parts of a path, of which FastAPI's begins with `body`. */
function findField(members: ReadonlyMap<string, unknown>): string {
  const values = FIELDS.map((name) => members.get(name));
  const field = values.find((value) => isText(value) || Array.isArray(value));
  if (Array.isArray(field)) {
    const parts = field.slice(field[0] === 'body' ? 1 : 0);
    return parts.filter((part) => typeof part === 'string' || typeof part === 'number').join('.');
  }
  const source = members.get('source');
  if (field === undefined && isObject(source)) return findField(readMembers(source));
  return field ?? '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function joinFields(field: string, name: string): string {
  return cutText(field === '' ? name : `${field}.${name}`, MAX_FIELD_CHARACTERS);
}

/** The members of an object by their names in lower case, without `-` and `_`. */
function readMembers(value: object): Map<string, unknown> {
  return new Map(
    listMembers(value).map(([name, member]) => [
      name.toLowerCase().replaceAll(/[_-]/g, ''),
      member,
    ]),
  );
}

function listMembers(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value);
}
