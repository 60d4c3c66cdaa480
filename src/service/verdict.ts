// What the body of a 2xx response says against the upload: docs/interface.md, Successes, has the rules and examples.

import { STATUS_CODES } from 'node:http';
import { foldName, isObject, listMembers, tryJson } from '../json.ts';
import { scanXml } from '../xml-tags.ts';

/** Members that say whether the upload succeeded. */
const FLAG =
  /^(?:success|succeeded|successful|issuccess|issuccessful|ok|accepted|uploaded|isvalid)$/;
/** Those of them that are no number of files. */
const NUMERIC_FLAG = /^(?:success|ok|issuccess)$/;
const FAILURE_FLAG = /^(?:iserror|haserrors?|isfailed|failed)$/;
/** `result` is often that of the scan. */
const STATE = /^(?:status|state|outcome|result)$/;
const CODE = /^(?:status|statuscode|code|errorcode|httpstatus)$/;
const ERROR = /^(?:error|errormessage|exception|exceptionmessage|fault)$/;
const ENVELOPE = /^(?:data|d|result|response|body)$/;
const ITEMS = /^(?:files|uploads|results)$/;
/** Members beside which a status is that of a file. */
const FILE = /^(?:file|name|part)$/;

const NO = /^(?:error|fail|failed|failure|rejected|refused|denied|unauthorized|forbidden|invalid)$/;
/** What a finding says too. */
const FOUND = /^(?:fail|failed|invalid)$/;
const YES =
  /^(?:ok|success|succeeded|accepted|created|received|stored|uploaded|queued|pending|processing|processed|done|completed)$/;
/** What stands in the place of an error if there is none; `No such key` is one. */
const NO_ERROR =
  /^(?:|null|false|0|ok|success|none\b.*|no(?:[\s_-]*(?:error|exception|fault|failure|issue|problem|warning)s?\b.*)?)$/is;
const FAILED_STATUS = /^[45]\d\d$/;
/** Names of failed statuses: those of Node, newer ones (RFC 9110) and those of nginx and Apache. */
const FAILED_NAMES = [
  ...Object.entries(STATUS_CODES).flatMap(([status, name = '']) =>
    FAILED_STATUS.test(status) ? [name] : [],
  ),
  'Content Too Large',
  'Request Entity Too Large',
  'Request-URI Too Large',
  'Unprocessable Content',
  'Authorization Required',
  'Request Time-out',
  'Gateway Time-out',
  'Service Temporarily Unavailable',
].map(foldLine);
const FAILED_WORDS = new Set(FAILED_NAMES.map(foldName));

/** Deeper than any service nests, and not too deep for the stack. */
const MAX_DEPTH = 100;

/**
 * Where a value is. In `result` below a yes, and in `data` and items of lists (`inner`), a failure may be a finding of
 * the scan, and in the latter a status that of a scanned page.
 */
type Place = 'root' | 'result' | 'inner';

/** Whether a value of JSON says that the upload failed. */
export function saysNo(value: unknown, place: Place = 'root', depth = 0): boolean {
  const inside = typeof value === 'string' ? tryJson(value) : value;
  if (!isObject(inside)) return false;
  if (depth > MAX_DEPTH) return true;
  const ask = (each: unknown, where: Place): boolean => saysNo(each, where, depth + 1);
  if (Array.isArray(inside)) return inside.some((item) => isObject(item) && ask(item, 'inner'));
  const members = listMembers(inside);
  if (members.length === 0) return false;
  const isFile = members.some(([name]) => FILE.test(name));
  const judged = members.map(([name, member]) => {
    return { name, member, says: judgeMember(name, member, place, isFile) };
  });
  const isYes = judged.some(({ says }) => says === 'yes');
  return judged.some(({ name, member, says }) => {
    if (says === 'no') return name !== 'result' || !isYes;
    if (name === 'errors') return member === true || (!isYes && statesError(member));
    if (ITEMS.test(name) && isObject(member)) return ask(Object.values(member), 'inner');
    if (!ENVELOPE.test(name)) return false;
    const isResult = name === 'result' && isYes && place === 'root';
    return ask(member, name === 'data' ? 'inner' : isResult ? 'result' : place);
  });
}

