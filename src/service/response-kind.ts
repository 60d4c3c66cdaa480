import type { IncomingHttpHeaders } from 'node:http';
import { isObject, tryJson } from '../json.ts';
import { isProblem, isProblemType } from './problem.ts';
import { saysNo, saysNoInText, saysNoInXml, statesProblem } from './verdict.ts';

/**
 * What a whole body is. Only a `success` confirms an upload; any other 2xx is a problem, a `web-page`, a `refusal`
 * (a body that says no), or cannot be read (`other`; `endless` if nothing shows that it is whole). Of another status
 * it is a problem, other JSON, a page, or anything else.
 */
export type ResponseKind =
  'success' | 'problem' | 'refusal' | 'web-page' | 'json' | 'endless' | 'other';

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

/** What a service that declares every body as JSON sends as it is: `OK`, an id. */
const JSON_LINE = /^[^<[{\r\n]{0,200}$/u;
/** Begun JSON, also after a text or before one: if it is none, it cannot be read. */
const JSON_PART = /^(?:\{|\[\s*(?:[{["\]\d]|$)|"[^"\n]*[{[])|\{\s*"|\[\s*[{["]/;
/** Media types of texts, as services write them too (`plain/text`), but not of a stream of events. */
const TEXT_TYPE = /^(?:$|(?!.*event-stream).*\b(?:text|xml|octet-stream)\b)/;

/** Reads the whole body of a 2xx response: docs/interface.md, Successes, has the rules. */
export function readSuccess({ headers, text, value }: RawBody): ResponseKind {
  if (text === undefined || text.includes('\0')) return 'other';
  const body = text.trim();
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  // Some frameworks declare JSON as HTML.
  if (isObject(value)) {
    if (statesProblem(value, isProblemType(type))) return 'problem';
    return saysNo(value) ? 'refusal' : 'success';
  }
  if (isWebPage(headers, body)) return 'web-page';
  if (typeof value === 'string') {
    return readSuccess({ headers: {}, text: value, value: tryJson(value.trim()) });
  }
  const isReadable = /json\b/.test(type) ? JSON_LINE.test(body) : TEXT_TYPE.test(type.trim());
  if (JSON_PART.test(body) || !isReadable) return body === '' ? 'success' : 'other';
  const isXml = /^<[a-z!?]/i.test(body);
  const isNo = isXml ? saysNoInXml(body) : value === false || saysNoInText(body);
  if (isNo === undefined) return 'other';
  return isNo ? 'refusal' : 'success';
}

/** What the body of a refusal is. */
export function readRefusal({ headers, text = '', value }: RawBody): ResponseKind {
  if (isProblem(headers['content-type'], value)) return 'problem';
  if (isObject(value)) return 'json';
  return isWebPage(headers, text.trim()) ? 'web-page' : 'other';
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
