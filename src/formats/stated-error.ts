import { foldName, isObject, isRecord } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import { findText, hasSign, isNothing, readText, selectItems } from './values.ts';

// A document that only states an error, such as the response of a service that was saved in place of a report, is known by
// its shape: its root says an error, and beside that is nothing that could be findings. Names are as `foldName` writes them.

/** The members that are an error, or belong to it: `errors`, `errorCode`, `fault`. */
const ERROR_NAME =
  /^(?:errors?|fault|exception)(?:code|type|id|link|causes|messages?|msg|text|summary|details?|description)?$/;
const ERRORS = ['error', 'errors', 'fault', 'exception'];
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
/** How names begin that only findings have, which some linters call errors; a failure may have a severity too. */
const PLACE_NAMES = ['file', 'line', 'rule', 'check'];
const FINDING_NAMES = [...PLACE_NAMES, 'location', 'severity'];
/** A response may have a path of its own beside its error. */
const LISTED_FINDING_NAMES = [...FINDING_NAMES, 'path'];
/** The members of a report of `dotnet list` without projects, and of its errors: a linter's problems have a path. */
const PROBLEM_REPORT = ['version', 'parameters', 'sources', 'problems'];
const PROBLEM = ['level', 'text', 'project'];

/** The members of an object, each read once: it may have two million. */
type Members = ReadonlyMap<string, unknown>;

/** The words of the error that a document states, if it states nothing else; of a list each item states one. */
export function findStatedError(document: unknown): string | undefined {
  if (Array.isArray(document)) return findInList(document);
  return findProblem(document) ?? findInObject(document, findFailure);
}

/** The words of an error beside lists that are all empty, as of a linter that could not read anything. */
export function findErrorBesideNothing(document: unknown): string | undefined {
  if (!isRecord(document)) return undefined;
  const { errors, error, ...others }: Readonly<Record<string, unknown>> = { ...document };
  const lists = listLists([others]);
  if (lists.length === 0 || lists.some(({ length }) => length > 0)) return undefined;
  return findWords([errors, error].flat(), PLACE_NAMES);
}

/** The words of the error that a stream states, beside the notices that yarn writes with it. */
export function findStreamedError(documents: readonly unknown[]): string | undefined {
  return findInList(documents.filter((each) => !isNotice(each)));
}

/** A line of yarn that is no error: a `type` of success, and its `data` in words. */
function isNotice(item: unknown): boolean {
  return SUCCESS_STATES.has(findText(item, 'type') ?? '') && findText(item, 'data') !== undefined;
}

/** The words of the first item, if each states an error and nothing else. */
function findInList(items: readonly unknown[]): string | undefined {
  let first: string | undefined;
  for (const item of items) {
    const words = findInObject(item, findTyped);
    if (words === undefined) return undefined;
    first ??= words;
  }
  return first;
}

/** The words of an error that is a member of an object, or that `find` finds, if it has nothing that could be findings. */
function findInObject(
  value: unknown,
  find: (members: Members) => string | undefined,
): string | undefined {
  const members = readMembers(value);
  if (hasName(members, FINDING_NAMES) || isSuccess(members)) return undefined;
  const words = findError(members) ?? find(members);
  return words === undefined || hasFindings(members) ? undefined : words;
}

/** The words of an error that is a member, or of the one that others, such as its code, belong to. */
function findError(members: Members): string | undefined {
  const names = [...members.keys()].filter(
    (name) => ERROR_NAME.test(name) && !isNothing(members.get(name)),
  );
  if (names.length === 0 || isOfFiles(members)) return undefined;
  const values = names.filter((name) => ERRORS.includes(name)).map((name) => members.get(name));
  return findWords(values.flat(), LISTED_FINDING_NAMES, members);
}

/** The first words of errors, or those of the object that they are in; undefined if one has a name of these. */
function findWords(
  errors: readonly unknown[],
  names: readonly string[],
  parent: Members = new Map(),
): string | undefined {
  let words: string | undefined;
  for (const error of errors) {
    const own = readMembers(error);
    if (hasName(own, names)) return undefined;
    words ??= toWords(error) ?? readWords(own);
  }
  return words ?? readWords(parent);
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
  const words = readWords(members);
  const isFailure = STATE_NAMES.some((name) => FAILURE.test(readState(members, name)));
  if (words === undefined || isFailure || members.has('documentationurl')) return words;
  const isMessage = members.size === 1 && MESSAGE_NAMES.some((name) => members.has(name));
  return isMessage && !NOTHING_FOUND.test(words) && !DONE.test(words) ? words : undefined;
}

/** Of an item a status with a message is not enough: findings have both. */
function findTyped(members: Members): string | undefined {
  return readState(members, 'type') === 'error' ? readWords(members) : undefined;
}

/** The first error of a report of `dotnet list` that has nothing else (dotnet/sdk#47873). */
function findProblem(document: unknown): string | undefined {
  const problems = selectItems(document, 'problems');
  const isAll =
    hasOnly(document, PROBLEM_REPORT) && problems.every((each) => hasOnly(each, PROBLEM));
  const error = problems.find((each) => hasSign(each, 'level=error'));
  return isAll ? toWords(findText(error, 'text')) : undefined;
}

function hasOnly(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && Object.keys(value).every((name) => names.includes(name));
}

function isSuccess(members: Members): boolean {
  return STATE_NAMES.some((name) => SUCCESS_STATES.has(readState(members, name)));
}

/** Whether a name begins with one of these. In GraphQL `locations` and `path` are lists, of places in the query. */
function hasName(members: Members, names: readonly string[]): boolean {
  const own = [...members.keys()].filter((name) => !Array.isArray(members.get(name)));
  return own.some((name) => names.some((start) => name.startsWith(start)));
}

/** Whether a document has a list of objects, or an empty one, outside of its errors. */
function hasFindings(members: Members): boolean {
  const others = [...members].filter(([name]) => !ERROR_NAME.test(name));
  const lists = listLists(others.map(([, value]) => value));
  return lists.some((list) => list.length === 0 || list.some(isObject));
}

/** The lists among values and their members, at any depth, without the lists in lists. */
function listLists(values: readonly unknown[]): readonly (readonly unknown[])[] {
  // The loop also reaches the values that it appends.
  const open = [...values];
  for (const value of open) {
    if (isRecord(value)) for (const member of Object.values(value)) open.push(member);
  }
  return open.filter(Array.isArray);
}

function readState(members: Members, name: string): string {
  const value = members.get(name);
  return (typeof value === 'boolean' ? String(value) : (readText(value) ?? '')).toLowerCase();
}

/** The words that an object has for itself. */
function readWords(members: Members): string | undefined {
  return WORD_NAMES.map((name) => toWords(members.get(name))).find((each) => each !== undefined);
}

/** A text as the end of a sentence. */
function toWords(value: unknown): string | undefined {
  const text = typeof value === 'string' ? readText(value) : '';
  return joinWhiteSpace(text ?? '').replace(/\.$/, '') || undefined;
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
