import { isObject, isRecord } from '../json.ts';
import { cutText, splitLines, stripInvisible } from '../text.ts';
import type { ServiceResponse } from './attempt.ts';
import { isWebPage, isXml, listRoots } from './page.ts';
import { listFailures, readMembers, reportSuccess } from './stated-failure.ts';
import type { Member } from './stated-failure.ts';

/** A response's body; of a JSON text its content. */
export interface ResponseBody {
  /** Its media type in lower case, without parameters; empty if none is declared. */
  readonly type: string;
  /** Without invisible characters, and white space around it; empty if it cannot be decoded. */
  readonly text: string;
  /** The value of its JSON as it came; undefined if it is no JSON. */
  readonly value: unknown;
  /** Whether it could be decoded, and parsed if it begins as JSON. */
  readonly isRead: boolean;
}

const FAILURE_TEXTS =
  'error|failed|failure|exception|unauthorized|forbidden|denied|rejected|access denied|permission denied|upload failed'.split(
    '|',
  );

/** How the document type or the root of an error in XML ends. */
const ERROR_ROOTS = ['error', 'fault', 'problem'];

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
export function readVerdict(
  status: number,
  body: ResponseBody,
): Pick<ServiceResponse, 'kind' | 'statedFailure'> {
  const kind = readKind(body);
  if (!isSuccess(status) || kind === 'web-page' || !body.isRead) return { kind };
  if (reportsProblem(body)) return { kind: 'problem', statedFailure: 'is a problem' };
  const statedFailure = findFailure(body);
  return statedFailure === undefined ? { kind: 'success' } : { kind, statedFailure };
}

/** What a body is by itself. */
function readKind({ type, text, value }: ResponseBody): ServiceResponse['kind'] {
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
  if (!isRecord(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  const isFramework = has('error') || has('message');
  return type === PROBLEM_TYPE || PROBLEM_TEXTS.some(has) || (has('status') && !isFramework);
}

/** Whether a 2xx reports a problem: declared as one, or with three of its members, as a success may have one or two. */
function reportsProblem({ type, value }: ResponseBody): boolean {
  if (!isRecord(value)) return false;
  const members = readMembers(value);
  const known = new Set(members.filter(isOfProblem).map(({ folded }) => folded));
  const isDeclared = type === PROBLEM_TYPE && (known.has('title') || known.has('detail'));
  return isDeclared || (known.size >= 3 && !reportSuccess(members));
}

function isOfProblem({ folded, value }: Member): boolean {
  if (folded === 'status') return value === null || typeof value === 'number';
  if (folded !== 'type') return PROBLEM_TEXTS.includes(folded);
  return value === null || (typeof value === 'string' && /[:/]/.test(value));
}

function findFailure({ type, text, value }: ResponseBody): string | undefined {
  // Nothing is searched below the root, and a list has no members of its own.
  if (isRecord(value)) return findFailedMember(value);
  if (value !== undefined) return value === false ? 'says `false`' : undefined;
  const names = isXml(type, text) ? listRoots(text) : [];
  const root = names.find((name) => ERROR_ROOTS.some((end) => name.toLowerCase().endsWith(end)));
  return root === undefined ? findFailedText(text) : `is <${stripInvisible(root)}>`;
}

/** The member that reports a failure, as ``says `state: FAIL` ``; of a long one its name. */
function findFailedMember(object: object): string | undefined {
  const failed = listFailures(object).find(({ isOverruled }) => !isOverruled);
  if (failed === undefined) return undefined;
  const { name, value } = failed;
  return isObject(value) ? quote(name) : quote(`${name}: ${String(value)}`, name);
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