/** What one member says by itself; an error in `errors` may be a warning. */
function judgeMember(
  name: string,
  member: unknown,
  place: Place,
  isFile: boolean,
): 'yes' | 'no' | undefined {
  const word = readWord(member);
  const isNumeric = NUMERIC_FLAG.test(name);
  const isFinding = (text: string): boolean => place !== 'root' && FOUND.test(text);
  if (FLAG.test(name) && (word === 'false' || (isNumeric && word === '0'))) return 'no';
  if (FLAG.test(name) && (word === 'true' || (isNumeric && word === '1'))) return 'yes';
  if (FAILURE_FLAG.test(name) && word === 'true') return isFinding(name) ? undefined : 'no';
  if (CODE.test(name) && FAILED_STATUS.test(word) && (isFile || place !== 'inner')) return 'no';
  if (name === 'status' && word === 'false') return 'no';
  if (STATE.test(name) && NO.test(word)) return isFinding(word) ? undefined : 'no';
  if ((STATE.test(name) || CODE.test(name)) && FAILED_WORDS.has(word)) return 'no';
  if (STATE.test(name) && YES.test(word)) return 'yes';
  if (name === 'rejected' && Array.isArray(member) && member.length > 0) return 'no';
  if (!ERROR.test(name)) return undefined;
  const isCode = typeof member === 'number' && /^(?:error|fault)$/.test(name) && !isGoodCode(word);
  return isCode || member === true || statesError(member) ? 'no' : undefined;
}

/** A boolean, a number or a text as a word; empty for anything else. */
function readWord(value: unknown): string {
  if (typeof value === 'string') return foldName(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/**
 * Whether JSON is a problem: it has the status of one, or three of its members and a status that is null, as the
 * interface allows, or two if it is declared as one.
 */
export function statesProblem(value: object, isDeclared: boolean): boolean {
  const members = new Map(listMembers(value));
  const known = ['type', 'title', 'status', 'detail', 'instance'].filter((name) =>
    members.has(name),
  );
  const isNull = known.length > 2 && members.get('status') === null;
  return (
    isNull ||
    FAILED_STATUS.test(readWord(members.get('status'))) ||
    (isDeclared && known.length > 1)
  );
}

/** Whether a value contains a text that states an error, without a good code beside it, or the code of one. */
function statesError(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return saysSomething(value);
  if (!isObject(value)) return false;
  if (depth > MAX_DEPTH) return true;
  const members = listMembers(value);
  const codes = members
    .filter(([name, code]) => name === 'code' && typeof code !== 'boolean')
    .map(([, code]) => readWord(code));
  const isGood = codes.some(isGoodCode);
  if (codes.some((code) => code !== '' && !isGoodCode(code) && !YES.test(code))) return true;
  return members.some(([name, member]) => {
    return (isObject(member) || !(isGood || name === 'code')) && statesError(member, depth + 1);
  });
}

function isGoodCode(word: string): boolean {
  return word === '0' || word === '200';
}

function saysSomething(text: string): boolean {
  return !NO_ERROR.test(text.trim());
}

/** An element that states an error: the root, a child of it, or one in the body of a SOAP message. */
const XML_ERROR =
  /^(?:[^/]+\/)?(?:[^/]+\/(?:[^/]+:)?(?:body|errors)\/)?(?:[^/]+:)?(?:error|fault|problem)$/i;
/** The status of a part of a WebDAV response (RFC 4918, section 13). */
const XML_STATUS = /^(?:[^/]+:)?multistatus\/.*\bstatus$/i;

/** Whether an XML text says that the upload failed; undefined if it does not, but is not well-formed. */
export function saysNoInXml(text: string): boolean | undefined {
  let isNo = false;
  const fault = scanXml(text, (element) => {
    const { name, path, hasElements } = element;
    if (!/(?:error|fault|problem|status)$/i.test(name)) return;
    if (XML_ERROR.test(path)) isNo ||= hasElements || saysSomething(element.text);
    if (XML_STATUS.test(path)) isNo ||= /^(?:HTTP\/[\d.]+\s+)?[45]\d\d\b/i.test(element.text);
  });
  return isNo || (fault === undefined ? false : undefined);
}

const TEXT_ERROR =
  /^(?:error|failed|failure|exception|unauthorized|forbidden|denied|rejected|could not|cannot|unable to|access denied|permission denied|upload failed)(?![\w-])(?!\s*:\s*(?:0|none)\b)/i;

/** Whether a trimmed text says that the upload failed. */
export function saysNoInText(text: string): boolean {
  const [first = ''] = text.slice(0, 200).split(/[\r\n]/, 1);
  const line = foldLine(first.replace(/^HTTP(?:\/[\d.]+)? /i, ''));
  const name = line.replace(/^[45]\d\d\b|\b[45]\d\d$/, '').trim();
  return TEXT_ERROR.test(text) || FAILED_STATUS.test(line) || FAILED_NAMES.includes(name);
}

/** A line in lower case, with one space in place of other characters than letters and digits. */
function foldLine(line: string): string {
  return line
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, ' ')
    .trim();
}
