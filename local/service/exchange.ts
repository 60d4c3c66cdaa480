import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordedRequest } from './types.ts';

/** One request while it is served. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: { -readonly [Member in keyof RecordedRequest]: RecordedRequest[Member] };
  /** Whether the caller waits for 100 before it sends the body (RFC 9110, section 10.1.1). */
  awaitsContinue: boolean;
}

/** The exchange of a request of which only the headers were read. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  awaitsContinue: boolean,
): Exchange {
  const { method = '', url: path = '', headers } = request;
  const record = { method, path, headers, bodyBytes: 0, status: undefined, upload: undefined };
  return { request, response, record, awaitsContinue };
}

/** Sends 100 to a caller that waits for it; call it before the body is read. */
export function askForBody(exchange: Exchange): void {
  if (exchange.awaitsContinue) exchange.response.writeContinue();
  exchange.awaitsContinue = false;
}

/**
 * The body chunk by chunk, counted in the record. Throws when the caller closes the connection before
 * its end.
 */
export async function* readBody({
  request,
  record,
}: Exchange): AsyncGenerator<Buffer, void, undefined> {
  const chunks: AsyncIterable<unknown> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    if (!Buffer.isBuffer(chunk)) continue;
    record.bodyBytes += chunk.length;
    yield chunk;
  }
}

/** Reads the rest of the body and drops it. Throws when the caller closes the connection before its end. */
export async function drainBody(exchange: Exchange): Promise<void> {
  for await (const chunk of readBody(exchange)) void chunk;
}
