import { toError } from '../errors.ts';
import type { Clean } from '../text.ts';
import { OidcError } from './auth.ts';
import type { Json, ProblemDetails } from './problem.ts';
import type { ServiceResponse } from './response.ts';
import type { Cause, Verdict } from './verdict.ts';

/**
 * Cleans the texts of a verdict: the text and the headers of the response, its problem, and the messages
 * of errors. Call it after all decisions about the attempt, because they need the raw texts.
 */
export function cleanVerdict(verdict: Verdict, clean: Clean): Verdict {
  return { ...verdict, cause: cleanCause(verdict.cause, clean) };
}

/**
 * Resolves the target of a redirect against `url`, the URL of the attempt, in a clean verdict; other verdicts are
 * unchanged. URL changes the case of a host, which could hide a secret, and drops tabs and segments of a
 * path, which could join the parts of one: the target is clean before and after it is resolved.
 */
export function resolveRedirect(verdict: Verdict, url: URL, clean: Clean): Verdict {
  const { cause } = verdict;
  if (cause.kind !== 'redirect') return verdict;
  const { headers } = cause.response;
  const target = headers.location && URL.parse(headers.location, url.href)?.href;
  const response = {
    ...cause.response,
    headers: { ...headers, location: target && clean(target) },
  };
  return { ...verdict, cause: { ...cause, response } };
}

function cleanCause(cause: Cause, clean: Clean): Cause {
  switch (cause.kind) {
    case 'accepted':
    case 'redirect':
    case 'web-page':
    case 'early-success':
    case 'unreadable-response':
      return { ...cause, response: cleanResponse(cause.response, clean) };
    case 'refused': {
      const problem = cause.problem && cleanProblem(cause.problem, clean);
      return { ...cause, response: cleanResponse(cause.response, clean), problem };
    }
    case 'truncated-response': {
      const error = cause.error && cleanError(cause.error, clean);
      return { ...cause, response: cleanResponse(cause.response, clean), error };
    }
    case 'connection': {
      const { fault, text } = cause.diagnosis;
      return { ...cause, diagnosis: { fault, text: clean(text) } };
    }
    case 'oidc': {
      const { message, isPermission } = cause.error;
      return { ...cause, error: new OidcError(clean(message), isPermission) };
    }
    case 'aborted':
      return { ...cause, reason: cleanError(cause.reason, clean) };
    case 'stalled':
    case 'file':
      return cause;
  }
}

/** An error with a clean message. An error without anything to remove keeps its class. */
function cleanError(error: Error, clean: Clean): Error {
  const message = clean(error.message);
  return message === error.message ? error : toError(message);
}

function cleanResponse(response: ServiceResponse, clean: Clean): ServiceResponse {
  const headers = Object.entries(response.headers).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.map(clean) : value && clean(value)] as const;
  });
  return { ...response, headers: Object.fromEntries(headers), text: clean(response.text) };
}

/** Cleans the names and texts of a problem; a number that contains a secret becomes a text. */
export function cleanProblem(problem: ProblemDetails, clean: Clean): ProblemDetails {
  const { type, title, detail, instance, traceId } = problem;
  return {
    type: type && clean(type),
    title: title && clean(title),
    status: problem.status,
    detail: detail && clean(detail),
    instance: instance && clean(instance),
    errors: problem.errors.map(({ field, message }) => ({
      field: clean(field),
      message: clean(message),
    })),
    traceId: traceId && clean(traceId),
    members: cleanMembers(problem.members, clean),
  };
}

function cleanMembers(
  members: ProblemDetails['members'],
  clean: Clean,
): { readonly [name: string]: Json } {
  const entries = Object.entries(members).map(
    ([name, value]) => [clean(name), cleanJson(value, clean)] as const,
  );
  return Object.fromEntries(entries);
}

function cleanJson(value: Json, clean: Clean): Json {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'number') {
    const text = clean(String(value));
    return text === String(value) ? value : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map((entry) => cleanJson(entry, clean)) : cleanMembers(value, clean);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
