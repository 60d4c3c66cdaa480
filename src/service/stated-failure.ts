import { foldName, isObject, listMembers } from '../json.ts';
import { stripInvisible } from '../text.ts';

// Whether an object of a 2xx reports a failure or a success at its root: docs/interface.md, Successes, has the rule. Names
// of members are written as `foldName` returns them, and values as `readWord` does.

const split = (words: string): readonly string[] => words.split(' ');

const FLAGS = split('success succeeded successful ok issuccess issuccessful isvalid');
const OUTCOMES = ['status', 'state', 'outcome'];
const CODES = ['statuscode', 'httpstatus', 'code', 'errorcode'];
/** Members with errors of several fields or files. */
export const ERROR_LISTS = ['errors', 'errormessages', 'validationerrors'];
const SOFT_ERRORS = [...ERROR_LISTS, 'errormessage'];
const ERRORS = ['error', 'exception', 'fault', ...SOFT_ERRORS];
/** Members that only warn beside a success. */
const OVERRULED = ['result', ...SOFT_ERRORS];
/** What an object for an error says, besides its class. */
const ERROR_TEXTS = ['message', 'description', 'detail', 'details', 'title'];
/** What a member for errors says if there is none. It may also begin with `no error`. */
const NO_ERROR = ['none', 'null', 'false', 'no', 'ok', 'success', 'n/a'];

const FAILURE_WORDS = split(
  'error fail failed failure rejected refused denied unauthorized forbidden invalid',
);
const SUCCESS_WORDS = split(
  'ok success succeeded accepted created received stored uploaded queued pending processing processed done completed',
);

/** Names, and the values with which one of them reports. */
type Rule = readonly [names: readonly string[], words: readonly string[]];
const FAILURES: readonly Rule[] = [
  [FLAGS, ['false', '0', ...FAILURE_WORDS]],
  [['status'], ['false', ...listNumbers(400, 599)]],
  [CODES, listNumbers(400, 599)],
  [[...OUTCOMES, 'result'], FAILURE_WORDS],
  [['iserror', 'haserror', 'haserrors', ...ERRORS], ['true']],
];
const SUCCESSES: readonly Rule[] = [
  [FLAGS, ['true']],
  [OUTCOMES, SUCCESS_WORDS],
  [CODES, ['0', ...listNumbers(200, 299)]],
];

/** A member at the root, as it is compared. */
export interface Member {
  readonly name: string;
  readonly folded: string;
  readonly value: unknown;
}

/** The members of an object; none of a list. */
export function readMembers(value: object): readonly Member[] {
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  return members.map(([key, member]) => {
    const name = stripInvisible(key);
    return { name, folded: foldName(name), value: member };
  });
}

export function reportSuccess(members: readonly Member[]): boolean {
  return members.some((member) => isOne(SUCCESSES, member));
}

/** The members of an object that report a failure, and whether a success beside them overrules it. */
export function listFailures(
  value: object,
): readonly (Member & { readonly isOverruled: boolean })[] {
  const members = readMembers(value);
  const hasSuccess = reportSuccess(members);
  return members
    .filter((member) => reportsFailure(member, hasSuccess))
    .map((member) => ({ ...member, isOverruled: hasSuccess && OVERRULED.includes(member.folded) }));
}

/** Whether the name of a member is about failures, such as `isFailure` or `error`: if it is false, there is none. */
export function isOfFailure(name: string): boolean {
  const stems = [...FAILURE_WORDS, 'err', 'fault', 'exception', 'warn', 'cancel'];
  return stems.some((stem) => foldName(name).includes(stem));
}

function reportsFailure(member: Member, hasSuccess: boolean): boolean {
  return (
    isOne(FAILURES, member) ||
    (ERRORS.includes(member.folded) && statesError(member.value, hasSuccess))
  );
}

function isOne(rules: readonly Rule[], { folded, value }: Member): boolean {
  const word = readWord(value);
  return rules.some(([names, words]) => names.includes(folded) && words.includes(word));
}

/**
 * Whether a value is, or contains, a text that states an error. Results of .NET have an error beside a success, which says
 * that there is none, or nothing but its class.
 */
function statesError(value: unknown, hasSuccess: boolean): boolean {
  // The loop also reaches the values that it appends. Calls could not be nested as deep as JSON may be.
  const values = [value];
  for (const each of values) {
    if (typeof each === 'string' && isErrorText(each)) return true;
    if (!isObject(each)) continue;
    const members = listMembers(each);
    if (hasGoodCode(members, hasSuccess)) continue;
    const said = members.filter(([name]) => hasSuccess && ERROR_TEXTS.includes(name));
    for (const [, member] of said.length > 0 ? said : members) values.push(member);
  }
  return false;
}

function isErrorText(text: string): boolean {
  const word = foldName(stripInvisible(text));
  return /\p{L}/u.test(word) && !NO_ERROR.includes(word) && !word.startsWith('noerror');
}

function hasGoodCode(members: ReturnType<typeof listMembers>, hasSuccess: boolean): boolean {
  const codes = members.filter(([name]) => name === 'code').map(([, code]) => readWord(code));
  return codes.some((code) => ['0', '200'].includes(code) || (hasSuccess && code.endsWith('none')));
}

/** A text, a number or a boolean as a word in lower case. */
function readWord(value: unknown): string {
  return isObject(value) ? '' : stripInvisible(String(value)).trim().toLowerCase();
}

/** The numbers from `first` to `last` as words. */
function listNumbers(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}
