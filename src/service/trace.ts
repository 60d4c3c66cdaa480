import { randomBytes } from 'node:crypto';

/** The trace of an upload (W3C Trace Context, level 1): 32 hexadecimal digits, not all zeros. */
export function createTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** The value of a `traceparent` header for a new span of the trace, sampled. */
export function createTraceparent(traceId: string): string {
  return `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
}
