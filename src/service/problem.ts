import { showJson } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import { isObject } from '../json.ts';

/** A problem (interface document; RFC 9457). */
export interface ProblemDetails {
  /** The `traceId` member, which finds the request in the service's own logs; undefined if it is no text. */
  readonly traceId: string | undefined;
  /**
   * Every member as it was sent, also of wrong types, as compact JSON without secrets: the objects of 1,000 problems
   * would not fit, and removing secrets from all of them at the end would take too long.
   */
  readonly json: SafeText;
}

const OWN = ['type', 'title', 'detail', 'instance'];
/** Frameworks have these beside a `status` in errors of their own. */
const FOREIGN = ['error', 'message'];

/**
 * Whether the JSON of a body is a problem. The interface allows text/plain, application/json and text/json for it, so
 * its members decide, unless it is declared as one.
 */
export function isProblem(contentType: string | undefined, value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  return isProblemType(contentType) || OWN.some(has) || (has('status') && !FOREIGN.some(has));
}

/** Whether a response's body is declared to be a problem (RFC 9457, section 6). */
export function isProblemType(contentType = ''): boolean {
  return /^\s*application\/problem\+json\b/i.test(contentType);
}

/** The problem of a value without invisible characters; undefined if it is no object. */
export function toProblem(value: unknown): ProblemDetails | undefined {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  const traceId = 'traceId' in value ? value.traceId : undefined;
  const isShown = typeof traceId === 'string' && traceId.trim() !== '';
  return {
    traceId: isShown ? traceId : undefined,
    json: showJson(value),
  };
}
