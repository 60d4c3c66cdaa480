import { request as requestHttp } from 'node:http';
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { addAbortSignal } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { ServiceResponse } from './attempt.ts';
import { MAX_REFUSAL_BYTES, decodeBody } from './decode-body.ts';
import { isSuccess, readResponse } from './response.ts';
import type { Proxy } from './settings.ts';

/** Options of a request through an agent; node:http passes them on to `createConnection`. */
export interface EndableOptions extends RequestOptions {
  /** Fires once the request has ended, so that a tunnel that is not open yet is given up. */
  readonly ended: AbortSignal;
}

/** The proxy could not be reached (`cause`), or did not open the tunnel (`response`). */
export class ProxyError extends Error {
  /** Undefined if there was none. */
  readonly response: ServiceResponse | undefined;

  constructor({ cause, response }: { cause?: Error; response?: ServiceResponse }) {
    super(cause?.message ?? `the proxy responded with ${response?.status}`, { cause });
    this.name = 'ProxyError';
    this.response = response;
  }
}

/** How long the body of a proxy's refusal may take, in milliseconds; its status alone says enough. */
const REFUSAL_MS = 1000;
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
/** CONNECT has none, and a redirect of it is only shown. */
const NO_URL = new URL('http://proxy.invalid');

/**
 * Makes all connections of `agent` to the host of `url` go through tunnels (CONNECT, RFC 9110, section
 * 9.3.6), for http as well. Inside they are as without a proxy. `proxyAgent` connects to the proxy.
 */
export function tunnelThrough(proxy: Proxy, proxyAgent: Agent, agent: Agent, url: URL): void {
  const isSecure = url.protocol === 'https:';
  const target = nameHost(url);
  const connectDirectly = agent.createConnection.bind(agent);
  agent.createConnection = (
    options: EndableOptions,
    settle: (error: Error | null, socket?: Duplex | null) => void,
  ): undefined => {
    const request = openConnect(proxy, proxyAgent, target, options.ended);
    request.once('error', (cause) => settle(new ProxyError({ cause })));
    request.once('connect', (response, socket, head) => {
      // What follows is the body of a refusal, or comes from the service, such as the greeting of an SSH server.
      socket.unshift(head);
      if (!isSuccess(response.statusCode ?? 0)) {
        return void readRefusal(response, socket, options.ended).then(settle, settle);
      }
      const inside = { ...options, socket };
      settle(null, isSecure ? connectDirectly(inside) : socket);
    });
    request.end();
  };
}

function openConnect(
  { url, authorization }: Proxy,
  agent: Agent,
  target: string,
  signal: AbortSignal,
): ClientRequest {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return open(url, {
    method: 'CONNECT',
    path: target,
    headers: { Host: target, ...(authorization && { 'Proxy-Authorization': authorization }) },
    agent,
    signal,
    // Node would take the name from the Host header. An address has none (RFC 6066, section 3).
    servername: isAddress(url) ? '' : url.hostname,
  });
}

/** Reads what a proxy says that opens no tunnel: Node leaves the body of a response to CONNECT to us. */
async function readRefusal(
  { statusCode: status = 0, headers }: IncomingMessage,
  socket: Duplex,
  ended: AbortSignal,
): Promise<ProxyError> {
  const length = Number(headers['content-length'] ?? Infinity);
  const isChunked = headers['transfer-encoding'] !== undefined;
  let body = Buffer.alloc(0);
  const isWhole = (): boolean =>
    isChunked ? body.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : body.length >= length;
  const timer = setTimeout(() => socket.destroy(), REFUSAL_MS);
  try {
    const chunks: AsyncIterable<Buffer> = addAbortSignal(ended, socket);
    if (!isWhole()) {
      for await (const chunk of chunks) {
        body = Buffer.concat([body, chunk]);
        if (isWhole() || body.length >= MAX_REFUSAL_BYTES) break;
      }
    }
  } catch {
    // What has arrived is shown, however the connection ended.
  }
  clearTimeout(timer);
  // Without a frame, the end of the connection is that of the body.
  const complete = isWhole() || (!isChunked && length === Infinity && socket.readableEnded);
  const raw = isChunked ? joinChunks(body) : body.subarray(0, length);
  const text = decodeBody(headers, raw.subarray(0, MAX_REFUSAL_BYTES));
  return new ProxyError({
    response: readResponse({ status, headers, text, complete, url: NO_URL }),
  });
}

/** A body without the lines before its chunks (RFC 9112, section 7.1). */
function joinChunks(body: Buffer): Buffer {
  const text = body.toString('latin1');
  return Buffer.from(text.replaceAll(/(?:^|\r\n)[\da-f]+(?:;[^\r\n]*)?\r\n/gi, ''), 'latin1');
}

/** The host of a URL with its port, also if that is the default. */
export function nameHost({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Whether the host of a URL is an IP address. */
export function isAddress({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
