import { request as requestHttp } from 'node:http';
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServiceResponse } from './attempt.ts';
import { ResponseReader, isSuccess } from './response.ts';
import type { Proxy } from './settings.ts';

/** Options of a request through an agent; node:http passes them on to `createConnection`. */
export interface EndableOptions extends RequestOptions {
  /** Fires once the request has ended, so that a tunnel that is not open yet is given up. */
  readonly ended?: AbortSignal;
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
/** CONNECT has none, and a redirect of it is only shown. */
const NO_URL = new URL('http://proxy.invalid');

/**
 * Makes all connections of `agent` to the host of `url` go through tunnels (CONNECT, RFC 9110, section
 * 9.3.6), for http as well. Inside they are as without a proxy. `proxyAgent` connects to the proxy.
 */
export function tunnelThrough(proxy: Proxy, proxyAgent: Agent, agent: Agent, url: URL): void {
  const isSecure = url.protocol === 'https:';
  const target = `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`;
  const connectDirectly = agent.createConnection.bind(agent);
  agent.createConnection = (
    options: EndableOptions,
    settle: (error: Error | null, socket?: Duplex | null) => void,
  ): undefined => {
    const request = openConnect(proxy, proxyAgent, target, options.ended);
    request.once('error', (cause) => settle(new ProxyError({ cause })));
    request.once('connect', (response, socket, head) => {
      if (!isSuccess(response.statusCode ?? 0)) {
        return void readRefusal(response, socket, head, options.ended).then(settle, settle);
      }
      // What follows the response comes from the service, such as the greeting of an SSH server.
      socket.unshift(head);
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
  signal: AbortSignal | undefined,
): ClientRequest {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return open(url, {
    method: 'CONNECT',
    path: target,
    headers: { Host: target, ...(authorization && { 'Proxy-Authorization': authorization }) },
    agent,
    ...(signal !== undefined && { signal }),
    // Node would take the name from the Host header. An address has none (RFC 6066, section 3).
    servername: isAddress(url) ? '' : url.hostname,
  });
}

/**
 * Reads the body of a response to CONNECT. Node leaves it to us, whatever the status: the headers are put
 * back, and Node reads them again as the response to a request of which nothing is ever sent.
 */
async function readRefusal(
  response: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  signal: AbortSignal | undefined,
): Promise<ProxyError> {
  const { statusCode: status = 0, rawHeaders } = response;
  const fields = rawHeaders.map((text, index) => `${text}${index % 2 === 0 ? ': ' : '\r\n'}`);
  const start = Buffer.from(`HTTP/1.1 ${status} x\r\n${fields.join('')}\r\n`, 'latin1');
  socket.unshift(Buffer.concat([start, head]));
  const request = requestHttp({ createConnection: () => socket, ...(signal && { signal }) });
  const timer = setTimeout(() => request.destroy(), REFUSAL_MS);
  const again = await new Promise<IncomingMessage | undefined>((resolve) => {
    request.on('error', () => resolve(undefined)).on('response', resolve);
  });
  const reader = new ResponseReader(again ?? response, NO_URL);
  const complete = again !== undefined && (await readWhole(reader));
  clearTimeout(timer);
  request.destroy();
  return new ProxyError({ response: reader.conclude(complete) });
}

/** Reads a response as far as it arrives; resolves with whether that was its end. */
async function readWhole(reader: ResponseReader): Promise<boolean> {
  return new Promise((resolve) => {
    const onBreak = (): void => resolve(false);
    const onComplete = (): void => resolve(true);
    reader.read({ onProgress: () => {}, onComplete, onTooLong: onBreak, onBreak });
  });
}

/** Whether the host of a URL is an IP address. */
export function isAddress({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
