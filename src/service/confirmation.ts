import type { IncomingHttpHeaders } from 'node:http';
import { isObject, tryJson } from '../json.ts';
import { isProblemType } from './problem.ts';

/** What the body of a 2xx response says about the upload. `unreadable`: the service may have the scan. */
export type Confirmation = 'success' | 'problem' | 'web-page' | 'unreadable';

/** What a service that sets no media type sends as text/html: nothing, or a short line such as `OK`. */
const SHORT_LINE = /^[^<\r\n]{0,200}$/u;
/** HTML also ends a comment with `--!>`, and one that has just begun with `>` or `->`. */
const COMMENT = /<!--(?:-?>|[^]*?--!?>)\s*/y;
/** What may come before the root element of an XML document that is not XHTML. */
const XML_PROLOG =
  /(?:<!--[^]*?-->|<\?[^]*?\?>|<!doctype\s(?!\s*html(?![\w.:-]))[^[>]*(?:\[[^\]]*\]\s*)?>)\s*/iy;
const HTML_ROOT = /^<(?:!doctype\s+)?(?:[^\s:<>]+:)?html(?![\w.:-])/i;

/**
 * Judges the whole decoded body of a 2xx response; `body` is undefined if it cannot be decoded. A sentence,
 * JSON and XML are a success, as is no body at all.
 */
export function judgeBody(headers: IncomingHttpHeaders, body: string | undefined): Confirmation {
  if (isProblemType(headers['content-type'])) return 'problem';
  if (body === undefined) return 'unreadable';
  if (statesProblem(body)) return 'problem';
  if (isWebPage(headers, body)) return 'web-page';
  return body.includes('\0') ? 'unreadable' : 'success';
}

/** Whether a body is declared as HTML or XHTML. */
export function isHtmlType(contentType = ''): boolean {
  return /^[\s",]*(?:text\s*\/\s*html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** Whether a text is an object with the status of a failure, or a list that begins with one. */
function statesProblem(text: string): boolean {
  const value = tryJson(text.trim());
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first) || !('status' in first)) return false;
  const { status } = first;
  const isScalar = typeof status === 'number' || typeof status === 'string';
  return isScalar && /^[45]\d\d$/.test(String(status).trim());
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
