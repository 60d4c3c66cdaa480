import { foldName, isObject } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import { findText, readText } from './values.ts';

// A document that only states an error, such as the response of a service that was saved in place of a report, is known by
// its shape: its root says an error, and beside that is nothing that could be findings. Names are as `foldName` writes them.

/** The members that are an error, or belong to it: `errors`, `errorCode`, `fault`. */
const ERROR_NAME =
  /^(?:errors?|fault|exception)(?:code|type|id|link|causes|messages?|msg|text|summary|details?|description)?$/;
const ERROR_ITSELF = /^(?:errors?|fault|exception)$/;
/** Those that say whether there is one, and those with its words: the first has them. */
const STATE_NAMES = ['ok', 'success', 'status', 'statuscode', 'code', 'type'];
const WORD_NAMES =
  'message errormessage errormessages msg summary errorsummary faultstring detail errordescription reason title data'.split(
    ' ',
  );
/** A message that is all is an error, unless it says that there is nothing to report. */
const MESSAGE_NAMES = ['message', 'msg', 'detail'];

const SUCCESS_STATES = new Set('true ok info warning success passed completed'.split(' '));
const FAILURE = /^(?:false|fail|failed|[45]\d\d)$|(?:error|exception|failure)$/;
const NOTHING_FOUND =
  /\b(?:no|0)\b.{0,100}\b(?:vulner|issue|finding|problem|violation|secret|leak|error|match)/is;
const DONE = /\b(?:success|complete|finished|passed|clean)/i;
/** How names begin that only findings have, which some linters call errors. */
const FINDING_NAMES = ['file', 'line', 'rule', 'check', 'location', 'severity'];

/** The members of an object, each read once: it may have two million. */
type Members = ReadonlyMap<string, unknown>;

/** The words of the error that a document states, if it states nothing else; of a list each item states one. */
export function findStatedError(document: unknown): string | undefined {
  if (Array.isArray(document)) return findListedError(document);
  return findOnlyError(document, (members) => readError(members) ?? readFailure(members));
}

/** The words of the error that a stream states, beside the notices that yarn writes with it. */
export function findStreamedError(documents: readonly unknown[]): string | undefined {
  return findListedError(documents.filter((each) => !isNotice(each)));
}

/** The words of the first item, if each states an error and nothing else. */
function findListedError(items: readonly unknown[]): string | undefined {
  let first: string | undefined;
  for (const item of items) {
    const words = findOnlyError(item, readItem);
    if (words === undefined) return undefined;
    first ??= words;
  }
  return first;
}

/** The words that `read` finds in an object which has nothing that could be findings. */
function findOnlyError(
  value: unknown,
  read: (members: Members) => string | undefined,
): string | undefined {
  const members = readMembers(value);
  const words = isFinding(members) ? undefined : read(members);
  if (words === undefined || hasFindings(members)) return undefined;
  return joinWhiteSpace(words).replace(/\.$/, '');
}

/** Of an item a status with a message is not enough: findings have both. */
function readItem(members: Members): string | undefined {
  return readState(members, 'type') === 'error' ? readWords(members) : readError(members);
}

/** The words of an error that is a member, or of the one that others, such as its code, belong to. */
function readError(members: Members): string | undefined {
  const names = [...members.keys()].filter(
    (name) => ERROR_NAME.test(name) && isStated(members.get(name)),
  );
  if (names.length === 0 || isSuccess(members) || isOfFiles(members)) return undefined;
  const values = names.filter((name) => ERROR_ITSELF.test(name)).map((name) => members.get(name));
  let words: string | undefined;
  for (const error of values.flat()) {
    const own = readMembers(error);
    if (isFinding(own) || hasPath(own)) return undefined;
    words ??= toWords(error) ?? readWords(own);
  }
  return words ?? readWords(members);
}

/** Whether errors are texts beside an object of results: those of files that a linter could not read. */
function isOfFiles(members: Members): boolean {
  const errors = members.get('errors');
  if (members.has('error') || !isObject(errors) || Object.values(errors).some(isObject))
    return false;
  return [...members].some(([name, value]) => isObject(value) && !ERROR_NAME.test(name));
}

/** The words of a failed status, or of a message that is all. */
function readFailure(members: Members): string | undefined {
  const words = readWords(members);
  if (words === undefined || isSuccess(members)) return undefined;
  const isFailure = STATE_NAMES.some((name) => FAILURE.test(readState(members, name)));
  if (isFailure || members.has('documentationurl')) return words;
  const isMessage = members.size === 1 && MESSAGE_NAMES.some((name) => members.has(name));
  return isMessage && !NOTHING_FOUND.test(words) && !DONE.test(words) ? words : undefined;
}

function isSuccess(members: Members): boolean {
  return STATE_NAMES.some((name) => SUCCESS_STATES.has(readState(members, name)));
}

/** Whether the value of an error says that there is one. */
function isStated(error: unknown): boolean {
  return isObject(error) ? Object.keys(error).length > 0 : Boolean(error);
}

/** Whether an object is a finding. In GraphQL `locations` is a list, of places in the query. */
function isFinding(members: Members): boolean {
  const names = [...members.keys()].filter((name) => !Array.isArray(members.get(name)));
  return names.some((name) => FINDING_NAMES.some((start) => name.startsWith(start)));
}

/** GraphQL has the path in the query as a list, and a response may have its own path beside an error. */
function hasPath(members: Members): boolean {
  return typeof members.get('path') === 'string';
}

/** Whether a document has a list of objects, or an empty one, outside of its errors. */
function hasFindings(members: Members): boolean {
  const open: unknown[] = [];
  for (const [name, value] of members) if (!ERROR_NAME.test(name)) open.push(value);
  while (open.length > 0) {
    const value = open.pop();
    if (!isObject(value)) continue;
    if (Array.isArray(value) && (value.length === 0 || value.some(isObject))) return true;
    if (!Array.isArray(value)) for (const member of Object.values(value)) open.push(member);
  }
  return false;
}

/** A line of yarn that is no error: a `type` of success, and its `data` in words. */
function isNotice(item: unknown): boolean {
  return SUCCESS_STATES.has(findText(item, 'type') ?? '') && findText(item, 'data') !== undefined;
}

function readState(members: Members, name: string): string {
  const value = members.get(name);
  return (typeof value === 'boolean' ? String(value) : (readText(value) ?? '')).toLowerCase();
}

/** The words that an object has for itself. */
function readWords(members: Members): string | undefined {
  return WORD_NAMES.map((name) => toWords(members.get(name))).find((each) => each !== undefined);
}

function toWords(value: unknown): string | undefined {
  const words = typeof value === 'string' ? readText(value)?.trim() : undefined;
  return words === '' ? undefined : words;
}

/** None of what is no object. */
function readMembers(value: unknown): Members {
  const members = new Map<string, unknown>();
  if (!isObject(value)) return members;
  for (const name of Object.keys(value)) {
    members.set(foldName(readText(name) ?? ''), Reflect.get(value, name));
  }
  return members;
}
