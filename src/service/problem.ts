import { clean } from '../redaction/clean.ts';
import { isObject, mapJson, tryJson } from '../json.ts';

/** A problem (interface document; RFC 9457). */
export interface ProblemDetails {
  /** The `traceId` member, which finds the request in the service's own logs; undefined if it is no text. */
  readonly traceId: string | undefined;
  /**
   * Every member as it was sent, also of wrong types, as compact JSON without secrets: the objects of 1,000 problems
   * would not fit, and removing secrets from all of them at the end would take too long.
   */
  readonly json: string;
}

const OWN = ['type', 'title', 'detail', 'instance'];
/** Frameworks have these in error bodies of their own too, with one of `FOREIGN`. */
const SHARED = ['status', 'errors', 'traceId'];
const FOREIGN = ['error', 'message', 'statusCode'];

/**
 * Whether the JSON of a body is a problem. The interface allows text/plain, application/json and text/json
 * for it, so the members decide. An object without any of a problem's members, or in the form of a framework's own
 * errors, is a problem only with the type application/problem+json.
 */
export function isProblem(contentType: string | undefined, value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  const names = Object.keys(value);
  const has = (known: readonly string[]): boolean => names.some((name) => known.includes(name));
  const isKnown = names.length === 0 || has(OWN) || (has(SHARED) && !has(FOREIGN));
  return isKnown || isProblemType(contentType);
}

/** Whether a response's body is declared to be a problem (RFC 9457, section 6). */
export function isProblemType(contentType: string | undefined): boolean {
  return /^[\s"]*application\/problem\+(?:json|xml)\b/i.test(contentType ?? '');
}

/** The problem of a value without invisible characters; undefined if it is no object. */
export function toProblem(value: unknown): ProblemDetails | undefined {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  const traceId = 'traceId' in value ? value.traceId : undefined;
  const isShown = typeof traceId === 'string' && traceId.trim() !== '';
  return {
    traceId: isShown ? traceId : undefined,
    json: JSON.stringify(mapJson(value, cleanLeaf)),
  };
}

/** A number that contains a secret becomes a text. */
function cleanLeaf(leaf: string | number): string | number {
  const text = clean(String(leaf));
  return text === String(leaf) ? leaf : text;
}

/**
 * The value of a JSON text as it is; undefined if it is not JSON. A number that JavaScript would change (2^53 and
 * more, 1e400) is the text that it was.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    // With a reviver, deep nesting exceeds the stack; without one it does not.
    return tryJson(text);
  }
}

function keepDigits(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isExact = typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact ? value : source;
}
