import { STATUS_CODES } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

/** Headers in which known gateways and frameworks send the id of a request. */
const REQUEST_ID_HEADERS = [
  'x-request-id',
  'x-correlation-id',
  'request-id',
  'cf-ray',
  'x-amzn-requestid',
  'x-amz-cf-id',
  'x-azure-ref',
  'x-ms-request-id',
  'x-cloud-trace-context',
];

/** A status with its name: `HTTP 502 Bad Gateway`. */
export function nameStatus(status: number): string {
  const reason = STATUS_CODES[status];
  return reason === undefined ? `HTTP ${status}` : `HTTP ${status} ${reason}`;
}

/** The headers that show which server responded, and the id of the request, as one line or none. */
export function listTraceHeaders(headers: IncomingHttpHeaders): readonly string[] {
  const names = ['server', 'via', ...REQUEST_ID_HEADERS];
  const known = names.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [`${name}: ${String(value)}`];
  });
  return known.length === 0 ? [] : [`Response headers: ${known.join(', ')}`];
}
