import { isObject } from '../json.ts';
import { isProblem, isProblemType } from './problem.ts';
import { findFailure, isFailureText, statesProblem } from './verdict.ts';

/**
 * What a whole body is. Only a `success` confirms an upload; any other 2xx is a problem, a `refusal` (its body reports
 * a failure), a `web-page`, or cannot be read (`other`). Of another status it is a problem, other JSON, a page, or
 * anything else.
 */
export type ResponseKind = 'success' | 'problem' | 'refusal' | 'web-page' | 'json' | 'other';

/** A body without invisible characters, and without white space around it. */
export interface Body {
  /** Its Content-Type. */
  readonly type: string;
  /** Undefined if it cannot be decoded. */
  readonly text: string | undefined;
  /** The value of its JSON; undefined if it is none. */
  readonly value: unknown;
}

/** What a body is, and of a 2xx that reports a failure what it is or says: ``says `state: FAIL` ``. */
export interface Verdict {
  readonly kind: ResponseKind;
  readonly statedFailure?: string;
}

/** What may stand before the root of a page or of XML. */
const PROLOG = /(?:<!--[^]*?-->|<\?[^]*?\?>)\s*/y;
const ROOT = /<(?:!doctype\s+)?([\w:.-]+)/iy;

/** Reads the body of a 2xx: docs/interface.md, Successes, has the rule. */
export function readSuccess(body: Body): Verdict {
  const { type, text, value } = body;
  if (text === undefined) return { kind: 'other' };
  if (isWebPage(body)) return { kind: 'web-page' };
  if (value === undefined && beginsAsJson(text)) return { kind: 'other' };
  if (isObject(value) && statesProblem(value, isProblemType(type))) {
    return { kind: 'problem', statedFailure: 'is a problem' };
  }
  const statedFailure = readFailure(body);
  if (statedFailure === undefined) return { kind: 'success' };
  return { kind: isProblem(type, value) ? 'problem' : 'refusal', statedFailure };
}

/** What the body of a refusal is. */
export function readRefusal(body: Body): ResponseKind {
  if (isProblem(body.type, body.value)) return 'problem';
  if (isObject(body.value)) return 'json';
  return isWebPage(body) ? 'web-page' : 'other';
}

/** Whether a text that is not JSON begins as such. */
export function beginsAsJson(text: string): boolean {
  return /^(?:\{|\[\s*[{["])/.test(text);
}

function readFailure({ type, text = '', value }: Body): string | undefined {
  if (isObject(value)) {
    const member = findFailure(value);
    return member && `says \`${member}\``;
  }
  const root = isXml(type, text) ? findRoot(text) : '';
  if (/(?:error|fault|problem)$/i.test(root)) return `is <${root}>`;
  const [line = ''] = (typeof value === 'string' ? value.trim() : text).split(/[\r\n]/, 1);
  return value === false || isFailureText(line) ? `says \`${line}\`` : undefined;
}

/** Whether a body is a web page, such as a login page, even if its type does not say so. */
function isWebPage({ type, text = '', value }: Body): boolean {
  if (value !== undefined) return false;
  if (/^(?:[\w-]+:)?html$/i.test(findRoot(text))) return true;
  if (/^<[a-z!?/]/i.test(text) && !isXml(type, text)) return true;
  return isHtml(type) && (text.length > 200 || /[\r\n]/.test(text));
}

function isXml(type: string, text: string): boolean {
  const isDeclared = /^[^;]*[/+]xml\b/i.test(type) && !isHtml(type);
  return text.startsWith('<') && (isDeclared || /^<\?xml/i.test(text));
}

function isHtml(type: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
}

/** The name of the root element, or of the document type before it; empty if there is none. */
function findRoot(text: string): string {
  let start = 0;
  while (PROLOG.test(text)) start = PROLOG.lastIndex;
  ROOT.lastIndex = start;
  return ROOT.exec(text)?.[1] ?? '';
}
