import { foldName, isObject, listMembers } from '../json.ts';

/**
 * What a member at the root of a 2xx's JSON reports, by its name and by its value as a word: docs/interface.md,
 * Successes, has the rule.
 */
const RULES: readonly {
  readonly names: readonly string[];
  readonly failure?: RegExp;
  readonly success?: RegExp;
}[] = [
  {
    names: ['success', 'succeeded', 'successful', 'ok', 'issuccess', 'issuccessful', 'isvalid'],
    failure: /^(?:false|0)$/,
    success: /^true$/,
  },
  {
    names: ['status', 'state', 'outcome', 'result'],
    failure:
      /^(?:error|fail|failed|failure|rejected|refused|denied|unauthorized|forbidden|invalid)$/,
  },
  {
    names: ['status', 'state', 'outcome'],
    success:
      /^(?:ok|success|succeeded|accepted|created|received|stored|uploaded|queued|pending|processing|processed|done|completed)$/,
  },
  {
    names: ['status', 'statuscode', 'httpstatus', 'code', 'errorcode'],
    failure: /^[45]\d\d$/,
  },
  { names: ['statuscode', 'code', 'errorcode'], success: /^(?:0|2\d\d)$/ },
  { names: ['status'], failure: /^false$/ },
  { names: ['iserror', 'haserror', 'haserrors'], failure: /^true$/ },
];
/** Members that only warn beside a success. */
const WARNINGS = ['errors', 'errormessage', 'errormessages', 'validationerrors'];
const ERRORS = ['error', 'exception', 'fault', ...WARNINGS];
const NO_ERROR = /^(?:none|null|false|no|ok|success|n\/a)$|^no[ _-]?error/i;

/** A longer member is named, and shown by itself. */
const MAX_SHOWN_CHARACTERS = 100;

const PROBLEM = ['type', 'title', 'status', 'detail', 'instance'];
const FAILURE_TEXT =
  /^(?:error|failed|failure|exception|unauthorized|forbidden|denied|rejected|(?:access|permission) denied|upload failed)$/i;

/** The member of an object that reports a failure, as `state: FAIL` or, if it is long, its name; undefined if none does. */
export function findFailure(value: object): string | undefined {
  const overruled = reportsSuccess(value) ? ['result', ...WARNINGS] : [];
  const failed = Object.entries(value).find(([name, member]) => {
    const folded = foldName(name);
    const isError = ERRORS.includes(folded) && (member === true || statesError(member));
    return !overruled.includes(folded) && (isError || reports('failure', folded, member));
  });
  if (failed === undefined || isObject(failed[1])) return failed?.[0];
  const shown = failed.join(': ');
  return shown.length > MAX_SHOWN_CHARACTERS ? failed[0] : shown;
}

/** Whether an object is a problem (RFC 9457). Of one that is not declared as such, the members decide. */
export function statesProblem(value: object, isDeclared: boolean): boolean {
  const members = new Map(listMembers(value));
  if (isDeclared && (members.has('title') || members.has('detail'))) return true;
  const type = members.get('type') ?? 'about:blank';
  const isShaped = typeof type === 'string' && /[:/]/.test(type);
  const hasStatus = typeof (members.get('status') ?? 0) === 'number';
  const known = PROBLEM.filter((name) => members.has(name));
  return known.length >= 3 && isShaped && hasStatus && !reportsSuccess(value);
}

/** Whether the line of a text is, or begins before a colon with, words of failure. */
export function isFailureText(line: string): boolean {
  const [, start = '', rest = ''] = /^([^:]*):?(.*)/.exec(line) ?? [];
  const isNone = /^\s*(?:0|none)\b/i.test(rest);
  return FAILURE_TEXT.test(start.trim().replace(/[.!]$/, '')) && !isNone;
}

function reportsSuccess(value: object): boolean {
  return listMembers(value).some(([name, member]) => reports('success', name, member));
}

function reports(what: 'failure' | 'success', name: string, member: unknown): boolean {
  const word = readWord(member);
  return RULES.some((rule) => rule.names.includes(name) && rule[what]?.test(word));
}

/** Whether a value is, or contains, a text that states an error. */
function statesError(value: unknown): boolean {
  if (typeof value === 'string') return /\p{L}/u.test(value) && !NO_ERROR.test(value.trim());
  if (!isObject(value)) return false;
  const code = listMembers(value).find(([name]) => name === 'code')?.[1];
  return !['0', '200'].includes(readWord(code)) && Object.values(value).some(statesError);
}

/** A text, a number or a boolean as a word in lower case. */
function readWord(value: unknown): string {
  return isObject(value) ? '' : String(value).trim().toLowerCase();
}
