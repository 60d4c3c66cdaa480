import { foldName, isObject, listMembers } from '../json.ts';
import { findRoot, isWebPage, isXml } from './page.ts';

/** What a body is: of a 2xx that confirms an upload a success, `other` if it cannot be read, or if it is anything else. */
export type ResponseKind = 'success' | 'problem' | 'json' | 'web-page' | 'other';

/** A response's body without invisible characters, and without white space around it; lines end in \n. */
export interface ResponseBody {
  /** Its media type in lower case, without parameters; empty if none is declared. */
  readonly type: string;
  /** Undefined if it cannot be decoded. */
  readonly text: string | undefined;
  /** The value of its JSON; undefined if it is none. */
  readonly value: unknown;
}

export interface Verdict {
  readonly kind: ResponseKind;
  /** How a 2xx reports a failure: ``says `state: FAIL` ``. */
  readonly statedFailure?: string | undefined;
}

// The members at the root of JSON that decide, by their names as `foldName` writes them and by their values as words:
// docs/interface.md, Successes, has the rule.
const FLAG_NAMES = 'success succeeded successful ok issuccess issuccessful isvalid'.split(' ');
const ERROR_FLAG_NAMES = ['iserror', 'haserror', 'haserrors'];
const OUTCOME_NAMES = ['status', 'state', 'outcome'];
const CODE_NAMES = ['statuscode', 'code', 'errorcode'];
const FAILURE_WORDS =
  'error fail failed failure rejected refused denied unauthorized forbidden invalid'.split(' ');
const SUCCESS_WORDS =
  'ok success succeeded accepted created received stored uploaded queued pending processing processed done completed'.split(
    ' ',
  );
/** Members with errors of several fields or files. */
export const ERROR_LISTS = ['errors', 'errormessages', 'validationerrors'];
/** Members with errors that only warn beside a success. */
const WARNING_MEMBERS = [...ERROR_LISTS, 'errormessage'];
const ERROR_MEMBERS = ['error', 'exception', 'fault', ...WARNING_MEMBERS];
/** What an error says if there is none; also what begins with `no error`. */
const NO_ERROR = ['none', 'null', 'false', 'no', 'ok', 'success', 'n/a'];
const FAILURE_TEXTS =
  'error|failed|failure|exception|unauthorized|forbidden|denied|rejected|access denied|permission denied|upload failed'.split(
    '|',
  );

const PROBLEM_TYPE = 'application/problem+json';
/** The members of a problem that are texts. */
const PROBLEM_TEXTS = ['type', 'title', 'detail', 'instance'];

/** A longer member is only named: what it says is shown by itself. */
const MAX_STATED_CHARACTERS = 100;

/** Reads the body of a 2xx. */
export function readSuccess(body: ResponseBody): Verdict {
  const { text, value } = body;
  const kind = readKind(body);
  if (text === undefined || kind === 'web-page') return { kind };
  if (value === undefined && beginsAsJson(text)) return { kind };
  // Nothing is searched for below the root: each item of a long list would take time for nothing.
  if (Array.isArray(value)) return { kind: 'success' };
  if (reportsProblem(body)) return { kind: 'problem', statedFailure: 'is a problem' };
  const statedFailure = findFailure(body);
  return statedFailure === undefined ? { kind: 'success' } : { kind, statedFailure };
}

/** What a body is by itself. */
export function readKind({ type, text = '', value }: ResponseBody): ResponseKind {
  if (isProblemDetails(type, value)) return 'problem';
  if (isObject(value)) return 'json';
  return value === undefined && isWebPage(type, text) ? 'web-page' : 'other';
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

/** Whether a 2xx reports a problem: declared as one, or with several of its members, as a success may have one or two. */
function reportsProblem({ type, value }: ResponseBody): boolean {
  if (!isObject(value)) return false;
  const members = new Map(listMembers(value));
  if (type === PROBLEM_TYPE && (members.has('title') || members.has('detail'))) return true;
  const known = [...PROBLEM_TEXTS, 'status'].filter((name) => members.has(name));
  const uri = members.get('type') ?? 'about:blank';
  const isType = typeof uri === 'string' && /[:/]/.test(uri);
  const isStatus = typeof (members.get('status') ?? 0) === 'number';
  return known.length >= 3 && isType && isStatus && !reportsSuccess(value);
}

function findFailure({ type, text = '', value }: ResponseBody): string | undefined {
  if (isObject(value)) {
    const member = findFailedMember(value);
    return member && `says \`${member}\``;
  }
  const root = isXml(type, text) ? findRoot(text) : '';
  if (/(?:error|fault|problem)$/i.test(root)) return `is <${root}>`;
  const [line = ''] = (typeof value === 'string' ? value.trim() : text).split('\n', 1);
  return value === false || isFailureText(line) ? `says \`${line}\`` : undefined;
}

/** The member that reports a failure, as `state: FAIL` or, if it is long, its name. */
function findFailedMember(value: object): string | undefined {
  const overruled = reportsSuccess(value) ? ['result', ...WARNING_MEMBERS] : [];
  const failed = Object.entries(value).find(([name, member]) => {
    const folded = foldName(name);
    return !overruled.includes(folded) && reportsFailure(folded, member);
  });
  if (failed === undefined || isObject(failed[1])) return failed?.[0];
  const shown = failed.join(': ');
  return shown.length > MAX_STATED_CHARACTERS ? failed[0] : shown;
}

function reportsFailure(name: string, value: unknown): boolean {
  const word = readWord(value);
  return (
    (FLAG_NAMES.includes(name) && (word === 'false' || word === '0')) ||
    (ERROR_FLAG_NAMES.includes(name) && word === 'true') ||
    (name === 'status' && word === 'false') ||
    ([...OUTCOME_NAMES, 'result'].includes(name) && FAILURE_WORDS.includes(word)) ||
    ([...CODE_NAMES, 'status', 'httpstatus'].includes(name) && /^[45]\d\d$/.test(word)) ||
    (ERROR_MEMBERS.includes(name) && (value === true || statesError(value)))
  );
}

function reportsSuccess(value: object): boolean {
  return listMembers(value).some(([name, member]) => {
    const word = readWord(member);
    return (
      (FLAG_NAMES.includes(name) && word === 'true') ||
      (OUTCOME_NAMES.includes(name) && SUCCESS_WORDS.includes(word)) ||
      (CODE_NAMES.includes(name) && /^(?:0|2\d\d)$/.test(word))
    );
  });
}

/** Whether a value is, or contains, a text that states an error. */
function statesError(value: unknown): boolean {
  if (typeof value === 'string') {
    const word = foldName(value);
    return /\p{L}/u.test(word) && !NO_ERROR.includes(word) && !word.startsWith('noerror');
  }
  if (!isObject(value)) return false;
  const code = listMembers(value).find(([name]) => name === 'code')?.[1];
  return !['0', '200'].includes(readWord(code)) && Object.values(value).some(statesError);
}

/** A text, a number or a boolean as a word in lower case. */
function readWord(value: unknown): string {
  return isObject(value) ? '' : String(value).trim().toLowerCase();
}

/** Whether a line is, or begins before a colon with, words of failure. */
function isFailureText(line: string): boolean {
  const [start = '', rest = ''] = line.split(':', 2);
  const words = start.trim().replace(/[.!]$/, '').toLowerCase();
  return FAILURE_TEXTS.includes(words) && !/^\s*(?:0|none)\b/i.test(rest);
}
