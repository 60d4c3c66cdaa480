import { STATUS_CODES } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../json.ts';
import { cutAtWord, joinWhiteSpace, listLines } from '../text.ts';
import { isPage, listPageLines } from './explanation-page.ts';
import { listJsonTexts, looksLikeJson } from './explanation-json.ts';
import type { Json } from './problem.ts';

/** The longest text, and that of a problem's detail, in characters. */
const MAX_TEXT_CHARACTERS = 1000;
const MAX_DETAIL_CHARACTERS = 1500;
/** How many lines of other texts than a problem's detail are shown, and how many of a success. */
const MAX_LINES = 6;
const MAX_SUCCESS_LINES = 3;

/** What of a success is shown: other members may be tokens or signed addresses. */
const SUCCESS_TEXTS = ['message', 'detail', 'title', 'description', 'warnings'];

/** Words with which error pages fill their titles. */
const FILLER =
  /\b(?:https?|status|error|code|server|iis|oops|sorry|an?|has|occurred|detailed|exception|message|type|report)\b/gi;
/** Names of a status that Node does not use, and names of error pages. */
const ALIAS =
  /^(?:Request Entity Too Large|(?:Gateway|Request) Time-out|Service Temporarily Unavailable|Not Allowed|Authorization Required|Proxy Error)$/i;

/** The clean texts of a response. */
export interface CleanBody {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the text is not truncated. */
  readonly isWhole: boolean;
  /** The value of its JSON; undefined if it is none. */
  readonly value: Json | undefined;
}

/**
 * What a refusal says, the most important text first: a problem's whole detail, field errors, other texts of JSON, or
 * the first lines of a page or a text; then what its challenge says (RFC 6750, section 3). Never JSON, tags or a
 * stack, and nothing that only repeats the status.
 */
export function readExplanation(
  status: number,
  { headers, text, value, isWhole }: CleanBody,
): readonly string[] {
  const isJson = isObject(value) || typeof value === 'string';
  const detail = isObject(value) && 'detail' in value ? value.detail : undefined;
  const [first, ...others] = isJson ? listJsonTexts(value) : [];
  const isDetail = first !== undefined && first === detail;
  const rest = isDetail || first === undefined ? others : [first, ...others];
  const texts = isJson
    ? rest.map((each) => shorten(each, status))
    : listBodyLines({ text, isWhole }, status);
  const challenge = listChallenge(status, headers).map((each) => shorten(each, status));
  const all = [...texts, ...challenge].filter((each) => each !== '');
  return sortTexts(isDetail ? showDetail(first, status) : [], all);
}

/** The whole detail of a problem, unless it only repeats the status. */
function showDetail(detail: string, status: number): readonly string[] {
  const lines = (isPage(detail) ? listPageLines(detail) : listLines(detail)).map(joinWhiteSpace);
  const text = lines.join('\n');
  return isStatus(text, status) ? [] : [cutAtWord(text, MAX_DETAIL_CHARACTERS)];
}

