import { request as requestHttp } from 'node:http';
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Proxy } from './settings.ts';
import { isSuccess } from './response.ts';

/** Options of a request through an agent; node:http passes them on to `createConnection`. */
export interface EndableOptions extends RequestOptions {
  /** Fires once the request has ended, so that a tunnel that is not open yet is given up. */
  readonly ended?: AbortSignal;
}

/** The proxy could not be reached (`cause`), or did not open the tunnel (`response`). */
export class ProxyError extends Error {
  /** The response to CONNECT; undefined if there was none. */
  readonly response: IncomingMessage | undefined;

  constructor({ cause, response }: { cause?: Error; response?: IncomingMessage }) {
    super(cause?.message ?? `the proxy responded with ${response?.statusCode}`, { cause });
    this.name = 'ProxyError';
    this.response = response;
  }
}

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
    done: (error: Error | null, socket?: Duplex | null) => void,
  ): undefined => {
    const request = openConnect(proxy, proxyAgent, target, options.ended);
    request.once('error', (cause) => done(new ProxyError({ cause })));
    request.once('connect', (response, socket, head) => {
      if (!isSuccess(response.statusCode ?? 0)) {
        socket.destroy();
        return done(new ProxyError({ response }));
      }
      // What follows the response comes from the service, such as the greeting of an SSH server.
      socket.unshift(head);
      const inside = { ...options, socket };
      done(null, isSecure ? connectDirectly(inside) : socket);
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

/** Whether the host of a URL is an IP address. */
export function isAddress({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
