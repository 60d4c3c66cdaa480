import { foldName, isObject, listMembers } from '../json.ts';
import { cutText, splitLines, stripInvisible } from '../text.ts';
import { isWebPage, isXml, listRoots } from './page.ts';

export type ResponseKind =
  /** A 2xx whose body confirms an upload, whatever it is. */
  | 'success'
  /** Problem details (RFC 9457). */
  | 'problem'
  /** Any other object or array. */
  | 'json'
  | 'web-page'
  /** Any other text, or a body that cannot be read. */
  | 'other';

/** A response's body; of a JSON text its content. */
export interface ResponseBody {
  /** Its media type in lower case, without parameters; empty if none is declared. */
  readonly type: string;
  /** Without invisible characters, and white space around it; undefined if it cannot be decoded. */
  readonly text: string | undefined;
  /** The value of its JSON as it came; a text if it was a JSON text without JSON in it; undefined if it is no JSON. */
  readonly value: unknown;
}

export interface Verdict {
  readonly kind: ResponseKind;
  /** How a 2xx reports a failure: ``says `state: FAIL` ``. */
  readonly statedFailure?: string | undefined;
}

// docs/interface.md, Successes, has the rule. Names of members are written as `foldName` returns them.
const FLAGS = 'success succeeded successful ok issuccess issuccessful isvalid'.split(' ');
const ERROR_FLAGS = ['iserror', 'haserror', 'haserrors'];
const OUTCOMES = ['status', 'state', 'outcome'];
const CODES = ['statuscode', 'httpstatus', 'code', 'errorcode'];
const SUCCESS_WORDS =
  'ok success succeeded accepted created received stored uploaded queued pending processing processed done completed'.split(
    ' ',
  );
export const FAILURE_WORDS =
  'error fail failed failure rejected refused denied unauthorized forbidden invalid'.split(' ');
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
const FAILURE_TEXTS =
  'error|failed|failure|exception|unauthorized|forbidden|denied|rejected|access denied|permission denied|upload failed'.split(
    '|',
  );

const PROBLEM_TYPE = 'application/problem+json';
/** The members of a problem that are texts. */
const PROBLEM_TEXTS = ['type', 'title', 'detail', 'instance'];

/** A longer member or line is only named, because what it says is shown by itself. */
const MAX_STATED_CHARACTERS = 100;

/** Whether the body of a response with this status may confirm an upload. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Reads what a response is, and of a 2xx whether it reports a failure. */
export function readVerdict(status: number, body: ResponseBody): Verdict {
  const kind = findKind(body);
  const { text, value } = body;
  if (!isSuccess(status) || text === undefined || kind === 'web-page') return { kind };
  if (!isParsed(value) && beginsAsJson(text)) return { kind };
  if (reportsProblem(body)) return { kind: 'problem', statedFailure: 'is a problem' };
  const statedFailure = findFailure(body);
  return statedFailure === undefined ? { kind: 'success' } : { kind, statedFailure };
}

/** What a body is by itself. */
function findKind({ type, text = '', value }: ResponseBody): ResponseKind {
  if (isProblemDetails(type, value)) return 'problem';
  if (isObject(value)) return 'json';
  return !isParsed(value) && isWebPage(type, text) ? 'web-page' : 'other';
}

/** Whether a body is JSON, other than a text. */
function isParsed(value: unknown): boolean {
  return value !== undefined && typeof value !== 'string';
}

/**
 * Whether the JSON of a refusal is a problem. The interface allows text/plain, application/json and text/json for it, so
 * its members decide, unless it is declared as one. Frameworks have a `status` beside `error` or `message` in errors of
 * their own.
 */
function isProblemDetails(type: string, value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  const isFramework = has('error') || has('message');
  return type === PROBLEM_TYPE || PROBLEM_TEXTS.some(has) || (has('status') && !isFramework);
}

