import { randomBytes } from 'node:crypto';

// W3C Trace Context, section 3.2: version, trace id, parent id and flags in lower-case hexadecimal.
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/**
 * The trace id an answer carries: a new span in the caller's trace when `traceparent` is valid,
 * in a new trace otherwise. The form is that of `traceparent`, as ASP.NET Core prints it.
 */
export function continueTrace(traceparent: string | undefined): string {
  const match = TRACEPARENT.exec(traceparent ?? '');
  const trace = match?.[1] ?? randomBytes(16).toString('hex');
  return `00-${trace}-${randomBytes(8).toString('hex')}-${match?.[2] ?? '00'}`;
}
