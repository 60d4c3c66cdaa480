import { foldName, isObject } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import { readText } from './values.ts';

/** The members that state an error, those that say whether there is one, and those with its words: as `foldName` writes them. */
const ERROR_NAMES = ['error', 'errors'];
const STATE_NAMES = ['ok', 'success', 'status', 'statuscode', 'code', 'type'];
const WORD_NAMES = ['message', 'summary', 'detail', 'errordescription', 'title', 'data'];
/** A message that is all is an error, unless it says that there is nothing to report. */
const MESSAGE_NAMES = ['message', 'detail'];
/** What else belongs to an error: its request, and where it is explained. */
const OTHER_NAMES = ['path', 'instance', 'timestamp', 'traceid', 'scope', 'documentationurl'];
const ENVELOPE = new Set([...ERROR_NAMES, ...STATE_NAMES, ...WORD_NAMES, ...OTHER_NAMES]);

const SUCCESS_STATES = new Set('true ok info warning success passed completed'.split(' '));
const FAILURE = /^(?:false|fail|failed|[45]\d\d)$|(?:error|exception|failure)$/;
const NOTHING_FOUND =
  /\b(?:no|0)\b.{0,100}\b(?:vulner|issue|finding|problem|violation|secret|leak|error|match)/is;
const DONE = /\b(?:success|complete|finished|passed|clean)/i;
/** What only findings have, which some linters call errors. */
const FINDING_NAME = /^(?:file|path|line|location|severity|rule)/i;

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
  return joinWhiteSpace(words).replace(/\.$/, '');
}

/** The words of an object that is only an error or, if it `isAlone`, a message that states one. */
function readError(item: unknown, isAlone: boolean): string | undefined {
  if (!isObject(item)) return undefined;
  const members = new Map(readMembers(item));
  const isEnvelope = [...members].every(
    ([name, value]) => ENVELOPE.has(name) && (ERROR_NAMES.includes(name) || !isObject(value)),
  );
  const errors = ERROR_NAMES.flatMap((name) => members.get(name)).filter(isStated);
  if (!isEnvelope || errors.some(isLikeFinding)) return undefined;
  const states = STATE_NAMES.map((name) => readState(members.get(name)));
  if (states.some((state) => SUCCESS_STATES.has(state))) return undefined;
  const words = errors.map(findWords).find((each) => each !== undefined) ?? findWords(item);
  if (words === undefined || errors.length > 0) return words;
  const isFailure = states.some((state) => FAILURE.test(state)) || members.has('documentationurl');
  const isMessage = members.size === 1 && MESSAGE_NAMES.some((name) => members.has(name));
  const saysNothing = NOTHING_FOUND.test(words) || DONE.test(words);
  return isAlone && (isFailure || (isMessage && !saysNothing)) ? words : undefined;
}

/** Whether the value of an error says that there is one. */
function isStated(error: unknown): boolean {
  return isObject(error) ? Object.keys(error).length > 0 : Boolean(error);
}

function isLikeFinding(error: unknown): boolean {
  return isObject(error) && Object.keys(error).some((name) => FINDING_NAME.test(name));
}

/** An error that is a text, or the words of its members. */
function findWords(error: unknown): string | undefined {
  if (!isObject(error)) return readWords(error);
  const members = new Map(readMembers(error));
  return WORD_NAMES.map((name) => readWords(members.get(name))).find((each) => each !== undefined);
}

function readState(value: unknown): string {
  return (typeof value === 'boolean' ? String(value) : (readText(value) ?? '')).toLowerCase();
}

function readWords(value: unknown): string | undefined {
  const words = typeof value === 'string' ? readText(value)?.trim() : undefined;
  return words === '' ? undefined : words;
}

/** The members of an object with their names in the form of `foldName`. */
function readMembers(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).map(([name, member]) => [foldName(readText(name) ?? ''), member]);
}
