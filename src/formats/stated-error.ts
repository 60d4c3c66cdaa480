import { foldName, isObject } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import { readText } from './values.ts';

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
/** What only findings have, which some linters call errors; in a list of GraphQL it is a place in the query. */
const FINDING_NAME = /^(?:file|line|location|severity|rule|check)/i;

/** The words of the error that a document states, if it states nothing else; of a list each item states one. */
export function findStatedError(document: unknown): string | undefined {
  return Array.isArray(document) ? findListed(document) : findIn(document, findAlone);
}

/** The words of the error that a stream states, beside the notices that yarn writes with it. */
export function findStreamedError(documents: readonly unknown[]): string | undefined {
  return findListed(documents.filter((each) => !isNotice(each)));
}

function findListed(items: readonly unknown[]): string | undefined {
  const words = findIn(items[0], findItem);
  return items.every((item) => findIn(item, findItem) !== undefined) ? words : undefined;
}

type Members = ReadonlyMap<string, unknown>;

/** The words that `find` finds in an object which has nothing that could be findings. */
function findIn(
  value: unknown,
  find: (members: Members) => string | undefined,
): string | undefined {
  if (!isObject(value) || hasFindingName(value)) return undefined;
  const members = readMembers(value);
  const words = find(members);
  if (words === undefined || hasFindings(members)) return undefined;
  return joinWhiteSpace(words).replace(/\.$/, '');
}

function findAlone(members: Members): string | undefined {
  return findError(members) ?? findFailure(members);
}

/** Of an item a status with a message is not enough: findings have both. */
function findItem(members: Members): string | undefined {
  return readState(members.get('type')) === 'error' ? findWords(members) : findError(members);
}

/** The words of an error that is a member, or of the one that others, such as its code, belong to. */
function findError(members: Members): string | undefined {
  const stated = [...members].filter(([name, value]) => ERROR_NAME.test(name) && isStated(value));
  if (stated.length === 0 || isSuccess(members) || isOfFiles(members)) return undefined;
  const errors = stated.flatMap(([name, value]) => (ERROR_ITSELF.test(name) ? value : []));
  if (errors.some((each) => isObject(each) && (hasFindingName(each) || hasPath(each))))
    return undefined;
  return errors.map(findWords).find((each) => each !== undefined) ?? findWords(members);
}

/** Whether errors are texts beside an object of results: those of files that a linter could not read. */
function isOfFiles(members: Members): boolean {
  const errors = members.get('errors');
  if (members.has('error') || !isObject(errors) || Object.values(errors).some(isObject))
    return false;
  return [...members].some(([name, value]) => isObject(value) && !ERROR_NAME.test(name));
}

/** The words of a failed status, or of a message that is all. */
function findFailure(members: Members): string | undefined {
  const words = findWords(members);
  if (words === undefined || isSuccess(members)) return undefined;
  const states = STATE_NAMES.map((name) => readState(members.get(name)));
  const isFailure = states.some((state) => FAILURE.test(state)) || members.has('documentationurl');
  const isMessage = members.size === 1 && MESSAGE_NAMES.some((name) => members.has(name));
  const saysNothing = NOTHING_FOUND.test(words) || DONE.test(words);
  return isFailure || (isMessage && !saysNothing) ? words : undefined;
}

function isSuccess(members: Members): boolean {
  return STATE_NAMES.some((name) => SUCCESS_STATES.has(readState(members.get(name))));
}

/** Whether the value of an error says that there is one. */
function isStated(error: unknown): boolean {
  return isObject(error) ? Object.keys(error).length > 0 : Boolean(error);
}

function hasFindingName(item: object): boolean {
  return Object.entries(item).some(
    ([name, value]) => FINDING_NAME.test(name) && !Array.isArray(value),
  );
}

/** GraphQL has the path in the query as a list, and a response may have its own path beside an error. */
function hasPath(error: object): boolean {
  return typeof Reflect.get(error, 'path') === 'string';
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
  if (!isObject(item)) return false;
  const members = readMembers(item);
  const type = readState(members.get('type'));
  return SUCCESS_STATES.has(type) && readWords(members.get('data')) !== undefined;
}

/** An error that is a text, or the words of its members. */
function findWords(error: unknown): string | undefined {
  if (!isObject(error)) return readWords(error);
  const members = error instanceof Map ? error : readMembers(error);
  const values = WORD_NAMES.flatMap((name): unknown => members.get(name));
  return values.map(readWords).find((each) => each !== undefined);
}

function readState(value: unknown): string {
  return (typeof value === 'boolean' ? String(value) : (readText(value) ?? '')).toLowerCase();
}

function readWords(value: unknown): string | undefined {
  const words = typeof value === 'string' ? readText(value)?.trim() : undefined;
  return words === '' ? undefined : words;
}

function readMembers(value: object): Members {
  const members = Object.entries(value);
  return new Map(members.map(([name, member]) => [foldName(readText(name) ?? ''), member]));
}
