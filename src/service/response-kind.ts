import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../json.ts';
import { isProblem, isProblemType } from './problem.ts';

/**
 * What a whole body is. A 2xx is a `success` unless it is a problem, a `web-page`, JSON that says no, or cannot be
 * read (`other`). A refusal is a problem, other JSON, a page, or anything else.
 */
export type ResponseKind = 'success' | 'problem' | 'web-page' | 'json' | 'other';

/** A body as it was received: nothing that is shown may come from here. */
export interface RawBody {
  readonly headers: IncomingHttpHeaders;
  /** Undefined if it cannot be decoded. */
  readonly text: string | undefined;
  /** The value of its JSON; undefined if it is none. */
  readonly value: unknown;
}

/** HTML and XHTML. */
const HTML_TYPE = /^[\s",]*(?:text\s*\/\s*html|application\/xhtml\+xml)\b/i;
/** What a service that sets no media type sends as text/html: nothing, or a short line such as `OK`. */
const SHORT_LINE = /^[^<\r\n]{0,200}$/u;
/** What may come before the first tag. */
const PROLOG = /(?:<!--[^]*?-->|<\?[^]*?\?>)\s*/y;
const HTML_ROOT = /^<(?:!doctype\s+)?(?:[\w-]+:)?html(?![\w.:-])/i;

/** Members with which JSON says whether it is a success, in lower case; the first one that is a boolean decides. */
const FLAGS = ['success', 'ok', 'succeeded', 'issuccess'];
const FAILED = /^\s*(?:error|fail|failed|failure)\s*$/i;

/** Judges the whole body of a 2xx response. A sentence, XML and JSON that says nothing else are a success, as is no body. */
export function judgeSuccess({ headers, text, value }: RawBody): ResponseKind {
  if (isProblemType(headers['content-type'])) return 'problem';
  if (text === undefined) return 'other';
  // A service may respond to several files with a list.
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.some(statesProblem)) return 'problem';
  if (values.some(saysNo)) return 'json';
  // Some frameworks declare JSON as HTML.
  if (!isObject(value) && isWebPage(headers, text.trim())) return 'web-page';
  return text.includes('\0') ? 'other' : 'success';
}

/** What the body of a refusal is. */
export function judgeRefusal({ headers, text = '', value }: RawBody): ResponseKind {
  if (isProblem(headers['content-type'], value)) return 'problem';
  if (isObject(value)) return 'json';
  return isWebPage(headers, text.trim()) ? 'web-page' : 'other';
}

/** Whether a value is an object with the status of a failure. */
function statesProblem(value: unknown): boolean {
  const status = isObject(value) && 'status' in value ? value.status : undefined;
  return !isObject(status) && /^\s*[45]\d\d\s*$/.test(String(status));
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
  if (typeof status === 'string' && FAILED.test(status)) return true;
  return hasText([members.get('error'), members.get('errors')]);
}

/** Whether a value has a text that is not blank, or is nested deeper than any service writes. */
function hasText(value: unknown, depth = 0): boolean {
  if (!isObject(value)) return typeof value === 'string' && value.trim() !== '';
  return depth > 100 || Object.values(value).some((member) => hasText(member, depth + 1));
}

/** Whether a trimmed body is a web page, such as a login page, even if its content type does not say so. */
function isWebPage({ 'content-type': type = '', refresh }: IncomingHttpHeaders, text: string) {
  const isHtml = HTML_TYPE.test(type);
  if (text === '' || (isHtml && SHORT_LINE.test(text))) return refresh !== undefined;
  let start = 0;
  while (PROLOG.test(text)) start = PROLOG.lastIndex;
  const root = text.slice(start);
  const isXml = /^[^;]*[+/]xml\b/i.test(type) || /^<\?xml\s/i.test(text);
  return isHtml || (isXml ? HTML_ROOT : /^<[a-z!?/]/i).test(root);
}
