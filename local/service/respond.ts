import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { drainBody, type Exchange } from './exchange.ts';
import { formatBody, type Reply } from './reply.ts';
import type { ScriptedResponse } from './types.ts';

type Body = ReturnType<typeof formatBody>;

// After a response before the end of the body, Kestrel reads for 5 s, then closes the connection.
const DRAIN_MS = 5_000;

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
  if (response.destroyed) return;
  record.status = reply.status;
  response.statusCode = reply.status;
  const body = formatBody(reply, request.headers.traceparent?.toString() ?? '');
  // A header replaces an earlier one of the same name, in any case.
  for (const [name, value] of Object.entries({ ...reply.headers, ...headers })) {
    response.setHeader(name, value);
  }
  response.setHeader('Content-Length', Buffer.byteLength(body));
  if (exchange.awaitsContinue || request.complete) await sendWhole(response, body);
  else await overtakeBody(exchange, body);
}

async function sendWhole(response: ServerResponse, body: Body): Promise<void> {
  const closed = once(response, 'close');
  response.end(body);
  await closed;
}

/** Responds while the body is still arriving, and continues to read: a reset would lose the response. */
async function overtakeBody(exchange: Exchange, body: Body): Promise<void> {
  const { request, response } = exchange;
  const isLast = !response.shouldKeepAlive;
  // Node would close the connection after the response instead of reading on.
  response.shouldKeepAlive = true;
  const timeUp = sleep(DRAIN_MS, undefined, { ref: false });
  const drained = drainBody(exchange).catch(() => undefined);
  // Node does not end a request whose caller goes away after the response.
  const gone = new Promise((resolve) => request.socket.once('close', resolve));
  await Promise.all([sendWhole(response, body), Promise.race([drained, timeUp, gone])]);
  if (isLast || !request.complete) request.socket.destroySoon();
}
