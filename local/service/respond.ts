import { once } from 'node:events';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { drainBody, type Exchange } from './exchange.ts';
import { formatBody, type Reply } from './reply.ts';
import type { ScriptedResponse } from './types.ts';

/**
 * Sends a response as `script` describes, after `delayMs`, and ends the exchange: after a response before the end
 * of the body, `drainMs` later. Throws if a header of the
 * script is invalid.
 */
export async function respond(
  exchange: Exchange,
  reply: Reply,
  script: ScriptedResponse,
  { delayMs, drainMs }: Readonly<Record<'delayMs' | 'drainMs', number>>,
): Promise<void> {
  const { request, response, record } = exchange;
  if (delayMs > 0 && !response.destroyed) {
    await Promise.race([sleep(delayMs, undefined, { ref: false }), once(response, 'close')]);
  }
  if (response.destroyed) return;
  record.status = reply.status;
  const body = formatBody(reply, request.headers.traceparent?.toString() ?? '');
  setHead(response, reply, script, body);
  if (script.cut !== undefined) await sendStart(response, body, script.cut);
  else if (exchange.awaitsContinue || request.complete) await sendWhole(response, body);
  else await overtakeBody(exchange, body, drainMs);
}

function setHead(
  response: ServerResponse,
  reply: Reply,
  { headers }: ScriptedResponse,
  body: string | Uint8Array,
): void {
  const all = {
    'Content-Length': String(Buffer.byteLength(body)),
    ...reply.headers,
    ...headers,
  };
  response.statusCode = reply.status;
  // A header replaces an earlier one of the same name, in any case.
  Object.entries(all).forEach(([name, value]) => response.setHeader(name, value));
}

async function sendWhole(response: ServerResponse, body: string | Uint8Array): Promise<void> {
  const closed = once(response, 'close');
  response.end(body);
  await closed;
}

/**
 * Writes the first bytes of a response directly to the socket and destroys it. The kernel sends a reset if
 * the caller's body was not read to its end, otherwise a normal end.
 */
async function sendStart(
  response: ServerResponse,
  body: string | Uint8Array,
  length: number,
): Promise<void> {
  const { socket, statusCode } = response;
  const headers = Object.entries(response.getHeaders()).map((header) => header.join(': '));
  const status = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`;
  const head = [status, ...headers, 'Connection: close', '', ''].join('\r\n');
  const bytes = Buffer.concat([Buffer.from(head), Buffer.from(body)]);
  const closed = once(response, 'close');
  socket?.write(bytes.subarray(0, length), () => socket.destroy());
  await closed;
}

/** Responds while the body is still arriving, and continues to read: a reset would lose the response. */
async function overtakeBody(
  exchange: Exchange,
  body: string | Uint8Array,
  drainMs: number,
): Promise<void> {
  const { request, response } = exchange;
  const isLast = !response.shouldKeepAlive;
  // Node would close the connection after the response instead of reading on.
  response.shouldKeepAlive = true;
  const timeUp = sleep(drainMs, undefined, { ref: false });
  const drained = drainBody(exchange).catch(() => undefined);
  // Node does not end a request whose caller goes away after the response.
  const gone = new Promise((resolve) => request.socket.once('close', resolve));
  await Promise.all([sendWhole(response, body), Promise.race([drained, timeUp, gone])]);
  if (isLast || !request.complete) request.socket.destroySoon();
}