/** Whether a text that is not JSON begins as such. */
export function beginsAsJson(text: string): boolean {
  return /^(?:\{|\[\s*[{["])/.test(text);
}

/** Whether a 2xx reports a problem: declared as one, or with three of its members, as a success may have one or two. */
function reportsProblem({ type, value }: ResponseBody): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  const members = readMembers(value);
  const known = new Set(members.filter(isOfProblem).map(({ folded }) => folded));
  const isDeclared = type === PROBLEM_TYPE && (known.has('title') || known.has('detail'));
  return isDeclared || (known.size >= 3 && !members.some(reportsSuccess));
}

function isOfProblem({ folded, value }: Member): boolean {
  if (folded === 'status') return value === null || typeof value === 'number';
  if (folded !== 'type') return PROBLEM_TEXTS.includes(folded);
  return value === null || (typeof value === 'string' && /[:/]/.test(value));
}

function findFailure({ type, text = '', value }: ResponseBody): string | undefined {
  // Nothing is searched below the root, and a list has no members of its own.
  if (Array.isArray(value)) return undefined;
  if (isObject(value)) return findFailedMember(value);
  if (isParsed(value)) return value === false ? 'says `false`' : undefined;
  const names = isXml(type, text) ? listRoots(text) : [];
  const root = names.find((name) => /(?:error|fault|problem)$/i.test(name));
  return root === undefined ? findFailedText(text) : `is <${stripInvisible(root)}>`;
}

/** A member at the root, as it is compared. */
interface Member {
  readonly name: string;
  readonly folded: string;
  readonly word: string;
  readonly value: unknown;
}

function readMembers(value: object): readonly Member[] {
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  return members.map(([key, member]) => {
    const name = stripInvisible(key);
    return { name, folded: foldName(name), word: readWord(member), value: member };
  });
}

/** The members that report a failure, by whether a success beside them overrules them. */
function findFailures(value: object): Readonly<Record<'valid' | 'overruled', readonly Member[]>> {
  const members = readMembers(value);
  const hasSuccess = members.some(reportsSuccess);
  const failed = members.filter((member) => reportsFailure(member, hasSuccess));
  const isOverruled = ({ folded }: Member): boolean => hasSuccess && OVERRULED.includes(folded);
  return {
    valid: failed.filter((member) => !isOverruled(member)),
    overruled: failed.filter(isOverruled),
  };
}

/** The members of a success that would be a failure without it. */
export function listOverruled(value: object): readonly Pick<Member, 'name' | 'value'>[] {
  return findFailures(value).overruled;
}

/** The member that reports a failure, as ``says `state: FAIL` ``; of a long one its name. */
function findFailedMember(value: object): string | undefined {
  const [failed] = findFailures(value).valid;
  if (failed === undefined) return undefined;
  const { name } = failed;
  return isObject(failed.value) ? quote(name) : quote(`${name}: ${String(failed.value)}`, name);
}

function reportsFailure({ folded, word, value }: Member, hasSuccess: boolean): boolean {
  return (
    (FLAGS.includes(folded) && ['false', '0', ...FAILURE_WORDS].includes(word)) ||
    (ERROR_FLAGS.includes(folded) && word === 'true') ||
    (folded === 'status' && word === 'false') ||
    ([...OUTCOMES, 'result'].includes(folded) && FAILURE_WORDS.includes(word)) ||
    ([...CODES, 'status'].includes(folded) && /^[45]\d\d$/.test(word)) ||
    (ERRORS.includes(folded) && (value === true || statesError(value, hasSuccess)))
  );
}

function reportsSuccess({ folded, word }: Member): boolean {
  return (
    (FLAGS.includes(folded) && word === 'true') ||
    (OUTCOMES.includes(folded) && SUCCESS_WORDS.includes(word)) ||
    (CODES.includes(folded) && /^(?:0|2\d\d)$/.test(word))
  );
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

/** The first line of a text, if it is, or begins before a colon with, words of failure. */
function findFailedText(text: string): string | undefined {
  const [line = ''] = splitLines(text);
  const [start = '', rest = ''] = line.split(':', 2);
  const words = start.trim().replace(/[.!]$/, '').trim();
  const isFailure = FAILURE_TEXTS.includes(words.toLowerCase());
  // `Failed: 0` counts what failed.
  return isFailure && !/^\s*(?:0|none)\s*(?:,|$)/i.test(rest) ? quote(line, words) : undefined;
}

/** How a text is quoted; of a long one only `part`. */
function quote(text: string, part = text): string {
  const shown = text.length > MAX_STATED_CHARACTERS ? part : text;
  return `says \`${stripInvisible(cutText(shown, MAX_STATED_CHARACTERS))}\``;
}
