import { showJson } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import { isObject, listMembers } from '../json.ts';

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

const PROBLEM_TYPE = 'application/problem+json';
const TEXT_MEMBERS = ['type', 'title', 'detail', 'instance'];

/**
 * Whether the JSON of a refusal is a problem. The interface allows text/plain, application/json and text/json for it, so
 * its members decide, unless it is declared as one. Frameworks have a `status` beside `error` or `message` in errors of
 * their own.
 */
export function isProblemDetails(type: string, value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  const isFramework = has('error') || has('message');
  return type === PROBLEM_TYPE || TEXT_MEMBERS.some(has) || (has('status') && !isFramework);
}

/** Whether JSON is declared as a problem, and says what happened. */
export function isProblemDeclared(type: string, value: unknown): boolean {
  if (type !== PROBLEM_TYPE || !isObject(value)) return false;
  return listMembers(value).some(([name]) => name === 'title' || name === 'detail');
}

/** Whether an object, which is not declared as a problem, has the members of one. */
export function hasProblemShape(value: object): boolean {
  const members = new Map(listMembers(value));
  const known = [...TEXT_MEMBERS, 'status'].filter((name) => members.has(name));
  const type = members.get('type') ?? 'about:blank';
  const isType = typeof type === 'string' && /[:/]/.test(type);
  return known.length >= 3 && isType && typeof (members.get('status') ?? 0) === 'number';
}

/** The problem of an object without invisible characters. */
export function toProblem(value: object): ProblemDetails {
  const traceId = 'traceId' in value && typeof value.traceId === 'string' ? value.traceId : '';
  return { traceId: traceId.trim() === '' ? undefined : traceId, json: showJson(value) };
}
