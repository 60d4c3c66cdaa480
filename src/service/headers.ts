import type { IncomingHttpHeaders } from 'node:http';

/**
 * Reads Retry-After as seconds or as a date in GMT (RFC 9110, section 10.2.3). Returns milliseconds from now, at least 0,
 * or undefined for any other text.
 */
export function parseRetryAfter(value = ''): number | undefined {
  // Infinity would make sums and differences of waits NaN.
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The schemes of a challenge (RFC 9110, section 11.6.1): each begins a part that is no parameter. */
export function listSchemes(challenge = ''): readonly string[] {
  const parts = challenge.replaceAll(/"[^"]*"/g, '""').split(',');
  return parts.flatMap((part) => /^([\w.-]{1,40})(?:\s+[^\s=]|$)/.exec(part.trim())?.[1] ?? []);
}

/** Why a challenge refuses a token (RFC 6750, section 3); empty if it does not say. */
export function findDescription(challenge = ''): string {
  return /\berror_description="([^"]*)"/.exec(challenge)?.[1] ?? '';
}

/** The target of a redirect without parameters, which may be of a session; undefined if it is no web address. */
export function readTarget({ location = '' }: IncomingHttpHeaders, base: URL): URL | undefined {
  const url = location === '' ? null : URL.parse(location, base.href);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return undefined;
  url.pathname = url.pathname.replaceAll(/;[^/]*/g, '');
  return url;
}
