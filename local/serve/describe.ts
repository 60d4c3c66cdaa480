import type { RecordedPart, RecordedRequest } from '../service/index.ts';

/** One line about a request: method, target, status, body size, and the parts that were kept. */
export function describeRequest(request: RecordedRequest): string {
  const { method, path, status, bodyBytes, upload } = request;
  const head = `${method} ${quote(path)} ${status ?? 'unanswered'} ${bodyBytes} bytes`;
  return [head, ...(upload?.parts ?? []).map(describePart)].join(' | ');
}

function describePart(part: RecordedPart): string {
  return `${quote(part.name)} ${quote(part.filename)} ${part.bytes} bytes sha256:${part.sha256}`;
}

/** A text from the wire, as it is when it is harmless, else as JSON: a terminal obeys escapes. */
function quote(text: string): string {
  return /^[\w./~%?&=+@,-]+$/.test(text) ? text : JSON.stringify(text).replace(/[^ -~]/g, '?');
}
