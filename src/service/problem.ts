import { clean } from '../redaction/clean.ts';
import { isObject, tryJson } from '../json.ts';

/** A JSON value without secrets and invisible characters. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A problem (interface document; RFC 9457). */
export interface ProblemDetails {
  /** The `traceId` member, which finds the request in the service's own logs; undefined if it is no text. */
  readonly traceId: string | undefined;
  /** Every member as it was sent, also of wrong types, as compact JSON: the objects of 1,000 problems would not fit. */
  readonly json: string;
}

const MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'traceId'];
/** Frameworks have the others in error bodies of their own, with one of `FOREIGN`. */
const OWN = ['type', 'title', 'detail', 'instance'];
const FOREIGN = ['error', 'message', 'statusCode'];
const MAX_DEPTH = 32;
/** What every number has in its text that JavaScript would change. */
const LARGE_NUMBER = /\d{16}|\de/i;

/**
 * Whether the JSON of a body is a problem. The interface allows text/plain, application/json and text/json
 * for it, so the members decide. An object without any of a problem's members, or in the form of a framework's own
 * errors, is a problem only with the type application/problem+json.
 */
export function isProblem(contentType: string | undefined, value: unknown): value is object {
  if (!isObject(value) || Array.isArray(value)) return false;
  const names = Object.keys(value);
  const isForeign = hasAny(names, FOREIGN) && !hasAny(names, OWN);
  const isKnown = names.length === 0 || (hasAny(names, MEMBERS) && !isForeign);
  return isKnown || isProblemType(contentType);
}

function hasAny(names: readonly string[], known: readonly string[]): boolean {
  return names.some((name) => known.includes(name));
}

/** Whether a response's body is declared to be a problem (RFC 9457, section 6). */
export function isProblemType(contentType: string | undefined): boolean {
  return /^[\s"]*application\/problem\+(?:json|xml)\b/i.test(contentType ?? '');
}

/** The problem of a clean value. */
export function toProblem(value: Json): ProblemDetails {
  const traceId: unknown = Object.getOwnPropertyDescriptor(value, 'traceId')?.value;
  const isShown = typeof traceId === 'string' && traceId.trim() !== '';
  return { traceId: isShown ? traceId : undefined, json: JSON.stringify(value) };
}

/**
 * The value of a JSON text as it is; undefined if it is not JSON. A number that JavaScript would change (2^53 and
 * more, 1e400) is the text that it was.
 */
export function parseJson(text: string): unknown {
  if (!LARGE_NUMBER.test(text)) return tryJson(text);
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    // With a reviver, deep nesting exceeds the stack; without one it does not.
    return tryJson(text);
  }
}

function keepDigits(
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const isExact =
    Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
  return isExact ? value : context.source;
}

/**
 * A JSON value with clean names and texts, of which values nested deeper than 32 levels are left out. A number
 * that contains a secret becomes a text. Undefined for what is no JSON value.
 */
export function cleanJson(value: unknown, depth = 1): Json | undefined {
  if (typeof value === 'string') return clean(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    const text = clean(String(value));
    return text === String(value) ? value : text;
  }
  if (!isObject(value) || depth > MAX_DEPTH) return undefined;
  if (!Array.isArray(value)) return cleanObject(value, depth);
  return value.flatMap((entry: unknown) => {
    const copy = cleanJson(entry, depth + 1);
    // A list within a list stays one.
    return copy === undefined ? [] : [copy];
  });
}

/** Defines members instead of assigning them, so that `__proto__` is a normal name. */
function cleanObject(value: object, depth: number): { readonly [name: string]: Json } {
  const entries = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const copy = cleanJson(member, depth + 1);
    const shown = MEMBERS.includes(name) ? name : clean(name);
    return copy === undefined ? [] : [[shown, copy] as const];
  });
  return Object.fromEntries(entries);
}
