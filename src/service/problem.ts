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

export const PROBLEM_TYPE = 'application/problem+json';
/** The members of a problem that are texts. */
export const PROBLEM_TEXTS = ['type', 'title', 'detail', 'instance'];

/**
 * Whether the JSON of a refusal is a problem. The interface allows text/plain, application/json and text/json for it, so
 * its members decide, unless it is declared as one. Frameworks have a `status` beside `error` or `message` in errors of
 * their own.
 */
export function isProblemDetails(type: string, value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  const isFramework = has('error') || has('message');
  return type === PROBLEM_TYPE || PROBLEM_TEXTS.some(has) || (has('status') && !isFramework);
}

/** The problem of an object without invisible characters. */
export function toProblem(value: object): ProblemDetails {
  const traceId = 'traceId' in value && typeof value.traceId === 'string' ? value.traceId : '';
  return { traceId: traceId.trim() === '' ? undefined : traceId, json: showJson(value) };
}
