import { request as makeRequest } from 'node:http';
import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { nameHost } from './host.ts';
import type { EndableOptions } from './request.ts';

/** A proxy that requests of one scheme go through. */
export interface Proxy {
  /** Scheme, host and port, without credentials. */
  readonly url: URL;
  /** The value of `Proxy-Authorization`; undefined without credentials. */
  readonly authorization: string | undefined;
  /** Whether `no_proxy` has the host with a scheme or a path, which excepts nothing. */
  readonly isMisspelledException?: boolean;
}

/** The proxy could not be reached (`cause`), or its response to CONNECT opened no tunnel. */
export class ProxyError extends Error {
  readonly status: number | undefined;
  /** Its `Proxy-Authenticate`: what it asks for. */
  readonly challenge: string | undefined;

  constructor(cause: Error | undefined, status?: number, challenge?: string) {
    super(cause?.message ?? `the proxy responded with ${status}`, { cause });
    this.status = status;
    this.challenge = challenge;
  }
}

type Settle = (error: Error | null, socket?: Duplex | null) => void;

/**
 * Makes all connections of `agent` to the host of `url` go through tunnels (CONNECT, RFC 9110, section
 * 9.3.6), for http as well. Inside they are as without a proxy. `proxyAgent` connects to the proxy. `https-proxy-agent`
 * would hang with a silent proxy, and Node's proxyEnv leave sockets open and block timers (nodejs/node#62904).
 */
export function tunnelThrough(proxy: Proxy, proxyAgent: Agent, agent: Agent, url: URL): void {
  const connect = agent.createConnection.bind(agent);
  const path = nameHost(url);
  // From an object with headers, Node would take Host as the name of an https proxy's certificate (nodejs/node#37104).
  const sent = ['Host', path];
  if (proxy.authorization) sent.push('Proxy-Authorization', proxy.authorization);
  agent.createConnection = (options: EndableOptions, settle: Settle): undefined => {
    const given = { path, headers: sent, agent: proxyAgent, signal: options.ended };
    // The agent decides whether it is http or https.
    const request = makeRequest(proxy.url, { method: 'CONNECT', ...given });
    request.once('error', (cause) => settle(new ProxyError(cause)));
    request.once('connect', ({ statusCode: status = 0, headers }, socket, head) => {
      // Any 2xx opens a tunnel (RFC 9110, section 9.3.6).
      if (status < 200 || status > 299) {
        socket.destroy();
        return settle(new ProxyError(undefined, status, headers['proxy-authenticate']));
      }
      // The service may have sent something already, such as the greeting of an SSH server.
      socket.unshift(head);
      const inside = { ...options, socket };
      settle(null, url.protocol === 'https:' ? connect(inside) : socket);
    });
    request.end();
  };
}
