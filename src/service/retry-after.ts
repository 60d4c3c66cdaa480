/**
 * Reads Retry-After as seconds or as a date in GMT (RFC 9110, section 10.2.3). Returns milliseconds from `nowMs`, not
 * negative; undefined for anything else.
 */
export function parseRetryAfter(value = '', nowMs: number): number | undefined {
  const text = value.trim();
  // With Infinity, sums and differences of waits would be NaN.
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