/** What a success says: of JSON some members, of a plain text the first lines. */
export function readConfirmation(
  status: number,
  { text, value, isWhole }: Omit<CleanBody, 'headers'>,
): readonly string[] {
  if (!isObject(value)) {
    // What looks like code may have members that are not shown.
    const lines = !isWhole || /[<{[]/.test(text) ? [] : listTelling(listLines(text), status);
    return lines.slice(0, MAX_SUCCESS_LINES).map(limit);
  }
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(value));
  const texts = SUCCESS_TEXTS.flatMap((name) => members.get(name)).map((member) =>
    isObject(member) && 'message' in member ? member.message : member,
  );
  return texts
    .filter((each) => typeof each === 'string')
    .filter((each) => !looksLikeJson(each))
    .map((each) => shorten(each, status))
    .filter((each) => each !== '')
    .slice(0, MAX_LINES);
}

function listBodyLines(
  { text, isWhole }: Pick<CleanBody, 'text' | 'isWhole'>,
  status: number,
): readonly string[] {
  if (looksLikeJson(text)) return [];
  const lines = isPage(text) ? listPageLines(text) : listLines(text);
  const shown = isWhole ? lines : dropCutEnd(lines);
  return listTelling(shown, status).slice(0, MAX_LINES).map(limit);
}

/** Lines without their truncated end, which may be a part of a secret: the last line, or of one line its last word. */
function dropCutEnd(lines: readonly string[]): readonly string[] {
  if (lines.length > 1) return lines.slice(0, -1);
  const words = joinWhiteSpace(lines[0] ?? '').split(' ');
  return [words.slice(0, -1).join(' ')];
}

/** The first lines of a text that say more than the status of its response. */
function shorten(text: string, status: number): string {
  const lines = listTelling(isPage(text) ? listPageLines(text) : listLines(text), status);
  return limit(lines.slice(0, MAX_LINES).join('\n'));
}

function limit(text: string): string {
  return cutAtWord(text, MAX_TEXT_CHARACTERS);
}

/** Lines that say more than the status, without the status before them. Of a stack, only its error is one. */
function listTelling(lines: readonly string[], status: number): readonly string[] {
  const isTrace = lines[0]?.startsWith('Traceback (most recent call last)') === true;
  return (isTrace ? lines.slice(-1) : lines)
    .map((line) => joinWhiteSpace(line.replace(`(${status})`, '')))
    .filter((line) => !line.startsWith('at ') && !isStatus(line, status))
    .map((line) => trimStatus(line, status));
}

/** Whether a text only repeats the status of its response: `HTTP Status 404 – Not Found`. */
function isStatus(text: string, status: number): boolean {
  const name = STATUS_CODES[status] ?? '';
  const rest = text.toLowerCase().replace(name.toLowerCase(), '').replace(String(status), '');
  return !/\p{L}|\d{3}/u.test(rest.replace(FILLER, ''));
}

/** A line without its status before it: `HTTP/1.1 404 Not Found: `. */
function trimStatus(line: string, status: number): string {
  const name = STATUS_CODES[status] ?? '';
  let rest = line;
  for (const piece of [
    /^HTTP(?:\/[\d.]{1,3})?[\s:]+/i,
    /^status[\s:]+/i,
    /^(?:error|code)[\s:]+/i,
  ]) {
    rest = rest.replace(piece, '');
  }
  const isNumbered = new RegExp(`^${status}(?:\\.\\d{1,3})?(?!\\w)`).test(rest);
  if (isNumbered) rest = rest.replace(/^[\d.]+[\s:.|–—-]*/, '');
  const isNamed = name !== '' && rest.toLowerCase().startsWith(name.toLowerCase());
  const after = isNamed ? rest.slice(name.length) : rest;
  if (!isNumbered && !(isNamed && /^\s*[:.|–—-]/.test(after))) return line;
  const said = (/^\w/.test(after) && isNamed ? rest : after).replace(/^[\s:.|–—-]+/, '');
  return said === '' ? line : said;
}

/** Whether a text is a name or an id, rather than a sentence. */
function isName(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/[.!]$/.test(text);
}

/** Whether a text says less than a sentence does: a name, a code, or an old name of the status. */
function isMinor(text: string): boolean {
  return isName(text) || ALIAS.test(text);
}

/** Each text once: sentences before names and codes such as `invalid_request`, which say less. */
function sortTexts(first: readonly string[], others: readonly string[]): readonly string[] {
  const sorted = [
    ...first,
    ...others.filter((text) => !isMinor(text)),
    ...others.filter((text) => isMinor(text)),
  ];
  const keys = sorted.map((text) => text.replace(/[.!]$/, '').toLowerCase());
  return sorted.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

function listChallenge(status: number, headers: IncomingHttpHeaders): readonly string[] {
  const challenge = status === 401 || status === 403 ? headers['www-authenticate'] : undefined;
  return /\berror_description="([^"]*)"/.exec(challenge ?? '')?.slice(1) ?? [];
}
