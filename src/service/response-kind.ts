import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../json.ts';
import { isProblem, isProblemType } from './problem.ts';

/**
 * What a whole body is. A 2xx is a `success` unless it is a problem, a `web-page`, JSON that says no, or cannot be
 * read (`other`). A refusal is a problem, other JSON, a page, or anything else.
 */
export type ResponseKind = 'success' | 'problem' | 'web-page' | 'json' | 'other';

/** A body that was read, raw: nothing that is shown may come from here. */
export interface RawBody {
  readonly headers: IncomingHttpHeaders;
  /** Undefined if it cannot be decoded. */
  readonly text: string | undefined;
  /** The value of its JSON; undefined if it is none. */
  readonly value: unknown;
}

/** What a service that sets no media type sends as text/html: nothing, or a short line such as `OK`. */
const SHORT_LINE = /^[^<\r\n]{0,200}$/u;
/** HTML also ends a comment with `--!>`, and one that has just begun with `>` or `->`. */
const COMMENT = /<!--(?:-?>|[^]*?--!?>)\s*/y;
/** What may come before the root element of an XML document that is not XHTML. */
const XML_PROLOG =
  /(?:<!--[^]*?-->|<\?[^]*?\?>|<!doctype\s(?!\s*html(?![\w.:-]))[^[>]*(?:\[[^\]]*\]\s*)?>)\s*/iy;
const HTML_ROOT = /^<(?:!doctype\s+)?(?:[^\s:<>]+:)?html(?![\w.:-])/i;

/** Members with which JSON says whether it is a success, in lower case; the first one that is a boolean decides. */
const FLAGS = ['success', 'ok', 'succeeded', 'issuccess'];
const FAILED = /^(?:error|fail|failed|failure)$/i;

/** Judges the whole body of a 2xx response. A sentence, XML and JSON that says nothing else are a success, as is no body. */
export function judgeSuccess({ headers, text, value }: RawBody): ResponseKind {
  if (isProblemType(headers['content-type'])) return 'problem';
  if (text === undefined) return 'other';
  // A service may respond to several files with a list.
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.some(statesProblem)) return 'problem';
  if (values.some(saysNo)) return 'json';
  // Some frameworks declare JSON as HTML.
  if (!isObject(value) && isWebPage(headers, text)) return 'web-page';
  return text.includes('\0') ? 'other' : 'success';
}

/** What the body of a refusal is. */
export function judgeRefusal({ headers, text = '', value }: RawBody): ResponseKind {
  if (isProblem(headers['content-type'], value)) return 'problem';
  if (isObject(value)) return 'json';
  const isTagged = /^\s*</.test(text) && /<(?:html|body)\b/i.test(text);
  return isTagged || isHtmlType(headers['content-type']) ? 'web-page' : 'other';
}

/** Whether a body is declared as HTML or XHTML. */
export function isHtmlType(contentType = ''): boolean {
  return /^[\s",]*(?:text\s*\/\s*html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** Whether a value is an object with the status of a failure. */
function statesProblem(value: unknown): boolean {
  if (!isObject(value) || !('status' in value)) return false;
  const { status } = value;
  const isScalar = typeof status === 'number' || typeof status === 'string';
  return isScalar && /^[45]\d\d$/.test(String(status).trim());
}

/** Whether JSON reports a failure: by a flag, else by its status, else by a text in `error` or `errors`. */
function saysNo(value: unknown): boolean {
  if (!isObject(value)) return false;
  const members = new Map(
    Object.entries(value).map(([name, member]: [string, unknown]) => [name.toLowerCase(), member]),
  );
  const flags = FLAGS.map((name) => members.get(name));
  const flag = flags.find((member) => typeof member === 'boolean');
  if (flag !== undefined) return !flag;
  const status = members.get('status');
  if (typeof status === 'string' && FAILED.test(status.trim())) return true;
  return hasText([members.get('error'), members.get('errors')]);
}

/** Whether a value has a text that is not blank, at any depth. */
function hasText(value: unknown): boolean {
  // No recursion: a body of 1 MiB may be nested 500,000 levels deep.
  const queue = [value];
  while (queue.length > 0) {
    const next = queue.pop();
    if (typeof next === 'string' && next.trim() !== '') return true;
    if (isObject(next)) for (const member of Object.values(next)) queue.push(member);
  }
  return false;
}

/** Whether a body is a web page, such as a login page, even if its content type does not say so. */
function isWebPage(headers: IncomingHttpHeaders, body: string): boolean {
  const type = headers['content-type'] ?? '';
  const text = body.trim();
  const isHtml = isHtmlType(type);
  if (text === '' || (isHtml && SHORT_LINE.test(text))) return headers['refresh'] !== undefined;
  if (isHtml) return true;
  const start = skip(text, COMMENT);
  const isXml = /^[^;]*[+/]xml\b/i.test(type) || /^<\?xml\s/i.test(start);
  return isXml ? HTML_ROOT.test(skip(start, XML_PROLOG)) : /^<[a-z!?/]/i.test(start);
}

/** The rest of a text after every `piece` at its beginning; `piece` is sticky. */
function skip(text: string, piece: RegExp): string {
  let end = 0;
  while (piece.test(text)) end = piece.lastIndex;
  return text.slice(end);
}
