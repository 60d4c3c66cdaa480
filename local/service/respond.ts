import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { drainBody, type Exchange } from './exchange.ts';
import { formatBody, type Reply } from './reply.ts';
import type { ScriptedResponse } from './types.ts';

/** Sends a response with the delay and the headers of `script`. Throws if one of them is invalid. */
export async function respond(
  exchange: Exchange,
  reply: Reply,
  { delayMs = 0, headers }: ScriptedResponse,
): Promise<void> {
  const { request, response, record } = exchange;
  if (delayMs > 0 && !response.destroyed) {
    await Promise.race([sleep(delayMs, undefined, { ref: false }), once(response, 'close')]);
  }
  // A response ahead of the body would be lost if the connection were reset.
  if (!exchange.awaitsContinue) await drainBody(exchange).catch(() => undefined);
  if (response.destroyed) return;
  record.status = reply.status;
  response.statusCode = reply.status;
  // A header replaces an earlier one of the same name, in any case.
  for (const [name, value] of Object.entries({ ...reply.headers, ...headers })) {
    response.setHeader(name, value);
  }
  const body = formatBody(reply, request.headers.traceparent?.toString() ?? '');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  const closed = once(response, 'close');
  response.end(body);
  await closed;
}
