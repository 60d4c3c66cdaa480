import { STATUS_CODES } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../json.ts';
import { cutAtWord, joinWhiteSpace, listLines } from '../text.ts';
import { isPage, listPageLines } from './explanation-page.ts';
import { listErrors, listJsonTexts, looksLikeJson } from './explanation-json.ts';
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
  { headers, text, value }: CleanBody,
): readonly string[] {
  const isJson = isObject(value) || typeof value === 'string';
  const detail = isObject(value) && 'detail' in value ? value.detail : undefined;
  const texts = isJson
    ? listJsonTexts(value).map((each) => shorten(each, status, each === detail))
    : listBodyLines(text, status);
  const challenge = listChallenge(status, headers).map((each) => shorten(each, status));
  return sortTexts([...texts, ...challenge].filter((each) => each !== ''));
}

/** What a success says: of JSON some members, of a plain text the first lines. */
export function readConfirmation(
  status: number,
  { text, value }: Omit<CleanBody, 'headers'>,
): readonly string[] {
  if (!isObject(value)) {
    const lines = isPage(text) || looksLikeJson(text) ? [] : listTelling(listLines(text), status);
    return lines.slice(0, MAX_SUCCESS_LINES).map(limit);
  }
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(value));
  const texts = SUCCESS_TEXTS.map((name) => members.get(name)).flatMap((member) =>
    typeof member === 'string' || Array.isArray(member) ? [...listErrors([member], '', 0)] : [],
  );
  return texts
    .map((each) => shorten(each, status))
    .filter((each) => each !== '')
    .slice(0, MAX_LINES);
}

function listBodyLines(text: string, status: number): readonly string[] {
  if (looksLikeJson(text)) return [];
  const lines = isPage(text) ? listPageLines(text) : listLines(text);
  return listTelling(lines, status).slice(0, MAX_LINES).map(limit);
}

/** The lines of a text that say more than the status of its response; all of them if it is `whole`. */
function shorten(text: string, status: number, whole = false): string {
  const lines = listTelling(isPage(text) ? listPageLines(text) : listLines(text), status);
  return whole
    ? cutAtWord(lines.join('\n'), MAX_DETAIL_CHARACTERS)
    : limit(lines.slice(0, MAX_LINES).join('\n'));
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
function sortTexts(texts: readonly string[]): readonly string[] {
  const keys = texts.map((text) => text.replace(/[.!]$/, '').toLowerCase());
  const unique = texts.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
  return [...unique.filter((text) => !isMinor(text)), ...unique.filter(isMinor)];
}

function listChallenge(status: number, headers: IncomingHttpHeaders): readonly string[] {
  const challenge = status === 401 || status === 403 ? headers['www-authenticate'] : undefined;
  return /\berror_description="([^"]*)"/.exec(challenge ?? '')?.slice(1) ?? [];
}
