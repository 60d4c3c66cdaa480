import { foldName, isObject } from '../json.ts';
import { cutText, joinWhiteSpace } from '../text.ts';

/** The members that state an error, those that say whether there is one, and those with its words: as `foldName` writes them. */
const ERRORS = ['error', 'errors', 'exception', 'errormessage'];
const STATES = ['ok', 'success', 'status', 'statuscode', 'code', 'type', 'level'];
const WORDS = 'message msg summary detail errordescription title reason data'.split(' ');
/** A message that is all is an error, unless it says that there is nothing to report. */
const MESSAGES = ['message', 'msg', 'detail'];
/** What else belongs to an error: its request, and where it is explained. */
const OTHERS = 'path instance method timestamp traceid requestid scope documentationurl'.split(' ');
const ENVELOPE = new Set([...ERRORS, ...STATES, ...WORDS, ...OTHERS]);

const SUCCESS = /^(?:true|ok|info|warning|pass|passed|success|successful|completed?)$/i;
const FAILURE = /^(?:false|fail|failed|[45]\d\d)$|(?:error|exception|failure)$/i;
const NONE = /\b(?:no|0)\b/i;
const FOUND = /\b(?:vulnerabilit|issue|finding|problem|violation|secret|leak|error|match)/i;
const DONE = /\b(?:success|completed?|finished|passed|clean)/i;
/** What only findings have, which some linters call errors. */
const FINDING = /^(?:file|path|line|column|location|severity|rule|check)/i;
/** How much of an error is shown. */
const MAX_CHARACTERS = 512;

type Members = ReadonlyMap<string, unknown>;

/**
 * The words of the error that a document states if it states nothing else, such as the response of a service that was
 * saved in place of a report. It is known by its shape: an error, or a message, and what belongs to it.
 */
export function findStatedError(document: unknown): string | undefined {
  const items: readonly unknown[] = Array.isArray(document) ? document : [document];
  // An item of a list with a message alone may be a finding.
  const errors = items.map((item) => readError(item, item === document));
  const [words] = errors;
  if (words === undefined || errors.includes(undefined)) return undefined;
  return cutText(joinWhiteSpace(words), MAX_CHARACTERS).replace(/\.$/, '');
}

/** The words of an object that is only an error or, with `isMessage`, a message that says so. */
function readError(item: unknown, isMessage: boolean): string | undefined {
  if (!isObject(item) || Object.keys(item).length > ENVELOPE.size) return undefined;
  const members = foldNames(item);
  const isEnvelope = [...members].every(
    ([name, value]) => ENVELOPE.has(name) && (ERRORS.includes(name) || !isObject(value)),
  );
  if (!isEnvelope || hasState(members, SUCCESS)) return undefined;
  const words = findWords(members);
  const errors = ERRORS.map((name) => members.get(name))
    .filter(isStated)
    .flat();
  if (errors.length > 0) {
    const inner = errors.map((error) => (isObject(error) ? findWords(foldNames(error)) : error));
    return errors.some(isFinding) ? undefined : (inner.find(isWords) ?? words);
  }
  const isFailure = hasState(members, FAILURE) || members.has('documentationurl');
  const isAll = members.size === 1 && MESSAGES.some((name) => members.has(name));
  return isMessage && (isFailure || (isAll && !saysNothing(words ?? ''))) ? words : undefined;
}

function foldNames(value: object): Members {
  return new Map(Object.entries(value).map(([name, member]) => [foldName(name), member]));
}

function hasState(members: Members, words: RegExp): boolean {
  return STATES.some((name) => words.test(String(members.get(name))));
}

function isStated(error: unknown): boolean {
  if (typeof error === 'string') return !/^(?:|none|null|ok)$/i.test(error.trim());
  // Another number may be the code of a success.
  if (typeof error === 'number') return error >= 400;
  return error === true || (isObject(error) && Object.keys(error).length > 0);
}

function saysNothing(words: string): boolean {
  const none = words.search(NONE);
  return DONE.test(words) || (none >= 0 && FOUND.test(words.slice(none)));
}

function isFinding(error: unknown): boolean {
  return isObject(error) && Object.keys(error).some((name) => FINDING.test(name));
}

function findWords(members: Members): string | undefined {
  return WORDS.map((name) => members.get(name)).find(isWords);
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && /\p{L}/u.test(value);
}
