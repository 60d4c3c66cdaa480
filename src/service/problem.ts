import { isObject } from '../json.ts';
import type { Clean } from '../text.ts';

/** A JSON value; what a problem's extension members hold. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A problem (interface document; RFC 9457). */
export interface ProblemDetails {
  /** The `traceId` member, which finds the request in the service's own logs; undefined if it is no text. */
  readonly traceId: string | undefined;
  /** Every member as it was sent, also of wrong types; values nested deeper than 32 levels are left out. */
  readonly members: { readonly [name: string]: Json };
}

const MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'traceId'];
/** Frameworks have the others in error bodies of their own, with one of `FOREIGN`. */
const OWN = ['type', 'title', 'detail', 'instance'];
const FOREIGN = ['error', 'message', 'statusCode'];
const MAX_DEPTH = 32;

/**
 * Reads a problem from a response's body. The interface allows text/plain, application/json and text/json
 * for it, so the text decides. An object without any of a problem's members, or in the form of a framework's own
 * errors, is a problem only with the type application/problem+json. Undefined for any other body.
 */
export function parseProblem(
  contentType: string | undefined,
  text: string,
): ProblemDetails | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const names = Object.keys(value);
  const isForeign = hasAny(names, FOREIGN) && !hasAny(names, OWN);
  const isKnown = names.length === 0 || (hasAny(names, MEMBERS) && !isForeign);
  return isKnown || isProblemType(contentType) ? readMembers(value) : undefined;
}

function hasAny(names: readonly string[], known: readonly string[]): boolean {
  return names.some((name) => known.includes(name));
}

/** Whether a response's body is declared to be a problem (RFC 9457, section 6). */
export function isProblemType(contentType: string | undefined): boolean {
  return /^[\s"]*application\/problem\+(?:json|xml)\b/i.test(contentType ?? '');
}

function parseObject(text: string): object | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return undefined;
  try {
    const value = parseJson(trimmed);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    // With a reviver, deep nesting exceeds the stack; without one it does not.
    return JSON.parse(text);
  }
}

/** A number that JavaScript would change (2^53 and more, 1e400) is kept as the text it was. */
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

/** Cleans the names and texts of a problem; a number that contains a secret becomes a text. */
export function cleanProblem({ members }: ProblemDetails, clean: Clean): ProblemDetails {
  return readMembers(members, clean);
}

function readMembers(value: object, clean: Clean = (text) => text): ProblemDetails {
  const members = copyObject(value, 1, clean);
  const traceId = Object.getOwnPropertyDescriptor(members, 'traceId')?.value as unknown;
  return {
    traceId: typeof traceId === 'string' && isVisible(traceId) ? traceId : undefined,
    members,
  };
}

/** Whether a text has visible characters. */
function isVisible(text: string): boolean {
  return /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** Copies own members only. It defines them instead of assigning, so that `__proto__` is a normal name. */
function copyObject(value: object, depth: number, clean: Clean): ProblemDetails['members'] {
  const entries = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const copy = copyJson(member, depth + 1, clean);
    const shown = MEMBERS.includes(name) ? name : clean(name);
    return copy === undefined ? [] : [[shown, copy] as const];
  });
  return Object.fromEntries(entries);
}

function copyJson(value: unknown, depth: number, clean: Clean): Json | undefined {
  if (typeof value === 'string') return clean(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    const text = clean(String(value));
    return text === String(value) ? value : text;
  }
  if (!isObject(value) || depth > MAX_DEPTH) return undefined;
  if (!Array.isArray(value)) return copyObject(value, depth, clean);
  return value.flatMap((entry: unknown) => {
    const copy = copyJson(entry, depth + 1, clean);
    return copy === undefined ? [] : [copy];
  });
}
